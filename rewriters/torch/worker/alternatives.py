"""Calls of torch functions as a port gets them wrong: another default, axis, convention or operand.

Loaded by path in the interpreter that has torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

Changed = tuple[str, list[Any], dict[str, Any]]
"""What is said of it ("eps=1e-06"), and the arguments of the call."""

EPSILONS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-12, 0.0)
SLOPES = (0.01, 0.1, 0.2, 0.25, 0.3)
MODES = ("nearest", "nearest-exact", "bilinear", "bicubic", "area", "linear", "trilinear")
PADDINGS = ("constant", "reflect", "replicate", "circular")
REDUCTIONS = ("mean", "sum", "none")

LOSSES = frozenset(
    """cross_entropy nll_loss mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy kl_div
    binary_cross_entropy_with_logits cosine_embedding_loss margin_ranking_loss""".split()  # noqa: SIM905
)
ALONG = frozenset(
    """softmax log_softmax softmin sum mean prod amax amin max min argmax argmin logsumexp cumsum cumprod norm normalize
    sort argsort topk median glu cat stack flip roll any all squeeze unsqueeze""".split()  # noqa: SIM905
)


def _one_of(values: Any) -> Callable[[Any, list[Any]], Iterator[Any]]:
    return lambda now, args: (value for value in values if value != now)


def _toggled(now: Any, args: list[Any]) -> Iterator[Any]:
    yield not now


def _axes(now: Any, args: list[Any]) -> Iterator[Any]:
    first = args[0] if isinstance(args[0], torch.Tensor) else args[0][0]
    if isinstance(now, int) and not isinstance(now, bool):
        yield from (axis for axis in range(first.dim()) if axis != now % first.dim())


def _off_by_one(now: Any, args: list[Any]) -> Iterator[Any]:
    sizes = [now] if isinstance(now, int) else list(now or ()) if not isinstance(now, str) else []
    for by in (1, -1):
        if sizes and all(size + by >= 0 for size in sizes):
            yield tuple(size + by for size in sizes) if len(sizes) > 1 else sizes[0] + by


class Parameter:
    """A parameter of a function and what else it may have been.

    functions: names of torch functions and methods.
    index:     its position, the tensor being at 0; None for keywords only.
    default:   what it is when it is left out.
    values:    (now, positional arguments) -> others.
    """

    def __init__(self, functions: Any, name: str, index: int | None, default: Any, values: Any) -> None:
        self.functions = frozenset(functions)
        self.name, self.index, self.default, self.values = name, index, default, values

    def changed(self, args: list[Any], kwargs: dict[str, Any]) -> Iterator[Changed]:
        """The call with other values of the parameter."""
        placed = self.index is not None and len(args) > self.index
        now = args[self.index] if placed else kwargs.get(self.name, self.default)  # type: ignore[index]
        for value in self.values(now, args):
            said = f"{self.name}={value:g}" if isinstance(value, float) else f"{self.name}={value!r}"
            if placed:
                yield said, [*args[: self.index], value, *args[self.index + 1 :]], kwargs  # type: ignore[operator]
            else:
                yield said, args, {**kwargs, self.name: value}


PARAMETERS = [
    Parameter(["gelu"], "approximate", None, "none", _one_of(("none", "tanh"))),
    Parameter(["layer_norm", "group_norm"], "eps", 4, 1e-5, _one_of(EPSILONS)),
    Parameter(["batch_norm", "instance_norm"], "eps", 7, 1e-5, _one_of(EPSILONS)),
    Parameter(["rms_norm", "normalize", "cosine_similarity"], "eps", 3, 1e-12, _one_of(EPSILONS)),
    Parameter(["batch_norm"], "training", 5, False, _toggled),
    Parameter(["dropout", "dropout1d", "dropout2d", "dropout3d"], "training", 2, True, _toggled),
    Parameter(ALONG, "dim", 1, None, _axes),
    Parameter(["interpolate", "upsample", "grid_sample"], "align_corners", 4, None, _toggled),
    Parameter(["affine_grid"], "align_corners", 2, None, _toggled),
    Parameter(["interpolate", "upsample"], "mode", 3, "nearest", _one_of(MODES)),
    Parameter([f"conv{axes}d" for axes in "123"], "padding", 4, 0, _off_by_one),
    Parameter([f"conv_transpose{axes}d" for axes in "123"], "padding", 4, 0, _off_by_one),
    Parameter([f"{kind}_pool{axes}d" for kind in ("max", "avg") for axes in "123"], "padding", 3, 0, _off_by_one),
    Parameter([f"avg_pool{axes}d" for axes in "123"], "count_include_pad", 5, True, _toggled),
    Parameter([f"avg_pool{axes}d" for axes in "123"], "ceil_mode", 4, False, _toggled),
    Parameter([f"max_pool{axes}d" for axes in "123"], "ceil_mode", 5, False, _toggled),
    Parameter(["pad"], "mode", 2, "constant", _one_of(PADDINGS)),
    Parameter(LOSSES, "reduction", None, "mean", _one_of(REDUCTIONS)),
    Parameter(["leaky_relu"], "negative_slope", 1, 0.01, _one_of(SLOPES)),
    Parameter(["scaled_dot_product_attention"], "is_causal", 5, False, _toggled),
]


def alternatives(name: str, args: list[Any], kwargs: dict[str, Any]) -> Iterator[Changed]:
    """The calls that a call may be mistaken for."""
    for parameter in PARAMETERS:
        if name in parameter.functions:
            yield from parameter.changed(args, kwargs)
    if name in ("var", "std", "var_mean", "std_mean"):
        yield _other_ddof(args, kwargs)
    if name in ("linear", "matmul", "__matmul__", "__rmatmul__", "mm", "bmm"):
        for index in (1, 0):
            operand = args[index] if len(args) > index else None
            if isinstance(operand, torch.Tensor) and operand.dim() > 1 and operand.shape[-1] == operand.shape[-2]:
                what = "weight" if name == "linear" and index else "right operand" if index else "left operand"
                if name != "linear" or index:
                    yield f"the {what} is transposed", [*args[:index], operand.mT, *args[index + 1 :]], kwargs
    if name == "linear" and len(args) > 2 and args[2] is not None:
        yield "the bias is left out", [*args[:2], None], kwargs
    if name.startswith("conv") and len(args) > 2 and args[2] is not None:
        yield "the bias is left out", [*args[:2], None, *args[3:]], kwargs


def _other_ddof(args: list[Any], kwargs: dict[str, Any]) -> Changed:
    """n for n - 1 in a variance, or the opposite."""
    rest, others = list(args[1:]), dict(kwargs)
    axis, unbiased = others.pop("dim", None), others.pop("unbiased", True)
    if rest and isinstance(rest[0], bool):
        unbiased = rest.pop(0)
    elif rest:
        axis = rest.pop(0)
        if rest:
            unbiased = rest.pop(0)
    correction = others.pop("correction", int(bool(unbiased)))
    other = 0 if correction else 1
    return f"ddof={other}", [args[0]], {**others, "dim": axis, "correction": other}
