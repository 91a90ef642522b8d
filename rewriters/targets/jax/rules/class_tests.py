"""What ``isinstance`` takes for one of torch's classes that are no class here, or several."""

import jax
import jax.numpy as jnp
import numpy
from flax import nnx

from rewriters.rule import rule
from rewriters.targets.jax.rules.nn.parameter import Frozen, variable_of


class OfJax(type):
    """JAX makes devices, nobody else: its class, called as torch's is."""

    def __call__(cls, type=None, index=None):
        return jax.devices()[0]

    def __instancecheck__(cls, value):
        return isinstance(value, jax.Device)

    def __eq__(cls, other):
        return other is cls or other is jax.Device

    def __hash__(cls):
        return hash(jax.Device)  # what type(x.device) is looked up by


@rule("torch.device:test", "torch.device:value")
class Device(metaclass=OfJax):
    """What isinstance() takes for a device, and torch.device where it is a value."""


class OfAnyDtype(type):
    """What a program says (``jnp.float32``) is a class, what an array has is an object: both are dtypes."""

    said = type(jnp.float32)

    def __instancecheck__(cls, value):
        return isinstance(value, (numpy.dtype, cls.said))

    def __eq__(cls, other):
        return other is cls or other is cls.said or (isinstance(other, type) and issubclass(other, numpy.dtype))

    def __hash__(cls):
        return hash(cls.said)


@rule("torch.dtype:test")
class Dtype(metaclass=OfAnyDtype):
    """What isinstance() takes for a dtype."""


class OfAnyParameter(type):
    """A parameter that is trained or not, or one that is shown in torch's layout."""

    def __instancecheck__(cls, value):
        return isinstance(variable_of(value), (nnx.Param, Frozen))

    def __eq__(cls, other):
        return other is cls or other in (nnx.Param, Frozen)

    def __hash__(cls):
        return hash(nnx.Param)


@rule("torch.nn.Parameter:test")
class AnyParameter(metaclass=OfAnyParameter):
    """What isinstance() takes for a parameter."""
