"""What torch, in this interpreter, says of an expression before it is made a program."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterable

import torch
import torch.nn.functional as F
from torch import nn


def grads(setup: Iterable[str], expression: str) -> bool:
    """Whether what an expression gives has a gradient."""
    return _grads(tuple(setup), expression)


@functools.cache
def _grads(setup: tuple[str, ...], expression: str) -> bool:
    names = {"torch": torch, "F": F, "nn": nn}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec("\n".join(setup), names)  # noqa: S102 - our own text
            value = eval(expression, names)  # noqa: S307 - our own text
    except Exception:
        return False
    return isinstance(value, torch.Tensor) and value.requires_grad and value.is_floating_point()
