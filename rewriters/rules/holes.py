"""What a rule's folded expressions are made of: holes where arguments go, literals, and what is known of each."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from rewriters.infer.values import Instance, Method, Ref, Tensor
from rewriters.rules.binding import Argument
from rewriters.rules.effects import Effect, effect_of
from rewriters.rules.rulebook import dotted
from rewriters.text.tree import walk
from rewriters.torch.table import canonical, entry

UNDECIDED: Any = object()
ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
}  # fmt: skip
LARGEST_POWER = 64
SUMS = (ast.Add, ast.Sub)


class Hole(ast.Name):
    """The place of an argument's text."""

    argument: Argument


def hole(argument: Argument) -> Hole:
    node = Hole(id="_", ctx=ast.Load())
    node.argument = argument
    return node


def item_of(argument: Argument, number: Any) -> ast.expr | None:
    """An element of the tuple or list that an argument is, where it can stand by itself."""
    source = argument.node
    if not isinstance(source, (ast.Tuple, ast.List)) or not is_index(number, source.elts):
        return None
    part = source.elts[number]
    value = constant(part)
    if value is not UNDECIDED:
        return ast.Constant(value)
    if effect_of(source) <= Effect.READ and is_own_name(part):
        return hole(Argument(part, argument.order + (number + 1) / (len(source.elts) + 1), text=ast.unparse(part)))
    return None


def elements_of(node: ast.expr) -> list[ast.expr] | None:
    """The elements of a literal list or tuple, where each can stand by itself."""
    if not isinstance(node, Hole):
        return node.elts if isinstance(node, (ast.Tuple, ast.List)) and not acts(node) else None
    source = node.argument.node
    if not isinstance(source, (ast.Tuple, ast.List)) or any(isinstance(part, ast.Starred) for part in source.elts):
        return None
    found = [item_of(node.argument, number) for number in range(len(source.elts))]
    return None if None in found else found  # type: ignore[return-value]


def is_own_name(node: ast.expr) -> bool:
    """``beta``, ``options.beta``: a dotted name in which nothing is torch's, so that it stays as it is written."""
    value = getattr(node, "v", None)
    if isinstance(node, ast.Attribute):
        owner = getattr(node.value, "v", None)
        return (
            not isinstance(owner, (Tensor, Instance))
            and not isinstance(value, (Ref, Method))
            and is_own_name(node.value)
        )
    return isinstance(node, ast.Name) and not isinstance(value, (Ref, Method))


def as_list(node: ast.expr) -> ast.expr:
    """``*size`` handed on as one argument reads better as a list."""
    return ast.List(node.elts, ast.Load()) if isinstance(node, ast.Tuple) and hasattr(node, "variadic") else node


def is_index(number: Any, elements: list[ast.expr]) -> bool:
    plain = not any(isinstance(element, ast.Starred) for element in elements)
    return type(number) is int and plain and -len(elements) <= number < len(elements)


def constant(node: ast.expr) -> Any:
    """The value of a literal, of a hole with a literal, else UNDECIDED."""
    source = node.argument.node if isinstance(node, Hole) else node
    if isinstance(source, ast.Constant):
        return source.value
    if isinstance(source, (ast.Tuple, ast.List)):
        items = [constant(item) for item in source.elts]
        if any(item is UNDECIDED for item in items):
            return UNDECIDED
        return items if isinstance(source, ast.List) else tuple(items)
    if isinstance(source, ast.UnaryOp) and isinstance(source.op, (ast.USub, ast.UAdd)):
        value = constant(source.operand)
        if isinstance(value, (int, float)):
            return -value if isinstance(source.op, ast.USub) else +value
    return UNDECIDED


def dtype_of(node: ast.expr) -> str:
    """The dtype that an expression names, by torch's canonical name; "" for anything else."""
    if isinstance(node, Hole):
        value = node.argument.value
        name = value.name if isinstance(value, Ref) else ""
    else:
        name = canonical(dotted(node) or "")
    return name if (entry(name) or {}).get("type") == "dtype" else ""


def truth_of(node: ast.expr) -> Any:
    """The truth of a folded expression, where its form shows it."""
    value = constant(node)
    if value is not UNDECIDED:
        return bool(value)
    size = known_length(node)
    return UNDECIDED if size is None else size > 0


def known_length(node: ast.expr) -> int | None:
    source = node.argument.node if isinstance(node, Hole) else node
    if not isinstance(source, (ast.Tuple, ast.List)) or (source is node and acts(node)):
        return None
    return None if any(isinstance(item, ast.Starred) for item in source.elts) else len(source.elts)


def acts(node: ast.expr) -> bool:
    """Whether a folded expression holds a call of the rule, which must not get lost."""
    return any(isinstance(part, ast.Call) for part in walk(node))


def reckoned(op: ast.operator, a: float, b: float) -> Any:
    """The number as one would write it: 0.1 for ``1 - 0.9``, which is 0.09999999999999998, 1e-16 for ``1e-08 ** 2``;
    UNDECIDED where none that is short is as near to it as rounding lets the numbers it is made of be.
    """
    value = computed(op, a, b)
    most = max(len(repr(a)), len(repr(b))) + 2
    if value is UNDECIDED or len(repr(value)) <= most:
        return value
    if not isinstance(value, float) or bool in (type(a), type(b)):
        return UNDECIDED
    written = computed(op, Decimal(repr(a)), Decimal(repr(b)))
    short = float(written) if written is not UNDECIDED else value
    near = abs(short - value) <= math.ulp(max(abs(a), abs(b)) if isinstance(op, SUMS) else value)
    return short if near and len(repr(short)) <= most else UNDECIDED


def computed(op: ast.operator, a: Any, b: Any) -> Any:
    if isinstance(op, ast.Pow) and abs(b) > LARGEST_POWER:
        return UNDECIDED
    try:
        value = ARITHMETIC[type(op)](a, b)
        return value if isinstance(value, (int, float, Decimal)) and math.isfinite(value) else UNDECIDED
    except (TypeError, ValueError, ArithmeticError):
        return UNDECIDED


def literal(node: ast.expr) -> Any:
    """As ``ast.literal_eval``, and sums and quotients of numbers in it: ``(3.0 / 4.0, 1)``. ValueError of others."""
    if isinstance(node, (ast.Tuple, ast.List)):
        parts = [literal(part) for part in node.elts]
        return parts if isinstance(node, ast.List) else tuple(parts)
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        value = computed(node.op, literal(node.left), literal(node.right))
        if value is UNDECIDED:
            raise ValueError(ast.dump(node))
        return value
    return ast.literal_eval(node)
