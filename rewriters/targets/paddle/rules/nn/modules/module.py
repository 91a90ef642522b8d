"""Methods of Module."""

import collections
import warnings

import paddle
import torch

from rewriters.rule import alias, differs, family, rule, same

alias(torch.nn.Module, "paddle.nn.Layer")


same(
    "torch.nn.Module.bfloat16",
    "torch.nn.Module.get_buffer",
    "torch.nn.Module.get_extra_state",
    "torch.nn.Module.get_parameter",
    "torch.nn.Module.get_submodule",
    "torch.nn.Module.register_forward_pre_hook",
    "torch.nn.Module.set_submodule",
    "torch.nn.Module.type",
    "torch.nn.Module.zero_grad",
)


def cast_floating(layer, dtype):
    # Paddle's to(dtype=...) casts the integers among the buffers too; torch leaves them
    return layer._to_impl(dtype=dtype, floating_only=True)


@rule(torch.nn.Module.double)
def double(self):
    return cast_floating(self, paddle.float64)


@rule(torch.nn.Module.half)
def half(self):
    return cast_floating(self, paddle.float16)  # Paddle's own leaves a layer on the CPU as it is


@rule(torch.nn.Module.to)
def to(self, device: paddle.dtype, non_blocking=False):
    return cast_floating(self, device)


@rule(torch.nn.Module.to)
def to(self, device: paddle.Tensor, non_blocking=False):
    return cast_floating(self.to(device.place), device.dtype)


@rule(torch.nn.Module.to)
def to(self, *, tensor, non_blocking=False):
    return cast_floating(self.to(tensor.place), tensor.dtype)


@rule(torch.nn.Module.to)
def to(self, *, memory_format, non_blocking=False):
    return self  # Paddle's tensors have one memory format


@rule(torch.nn.Module.to)
def to(self, device=None, dtype=None, non_blocking=False, *, memory_format=None):
    if dtype is None:
        return self.to(device)
    return cast_floating(self.to(device), dtype)


@rule(torch.nn.Module.modules)
def modules(self):
    return self.sublayers(include_self=True)


@rule(torch.nn.Module.named_modules)
def named_modules(self, memo=None, prefix="", remove_duplicate=True):
    return self.named_sublayers(prefix=prefix, include_self=True, layers_set=memo, remove_duplicate=remove_duplicate)


@family("parameters buffers")
@rule(torch.nn.Module.parameters)
def parameters(self, recurse=True):
    return self.parameters(include_sublayers=recurse)


def statistics_within(layer):
    """Of batch normalization: parameters in Paddle, buffers in torch."""
    norms = [
        part for part in layer.sublayers(include_self=True) if isinstance(part, paddle.nn.layer.norm._BatchNormBase)
    ]
    return {id(statistic) for part in norms for statistic in (part._mean, part._variance)}


@rule("torch.nn.Module.parameters:torchs")
def torch_parameters(self, recurse=True):
    return [parameter for _, parameter in torch_named_parameters(self, recurse=recurse)]


@rule("torch.nn.Module.parameters:torchs_once")
def torch_parameters_once(self, recurse=True):
    yield from (parameter for _, parameter in torch_named_parameters(self, recurse=recurse))


@rule("torch.nn.Module.named_parameters:torchs")
def torch_named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
    if not isinstance(self, paddle.nn.Layer):
        return self.named_parameters()
    statistics = statistics_within(self)
    named = self.named_parameters(prefix=prefix, include_sublayers=recurse, remove_duplicate=remove_duplicate)
    return ((name, parameter) for name, parameter in named if id(parameter) not in statistics)


@rule("torch.nn.Module:attribute=")
def plain_attribute(self, value, name):
    object.__setattr__(self, name, value)


@rule("torch.nn.Module:attribute_or_parameter=")
def plain_attribute_unless_parameter(self, value, name):
    if type(value) is not paddle.Tensor:  # a Parameter, which is of a class of its own
        setattr(self, name, value)
    else:
        object.__setattr__(self, name, value)


@family("parameters buffers")
@rule("torch.nn.Module.parameters:next")
def next_parameters(self, recurse=True):
    return iter(self.parameters(include_sublayers=recurse))


@family("parameters buffers")
@rule("torch.nn.Module.parameters:once")
def parameters_once(self):
    found = self.parameters()  # in torch gone through once
    return iter(found) if isinstance(self, paddle.nn.Layer) else found


@family("parameters buffers")
@rule("torch.nn.Module.parameters:later")
def parameters_of_then(self, recurse=True):
    """Those that there are when the first is asked for."""
    yield from self.parameters(include_sublayers=recurse) if isinstance(self, paddle.nn.Layer) else self.parameters()


@rule("torch.nn.Module.modules:later")
def modules_of_then(self):
    yield from self.sublayers(include_self=True) if isinstance(self, paddle.nn.Layer) else self.modules()


@rule("torch.nn.Module.modules:once")
def modules_once(self):
    return iter(self.sublayers(include_self=True)) if isinstance(self, paddle.nn.Layer) else self.modules()


@rule("torch.nn.Module.modules:next")
def next_modules(self):
    return iter(self.sublayers(include_self=True))


@family("parameters buffers")
@rule(torch.nn.Module.named_parameters)
def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
    return self.named_parameters(prefix=prefix, include_sublayers=recurse, remove_duplicate=remove_duplicate)


@rule(torch.nn.Module.state_dict)
def state_dict(self):
    return self.state_dict()


@rule(torch.nn.Module.state_dict)
def state_dict(self, *, destination=None, prefix="", keep_vars=False):
    return self.state_dict(destination=destination, structured_name_prefix=prefix)


@rule(torch.nn.Module.register_buffer)
def register_buffer(self, name, tensor, persistent=True):
    return self.register_buffer(name, tensor, persistable=persistent)


@rule(torch.nn.Module.register_parameter)
def register_parameter(self, name, param):
    return self.add_parameter(name, param)


@rule(torch.nn.Module.add_module, torch.nn.Module.register_module)
def add_module(self, name, module):
    return self.add_sublayer(name, module)


@rule(torch.nn.Module.register_forward_hook)
def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
    return self.register_forward_post_hook(hook, prepend=prepend, with_kwargs=with_kwargs, always_call=always_call)


class UnheardHook:
    def __init__(self, hook):
        warnings.warn(f"{hook} is not called when a state dict is loaded", stacklevel=3)

    def remove(self):
        """There is nothing to remove."""


@rule(torch.nn.Module.register_load_state_dict_pre_hook, torch.nn.Module._register_load_state_dict_pre_hook)
def register_load_state_dict_pre_hook(self, hook, with_module=True):
    differs("Paddle's layers have no hooks of loading, this is not called; change the state dict before it is loaded")
    return UnheardHook(hook)


@rule("torch.nn.Module._modules")
def own_modules(self):
    return self._sub_layers


alias(torch.nn.modules.conv._ConvNd, "paddle.nn.layer.conv._ConvNd")
alias(torch.nn.modules.instancenorm._InstanceNorm, "paddle.nn.layer.norm._InstanceNormBase")


def is_resettable(layer):
    """Whether torch's layer of that kind has the method."""
    nn = paddle.nn
    kinds = (nn.Linear, nn.Embedding, nn.layer.conv._ConvNd, nn.layer.rnn.RNNBase, nn.LayerNorm, nn.GroupNorm)
    return isinstance(layer, (*kinds, nn.layer.norm._BatchNormBase, nn.layer.norm._InstanceNormBase, nn.Bilinear))


@rule("torch.nn.Module.reset_parameters:asked")
def has_reset_parameters(layer, name):
    return hasattr(layer, name) or is_resettable(layer)


@rule("torch.nn.Module.state_dict:changed")
def state_dict(self):
    return {name: value.detach() for name, value in self.state_dict().items()}


@rule("torch.nn.Module.state_dict:once")
def state_dict_of_names(self):
    """Recurrent layers have their weights once more, as those of their cells."""
    layers = self.named_sublayers(include_self=True)
    within = [name and f"{name}." for name, layer in layers if isinstance(layer, paddle.nn.layer.rnn.RNNBase)]
    return collections.OrderedDict(
        (name, value.detach())
        for name, value in self.state_dict().items()
        if not any(name.startswith(start) and "." in name[len(start) :] for start in within)
    )


@rule("torch.nn.Module.load_state_dict:once")
def load_state_of_names(self, state_dict, strict=True):
    known, first, filled = state_dict_of_names(self), {}, dict(state_dict)
    for name, value in self.state_dict().items():
        of = first.setdefault(id(value), name)
        if name not in known:
            filled[name] = filled.get(of, value)
    return self.load_state_dict(filled, strict=strict)


alias(torch.nn.modules.batchnorm._BatchNorm, "paddle.nn.layer.norm._BatchNormBase")


# What torch calls of a module's own class, and Paddle's do not


@rule("torch.nn.Module._load_from_state_dict:own", "torch.nn.Module.set_extra_state:own")
def unheard_when_loaded(self):
    differs("Paddle's layers do not call this when a state is loaded; change the dict before load_state_dict")


@rule("torch.nn.Module._save_to_state_dict:own", "torch.nn.Module.get_extra_state:own")
def unheard_when_saved(self):
    differs("Paddle's layers do not call this when a state_dict is made; add to what state_dict() gives")


@rule("torch.nn.Module._apply:own")
def unheard_when_cast(self):
    differs("Paddle's layers do not call this when they are moved or cast; define to(), float() and their like")
