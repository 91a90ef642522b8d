"""Expressions: templates filled with what is at hand, nested, written with calls, methods, operators and keywords."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Callable
from typing import Any

import torch

from checks.fuzz.builder import LARGEST, LONGEST, Builder, Dry, tidy
from checks.fuzz.tables import BOOL, FLOAT, INT
from rewriters.text.parsing import expression_of

NUMBERS = ("0.5", "1.5", "2.0", "-0.7", "0.3", "-1.2", "1.0", "0.25")
POSITIVE = ("0.5", "1.5", "2.0", "0.7", "1.1")
WEIGHTS = {"pointwise": 5, "binary": 6, "reduce": 4, "shapes": 4, "indexing": 3, "matrices": 2}
PLACE = re.compile(r"\{(\w)\}")


def kind(tensor: Any) -> str:
    if tensor.dtype == torch.bool:
        return "bool"
    return "float" if tensor.is_floating_point() else "complex" if tensor.is_complex() else "int"


def is_apart(tensor: Any) -> bool:
    """Whether no two of its values are so near that rounding may order them otherwise."""
    values = tensor.detach().double().reshape(-1).sort().values
    return values.numel() < 2 or bool((values.diff() > 1e-3).all())


def number(b: Builder, choices: tuple[str, ...] = NUMBERS) -> str:
    """A literal, or a name that holds a number."""
    numbers = [name for name in b.plain if type(b.space.get(name)) is float and 0.1 < b.space[name] < 3]
    return str(b.one(numbers)) if numbers and b.chance(0.3) else str(b.one(choices))


def another(b: Builder, x: Any, want: str, depth: int) -> str:
    """A tensor that broadcasts with ``x``."""

    def fits(y: Any) -> bool:
        try:
            return kind(y) == want and torch.broadcast_shapes(x.shape, y.shape) == x.shape  # type: ignore[no-untyped-call]
        except RuntimeError:
            return False

    text, value = b.tensor(fits)
    if depth > 0 and b.chance(0.35):
        with contextlib.suppress(Dry):
            wider, found = grow(b, text, value, depth - 1)
            if fits(found):
                return wider
    return dressed(b, text)


def mask(b: Builder, x: Any, name: str) -> str:
    with contextlib.suppress(Dry):
        if b.chance(0.4):
            return b.tensor(lambda y: y.dtype == torch.bool and y.shape == x.shape)[0]
    sign = b.one([">", "<", ">=", "<="])
    text: str = b.one(
        [
            f"({name} {sign} 0.1373)",
            f"torch.{'gt' if '>' in sign else 'lt'}({name}, 0.1373)",
            f"({name}.abs() {sign} 0.6173)",
        ]
    )
    return text


def integers(b: Builder, x: Any, name: str) -> str:
    with contextlib.suppress(Dry):
        if b.chance(0.4):
            return b.tensor(lambda y: kind(y) == "int" and (y.shape == x.shape or y.dim() == 0))[0]
    if x.dim() and b.chance(0.5):
        return f"torch.arange({x.shape[-1]})"
    return f"({name} > 0.1373).long()"


def dressed(b: Builder, text: str) -> str:
    """The same tensor by another way, now and then."""
    if not b.chance(0.12):
        return text
    flags = [name for name in b.plain if isinstance(b.space.get(name), bool)]
    flag = b.one(flags) if flags else b.one(["True", "1 > 0", "not False"])
    ways = [
        f"({text} if {flag} else {text} * 2)",
        f"(lambda v: v)({text})",
        f"[{text}][0]",
        f"({text}, 1)[0]",
        f"{{'a': {text}}}['a']",
        f"[t for t in [{text}]][-1]",
        f"({text} * 2 if not {flag} else {text})",
        f"({text} or 0)" if "." not in text and b.value(text).numel() == 1 and bool(b.value(text)) else f"{text}[...]",
    ]
    found: str = b.one(ways)
    return found


def fill(b: Builder, template: str, text: str, x: Any, depth: int) -> str:
    """The template's expression. Raises Dry where nothing fits a place."""
    axes = x.dim()
    first = b.random.randrange(axes) if axes else 0
    second = (first + 1) % axes if axes else 0
    sign = b.chance(0.4)

    def place(match: re.Match[str]) -> str:
        what = match[1]
        if what == "x":
            return f"({text})"
        if what in "yz":
            return f"({another(b, x, 'float', depth)})"
        if what == "b":
            return f"({mask(b, x, f'({text})') if kind(x) != 'bool' else another(b, x, 'bool', 0)})"
        if what == "i":
            return f"({integers(b, x, f'({text})')})"
        if what == "m":
            found = b.tensor(lambda y: kind(y) == "float" and y.dim() == 2 and axes == 2 and y.shape[0] == x.shape[1])
            return f"({found[0]})"
        if what in "de":
            axis = first if what == "d" else second
            return str(axis - axes if sign else axis)
        if what == "h":
            return (
                f"{b.one([str(x.shape[first]), f'({text}).shape[{first}]', f'({text}).size({first})'])}"
                if axes
                else "1"
            )
        if what == "k":
            return str(b.one([1, 2, 3]))
        return number(b, POSITIVE if what == "p" else NUMBERS)

    return PLACE.sub(place, template)


def grow(b: Builder, text: str, x: Any, depth: int = 1, groups: tuple[str, ...] = ()) -> tuple[str, Any]:
    """An expression with this one in it, and its value. Raises Dry."""
    for _ in range(8):
        if kind(x) == "float":
            names = groups or tuple(WEIGHTS)
            group = b.random.choices(names, [WEIGHTS[name] for name in names])[0]
            table = FLOAT[group]
        else:
            table = INT if kind(x) == "int" else BOOL
        axes, apart, template = b.one(table)
        if x.dim() < axes or (apart and not is_apart(x)):
            continue
        try:
            found = tidy(fill(b, template, text, x, depth))
            value = b.value(found)
        except Exception:
            continue
        if len(found) > LONGEST or not is_tame(value):
            continue
        return found, value
    raise Dry


def is_tame(value: Any) -> bool:
    """Whether it is a tensor that is small enough, and neither empty nor wild."""
    if not isinstance(value, torch.Tensor) or not 0 < value.numel() <= 200 or value.is_complex():
        return False
    largest = value.detach().abs().max() if value.dtype != torch.bool else torch.tensor(0)
    return bool(torch.isfinite(largest)) and float(largest) <= LARGEST


def expression(
    b: Builder, fits: Callable[[Any], bool] = lambda x: True, depth: int = 0, groups: tuple[str, ...] = ()
) -> tuple[str, Any]:
    """An expression over what is at hand, and its value now."""
    text, value = b.tensor(lambda x: fits(x) and is_tame(x))
    text = dressed(b, text)
    for _ in range(depth or b.one([1, 1, 2, 2, 3])):
        with contextlib.suppress(Dry):
            text, value = grow(b, text, value, 1, groups)
    return text, value


def like(b: Builder, x: Any, depth: int = 1) -> str:
    """An expression of that very shape and kind of dtype. Raises Dry."""
    for _ in range(6):
        with contextlib.suppress(Dry):
            text, value = b.tensor(lambda y: y.shape == x.shape and y.dtype == x.dtype and is_tame(y))
            for _ in range(depth):
                text, value = grow(b, text, value, 1, ("pointwise", "binary"))
            if value.shape == x.shape and value.dtype == x.dtype:
                return text
    raise Dry


def scalar(b: Builder) -> str:
    """An expression of one element, that gradients flow through if there are any."""
    text, value = expression(b, lambda x: kind(x) == "float")
    if value.numel() == 1 and kind(value) == "float":
        return text
    ways = [
        "({}).sum()",
        "({}).mean()",
        "torch.sum({})",
        "({}).pow(2).sum()",
        "(({}) * 0.5).tanh().mean()",
        "torch.mean({})",
    ]
    return tidy(b.one(ways).format(text if kind(value) == "float" else f"({text}).float()"))


def names_in(text: str) -> set[str]:
    return {node.id for node in ast.walk(expression_of(text)) if isinstance(node, ast.Name)}
