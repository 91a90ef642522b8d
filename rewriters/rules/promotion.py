"""Where a target's operators give something else than torch's for some dtypes and numbers: its ``promotion.json``.

The table is made by ``python -m migrate.promotion``, by calling both. It decides what becomes of an operator: it stands
as it is, one operand is cast, or a helper looks at run time.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from enum import Enum
from functools import cache
from pathlib import Path

from rewriters.infer.either import is_hint, members
from rewriters.infer.joining import low_kinds, tensors_in
from rewriters.infer.kinds import LOW, known_low
from rewriters.infer.values import (
    ANY_KIND,
    AT_TIMES,
    BOOL,
    BOOLEAN,
    BYTES,
    COMPLEX,
    FLOATING,
    HALF,
    INTEGERS,
    INTEGRAL,
    NARROW,
    NUMPY,
    NUMPY_AT_TIMES,
    OBJECT,
    OF_NUMPY,
    OR_ELSE,
    TRUTHS,
    WIDE,
    Bottom,
    Items,
    Plain,
    Series,
    Tensor,
    Unknown,
    Value,
    is_bare,
)

TABLE = "records/promotion.json"
WORST = ("", "raises", "differs")

KINDS = {BOOLEAN: "bool", INTEGRAL: "int", FLOATING: "float", COMPLEX: "complex"}
NUMBERS = {"bool": ["True"], "int": ["number"], "float": ["1.5"], "complex": ["1j"], "number": ["number", "1.5"]}
# Between these, masks are as likely as numbers.
OF_BITS = {"and", "or", "xor"}


COMPARISONS = {"eq", "ne", "lt", "le", "gt", "ge"}


class Answer(Enum):
    """What becomes of an operator."""

    PLAIN = "it means the same"
    CAST_LEFT = "the left operand is cast to the right one's dtype"
    CAST_RIGHT = "the right operand is cast to the left one's dtype"
    ASK = "a helper looks at run time"


@cache
def table_of(folder: Path) -> dict[str, dict[str, str]]:
    """A target's table, empty for one that has none."""
    path = folder / TABLE
    loaded: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return loaded


def is_open(value: Value) -> bool:
    """Whether it is a tensor of which no kind of dtype is known, or that it is none of truth values alone."""
    return isinstance(value, Tensor) and (value.kinds | BOOLEAN == ANY_KIND or not value.kinds)


def is_of_array(value: Tensor) -> bool:
    """Whether something says that it holds what an array of numpy's does, of whatever dtype."""
    return bool(value.hints & WIDE and value.hints & BYTES)


def is_fraction(value: Value) -> bool:
    """Whether it is a tensor of floating-point numbers without axes, for sure: beside integers it is theirs."""
    return isinstance(value, Tensor) and value.ndim == 0 and single(value) == FLOATING


def is_either(value: Value) -> bool:
    """Whether it is known to be a tensor of floating-point numbers at one time and one of a low kind at another."""
    return isinstance(value, Tensor) and bool(value.kinds & FLOATING and value.kinds & LOW) and not is_open(value)


def single(value: Value) -> int:
    """The kind, where it is known; floating-point numbers may always be complex ones."""
    if not isinstance(value, Tensor):
        return 0
    if value.kinds == FLOATING | COMPLEX:
        return FLOATING
    return value.kinds if value.kinds in KINDS else 0


def classes(value: Value, node: ast.expr | None, other: Value, name: str) -> list[str]:
    """The classes of operands, as in the table, that an operand may be of; what is not known is what is likely."""
    if isinstance(value, Tensor):
        if name in OF_BITS and value.kinds & LOW and not is_open(value):
            value = Tensor(value.assumed, value.kinds & LOW, value.ndim)  # of others it is an error in torch too
        if is_open(value):
            low = known_low(other)
            kinds = [BOOLEAN, INTEGRAL, FLOATING] if low or name in OF_BITS else [INTEGRAL, FLOATING]
            if value.hints & TRUTHS and BOOLEAN not in kinds:
                kinds.insert(0, BOOLEAN)
            counted = value.hints & (INTEGERS | AT_TIMES) or (is_of_array(value) and getattr(other, "ndim", None) == 0)
            if not (low or is_open(other) or counted) and isinstance(other, Tensor):
                kinds = [BOOLEAN, FLOATING] if value.hints & TRUTHS else [FLOATING]
        elif value.kinds & FLOATING and not is_either(value):
            kinds = [FLOATING]
        else:  # floating-point numbers may always be complex ones
            kinds = [kind for kind in KINDS if value.kinds & kind & ~(COMPLEX if value.kinds & FLOATING else 0)]
        either = value.ndim is None and (not is_open(value) or isinstance(other, Plain))
        ranks = ["", "[]"] if either else ["[]" if value.ndim == 0 else ""]
        return [KINDS[kind] + rank for kind in kinds for rank in ranks]
    if value == NUMPY:
        return ["numpy"]
    if value == NUMPY_AT_TIMES:
        return ["numpy", *NUMBERS["number"]]
    if isinstance(value, Plain) and value.kind in NUMBERS:
        negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
        return ["-number"] if negative and value.kind == "int" else NUMBERS[value.kind]
    if isinstance(value, Plain) and value.kind in {"None", "str", "slice", "ellipsis"}:
        return []
    if is_computed(value):
        return ["numpy", *NUMBERS["number"]]
    at_times = isinstance(value, Unknown) and value.tensor
    told = low_kinds(value) & LOW
    if at_times and is_fraction(other) and (told or name not in COMPARISONS):
        return ["number", "1.5", *(KINDS[kind] for kind in KINDS if (told or INTEGRAL) & kind), "float"]
    if at_times and isinstance(other, Tensor) and other.hints & INTEGERS and name not in COMPARISONS:
        return ["number", "1.5", "float", "float[]"]
    if known_low(other) and isinstance(value, (Unknown, Bottom)):
        return ["number", "1.5", "bool", "int", "float", "int[]", "float[]"]
    return ["number", "1.5"]


def outcomes(table: dict[str, dict[str, str]], name: str, left: list[str], right: list[str], alike: bool) -> set[str]:
    """What the table says of these operands; alike: without what is an error there."""
    said = table.get(name, {})
    found = set()
    for one in left:
        for other in right:
            outcome = said.get(f"{one} {other}", "")
            found.add("" if alike and outcome == "raises" else outcome)
    return found - {""}


def answer(
    folder: Path,
    name: str,
    left: Value,
    right: Value,
    nodes: tuple[ast.expr | None, ast.expr | None] = (None, None),
    unheard: bool = False,
) -> Answer:
    """What becomes of ``left NAME right`` in the target of that folder.

    Where neither kind is known, an error of the target stays its own: models are full of ``x + y``. A helper asks only
    where tensors of the same kind would silently give something else. ``unheard``: an error would take another way.
    """
    table = table_of(folder)
    if name not in table:
        return Answer.PLAIN
    if not (isinstance(left, Tensor) or isinstance(right, Tensor)):
        if is_beside_truth(left, right):
            # a truth value as it is written, so that what the target refuses is known here
            lefts, rights = (["True"] if one == BOOL else ["float", "float[]", *told_of(one)] for one in (left, right))
            return Answer.ASK if outcomes(table, name, lefts, rights, False) else Answer.PLAIN
        lefts, rights = told_of(left), told_of(right)
        lefts, rights = lefts or (rights and numbers_of(left)), rights or (lefts and numbers_of(right))
        if is_computed(left) and (beside := told_beside(right)):
            lefts, rights = ["numpy"], beside
        elif is_computed(right) and (beside := told_beside(left)):
            lefts, rights = beside, ["numpy"]
        return Answer.ASK if lefts != rights and outcomes(table, name, lefts, rights, True) else Answer.PLAIN
    if name in COMPARISONS | OF_BITS and is_likely_alike(left, right, name):
        return Answer.PLAIN
    if "float double" in table[name] and of_several_widths(tensors_in([left, right], at_times=True)):
        return Answer.ASK
    if name == "mod" and (isinstance(left, (Unknown, Bottom)) or left == OBJECT):
        return Answer.PLAIN  # it may be a string
    lefts, rights = classes(left, nodes[0], right, name), classes(right, nodes[1], left, name)
    evident = any(value in (NUMPY, NUMPY_AT_TIMES, BOOL) for value in (left, right))
    evident |= any(known_low(value) or is_either(value) for value in (left, right)) or unheard
    evident |= (told := one_is_counted(left, right, name))
    if name in OF_BITS and any(isinstance(value, Plain) and value.kind in {"int", "bool"} for value in (left, right)):
        evident = True  # of floating-point numbers it is an error in torch too
    if is_open(left) and is_open(right) and not (unheard or told):
        found = {o for one in lefts for other in rights if (one.removesuffix("[]") == other.removesuffix("[]"))
                 for o in outcomes(table, name, [one], [other], True)}  # fmt: skip
    else:
        found = outcomes(table, name, lefts, rights, not evident)
    if unheard and single(left) == single(right) == INTEGRAL:
        return Answer.ASK  # of widths nothing is known
    if not found:
        return Answer.PLAIN
    cast = cast_of(table, name, left, right)
    if cast is not None:
        return cast
    tensors = isinstance(left, Tensor) and isinstance(right, Tensor)
    if found == {"raises"} and not tensors:
        # what is not known is more likely a number, unless it is refused too
        numbers = ["number", "1.5"]
        one_side = numbers if isinstance(left, (Unknown, Bottom)) else lefts
        other_side = numbers if isinstance(right, (Unknown, Bottom)) else rights
        if not outcomes(table, name, one_side, other_side, False):
            return Answer.PLAIN
    return Answer.ASK


def told_of(value: Value) -> list[str]:
    """The classes of which something says that a value is at times that may be no tensor."""
    told = low_kinds(value) & LOW if isinstance(value, Unknown) and value.tensor else 0
    return [f"{name}{rank}" for kind, name in KINDS.items() if kind & told for rank in ("", "[]")]


def numbers_of(value: Value) -> list[str]:
    """The classes of a number of Python's, where it is known to be one."""
    return NUMBERS.get(value.kind, []) if isinstance(value, Plain) else []


def is_beside_truth(left: Value, right: Value) -> bool:
    """Whether one is Python's True or False for sure, and the other a tensor at times: ``(a > b) * loss``."""
    one, other = (left, right) if left == BOOL else (right, left)
    return one == BOOL and isinstance(other, Unknown) and other.tensor


def is_computed(value: Value) -> bool:
    """Whether it is what numpy computes, of numbers or of what is not known, and nothing says that it is a tensor."""
    if isinstance(value, Unknown):
        return bool(value.low & OF_NUMPY) and not value.tensor
    return value in (NUMPY, NUMPY_AT_TIMES)


def told_beside(value: Value) -> list[str]:
    """The classes of tensors that a value may be which stands beside a number of numpy's."""
    sure = is_computed(value) and not getattr(value, "low", 0) & OR_ELSE
    return ["float", "float[]", *told_of(value)] if isinstance(value, (Unknown, Bottom)) and not sure else []


def one_is_counted(left: Value, right: Value, name: str) -> bool:
    """Whether one of two tensors holds integers in one of the calls, and the other none as far as anything says."""
    counted = [value.hints & AT_TIMES for value in (left, right) if isinstance(value, Tensor) and is_open(value)]
    if len(counted) == 1 and FLOATING in (single(left), single(right)) and name not in COMPARISONS:
        return bool(counted[0])
    return len(counted) == 2 and counted[0] != counted[1]


def is_likely_alike(left: Value, right: Value, name: str) -> bool:
    """Labels are compared with labels, masks combined with masks, where one of the two is not known."""
    known, other = (left, right) if known_low(left) else (right, left)
    if not known_low(known) or not (is_open(other) or isinstance(other, (Unknown, Bottom))):
        return False
    if any(isinstance(one, Plain) and one.kind in {"bool", "int"} for one in members(other)):
        return name in COMPARISONS  # said to be a number at times
    return name in COMPARISONS or (name in OF_BITS and single(known) == BOOLEAN)


def cast_of(table: dict[str, dict[str, str]], name: str, left: Value, right: Value) -> Answer | None:
    """Which operand to cast to the other's dtype, where that is sure to mend it."""
    if not (isinstance(left, Tensor) and isinstance(right, Tensor)):
        return None
    one, other = single(left), single(right)
    if one and other:
        if one == other:
            return None
        found, kinds = (Answer.CAST_LEFT if one < other else Answer.CAST_RIGHT), [max(one, other)]
    elif BOOLEAN in (one, other) and is_open(left if other == BOOLEAN else right):
        # a mask takes on any dtype without loss
        found, kinds = (Answer.CAST_LEFT if one == BOOLEAN else Answer.CAST_RIGHT), [BOOLEAN, INTEGRAL, FLOATING]
    else:
        return None
    alike = [[KINDS[kind], f"{KINDS[kind]}[]"] for kind in kinds]
    return None if any(outcomes(table, name, names, names, False) for names in alike) else found


def of_several_widths(tensors: Sequence[Tensor], in_place: bool = False) -> bool:
    """Whether something says that some of them are of float64 at times; of an array's nothing is sure.

    in_place: the first keeps its width, so that two which are of either at times count.
    """
    floats = [tensor for tensor in tensors if tensor.kinds & FLOATING]
    if len({(tensor.hints & WIDE, bool(tensor.hints & WIDE) and is_open(tensor)) for tensor in floats}) > 1:
        return True
    # one without axes, of float64, is cast to the width of another in torch
    narrow = len(floats) > 1 and any(tensor.hints & NARROW and (in_place or tensor.ndim != 0) for tensor in floats)
    return narrow and (in_place or any(tensor.hints & WIDE and is_bare(tensor) for tensor in floats))


def mixed(values: Sequence[Value], unheard: bool = False, in_place: bool = False) -> bool:
    """Whether operands of a function are of several kinds, for sure, or something says so of their widths.

    unheard:  an error would take another way, so that they are if they may be.
    in_place: the function changes the first.
    """
    tensors = tensors_in(values, at_times=True)
    if unheard and len(tensors) > 1 and (len({one.kinds for one in tensors}) > 1 or any(map(is_open, tensors))):
        return True
    elements = [value.element for value in values if isinstance(value, Series)]
    if any(map(is_either, elements)) or (unheard and any(map(may_differ, elements))):
        return True
    written = (value.values for value in values if isinstance(value, Items) and len(value.values) > 1)
    if any(is_either(one) for parts in written for one in parts):
        return True
    if of_several_widths(tensors, in_place):
        return True
    if of_half(tensors, values):
        return True
    if any(map(is_fraction, values)) and any(map(is_counted_at_times, values)):
        return True
    if tensors and any(map(is_of_numpy, values)):
        return True
    found: list[int] = []
    for value in values:
        if isinstance(value, Items):
            found += [kinds_in(part) for part in value.values]
        elif isinstance(value, Series):
            found.append(kinds_in(value.element))
        elif isinstance(value, Plain):
            found.append(HIGHEST.get(value.kind, 0))
        else:
            found.append(kinds_in(value))
    found = [kinds for kinds in found if kinds not in {0, ANY_KIND}]
    low = any(not kinds & ~LOW for kinds in found)
    return low and len(set(found)) > 1


def of_open_widths(values: Sequence[Value]) -> bool:
    """Whether one of two operands may be a tensor of any width without axes, as far as anything says, and the other
    one with axes: torch gives the other's width.
    """
    unsaid = [isinstance(value, (Unknown, Bottom)) or (is_open(value) and value.ndim is None) for value in values]  # type: ignore[attr-defined]
    beside = [
        isinstance(value, (Unknown, Bottom)) or (isinstance(value, Tensor) and value.ndim != 0) for value in values
    ]
    return len(values) == 2 and any(one and other for one, other in zip(unsaid, reversed(beside), strict=True))


def of_half(tensors: Sequence[Tensor], values: Sequence[Value]) -> bool:
    """Whether something says that one is of 16 bits at times, and another a number, or may have no axes and be wider:
    it takes on the first's dtype in torch.
    """
    if not any(tensor.hints & HALF for tensor in tensors):
        return False
    wider = (one for one in tensors if one.kinds & FLOATING and not one.hints & HALF)
    numbers = any(isinstance(value, Plain) and value.kind in HIGHEST for value in values)
    return numbers or any(one.ndim is None or is_bare(one) for one in wider)


def of_half_beside(values: Sequence[Value]) -> bool:
    """Whether both are tensors, of which something says that one is of 16 bits and the other wider, and has no axes."""
    return all(isinstance(value, Tensor) for value in values) and of_half(tensors_in(values), [])


def of_several_sizes(values: Sequence[Value], in_place: bool = False) -> bool:
    """Whether two tensors hold integers, of whose widths nothing is known, and torch gives the first's, or that of the
    one with axes beside one without: by what is changed, or by the axes.
    """
    bare = [value.ndim in (0, None) for value in values if isinstance(value, Tensor) and single(value) == INTEGRAL]
    axes = [value.ndim != 0 for value in values if isinstance(value, Tensor)]
    return len(bare) == len(values) == 2 and (in_place or (bare[0] and axes[1]) or (bare[1] and axes[0]))


def may_differ(value: Value) -> bool:
    """Whether several such may be tensors of several kinds."""
    return isinstance(value, (Unknown, Bottom)) or is_open(value) or is_either(value)


def is_counted_at_times(value: Value) -> bool:
    """Whether something says that it is a tensor of integers or truth values at times."""
    return bool(low_kinds(value) & LOW) and (is_hint(value) or isinstance(value, Tensor))


def is_of_numpy(value: Value) -> bool:
    """Whether it is a number of numpy's, of a dtype of its own, also at times; or a number at times a tensor."""
    parts = members(value)
    numbers = any(isinstance(one, Plain) and one.kind in HIGHEST for one in parts)
    return any(map(is_computed, parts)) or (len(parts) > 1 and numbers)


def kinds_in(value: Value) -> int:
    """The kinds of an element, 0 for what is no tensor."""
    if not isinstance(value, Tensor):
        return 0
    return ANY_KIND if is_open(value) else FLOATING if value.kinds & FLOATING else value.kinds


# Python's numbers, where a tensor of a lower kind takes on theirs.
HIGHEST = {"float": FLOATING, "complex": COMPLEX, "number": FLOATING, "figures": FLOATING}
