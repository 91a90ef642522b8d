"""torch.nn.modules: what all modules have."""

import functools

import oneflow
import torch

from rewriters.rule import alias, differs, family, rule, same
from rewriters.shared.rules.nn.modules.kept_hooks import Handle

alias(torch.nn.Module, "oneflow.nn.Module")


same(
    "torch.nn.Module.double",
    "torch.nn.Module.half",
    "torch.nn.Module.modules",
    "torch.nn.Module.parameters",
    "torch.nn.Module.register_buffer",
    "torch.nn.Module.state_dict",
    "torch.nn.Module.to",
    "torch.nn.Module.buffers",
    "torch.nn.Module.add_module",
    "torch.nn.Module.register_parameter",
    "torch.nn.Module._modules",
)


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


def each_time(self, prefix):
    """Modules and their names, each module as often as it is held."""
    yield prefix, self
    for name, part in self._modules.items():
        if part is not None:
            yield from each_time(part, f"{prefix}.{name}" if prefix else name)


@rule(torch.nn.Module.named_modules)
def named_modules(self, memo=None, prefix="", remove_duplicate=True):
    if remove_duplicate:
        return self.named_modules(memo=memo, prefix=prefix)
    return each_time(self, prefix)


@family("parameters buffers")
@rule(torch.nn.Module.named_parameters)
def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
    if remove_duplicate:
        return self.named_parameters(prefix=prefix, recurse=recurse)
    parts = each_time(self, prefix) if recurse else [(prefix, self)]
    found = [(path, name, value) for path, part in parts for name, value in part._parameters.items()]
    return iter([(f"{path}.{name}" if path else name, value) for path, name, value in found if value is not None])


@rule(torch.nn.Module.register_module)
def register_module(self, name, module):
    return self.add_module(name, module)


@rule(torch.nn.Module.bfloat16)
def bfloat16(self):
    return self.to(oneflow.bfloat16)


@family("submodule parameter buffer", "modules parameters buffers")
@rule(torch.nn.Module.get_submodule)
def get_submodule(self, target):
    return dict(self.named_modules())[target]


# OneFlow's own hooks are kept under their count, which comes again once one is taken away, and have no handle.


@rule(torch.nn.Module.register_forward_hook)
def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
    if always_call:
        raise NotImplementedError("a hook is not called of what raised; call the function where that is handled")
    if with_kwargs:
        raise NotImplementedError("OneFlow's hooks are not told keyword arguments; pass with_kwargs=False")
    return Handle(self._forward_hooks, hook, prepend)


@rule(torch.nn.Module.register_forward_pre_hook)
def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
    if with_kwargs:
        raise NotImplementedError("OneFlow's hooks are not told keyword arguments; pass with_kwargs=False")
    return Handle(self._forward_pre_hooks, hook, prepend)


@rule(torch.nn.Module._register_load_state_dict_pre_hook)
def register_load_hook(self, hook, with_module=False):
    return Handle(self._load_state_dict_pre_hooks, functools.partial(hook, self) if with_module else hook)


@rule(torch.nn.Module.register_load_state_dict_pre_hook)
def register_load_state_dict_pre_hook(self, hook):
    return Handle(self._load_state_dict_pre_hooks, functools.partial(hook, self))


# What torch calls of a module's own class, and OneFlow's do not


@rule("torch.nn.Module.set_extra_state:own")
def unheard_when_loaded(self):
    differs("OneFlow's modules do not call this when a state is loaded; change the dict before load_state_dict")


@rule("torch.nn.Module.get_extra_state:own")
def unheard_when_saved(self):
    differs("OneFlow's modules do not call this when a state_dict is made; add to what state_dict() gives")
