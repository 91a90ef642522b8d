"""torch.nn.utils.prune: parameters multiplied by masks before each forward pass.

As in torch the layer keeps ``weight_orig`` and ``weight_mask``, and ``weight`` is made of them.
"""

import paddle
import torch

from rewriters.rule import rule, same

same("torch.nn.utils.prune.BasePruningMethod.apply", "torch.nn.utils.prune.BasePruningMethod.prune")


def count_pruned(amount, size):
    """How many of so many parameters: a share or a number."""
    if (isinstance(amount, float) and not 0.0 <= amount <= 1.0) or amount < 0:
        raise ValueError(f"amount={amount} should be a non-negative number, or a share between 0 and 1")
    if isinstance(amount, int) and amount > size:
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")
    return round(amount * size) if isinstance(amount, float) else amount


def without(mask, scores):
    """The mask with zeros at the places of the scores, numbers in the flattened mask."""
    flat = mask.flatten()
    return paddle.put_along_axis(flat, scores, paddle.zeros([], mask.dtype), 0).reshape(mask.shape)


def pruning_axis(module, name, dim):
    """The weight of a Linear is transposed in Paddle."""
    return {0: 1, 1: 0, -1: -2, -2: -1}[dim] if isinstance(module, paddle.nn.Linear) and name == "weight" else dim


@rule(torch.nn.utils.prune.BasePruningMethod)
class BasePruningMethod:
    """A way to choose what is pruned: compute_mask(t, default_mask) of a derived class; called before each forward."""

    def __call__(self, module, inputs):
        object.__setattr__(module, self._tensor_name, self.apply_mask(module))  # else it were a buffer

    def compute_mask(self, t, default_mask):
        raise NotImplementedError

    def apply_mask(self, module):
        mask = getattr(module, self._tensor_name + "_mask")
        original = getattr(module, self._tensor_name + "_orig")
        return mask.astype(original.dtype) * original

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        method = cls(*args, **kwargs)
        method._tensor_name = name
        before = next((hook for hook in pruning_hooks(module) if hook._tensor_name == name), None)
        scores = getattr(module, name) if importance_scores is None else importance_scores
        if before is not None:
            # torch goes on from the mask that is there
            kept = before if isinstance(before, PruningContainer) else PruningContainer(before)
            kept.add_pruning_method(method)
            method = kept
            original, mask = getattr(module, name + "_orig"), getattr(module, name + "_mask")
            before.handle.remove()
        else:
            original = getattr(module, name)
            mask = paddle.ones_like(original)
            del module._parameters[name]
            module.add_parameter(name + "_orig", original)
        module.register_buffer(name + "_mask", method.compute_mask(scores.detach(), mask.detach()))
        object.__setattr__(module, name, method.apply_mask(module))
        method.handle = module.register_forward_pre_hook(method)
        return method

    def prune(self, t, default_mask=None, importance_scores=None):
        mask = paddle.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(t if importance_scores is None else importance_scores, mask).astype(t.dtype)

    def remove(self, module):
        name = self._tensor_name
        value = self.apply_mask(module).detach()
        original = module._parameters.pop(name + "_orig")
        original.set_value(value)
        del module._buffers[name + "_mask"]
        module.__dict__.pop(name, None)
        module.add_parameter(name, original)


def pruning_hooks(module):
    return [hook for hook in module._forward_pre_hooks.values() if isinstance(hook, BasePruningMethod)]


@rule(torch.nn.utils.prune.PruningContainer)
class PruningContainer(BasePruningMethod):
    """One method after another, each on what those before it left."""

    def __init__(self, *args):
        self._pruning_methods = ()
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        self._tensor_name = method._tensor_name
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, idx):
        return self._pruning_methods[idx]

    def compute_mask(self, t, default_mask):
        method = self._pruning_methods[-1]
        kind = method.PRUNING_TYPE
        if kind == "global":
            return method.compute_mask(t, default_mask)
        if kind == "unstructured":
            left = paddle.nonzero(default_mask.flatten()).flatten()
            part = method.compute_mask(t.flatten()[left], paddle.ones([left.shape[0]], default_mask.dtype))
            return without(default_mask, left[part == 0])
        # rows that earlier methods removed do not count
        dim = method.dim
        others = [axis for axis in range(t.ndim) if axis != dim % t.ndim]
        left = paddle.nonzero(default_mask.sum(axis=others) != 0).flatten()
        rows = paddle.index_select(default_mask, left, axis=dim)
        part = method.compute_mask(paddle.index_select(t, left, axis=dim), rows)
        shape = [1] * t.ndim
        shape[dim] = -1
        places = left.reshape(shape).expand(part.shape)
        return paddle.put_along_axis(default_mask, places, part, dim)


@rule(torch.nn.utils.prune.Identity)
class PruneNothing(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        return default_mask


@rule(torch.nn.utils.prune.RandomUnstructured)
class RandomUnstructured(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        self.amount = amount

    def compute_mask(self, t, default_mask):
        return without(default_mask, paddle.randperm(t.size)[: count_pruned(self.amount, t.size)])


@rule(torch.nn.utils.prune.L1Unstructured)
class L1Unstructured(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        self.amount = amount

    def compute_mask(self, t, default_mask):
        count = count_pruned(self.amount, t.size)
        return without(default_mask, paddle.argsort(t.abs().flatten(), stable=True)[:count])


@rule(torch.nn.utils.prune.CustomFromMask)
class CustomFromMask(BasePruningMethod):
    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        return default_mask * self.mask.astype(default_mask.dtype)


@rule(torch.nn.utils.prune.RandomStructured)
class RandomStructured(BasePruningMethod):
    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        self.amount, self.dim = amount, dim

    def scores(self, t):
        """Of each channel."""
        return paddle.rand([t.shape[self.dim]])

    def compute_mask(self, t, default_mask):
        size = t.shape[self.dim]
        pruned = paddle.argsort(self.scores(t), stable=True)[: count_pruned(self.amount, size)]
        shape = [1] * t.ndim
        shape[self.dim] = size
        return default_mask * without(paddle.ones([size], default_mask.dtype), pruned).reshape(shape)


@rule(torch.nn.utils.prune.LnStructured)
class LnStructured(RandomStructured):
    def __init__(self, amount, n, dim=-1):
        super().__init__(amount, dim)
        self.n = n

    def scores(self, t):
        return paddle.norm(paddle.moveaxis(t, self.dim, 0).reshape([t.shape[self.dim], -1]), p=self.n, axis=1)


@rule(torch.nn.utils.prune.identity)
def prune_nothing(module, name):
    PruneNothing.apply(module, name)
    return module


@rule(torch.nn.utils.prune.random_unstructured)
def random_unstructured(module, name, amount):
    RandomUnstructured.apply(module, name, amount)
    return module


@rule(torch.nn.utils.prune.l1_unstructured)
def l1_unstructured(module, name, amount, importance_scores=None):
    L1Unstructured.apply(module, name, amount, importance_scores=importance_scores)
    return module


@rule(torch.nn.utils.prune.random_structured)
def random_structured(module, name, amount, dim):
    RandomStructured.apply(module, name, amount, pruning_axis(module, name, dim))
    return module


@rule(torch.nn.utils.prune.ln_structured)
def ln_structured(module, name, amount, n, dim, importance_scores=None):
    axis = pruning_axis(module, name, dim)
    LnStructured.apply(module, name, amount, n, axis, importance_scores=importance_scores)
    return module


@rule(torch.nn.utils.prune.custom_from_mask)
def custom_from_mask(module, name, mask):
    CustomFromMask.apply(module, name, mask)
    return module


@rule(torch.nn.utils.prune.global_unstructured)
def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    given = importance_scores or {}
    parameters = list(parameters)
    scores = [given.get(pair, getattr(*pair)).detach() for pair in parameters]
    masks = [getattr(module, name + "_mask", paddle.ones_like(getattr(module, name))) for module, name in parameters]
    method = pruning_method(**kwargs)
    method._tensor_name = "all"
    whole = PruningContainer(method)
    mask = whole.compute_mask(paddle.concat([s.flatten() for s in scores]), paddle.concat([m.flatten() for m in masks]))
    start = 0
    for (module, name), score in zip(parameters, scores, strict=True):
        custom_from_mask(module, name, mask[start : start + score.size].reshape(score.shape))
        start += score.size


@rule(torch.nn.utils.prune.remove)
def remove_pruning(module, name):
    for hook in pruning_hooks(module):
        if hook._tensor_name == name:
            hook.remove(module)
            hook.handle.remove()
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


@rule(torch.nn.utils.prune.is_pruned)
def is_pruned(module):
    return any(pruning_hooks(layer) for layer in module.sublayers(include_self=True))
