"""Modes of gradients. Blocks are taken apart by training.py; what is left are decorators and blocks that it leaves."""

import contextlib
import functools

import jax
import torch

from rewriters.rule import rule


class WithoutGradients(contextlib.ContextDecorator):
    """A decorator: what a function returns is a constant for gradients. As a block it says nothing."""

    def __call__(self, function):
        @functools.wraps(function)
        def constant(*args, **kwargs):
            return jax.tree.map(
                lambda part: jax.lax.stop_gradient(part) if isinstance(part, jax.Array) else part,
                function(*args, **kwargs),
            )

        return constant

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
