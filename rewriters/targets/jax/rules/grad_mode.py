"""Modes of gradients. Blocks are taken apart by training.py; what is left are decorators and blocks that it leaves."""

import contextlib
import functools

import torch

from rewriters.rule import differs, note, rule
from rewriters.targets.jax.rules.gradients import constant


class WithoutGradients(contextlib.ContextDecorator):
    """A decorator: what a function returns is a constant for gradients. As a block it says nothing."""

    def __call__(self, function):
        @functools.wraps(function)
        def without(*args, **kwargs):
            return constant(function(*args, **kwargs))

        return without

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


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
