"""Kinds of dtypes and numbers of axes of what torch's functions give."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import rewriters.torch
from rewriters.infer.values import (
    ANY_KIND,
    BARE,
    BOOLEAN,
    BYTES,
    COMPLEX,
    FIGURES,
    FLOATING,
    INTEGRAL,
    NONE,
    NUMPY,
    OBJECT,
    OPAQUE,
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
    tensors_in,
)
from rewriters.torch.table import entry

KINDS = (BOOLEAN, INTEGRAL, FLOATING, COMPLEX)
NUMBERS = {"bool": BOOLEAN, "int": INTEGRAL, "float": FLOATING, "complex": COMPLEX}
NUMBERS["number"] = BOOLEAN | INTEGRAL | FLOATING
CASTS = {
    "float": FLOATING, "double": FLOATING, "half": FLOATING, "bfloat16": FLOATING, "long": INTEGRAL, "int": INTEGRAL,
    "short": INTEGRAL, "char": INTEGRAL, "byte": INTEGRAL, "bool": BOOLEAN, "cfloat": COMPLEX, "cdouble": COMPLEX,
}  # fmt: skip
# Of these the dtype is the argument's, else torch's default.
MADE = {"zeros", "ones", "empty", "rand", "randn", "eye", "linspace", "logspace", "hann_window", "hamming_window"}
COUNTED = {"randint", "randperm", "tril_indices", "triu_indices"}
LIKE = {"zeros_like", "ones_like", "empty_like", "rand_like", "randn_like", "full_like", "randint_like"}
NEW = {"new_zeros", "new_ones", "new_empty", "new_full"}
# What these give without a dim has no axes.
WHOLE = {"sum", "mean", "prod", "max", "min", "norm", "std", "var", "any", "all", "argmax", "argmin"}
# Of these there are values and places.
PLACED = {"max", "min", "median", "nanmedian", "mode", "kthvalue"}
# What the samples give no truth values to.
COUNTING: dict[str, list[Any]] = {name: [ANY_KIND, ["counted", "first"]] for name in ("cumsum", "cumprod")}
# What the samples call through wrappers, or in several ways at once.
WORDS: dict[str, list[Any]] = {
    "matmul": [ANY_KIND, ["promoted", ""]],
    "softmax": [FLOATING, ["first", "first"]],
    "log_softmax": [FLOATING, ["first", "first"]],
    "argmin": [ANY_KIND, ["int", ""]],
    "multinomial": [ANY_KIND, ["int", ""]],
    "expand": [ANY_KIND, ["first", ""]],
    "repeat": [ANY_KIND, ["first", ""]],
    "view": [ANY_KIND, ["first", ""]],
    "contiguous": [ANY_KIND, ["first", "first"]],
    "clone": [ANY_KIND, ["first", "first"]],
    "detach": [ANY_KIND, ["first", "first"]],
    "cpu": [ANY_KIND, ["first", "first"]],
    "cuda": [ANY_KIND, ["first", "first"]],
    "requires_grad_": [ANY_KIND, ["first", "first"]],
    "split": [ANY_KIND, ["first", "first"]],
    "split_with_sizes": [ANY_KIND, ["first", "first"]],
    "unique": [ANY_KIND, ["first", ""]],
    "unique_consecutive": [ANY_KIND, ["first", ""]],
}
ALIKE = {"data", "grad", "T", "mT", "H", "mH"}


@cache
def table() -> dict[str, list[Any]]:
    """``results.json``: name -> [kinds that the samples had, then [dtype, ndim] for each result]."""
    path = Path(rewriters.torch.__file__).with_name("results.json")
    loaded: dict[str, list[Any]] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def of_dtype(value: Value | None) -> int:
    """The kinds that a dtype given as an argument stands for."""
    if isinstance(value, Ref) and (entry(value.name) or {}).get("type") == "dtype":
        name = value.name.rpartition(".")[2]
        if name.startswith(("float", "bfloat")):
            return FLOATING
        if name.startswith(("int", "uint")):
            return INTEGRAL
        return BOOLEAN if name == "bool" else COMPLEX if name.startswith("complex") else ANY_KIND
    return ANY_KIND


@lru_cache(4096)
def highest(*groups: int) -> int:
    """The kinds to which torch promotes one of each group."""
    found = groups[0]
    for group in groups[1:]:
        found = sum({max(a, b) for a in KINDS if a & found for b in KINDS if b & group})
    return found


def of_number(value: Value) -> int:
    """The kinds of a Python number; 0 for what is certainly none; any for what is not known."""
    if isinstance(value, Plain):
        return NUMBERS.get(value.kind, ANY_KIND if value in (OBJECT, OPAQUE, FIGURES, NUMPY) else 0)
    return 0 if isinstance(value, (Tensor, Items, Series, Ref, Instance)) or value == NONE else ANY_KIND


def known(values: Iterable[Value]) -> bool:
    """Whether all are known as far as it matters here: an unknown argument may be a tensor."""
    return all(
        all(known([inner]) for inner in value.values)
        if isinstance(value, Items)
        else known([value.element])
        if isinstance(value, Series)
        else isinstance(value, (Tensor, Plain, Ref, Instance))
        for value in values
    )


def result(name: str, value: Value, positional: Sequence[Value], keywords: dict[str, Value]) -> Value:
    """``value``, the result of calling a torch function or a method of Tensor, with kinds, ndim and hints filled in.

    positional: the receiver first, for a method.
    """
    last = name.rpartition(".")[2]
    return hinted(last, typed(name, value, positional, keywords), positional, keywords)


def hinted(last: str, value: Value, positional: Sequence[Value], keywords: dict[str, Value]) -> Value:
    """``value`` with the hints that come with its arguments."""
    if isinstance(value, Items):
        return Items(tuple(hinted(last, part, positional, keywords) for part in value.values), value.kind)
    if isinstance(value, Series):
        return Series(hinted(last, value.element, positional, keywords), value.kind)
    if not isinstance(value, Tensor):
        return value
    tensors = tensors_in([*positional, *keywords.values()])
    hints = value.hints
    if value.kinds & FLOATING and is_widened(last, tensors, [*positional[1:], keywords.get("dtype", NONE)]):
        hints |= WIDE
    if value.kinds & INTEGRAL and is_of_bytes(last, tensors, [*positional[1:], keywords.get("dtype", NONE)]):
        hints |= BYTES
    if value.ndim is None and tensors and all(map(is_bare, tensors)):
        hints |= BARE
    if last == "squeeze" and tensors and tensors[0].ndim == 1:
        hints |= BARE
    return value if hints == value.hints else Tensor(value.assumed, value.kinds, value.ndim, hints)


def is_widened(last: str, tensors: list[Tensor], arguments: Sequence[Value]) -> bool:
    """Whether something says that a result is of float64: a dtype among the arguments, else one of the tensors."""
    named = [value.name for value in arguments if isinstance(value, Ref) and of_dtype(value) != ANY_KIND]
    if named or last in CASTS:
        return last == "double" or any(name in {"torch.float64", "torch.double"} for name in named)
    if last in {"to", "type_as"} and len(tensors) > 1:
        tensors = tensors[1:]
    return last == "from_numpy" or any(tensor.hints & WIDE for tensor in tensors)


def is_of_bytes(last: str, tensors: list[Tensor], arguments: Sequence[Value]) -> bool:
    """Whether something says that a result is of uint8: all tensors are that it is made of, or arrays may be."""
    named = [value.name for value in arguments if isinstance(value, Ref) and of_dtype(value) != ANY_KIND]
    if named or last in CASTS:
        return last == "byte" or "torch.uint8" in named
    if last in {"to", "type_as"} and len(tensors) > 1:
        tensors = tensors[1:]
    whole = [tensor for tensor in tensors if tensor.kinds & INTEGRAL]
    return last == "from_numpy" or (bool(whole) and last not in WHOLE and all(one.hints & BYTES for one in whole))


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
    words = COUNTING.get(last) or table().get(name) or WORDS.get(last)
    dtype = keywords.get("dtype")
    named = sorted(keywords.items(), key=lambda word: word[0] not in {"input", "self", "tensors"})
    arguments = [*positional, *(v for k, v in named if k not in {"dtype", "out"})]
    if last in PLACED and isinstance(value, Items) and len(value.values) == 2:
        words = [ANY_KIND, ["first", ""], ["int", ""]]
    elif last == "where":
        words = [ANY_KIND, ["promoted", ""]] if len(arguments) == 3 else None
    elif last in {"div", "divide", "true_divide"}:
        rounding = keywords.get("rounding_mode", NONE)
        words = [ANY_KIND, ["floating" if rounding == NONE else "promoted" if rounding == STR else "", "shared"]]
    elif last == "bincount" and len(arguments) == 1 + ("minlength" in keywords):
        words = [ANY_KIND, ["int", "1"]]
    elif last == "diff":
        words = [ANY_KIND, ["first" if len(tensors_in(arguments)) == 1 else "promoted", "shared"]]
    if last in WHOLE and len(arguments) == 1:
        words = [(words or [ANY_KIND])[0], [words[1][0] if words else "first", "0"]]
    if words is None:
        return value if dtype is None else with_dtype(value, of_dtype(dtype))
    filled = fill(value, words, arguments)
    filled = shaped(last, filled, positional, keywords)
    return filled if dtype is None or dtype == NONE else with_dtype(filled, of_dtype(dtype))


def gives_floats(name: str) -> bool:
    """Whether a function gives floating-point numbers, whatever it is given."""
    words = table().get(name) or WORDS.get(name.rpartition(".")[2]) or [ANY_KIND, ["", ""]]
    return words[0] | COMPLEX == FLOATING | COMPLEX or (len(words) > 1 and words[1][0] in {"float", "floating"})


def with_dtype(value: Value, kinds: int) -> Value:
    return Tensor(value.assumed, kinds, value.ndim) if isinstance(value, Tensor) else value


def fill(value: Value, words: list[Any], arguments: Sequence[Value]) -> Value:
    """Kinds and ndim of a result, by the table's words."""
    seen, *results = words
    if isinstance(value, Items):
        if len(results) == 1:
            results = results * len(value.values)
        if len(results) != len(value.values):
            return value
        parts = zip(value.values, results, strict=True)
        return Items(tuple(fill(part, [seen, word], arguments) for part, word in parts), value.kind)
    if isinstance(value, Series):
        return Series(fill(value.element, [seen, results[0]], arguments), value.kind)
    if not isinstance(value, Tensor) or not results:
        return value
    tensors = tensors_in(arguments)
    if not tensors:
        return value
    certain = known(arguments)
    dtype, ndim = results[0]
    if not tensors_in(arguments[:1]):  # what is first is not known; an index is
        dtype, ndim = ("" if word in {"first", "real"} else word for word in (dtype, ndim))
    return Tensor(value.assumed, kinds_of(dtype, seen, tensors, arguments, certain), ndim_of(ndim, tensors, certain))


def kinds_of(word: str, seen: int, tensors: list[Tensor], arguments: Sequence[Value], certain: bool) -> int:
    if word in CONSTANT:
        return CONSTANT[word]
    first = tensors[0].kinds
    if any(tensor.kinds & ~seen for tensor in tensors):
        return ANY_KIND
    if word == "first":
        return first
    if word == "real":
        return (first & ~COMPLEX) | (FLOATING if first & COMPLEX else 0)
    if word not in PROMOTIONS:
        return ANY_KIND
    groups = [tensor.kinds for tensor in tensors]
    groups += [kinds for kinds in map(of_number, arguments) if kinds] if certain else [ANY_KIND]
    return highest(PROMOTIONS[word], *groups)


CONSTANT = {"bool": BOOLEAN, "int": INTEGRAL, "float": FLOATING}
PROMOTIONS = {"promoted": BOOLEAN, "counted": INTEGRAL, "floating": FLOATING}


def ndim_of(word: str, tensors: list[Tensor], certain: bool) -> int | None:
    if word.isdigit():
        return int(word)
    ranks = [tensor.ndim for tensor in tensors]
    if word == "first":
        return ranks[0]
    if word in {"broadcast", "shared"} and certain and None not in ranks:
        highest_rank = max(rank for rank in ranks if rank is not None)
        return highest_rank if word == "broadcast" or ranks[0] == highest_rank else None
    return None


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
        # A lone end that is not known is a count: were it a float, the cast that follows would change nothing.
        unknown = INTEGRAL if len(positional) == 1 else ANY_KIND
        numbers = [of_number(value) or ANY_KIND for value in positional]
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


def sizes(arguments: Sequence[Value], with_fill: bool = False) -> int | None:
    """The number of axes that sizes give, as one sequence or one by one."""
    arguments = arguments[:-1] if with_fill else arguments
    if len(arguments) == 1 and isinstance(arguments[0], Items):
        return len(arguments[0].values)
    # One value that is not certainly a number may be a sequence.
    if arguments and all(isinstance(value, Plain) and value.kind == "int" for value in arguments):
        return len(arguments)
    return len(arguments) if len(arguments) > 1 else None


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


def shaped(last: str, value: Value, positional: Sequence[Value], keywords: dict[str, Value]) -> Value:
    """The rank, where the arguments say it."""
    if not positional or not isinstance(positional[0], Tensor):
        return value
    own = positional[0].ndim
    if last in {"unbind", "unbind_copy"} and isinstance(value, Series) and own:
        return Series(with_ndim(value.element, own - 1), value.kind)
    if last in PLACED and isinstance(value, Items):
        left = reduced(own, positional[1:], keywords)
        return Items(tuple(with_ndim(part, left) for part in value.values), value.kind)
    if not isinstance(value, Tensor):
        return value
    ndim = value.ndim
    if last in {"view", "reshape", "expand", "repeat", "permute"} and not keywords:
        ndim = sizes(positional[1:])
    elif last == "unsqueeze" and own is not None:
        ndim = own + 1
    elif last in REDUCTIONS:
        left = reduced(own, positional[2 if last == "norm" else 1 :], keywords)
        ndim = ndim if left is None else left
    elif last == "select" and own:
        ndim = own - 1
    elif last == "flatten" and len(positional) == 1 and not keywords:
        ndim = 1
    elif last in {"matmul", "mm", "mv"} and len(positional) == 2:
        ndim = multiplied(positional[0], positional[1])
    return Tensor(value.assumed, value.kinds, ndim)


REDUCTIONS = {
    *("sum", "mean", "prod", "argmax", "argmin", "std", "var", "any", "all", "logsumexp", "amax", "amin", "norm"),
    *("nansum", "nanmean", "count_nonzero"),
}


def reduced(own: int | None, arguments: Sequence[Value], keywords: dict[str, Value]) -> int | None:
    """How many of so many axes are left where those among the arguments are reduced; None where that is not known."""
    named = keywords.get("dim", keywords.get("axis"))
    dims = named if named is not None else arguments[0] if arguments else None
    if own is None or dims is None or "keepdim" in keywords or len(arguments) > (named is None):
        return None
    if isinstance(dims, Plain) and dims.kind == "int":
        return max(own - 1, 0)
    if isinstance(dims, Items) and dims.values and all(isinstance(v, Plain) and v.kind == "int" for v in dims.values):
        return max(own - len(dims.values), 0)
    return None


def with_ndim(value: Value, ndim: int | None) -> Value:
    if ndim is None or not isinstance(value, Tensor):
        return value
    return Tensor(value.assumed, value.kinds, ndim, value.hints)


def multiplied(left: Value, right: Value) -> int | None:
    """The axes of a product of matrices, or of a matrix and a vector."""
    if not (isinstance(left, Tensor) and isinstance(right, Tensor)) or not left.ndim or not right.ndim:
        return None
    least, most = sorted((left.ndim, right.ndim))
    return most if least > 1 else most - 1


def operated(left: Value, right: Value, op: ast.operator | None = None) -> Tensor:
    """``left op right`` where one of them is a tensor."""
    kinds = [side.kinds if isinstance(side, Tensor) else of_number(side) or ANY_KIND for side in (left, right)]
    lowest = FLOATING if isinstance(op, ast.Div) else BOOLEAN
    tensors = tensors_in([left, right])
    ndim = ndim_of("broadcast", tensors, known([left, right]))
    # Of what is assumed a tensor and is a number, or a list, an operator gives one too.
    assumed = not any(isinstance(side, Tensor) and not side.assumed for side in (left, right))
    ndim = multiplied(left, right) if isinstance(op, ast.MatMult) else ndim
    found = Tensor(assumed, highest(lowest, *kinds), ndim)
    hints = WIDE if found.kinds & FLOATING and any(tensor.hints & WIDE for tensor in tensors) else 0
    if found.kinds & INTEGRAL and all(tensor.hints & BYTES for tensor in tensors):
        hints |= BYTES
    if found.ndim is None and all(map(is_bare, tensors)):
        hints |= BARE
    return Tensor(assumed, found.kinds, found.ndim, hints) if hints else found


def compared(left: Value, right: Value) -> Tensor:
    """``left == right`` of tensors."""
    found = operated(left, right)
    return Tensor(found.assumed, BOOLEAN, found.ndim, found.hints & BARE)


def attribute(receiver: Tensor, name: str) -> Value | None:
    """Properties that are tensors like their own."""
    if name in ALIKE:
        return Tensor(False, receiver.kinds, receiver.ndim, receiver.hints)
    if name in {"real", "imag"}:
        return Tensor(kinds=kinds_of("real", ANY_KIND, [receiver], [], True), ndim=receiver.ndim)
    return None


def item(container: Tensor, index: Sequence[Value]) -> Tensor:
    """``x[...]``; index: the values between the brackets."""
    ndim = picked(container, index)
    if ndim is not None:
        return Tensor(False, container.kinds, ndim, container.hints)
    ndim = container.ndim
    for value in index:
        if ndim is None:
            break
        if isinstance(value, Plain) and value.kind == "int":
            ndim -= 1
        elif value == NONE:
            ndim += 1
        elif not (isinstance(value, Plain) and value.kind in {"slice", "ellipsis"}):
            ndim = None
    # Several indices, or a tensor, are for tensors alone.
    assumed = container.assumed and len(index) == 1 and not isinstance(index[0], Tensor)
    bare = BARE if len(index) == container.ndim and not any(map(keeps_axis, index)) else 0
    return Tensor(assumed, container.kinds, ndim if ndim is None or ndim >= 0 else None, container.hints | bare)


def keeps_axis(value: Value) -> bool:
    """Whether an index is none that surely picks one place of an axis."""
    return not (isinstance(value, Plain) and value.kind == "int")


def picked(container: Tensor, index: Sequence[Value]) -> int | None:
    """The axes of what one tensor picks, places or a mask, where all is known."""
    by = index[0] if len(index) == 1 else None
    if not isinstance(by, Tensor) or by.ndim is None or container.ndim is None:
        return None
    if by.kinds == INTEGRAL and container.ndim:
        return container.ndim - 1 + by.ndim
    return container.ndim - by.ndim + 1 if by.kinds == BOOLEAN and container.ndim >= by.ndim else None


def module_result(name: str, value: Value) -> Value:
    """What calling a Module of torch's gives: floats, if it has weights or is a loss."""
    if isinstance(value, Items):
        return Items(tuple(module_result(name, part) for part in value.values), value.kind)
    weighted = "weight" in (entry(name) or {}).get("attributes", {}) or name.endswith("Loss")
    return Tensor(kinds=FLOATING) if value == TENSOR and weighted else value
