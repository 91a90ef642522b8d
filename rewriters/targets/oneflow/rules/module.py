"""Methods of Module, and torch.nn.utils."""

import oneflow
import torch

from rewriters.rule import alias, rule, same

alias(torch.nn.Module, "oneflow.nn.Module")
same(
    "torch.nn.Linear.reset_parameters", "torch.nn.Embedding.reset_parameters", "torch.nn.LayerNorm.reset_parameters",
    "torch.nn.GroupNorm.reset_parameters",
    "torch.nn.Module.apply", "torch.nn.Module.children", "torch.nn.Module.eval", "torch.nn.Module.forward",
    "torch.nn.Module.load_state_dict", "torch.nn.Module.modules", "torch.nn.Module.named_children",
    "torch.nn.Module.named_modules", "torch.nn.Module.named_parameters", "torch.nn.Module.parameters",
    "torch.nn.Module.register_buffer", "torch.nn.Module.state_dict", "torch.nn.Module.to", "torch.nn.Module.train",
    "torch.nn.Module.buffers", "torch.nn.Module.named_buffers", "torch.nn.Module.cpu",
    "torch.nn.Module.cuda", "torch.nn.Module.float", "torch.nn.Module.double", "torch.nn.Module.half",
    "torch.nn.Module.add_module", "torch.nn.Module.register_parameter", "torch.nn.Module.requires_grad_",
    "torch.nn.Module.training", "torch.nn.Module.extra_repr", "torch.nn.Module._modules",
    "torch.nn.Module._parameters", "torch.nn.Module._buffers",
)  # fmt: skip


@rule(torch.nn.Module.zero_grad)
def zero_grad(self, set_to_none=True):
    return self.zero_grad(set_to_none=set_to_none)  # OneFlow's default is False


@rule("torch.nn.Module.state_dict:read")
def state_dict(self, *, destination=None, prefix="", keep_vars=False):
    # OneFlow's holds the parameters themselves, which are part of graphs and refuse to be written to
    found = self.state_dict(destination=destination, prefix=prefix)
    if not keep_vars:
        with oneflow.no_grad():  # detach() forgets where a part of another tensor begins
            for name, value in found.items():
                found[name] = value.unsqueeze(0).squeeze(0) if isinstance(value, oneflow.Tensor) else value
    return found


@rule(torch.nn.Module.register_module)
def register_module(self, name, module):
    return self.add_module(name, module)


@rule(torch.nn.Module.bfloat16)
def bfloat16(self):
    return self.to(oneflow.bfloat16)


@rule(torch.nn.Module.get_submodule)
def get_submodule(self, target):
    return dict(self.named_modules())[target]


@rule(torch.nn.Module.get_parameter)
def get_parameter(self, target):
    return dict(self.named_parameters())[target]


@rule(torch.nn.Module.get_buffer)
def get_buffer(self, target):
    return dict(self.named_buffers())[target]


class Handle:
    """Takes a hook away again: OneFlow's hooks have no handle."""

    def __init__(self, hooks, hook):
        self.hooks, self.hook = hooks, hook

    def remove(self):
        for key in [key for key, hook in self.hooks.items() if hook is self.hook]:
            del self.hooks[key]


@rule(torch.nn.Module.register_forward_hook)
def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
    if with_kwargs:
        raise NotImplementedError("OneFlow's hooks are not told keyword arguments; pass with_kwargs=False")
    self.register_forward_hook(hook)
    return Handle(self._forward_hooks, hook)


@rule(torch.nn.Module.register_forward_pre_hook)
def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
    if with_kwargs:
        raise NotImplementedError("OneFlow's hooks are not told keyword arguments; pass with_kwargs=False")
    self.register_forward_pre_hook(hook)
    return Handle(self._forward_pre_hooks, hook)


@rule(torch.nn.utils.clip_grad_norm_, torch.nn.utils.clip_grad_norm)
def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    return oneflow.nn.utils.clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite)


@rule(torch.nn.utils.clip_grad_value_)
def clip_grad_value_(parameters, clip_value, foreach=None):
    return oneflow.nn.utils.clip_grad_value_(parameters, clip_value)


@rule(torch.nn.utils.parameters_to_vector)
def parameters_to_vector(parameters):
    return oneflow.cat([parameter.reshape(-1) for parameter in parameters])


@rule(torch.nn.utils.vector_to_parameters)
def vector_to_parameters(vec, parameters):
    start = 0
    for parameter in parameters:
        count = parameter.numel()
        parameter.data = oneflow.narrow(vec, 0, start, count).reshape(parameter.shape).clone()
        start += count


@rule(torch.nn.utils.get_total_norm)
def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    flat = oneflow.cat([tensor.detach().reshape(-1) for tensor in tensors])
    return oneflow.linalg.vector_norm(flat, ord=norm_type)


@rule(torch.nn.utils.clip_grads_with_norm_)
def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    factor = oneflow.clamp(max_norm / (total_norm + 1e-6), max=1.0)
    for parameter in [parameters] if isinstance(parameters, oneflow.Tensor) else parameters:
        if parameter.grad is not None:
            parameter.grad.mul_(factor)


@rule(torch.nn.utils.weight_norm)
def weight_norm(module, name="weight", dim=0):
    return oneflow.nn.utils.weight_norm(module, name, dim)


@rule(torch.nn.utils.remove_weight_norm)
def remove_weight_norm(module, name="weight"):
    return oneflow.nn.utils.remove_weight_norm(module, name)


@rule(torch.nn.utils.skip_init)
def skip_init(module_cls, *args, **kwargs):
    return module_cls(*args, **kwargs)


@rule(torch.nn.utils.rnn.invert_permutation)
def invert_permutation(permutation):
    # OneFlow's own takes int32 alone
    return None if permutation is None else oneflow.argsort(permutation).to(permutation.dtype)


@rule(torch.nn.utils.rnn.pad_sequence)
def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    longest = max(sequence.shape[0] for sequence in sequences)
    rows = []
    for sequence in sequences:
        missing = longest - sequence.shape[0]
        rest = oneflow.zeros((missing, *sequence.shape[1:]), dtype=sequence.dtype, device=sequence.device)
        rest = rest + padding_value if missing else rest
        parts = [sequence, rest.to(sequence.dtype)] if padding_side == "right" else [rest.to(sequence.dtype), sequence]
        rows.append(oneflow.cat(parts) if missing else sequence)
    return oneflow.stack(rows, 0 if batch_first else 1)


@rule(torch.nn.utils.rnn.pad_packed_sequence)
def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    # the lengths are floats in OneFlow's
    found, lengths = oneflow.nn.utils.rnn.pad_packed_sequence(sequence, batch_first, padding_value, total_length)
    return found, lengths.to(oneflow.int64)


alias(torch.nn.utils.rnn.PackedSequence, "oneflow.nn.utils.rnn.PackedSequence")
same(
    "torch.nn.utils.rnn.pack_padded_sequence",
    "torch.nn.utils.rnn.pack_sequence", "torch.nn.utils.rnn.unpad_sequence", "torch.nn.utils.rnn.unpack_sequence",
)  # fmt: skip
