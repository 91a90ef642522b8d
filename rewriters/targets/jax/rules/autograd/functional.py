"""torch.autograd.functional: derivatives of functions at places."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule


def several(values):
    return tuple(values) if isinstance(values, (list, tuple)) else (values,)


def as_given(found, inputs):
    """One for each input, or the one where the input is one."""
    return tuple(found) if isinstance(inputs, (list, tuple)) else found[0]


def number_of(func):
    """The function without the axes of its one element."""
    return lambda *inputs: func(*inputs).reshape(())


@rule(torch.autograd.functional.jacobian)
def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    points = several(inputs)
    found = jax.jacrev(func, tuple(range(len(points))))(*points)
    if isinstance(found[0], (list, tuple)):  # of several outputs
        return tuple(as_given(part, inputs) for part in found)
    return as_given(found, inputs)


@rule(torch.autograd.functional.hessian)
def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    points = several(inputs)
    found = jax.hessian(number_of(func), tuple(range(len(points))))(*points)
    return as_given([as_given(row, inputs) for row in found], inputs)


@rule(torch.autograd.functional.vjp)
def functional_vjp(func, inputs, v=None, create_graph=False, strict=False):
    outputs, pull = jax.vjp(func, *several(inputs))
    if v is None:
        if isinstance(outputs, (list, tuple)) or outputs.size != 1:
            raise RuntimeError("The vector v can only be None if the user-provided function returns a single element")
        v = jnp.ones_like(outputs)
    return outputs, as_given(pull(v), inputs)


@rule(torch.autograd.functional.jvp)
def functional_jvp(func, inputs, v=None, create_graph=False, strict=False):
    points = several(inputs)
    along = tuple(map(jnp.ones_like, points)) if v is None else several(v)
    if v is None and (len(points) > 1 or points[0].size != 1):
        raise RuntimeError("The vector v can only be None if the input to the function is a single element")
    return jax.jvp(func, points, along)


@rule(torch.autograd.functional.hvp, torch.autograd.functional.vhp)
def hvp(func, inputs, v=None, create_graph=False, strict=False):
    points = several(inputs)
    slope = jax.grad(number_of(func), tuple(range(len(points))))
    along = tuple(map(jnp.ones_like, points)) if v is None else several(v)
    return func(*points), as_given(jax.jvp(slope, points, along)[1], inputs)
