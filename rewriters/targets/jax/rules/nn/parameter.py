"""torch.nn: parameters and buffers, which are Variables of NNX."""

import sys

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import differs, rule

LEAVES = []


class Count(nnx.BatchStat):
    """How many batches a layer has seen: part of a state_dict, and not of the weights that are carried over."""

    def __init__(self, data):
        super().__init__(data, persistent=False)

    def __iadd__(self, more):
        self.set_value(self.get_value() + more)
        return self


def variable_of(parameter):
    """The Variable behind a parameter that is shown in torch's layout."""
    return parameter if isinstance(parameter, nnx.Variable) else getattr(parameter, "variable", parameter)


@rule("torch.nn.Parameter:array")
def array_of(value):
    """The array that a parameter holds; other values as they are."""
    return value[...] if isinstance(variable_of(value), nnx.Variable) else value


@rule("torch.nn.Parameter:id")
def identity(value):
    """The id of a parameter, which may be shown by several objects; of others their own."""
    return id(variable_of(value))


@rule("torch.nn.Parameter:frozen")
class Frozen(nnx.Variable):
    """A parameter that is not trained."""


def set_trained(variable, trained):
    """Have a parameter be trained or not, by its class: gradients are of nnx.Param, and optimizers look for it."""
    if isinstance(variable, (nnx.Param, Frozen)):
        object.__setattr__(variable, "__class__", nnx.Param if trained else Frozen)
    elif trained:
        raise NotImplementedError("a buffer is not trained: make it a parameter")


@rule(torch.nn.Parameter)
def Parameter(data, requires_grad=True):
    if requires_grad:
        return nnx.Param(data)
    return Frozen(data)


@rule("torch.nn.Parameter:leaf")
def leaf(value):
    """A tensor that is trained by itself; None where there is none."""
    if value is None:
        return None
    made = value if isinstance(value, nnx.Variable) else nnx.Param(jnp.asarray(value))
    LEAVES.append(made)
    return made


@rule("torch.Tensor.grad:leaves")
def leaves():
    """All tensors that are trained by themselves and that something else still holds."""
    LEAVES[:] = [one for one in LEAVES if sys.getrefcount(one) > 3]
    return nnx.List([one for one in LEAVES if isinstance(one, nnx.Param)])


@rule(torch.nn.Buffer)
class Buffer(nnx.Variable):
    """What belongs to a module's state and is no parameter."""

    def __init__(self, data, *, persistent=True):
        super().__init__(data, persistent=persistent)

    def changed(self, value):
        self.set_value(value.astype(self.dtype))
        return self

    def __iadd__(self, other):
        return self.changed(self.get_value() + other)

    def __isub__(self, other):
        return self.changed(self.get_value() - other)

    def __imul__(self, other):
        return self.changed(self.get_value() * other)

    def __itruediv__(self, other):
        return self.changed(self.get_value() / other)


@rule("torch.nn.Buffer:at_times")
def buffer_if_any(data, persistent=True):
    return None if data is None else Buffer(data, persistent=persistent)


def is_differentiated(array):
    """Whether gradients are being taken of an array."""
    return type(array).__name__ in ("JVPTracer", "LinearizeTracer")


@rule("torch.Tensor.requires_grad")
def requires_grad(self):
    if isinstance(variable_of(self), nnx.Variable):
        return isinstance(variable_of(self), nnx.Param)
    if is_differentiated(self):
        return True
    raise NotImplementedError("an array does not know whether gradients are taken of it: ask of a parameter")


@rule("torch.Tensor.requires_grad:any")
def requires_grad_of_any(held):
    if isinstance(variable_of(held), nnx.Variable):
        return isinstance(variable_of(held), nnx.Param)
    if not isinstance(held, jax.Array):
        return held.requires_grad
    return is_differentiated(held) or is_none_told(held)


def is_none_told(array):
    """What an array that is no parameter says where no gradients are being taken of it."""
    differs("requires_grad of an array is true where gradients are being taken of it alone: ask of a parameter")
    return False


@rule("torch.Tensor.data=")
def set_data(self, value):
    if not hasattr(self, "set_value"):  # neither a Variable nor one in torch's layout
        raise NotImplementedError("an array does not change: give its name the new one")
    self.set_value(jnp.asarray(value))


@rule("torch.Tensor.requires_grad=")
def set_requires_grad(self, value):
    if isinstance(variable_of(self), nnx.Variable):  # of an array jax.grad and jax.vjp say so
        set_trained(variable_of(self), value)


@rule(torch.Tensor.requires_grad_)
def requires_grad_(self, requires_grad=True):
    if isinstance(variable_of(self), nnx.Variable):
        set_trained(variable_of(self), requires_grad)
    return self
