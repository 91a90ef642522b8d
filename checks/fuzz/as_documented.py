"""Torch run so that it does what docs/ say of a target, where no line can be marked for it: a program that then shows
what the target showed differs in nothing else.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

# What gives 0.0 in Paddle where torch gives -0.0 (docs/paddle.md); a product only where it is by a number.
UNSIGNED = frozenset({"neg", "relu", "maximum", "lerp"})
PRODUCTS = frozenset({"mul", "mul_"})
# Likewise in OneFlow (docs/oneflow.md).
UNSIGNED_AT_ONEFLOW = frozenset({"relu", "elu", "selu", "celu", "maximum", "minimum"})
HALVES = {torch.float16, torch.bfloat16}
ARITHMETIC = {"add", "sub", "rsub", "mul", "div"}
SOFTMAXES = {"_softmax", "_log_softmax"}
FURTHEST = 64.0  # below the largest


class Unsigned(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Takes the sign from the zeros that some of torch's operations give; names: those without an underscore."""

    names, products = UNSIGNED, PRODUCTS

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        name = func._schema.name.partition("::")[2]
        by_number = name in self.products and not all(isinstance(arg, torch.Tensor) for arg in args)
        if (
            (name.removesuffix("_") in self.names or by_number)
            and isinstance(result, torch.Tensor)
            and result.is_floating_point()
        ):
            return result.add_(0.0)
        return result


class UnsignedAtOneflow(Unsigned):  # type: ignore[no-untyped-call]
    """The same of OneFlow."""

    names, products = UNSIGNED_AT_ONEFLOW, frozenset()


class NearLogits(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Takes logits far below the largest for nearer ones, as Paddle's softmax does."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func._schema.name.partition("::")[2] in SOFTMAXES:
            logits, dim, *rest = args
            args = (logits.maximum(logits.amax(dim, keepdim=True) - FURTHEST), dim, *rest)
        return func(*args, **(kwargs or {}))


class RoundedNumbers(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Rounds numbers beside half-precision tensors to their dtype, as Paddle and OneFlow do."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        halves = [one.dtype for one in args if isinstance(one, torch.Tensor) and one.dtype in HALVES]
        if halves and func._schema.name.partition("::")[2].rstrip("_") in ARITHMETIC:
            args = [rounded(one, halves[0]) for one in args]
        return func(*args, **(kwargs or {}))


class NarrowLosses(TorchFunctionMode):
    """Makes losses of a float32 and a float64 of float32 alone."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        words = dict(kwargs or {})
        if getattr(func, "__name__", "").endswith("_loss"):
            given = [*args, *words.values()]
            dtypes = {one.dtype for one in given if isinstance(one, torch.Tensor) and one.is_floating_point()}
            if dtypes == {torch.float32, torch.float64}:
                args = tuple(map(narrowed, args))
                words = {name: narrowed(value) for name, value in words.items()}
        return func(*args, **words)


class InOnePiece(TorchFunctionMode):
    """Says of every tensor that it lies in one piece, as JAX's arrays do."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return True if func is torch.Tensor.is_contiguous else func(*args, **(kwargs or {}))


class PickedByTruth(TorchFunctionMode):
    """Gives a view where one truth value picks, as OneFlow does."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.Tensor.__getitem__ and is_true(args[1]):
            return args[0].unsqueeze(0)
        return func(*args, **(kwargs or {}))


def is_true(index: Any) -> bool:
    if isinstance(index, torch.Tensor):
        return index.dtype == torch.bool and index.ndim == 0 and bool(index)
    return isinstance(index, (bool, np.bool_)) and bool(index)


def narrowed(value: Any) -> Any:
    return value.float() if isinstance(value, torch.Tensor) and value.is_floating_point() else value


def rounded(value: Any, dtype: torch.dtype) -> Any:
    """A number, also as a tensor that torch took for one, in that dtype."""
    if isinstance(value, float):
        return torch.tensor(value, dtype=dtype).item()
    if isinstance(value, torch.Tensor) and value.dtype == torch.float64 and value.ndim == 0:
        return torch.tensor(value.to(dtype).item(), dtype=dtype)
    return value
