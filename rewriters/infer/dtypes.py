"""Kinds of dtypes of what torch's functions give."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import rewriters.torch
from rewriters.infer.joining import are_at_times, holds_arrays, tensors_in
from rewriters.infer.kinds import NUMBERS, fill, highest, kinds_of, known, of_number
from rewriters.infer.ranks import (
    ANY_RANK,
    BARED,
    PLACED,
    multiplied,
    ndim_of,
    of_rank,
    ranks_among,
    shaped,
    sizes,
    with_ranks_of,
)
from rewriters.infer.values import (
    ANY_KIND,
    AT_TIMES,
    BARE,
    BOOLEAN,
    BYTES,
    COMPLEX,
    FIGURES,
    FLOATING,
    HALF,
    INTEGERS,
    INTEGRAL,
    NONE,
    STR,
    TENSOR,
    WIDE,
    Instance,
    Items,
    Plain,
    Ref,
    Series,
    Tensor,
    Value,
    is_bare,
)
from rewriters.infer.widths import CASTS, is_halved, is_of_bytes, is_widened, narrowed, of_dtype
from rewriters.text.tree import is_in_place
from rewriters.torch.table import entry

# Of these the dtype is the argument's, else torch's default.
MADE = {"zeros", "ones", "empty", "rand", "randn", "eye", "linspace", "logspace", "hann_window", "hamming_window"}
COUNTED = {"randint", "randperm", "tril_indices", "triu_indices"}
LIKE = {"zeros_like", "ones_like", "empty_like", "rand_like", "randn_like", "full_like", "randint_like"}
NEW = {"new_zeros", "new_ones", "new_empty", "new_full"}
# Functions that give one number, unless they are told to reduce nothing.
LOSSES = ("_loss", "cross_entropy", "cross_entropy_with_logits", "kl_div")
REDUCED = {"reduction", "reduce", "size_average"}
ALIKE = {"data", "grad", "T", "mT", "H", "mH"}
# What torch refuses integers and truth values: whatever comes out has a fraction.
FRACTIONAL = {
    "softmax", "log_softmax", "softmin", "gelu", "silu", "mish", "elu", "selu", "celu", "leaky_relu", "softplus",
    "softshrink", "hardswish", "hardsigmoid", "logsigmoid", "layer_norm", "group_norm", "instance_norm", "batch_norm",
    "normalize", "cross_entropy", "nll_loss", "binary_cross_entropy", "mean", "nanmean", "std", "var", "norm",
}  # fmt: skip


@cache
def table() -> dict[str, list[Any]]:
    """``results.json``: name -> [kinds that the samples had, then [dtype, ndim] for each result]."""
    path = Path(rewriters.torch.__file__).with_name("results.json")
    loaded: dict[str, list[Any]] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def result(name: str, value: Value, positional: Sequence[Value], keywords: dict[str, Value]) -> Value:
    """``value``, the result of calling a torch function or a method of Tensor, with kinds, ndim and hints filled in.

    positional: the receiver first, for a method.
    """
    if name.endswith((".max", ".min")) and len(tensors_in([*positional, *keywords.values()])) > 1:
        name += "imum"  # of two tensors
    last = name.rpartition(".")[2]
    found = hinted(last, typed(name, value, positional, keywords), positional, keywords)
    for ndim in ranks_among([*positional, *keywords.values()]):
        words = {word: of_rank(given, ndim) for word, given in keywords.items()}
        found = with_ranks_of(found, typed(name, value, [of_rank(given, ndim) for given in positional], words))
    return found


def hinted(last: str, value: Value, positional: Sequence[Value], keywords: dict[str, Value]) -> Value:
    """``value`` with the hints that come with its arguments."""
    if isinstance(value, Items):
        return Items(tuple(hinted(last, part, positional, keywords) for part in value.values), value.kind)
    if isinstance(value, Series):
        return Series(hinted(last, value.element, positional, keywords), value.kind)
    if not isinstance(value, Tensor):
        return value
    tensors = tensors_in([*positional, *keywords.values()])
    if in_place := is_in_place(last):
        tensors = tensors[:1]  # what changes in place keeps its dtype
    hints = value.hints
    if last in {"tensor", "as_tensor", "asarray"} and holds_arrays(positional[:1]):
        last = "from_numpy"
    at_times = tensors if in_place else tensors_in([*positional, *keywords.values()], at_times=True)
    if value.kinds & FLOATING and is_widened(last, at_times, [*positional[1:], keywords.get("dtype", NONE)]):
        hints |= WIDE | narrowed(last, at_times, [*positional[1:], keywords.get("dtype", NONE)])
    if value.kinds & FLOATING and is_halved(last, at_times, [*positional[1:], keywords.get("dtype", NONE)]):
        hints |= HALF
    if value.kinds & INTEGRAL and is_of_bytes(last, tensors, [*positional[1:], keywords.get("dtype", NONE)]):
        hints |= BYTES
    reduced = last.endswith(LOSSES) and REDUCED.isdisjoint(keywords)
    if value.ndim is None and (reduced or (tensors and all(map(is_bare, tensors)))):
        hints |= BARE
    if last == "squeeze" and tensors and tensors[0].ndim == 1:
        hints |= BARE
    likes = tensors[1:] if last in {"to", "type_as"} and len(tensors) > 1 else tensors  # whose dtype it takes
    if value.kinds & INTEGRAL:
        hints |= INTEGERS if any(tensor.hints & INTEGERS for tensor in likes) else 0
        hints |= AT_TIMES if are_at_times(likes) else 0
    return value if hints == value.hints else Tensor(value.assumed, value.kinds, value.ndim, hints)


# What ``torch.where(mask)`` gives.
PLACES = Series(Tensor(kinds=INTEGRAL, ndim=1), "tuple")


def typed(name: str, value: Value, positional: Sequence[Value], keywords: dict[str, Value]) -> Value:
    """``value`` with its kinds and ndim."""
    if not isinstance(value, (Tensor, Items, Series)):
        return value
    last = name.rpartition(".")[2]
    if last.endswith("_") and positional and isinstance(positional[0], Tensor) and isinstance(value, Tensor):
        return positional[0] if name.startswith("torch.Tensor.") else value
    if isinstance(value, Tensor):
        made = creation(last, positional, keywords)
        if made is not None:
            return made
    words = table().get(name)
    dtype = keywords.get("dtype")
    named = sorted(keywords.items(), key=lambda word: word[0] not in {"input", "self", "tensors"})
    arguments = [*positional, *(v for k, v in named if k not in {"dtype", "out"})]
    if last in PLACED and isinstance(value, Items) and len(value.values) == 2:
        words = [ANY_KIND, ["first", ""], ["int", ""]]
    elif last == "where" and len(arguments) == 1 and isinstance(value, Series):
        return PLACES
    elif last == "where":
        words = [ANY_KIND, ["promoted", ""]] if len(arguments) == 3 else None
    elif last in {"div", "divide", "true_divide"}:
        rounding = keywords.get("rounding_mode", NONE)
        words = [ANY_KIND, ["floating" if rounding == NONE else "promoted" if rounding == STR else "", "shared"]]
    elif last == "bincount" and len(arguments) == 1 + ("minlength" in keywords):
        words = [ANY_KIND, ["int", "1"]]
    elif last == "diff":
        words = [ANY_KIND, ["first" if len(tensors_in(arguments)) == 1 else "promoted", "shared"]]
    if last in BARED and len(arguments) == 1:
        kinds, *results = words or [ANY_KIND, ["first", "0"]]
        words = [kinds, *([kind, "0"] for kind, _ in results)]
    if words is None:
        return value if dtype is None else with_dtype(value, of_dtype(dtype))
    filled = fill(value, words, arguments)
    if last in FRACTIONAL:
        filled = fractional(filled, words[0])
    if last in {"all", "any"} and arguments and getattr(arguments[0], "hints", 0) & BYTES:
        filled = with_dtype(filled, BOOLEAN | INTEGRAL)  # of uint8 they are uint8
    filled = shaped(last, filled, positional, keywords)
    return filled if dtype is None or dtype == NONE else with_dtype(filled, of_dtype(dtype))


def fractional(value: Value, seen: int) -> Value:
    """Of the kinds, those that the samples had of numbers with a fraction."""
    if not isinstance(value, Tensor):
        return value
    of_all = seen & (FLOATING | COMPLEX) or FLOATING | COMPLEX
    return with_dtype(value, value.kinds & of_all or of_all)


def with_dtype(value: Value, kinds: int) -> Value:
    return Tensor(value.assumed, kinds, value.ndim) if isinstance(value, Tensor) else value


def creation(last: str, positional: Sequence[Value], keywords: dict[str, Value]) -> Tensor | None:
    """What makes a tensor, or casts one; None for other functions."""
    dtype = keywords.get("dtype", NONE)
    given = None if dtype == NONE else of_dtype(dtype)
    receiver = positional[0] if positional and isinstance(positional[0], Tensor) else None
    if receiver is not None:
        if last in CASTS:
            return Tensor(kinds=CASTS[last], ndim=receiver.ndim)
        own = receiver.kinds if given is None else given
        if last in {"to", "type", "type_as", "astype"}:
            return Tensor(kinds=cast(last, receiver, positional[1:]) if given is None else given, ndim=receiver.ndim)
        if last in LIKE:
            return Tensor(kinds=own, ndim=receiver.ndim)
        if last in NEW:
            return Tensor(kinds=own, ndim=sizes(positional[1:], last == "new_full"))
    if last in MADE:
        ndim = 2 if last == "eye" else 1 if last.endswith(("space", "window")) else sizes(positional)
        return Tensor(kinds=FLOATING if given is None else given, ndim=ndim)
    if last in COUNTED:
        return Tensor(kinds=INTEGRAL if given is None else given, ndim=1 if last == "randperm" else None)
    if last == "full" and len(positional) > 1:
        kinds = of_number(positional[1]) or ANY_KIND
        return Tensor(kinds=kinds if given is None else given, ndim=sizes(positional[:1]))
    if last in {"arange", "range"}:
        # An end or a start that is not known is a count: were it a float, the cast that follows would change nothing.
        # So it is where steps are of whole numbers.
        bounds = [*positional[:2], *(keywords[word] for word in ("start", "end") if word in keywords)]
        steps = [of_number(value) or ANY_KIND for value in (*positional[2:], keywords.get("step")) if value is not None]
        numbers = [of_number(value) or ANY_KIND for value in bounds] + steps
        unknown = ANY_KIND if ANY_KIND in steps else INTEGRAL
        kinds = highest(INTEGRAL, *(unknown if kind == ANY_KIND else kind for kind in numbers)) if numbers else ANY_KIND
        return Tensor(kinds=kinds if given is None else given, ndim=1)
    if last in {"tensor", "as_tensor", "new_tensor"} and positional:
        kinds, ndim = of_literal(positional[1] if last == "new_tensor" and len(positional) > 1 else positional[0])
        if last == "new_tensor" and receiver is not None:
            kinds = receiver.kinds
        return Tensor(kinds=kinds if given is None else given, ndim=ndim)
    return None


def cast(last: str, receiver: Tensor, arguments: Sequence[Value]) -> int:
    """The kinds of ``x.to(...)``, ``x.type(...)``."""
    if not arguments:
        return receiver.kinds
    first = arguments[0]
    if isinstance(first, Tensor):
        return first.kinds
    if isinstance(first, Ref):
        return of_dtype(first)
    of_device = isinstance(first, Instance) and first.name == "torch.device"
    if last == "to" and (of_device or (isinstance(first, Plain) and first.kind in {"str", "int"})):
        return receiver.kinds if len(arguments) == 1 else of_dtype(arguments[1])
    return ANY_KIND


def of_literal(value: Value) -> tuple[int, int | None]:
    """(kinds, ndim) of ``torch.tensor(value)``."""
    if isinstance(value, Tensor):
        return value.kinds, value.ndim
    if isinstance(value, Plain) and value.kind in NUMBERS:
        return NUMBERS[value.kind], 0
    inner: list[tuple[int, int | None]] = []
    if isinstance(value, Items) and value.values:
        inner = [of_literal(part) for part in value.values]
    elif isinstance(value, Series):
        inner = [of_literal(value.element)]
    if not inner:
        return ANY_KIND, None
    ndims = {ndim for _, ndim in inner}
    ndim = ndims.pop() if len(ndims) == 1 else None
    groups = [kinds for kinds, _ in inner]
    return ANY_KIND if ANY_KIND in groups else highest(*groups), None if ndim is None else ndim + 1


def operated(left: Value, right: Value, op: ast.operator | None = None) -> Tensor:
    """``left op right`` where one of them is a tensor."""
    sides = [side for side in (left, right) if side != NONE]  # that is an error: of it nothing comes
    kinds = [side.kinds if isinstance(side, Tensor) else of_number(side) or ANY_KIND for side in sides]
    tensors = tensors_in([left, right])
    ndim = ndim_of("broadcast", tensors, known([left, right]))
    # Of what is assumed a tensor and is a number, or a list, an operator gives one too.
    assumed = not any(isinstance(side, Tensor) and not side.assumed for side in (left, right))
    ndim = multiplied(left, right) if isinstance(op, ast.MatMult) else ndim
    result = highest(FLOATING if isinstance(op, ast.Div) else BOOLEAN, *kinds)
    if isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
        result = result & (BOOLEAN | INTEGRAL) or ANY_KIND  # torch refuses all others
    found = Tensor(assumed, result, ndim)
    wide = found.kinds & FLOATING and any(tensor.hints & WIDE for tensor in tensors)
    hints = WIDE | narrowed("", tensors, ()) if wide else 0
    if found.kinds & FLOATING and any(tensor.hints & HALF for tensor in tensors):
        hints |= HALF
    if found.kinds & INTEGRAL and all(tensor.hints & BYTES for tensor in tensors):
        hints |= BYTES
    if found.ndim is None and all(map(is_bare, tensors)):
        hints |= BARE
    if found.kinds & INTEGRAL:
        hints |= INTEGERS if any(map(is_counted, tensors)) else 0
        counts = FIGURES in sides and all(tensor.kinds in (BOOLEAN, INTEGRAL) for tensor in tensors)
        hints |= AT_TIMES if counts or are_at_times(tensors) else 0
    told: Value = Tensor(assumed, found.kinds, found.ndim, hints) if hints else found
    for ndim in ranks_among([left, right]) if found.ndim is None else []:
        told = with_ranks_of(told, operated(of_rank(left, ndim), of_rank(right, ndim), op))
    assert isinstance(told, Tensor)
    return told


def is_counted(tensor: Tensor) -> bool:
    """Whether it holds integers for sure, or is made of such."""
    return tensor.kinds == INTEGRAL or bool(tensor.hints & INTEGERS)


def compared(left: Value, right: Value) -> Tensor:
    """``left == right`` of tensors."""
    found = operated(left, right)
    return Tensor(found.assumed, BOOLEAN, found.ndim, found.hints & (BARE | ANY_RANK))


def attribute(receiver: Tensor, name: str) -> Value | None:
    """Properties that are tensors like their own."""
    if name in ALIKE:
        sure = receiver.kinds & (FLOATING | COMPLEX) if name == "grad" else 0
        return Tensor(False, sure or receiver.kinds, receiver.ndim, receiver.hints)
    if name in {"real", "imag"}:
        return Tensor(kinds=kinds_of("real", ANY_KIND, [receiver], [], True), ndim=receiver.ndim)
    return None


def module_result(name: str, value: Value) -> Value:
    """What calling a Module of torch's gives: floats, if it has weights or is a loss."""
    if isinstance(value, Items):
        return Items(tuple(module_result(name, part) for part in value.values), value.kind)
    weighted = "weight" in (entry(name) or {}).get("attributes", {}) or name.endswith("Loss")
    return Tensor(kinds=FLOATING) if value == TENSOR and weighted else value
