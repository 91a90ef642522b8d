"""Hooks of one module's calls: its class looks, at each call, for what the module keeps."""

import functools
from collections import OrderedDict

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule
from rewriters.shared.rules.nn.modules.kept_hooks import Handle, shown
from rewriters.targets.jax.rules.nn.modules.module import TorchMethods

KEPT = "hooks_of_calls"


class Hooks:
    """What is called before and after a module, in order; copies of the module share it."""

    def __init__(self):
        self.before, self.after, self.loading = OrderedDict(), OrderedDict(), OrderedDict()
        self.gradients_before, self.gradients_after = OrderedDict(), OrderedDict()


def hooks_of(module):
    """The module's own, and from now on its class looks for them."""
    kind = type(module)
    original = kind.__call__
    if getattr(original, "kind", None) is not kind:

        @functools.wraps(original)
        def call(self, *args, **kwargs):
            hooks = vars(self).get(KEPT)
            if hooks is None or type(self) is not kind:  # what a derived class calls of its base
                return original(self, *args, **kwargs)
            for hook, with_kwargs in [*hooks.before.values()]:
                found = hook(self, args, kwargs) if with_kwargs else hook(self, args)
                if with_kwargs and found is not None:
                    args, kwargs = found
                elif found is not None:
                    args = found if isinstance(found, tuple) else (found,)
            result = original(self, *args, **kwargs)
            for hook, with_kwargs in [*hooks.after.values()]:
                found = hook(self, args, kwargs, result) if with_kwargs else hook(self, args, result)
                result = result if found is None else found
            return watched(self, hooks, result) if hooks.gradients_before or hooks.gradients_after else result

        call.kind = kind
        kind.__call__ = call
    return kept_by(module)


def watched(module, hooks, result):
    """What a module gives, whose gradients its hooks are shown when they are computed."""
    parts, structure = jax.tree.flatten(result)
    places = [i for i, one in enumerate(parts) if isinstance(one, jax.Array) and jnp.issubdtype(one.dtype, jnp.inexact)]

    def backward(_, gradients):
        if any(isinstance(one, jax.core.Tracer) for one in gradients):
            raise NotImplementedError(
                "hooks look at gradients as they are computed, which compiled functions have none of"
            )
        return shown(module, hooks.gradients_before, hooks.gradients_after, gradients)

    same = jax.custom_vjp(lambda *arrays: arrays)
    same.defvjp(lambda *arrays: (arrays, None), backward)
    for place, one in zip(places, same(*(parts[place] for place in places)), strict=True):
        parts[place] = one
    return jax.tree.unflatten(structure, parts)


def kept_by(module):
    if KEPT not in vars(module):
        setattr(module, KEPT, Hooks())
    return vars(module)[KEPT]


@rule(torch.nn.Module.register_forward_hook)
def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
    if always_call:
        raise NotImplementedError("a hook is not called of what raised; call the function where that is handled")
    return Handle(hooks_of(self).after, (hook, with_kwargs), prepend)


@rule(torch.nn.Module.register_forward_pre_hook)
def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
    return Handle(hooks_of(self).before, (hook, with_kwargs), prepend)


@rule(torch.nn.Module.register_full_backward_hook)
def register_full_backward_hook(self, hook, prepend=False):
    return Handle(hooks_of(self).gradients_after, hook, prepend)


@rule(torch.nn.Module.register_full_backward_pre_hook)
def register_full_backward_pre_hook(self, hook, prepend=False):
    return Handle(hooks_of(self).gradients_before, hook, prepend)


def telling(load):
    """``load_state_dict`` that first asks what the modules keep to see, and change, what is loaded."""

    @functools.wraps(load)
    def load_state_dict(self, state_dict, strict=True, assign=False):
        state_dict, missing, unexpected, errors = OrderedDict(state_dict), [], [], []
        for name, module in self.named_modules():
            hooks = vars(module).get(KEPT)
            for hook, with_module in [*hooks.loading.values()] if hooks else []:
                given = (state_dict, f"{name}." if name else "", {}, strict, missing, unexpected, errors)
                hook(module, *given) if with_module else hook(*given)
        if errors:
            raise RuntimeError("; ".join(errors))
        return load(self, state_dict, strict, assign)

    load_state_dict.tells = True
    return load_state_dict


@rule(torch.nn.Module._register_load_state_dict_pre_hook)
def register_load_hook(self, hook, with_module=False):
    if not hasattr(TorchMethods.load_state_dict, "tells"):
        TorchMethods.load_state_dict = telling(TorchMethods.load_state_dict)
    return Handle(kept_by(self).loading, (hook, with_module))


@rule(torch.nn.Module.register_load_state_dict_pre_hook)
def register_load_state_dict_pre_hook(self, hook):
    return register_load_hook(self, hook, with_module=True)
