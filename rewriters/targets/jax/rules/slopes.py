"""Functions with slopes of their own where JAX's are others than torch's."""

import jax
import jax.numpy as jnp

from rewriters.rule import Values, family, rule


def with_slope(function, slope):
    """The function with that as its derivative: of the argument."""
    made = jax.custom_jvp(function)
    made.defjvps(lambda tangent, value, x: tangent * slope(x))
    return made


# jnp.abs has the slope 1 at 0, where torch's has none
absolute_of_real = with_slope(jnp.abs, jnp.sign)


@rule("torch.abs:kinked", "torch.Tensor.abs:kinked", "torch.absolute:kinked", "torch.Tensor.absolute:kinked")
def absolute(input):
    return absolute_of_real(input) if is_real(input) else abs(input)


@family("max min", "argmax argmin")
@rule("torch.max:kinked", "torch.Tensor.max:kinked")
def max_along(input, dim: int, keepdim=False):
    # the first of equal elements has the gradient, as in torch; jnp.max gives each a part
    places = jnp.argmax(input, axis=dim, keepdims=True)
    found = Values(jnp.take_along_axis(input, places, axis=dim), places)
    return found if keepdim else Values(*(part.squeeze(dim) for part in found))


@family("ceil floor trunc sign")
@rule("torch.ceil:kinked", "torch.Tensor.ceil:kinked")
def ceil_with_slope(input):
    return with_slope(jnp.ceil, jnp.zeros_like)(input) if is_real(input) else jnp.ceil(input)


@rule("torch.round:kinked", "torch.Tensor.round:kinked")
def round_with_slope(input, *, decimals=0):
    # a slope of 0, where JAX knows of none: torch's gradient is zeros
    return with_slope(lambda x: jnp.round(x, decimals), jnp.zeros_like)(input)


def is_real(value):
    return jnp.issubdtype(getattr(value, "dtype", int), jnp.floating)
