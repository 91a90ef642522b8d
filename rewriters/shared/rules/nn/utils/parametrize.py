"""torch.nn.utils.parametrize: a parameter computed from another, by layers, each time it is asked for.

A Linear's parametrizations see its weight as torch has it, (out, in); the layer itself sees its own.
"""

import framework
import torch

from rewriters.rule import rule, same
from rewriters.targets.framework.rules.nn.utils.parametrized import (
    is_turned,
    new_parameter,
    own_parts,
    put_parameter,
    put_value,
)

same("torch.nn.utils.parametrize.ParametrizationList.right_inverse")


parametrized_values = {"depth": 0, "kept": {}}  # while cached() is on: (layer, name) -> value


@rule(torch.nn.utils.parametrize.ParametrizationList)
class ParametrizationList(framework.nn.ModuleList):
    """The layers that make a parameter of ``original``, or of ``original0``, ``original1``, ..."""

    def __init__(self, modules, original, unsafe=False):
        super().__init__(modules)
        value = original
        for module in reversed(list(self)):
            if hasattr(module, "right_inverse"):
                value = module.right_inverse(value.detach())
        self.count = None if isinstance(value, framework.Tensor) else len(value)
        if self.count is None:
            self.original = original if value is original else new_parameter(value, original)
        else:
            for number, part in enumerate(value):
                setattr(self, f"original{number}", new_parameter(part, original))

    def originals(self):
        return [self.original] if self.count is None else [getattr(self, f"original{n}") for n in range(self.count)]

    def right_inverse(self, value):
        with framework.no_grad():
            for module in reversed(list(self)):
                value = module.right_inverse(value)
            for original, part in zip(self.originals(), [value] if self.count is None else value, strict=True):
                put_value(original, part)

    def forward(self):
        first, *rest = self
        value = first(*self.originals())
        for module in rest:
            value = module(value)
        return value


def parametrized_class(module, name, turned):
    """The layer's class, with a property for the parameter."""

    def compute(self):
        value = self.parametrizations[name]()
        return value.t() if turned else value

    def get(self):
        if not parametrized_values["depth"]:
            return compute(self)
        kept = parametrized_values["kept"]
        if (id(self), name) not in kept:
            kept[id(self), name] = compute(self)
        return kept[id(self), name]

    def put(self, value):
        self.parametrizations[name].right_inverse(value.t() if turned else value)

    if not is_parametrized(module):
        base = type(module)
        module.__class__ = type(f"Parametrized{base.__name__}", (base,), {})
        module.parametrizations = framework.nn.ModuleDict()
    setattr(type(module), name, property(get, put))


@rule(torch.nn.utils.parametrize.register_parametrization)
def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    parametrization.train() if module.training else parametrization.eval()
    if is_parametrized(module, tensor_name):
        those = module.parametrizations[tensor_name]
        if hasattr(parametrization, "right_inverse"):
            if those.count is not None:
                raise NotImplementedError("put the parametrization of several tensors last")
            with framework.no_grad():
                put_value(those.original, parametrization.right_inverse(those.original.detach()))
        those.append(parametrization)
        return module
    original = getattr(module, tensor_name)
    turned = is_turned(module, tensor_name)
    for held in (module._parameters, module._buffers):
        held.pop(tensor_name, None)
    those = ParametrizationList([parametrization], new_parameter(original.t(), original) if turned else original)
    parametrized_class(module, tensor_name, turned)
    module.parametrizations[tensor_name] = those
    return module


@rule(torch.nn.utils.parametrize.is_parametrized)
def is_parametrized(module, tensor_name=None):
    found = own_parts(module).get("parametrizations")
    return isinstance(found, framework.nn.ModuleDict) and (tensor_name is None or tensor_name in found)


@rule(torch.nn.utils.parametrize.remove_parametrizations)
def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    those = module.parametrizations.pop(tensor_name)
    if not leave_parametrized and those.count is not None:
        raise ValueError("A parametrization of several tensors can only be left parametrized")
    value = new_parameter(those(), those.originals()[0]) if leave_parametrized else those.original
    if is_turned(module, tensor_name):
        value = new_parameter(value.t(), value)
    delattr(type(module), tensor_name)
    if not len(module.parametrizations):
        del own_parts(module)["parametrizations"]
        module.__class__ = type(module).__mro__[1]
    put_parameter(module, tensor_name, value)
    return module


@rule(torch.nn.utils.parametrize.type_before_parametrizations)
def type_before_parametrizations(module):
    return type(module).__mro__[1] if is_parametrized(module) else type(module)


@rule(torch.nn.utils.parametrize.transfer_parametrizations_and_params)
def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    names = list(from_module.parametrizations.keys()) if tensor_name is None else [tensor_name]
    for name in names:
        those = from_module.parametrizations[name]
        for layer in those:
            register_parametrization(to_module, name, layer)
        for mine, other in zip(to_module.parametrizations[name].originals(), those.originals(), strict=True):
            put_value(mine, other.detach())
    return to_module


@rule(torch.nn.utils.parametrize.cached)
class cached:
    """Within it each parametrized value is computed once."""

    def __enter__(self):
        parametrized_values["depth"] += 1

    def __exit__(self, *failure):
        parametrized_values["depth"] -= 1
        if not parametrized_values["depth"]:
            parametrized_values["kept"] = {}


@rule(torch.nn.utils.parametrize.get_swap_module_params_on_conversion)
def get_swap_module_params_on_conversion():
    return False
