"""Methods and properties of what may be a tensor."""

import jax
import jax.numpy as jnp
from flax import nnx

from rewriters.rule import rule
from rewriters.targets.jax.rules.nn.modules.stored import View
from rewriters.targets.jax.rules.nn.parameter import variable_of


@rule("torch.Tensor:unknown")
def method(receiver, name, function):
    # Of an array the method is torch's; of anything else, its own.
    held = isinstance(variable_of(receiver), nnx.Variable)
    if held and name != "requires_grad_":  # which is of what holds the array
        receiver = receiver[...]
    if held or isinstance(receiver, jax.Array):
        return lambda *args, **kwargs: function(receiver, *args, **kwargs)
    return getattr(receiver, name)


@rule("torch.Tensor:changed")
def changed(held, name, function):
    # The name is bound to the new array; anything else changes by itself, as a parameter does.
    def change(*args, **kwargs):
        if isinstance(held, jax.Array):
            return function(held, *args, **kwargs)
        if isinstance(variable_of(held), nnx.Variable):
            held.set_value(function(held[...], *args, **kwargs))
        else:
            getattr(held, name)(*args, **kwargs)
        return held

    return change


@rule("torch.Tensor:changed_attribute")
def changed_attribute(holder, attribute, name, function):
    def change(*args, **kwargs):
        of_parameter = attribute == "data" and isinstance(variable_of(holder), nnx.Variable)
        held = holder if of_parameter else getattr(holder, attribute)
        new = changed(held, name, function)(*args, **kwargs)
        if new is not held:
            setattr(holder, attribute, new)

    return change


@rule("torch.Tensor.__setitem__:unknown")
def stored(whole, index, value):
    if isinstance(whole, jax.Array):
        return whole.at[index].set(value)
    whole[index] = value
    return whole


@rule("torch.Tensor.__setitem__:any")
def stored_by_function(whole, index, value):
    """``operator.setitem``, whose result nobody takes."""
    if isinstance(whole, jax.Array):
        raise NotImplementedError("operator.setitem of an array, which does not change; write x[index] = value")
    whole[index] = value


@rule("torch.Tensor:part")
class PartOf(View):
    """A part of a parameter: what is written to it reaches the parameter."""

    def __init__(self, held, index):
        super().__init__(variable_of(held))
        self.held, self.index = held, index

    def get_value(self):
        return self.held[...][self.index]

    def set_value(self, value):
        self.held[...] = self.held[...].at[self.index].set(value)


class Data(View):
    """A parameter of which gradients do not know: what is stored into it reaches the parameter."""

    def get_value(self):
        return jax.lax.stop_gradient(super().get_value())


@rule("torch.Tensor.data:unknown")
def data_of(held):
    variable = variable_of(held)
    if isinstance(variable, nnx.Variable):
        return Data(variable, getattr(held, "axes", None), getattr(held, "own_shape", None))
    return jax.lax.stop_gradient(held) if isinstance(held, jax.Array) else held.data


@rule("torch.Tensor.data=:unknown")
def set_data_of(held, value):
    if isinstance(held, jax.Array):
        raise NotImplementedError("an array does not change: give its name the new one")
    if isinstance(variable_of(held), nnx.Variable):
        held.set_value(jnp.asarray(value))
    else:
        held.data = value


@rule("torch.Tensor.device:at_times")
def device_of_any(held):
    # what is traced for a gradient tells none
    of_tensor = isinstance(held, jax.Array) or isinstance(variable_of(held), nnx.Variable)
    return jax.devices()[0] if of_tensor else held.device
