"""Modes of gradients. Blocks are taken apart by training.py; what is left are decorators and blocks that it leaves."""

import contextlib
import functools

import jax
import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import differs, note, rule
from rewriters.targets.jax.rules.gradients import constant


@rule("torch.Tensor.grad:constant_changes")
class constant_changes:
    """What modules' parameters, buffers and attributes are changed to in the block is a constant for gradients."""

    def __init__(self, *owners):
        self.owners = [owner for owner in owners if isinstance(owner, nnx.Module)]
        self.before = {}

    def places(self):
        """(module, the attribute's name, what it holds)."""
        for owner in self.owners:
            for _, module in nnx.iter_modules(owner):
                for name, held in vars(module).items():
                    if isinstance(held, (nnx.Variable, jax.Array)):
                        yield module, name, held.get_value() if isinstance(held, nnx.Variable) else held

    def __enter__(self):
        self.before = {(id(module), name): value for module, name, value in self.places()}
        return self

    def __exit__(self, *error):
        for module, name, value in list(self.places()):
            old = self.before.get((id(module), name))
            if isinstance(value, jax.Array) and old is not value:
                held, fixed = vars(module)[name], jax.lax.stop_gradient(value)
                if isinstance(held, nnx.Param):
                    held.set_value(leaf_like(old, fixed))
                elif isinstance(held, nnx.Variable):
                    held.set_value(fixed)
                else:
                    setattr(module, name, fixed)
        return False


def leaf_like(old, value):
    """The value, of which gradients are those of the parameter that it was given to."""
    if not isinstance(old, jax.Array) or old.shape != value.shape or not jnp.issubdtype(value.dtype, jnp.inexact):
        return value
    return value + jnp.nan_to_num(old - jax.lax.stop_gradient(old)).astype(value.dtype)


class WithoutGradients(contextlib.ContextDecorator):
    """A decorator: what a function returns, or changes its module to, is a constant for gradients. As a block it says
    nothing.
    """

    def __call__(self, function):
        @functools.wraps(function)
        def without(*args, **kwargs):
            with constant_changes(*args[:1]):
                return constant(function(*args, **kwargs))

        return without

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


@rule("torch.Tensor.grad:constant_in")
def constant_in(mode, value):
    return constant(value) if isinstance(mode, WithoutGradients) else value


@rule(torch.no_grad)
def no_grad():
    return WithoutGradients()


@rule(torch.inference_mode)
def inference_mode(mode=True):
    return WithoutGradients() if mode else contextlib.nullcontext()


@rule(torch.enable_grad)
def enable_grad():
    # gradients are taken of functions, whatever surrounds them
    return contextlib.nullcontext()


note(
    torch.is_grad_enabled,
    "gradients are taken of functions in JAX, and no mode turns them off: true within no_grad() too, where torch says "
    "false",
)
note(torch.is_inference_mode_enabled, "JAX has no inference mode: false within inference_mode() too")


@rule(torch.is_grad_enabled)
def is_grad_enabled():
    return True


@rule(torch.is_inference_mode_enabled)
def is_inference_mode_enabled():
    return False


@rule(torch.is_inference, torch.Tensor.is_inference)
def is_inference(input):
    return False


@rule(torch.set_grad_enabled)
def set_grad_enabled(mode):
    if mode is True:
        return contextlib.nullcontext()
    differs(
        "gradients are taken of functions in JAX, and no mode turns them off for what comes after; put what is to be a "
        "constant for gradients into `with torch.no_grad():`"
    )
    return contextlib.nullcontext() if mode else WithoutGradients()
