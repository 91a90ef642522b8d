"""Loops that go on while a value asks for it, or as often as a value says: what their turns carry."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass, field

from rewriters.infer.values import Plain, Tensor, Value
from rewriters.regions.control.conditions import check_test, decides, read_of
from rewriters.regions.control.effects import Effects
from rewriters.regions.control.find import Finder, agree, in_order, last_value, modules_of, resizes, values_of
from rewriters.regions.gradients.names import names_of, of_node
from rewriters.regions.hazards import is_tensor, short
from rewriters.regions.step import NotUnderstood
from rewriters.regions.tracing import value_of
from rewriters.regions.used_names import is_data
from rewriters.text.tree import walk

NUMBERS = {"int", "float", "bool"}


@dataclass(eq=False)
class Turns:
    """A ``while``, or a ``for`` over as many numbers as a value says.

    body:    the statements of a turn; stop: the test of an ``if ...: break`` at its end.
    carried: names that each turn gives to the next, or to what follows.
    counter: the name that a ``for`` binds; bounds: the nodes of where it begins and ends.
    modules: paths of those that a turn calls.
    """

    node: ast.While | ast.For
    body: list[ast.stmt]
    stop: ast.expr | None = None
    carried: list[str] = field(default_factory=list)
    counter: str = ""
    bounds: list[ast.expr] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)


def is_asked(node: ast.stmt) -> bool:
    """Whether a tensor's values say how often a loop turns."""
    if isinstance(node, ast.While):
        ended = stop_of(node.body)
        return decides(node.test) or (ended is not None and decides(ended))
    return isinstance(node, ast.For) and any(is_count(bound) for bound in bounds_of(node))


def is_count(node: ast.expr) -> bool:
    return is_tensor(node) or read_of(node) is not None


def bounds_of(node: ast.For) -> list[ast.expr]:
    """Of ``range(n)`` and ``range(m, n)``."""
    call = node.iter
    plain = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
    return list(call.args) if plain and not call.keywords and len(call.args) <= 2 else []  # type: ignore[attr-defined]


def stop_of(body: list[ast.stmt]) -> ast.expr | None:
    """The test of ``if ...: break`` as the last statement."""
    last = body[-1]
    if isinstance(last, ast.If) and not last.orelse and len(last.body) == 1 and isinstance(last.body[0], ast.Break):
        return last.test
    return None


def turns(finder: Finder, node: ast.While | ast.For) -> Turns:
    """Raises NotUnderstood."""
    if node.orelse:
        raise NotUnderstood("it has an `else`")
    stop = stop_of(node.body) if isinstance(node, ast.While) else None
    found = Turns(node, node.body[:-1] if stop is not None else node.body, stop)
    names = names_of(*found.body)
    effects = Effects(finder.written)
    effects.of_block(found.body, names.sure)
    tests = [test for test in (getattr(node, "test", None), stop) if test is not None]
    live = finder.live(node, node.end_lineno or node.lineno)
    if isinstance(node, ast.For):
        find_counter(found, live)
    asked = {name for test in tests for name in of_node(test).reads}
    carried = names.binds & (names.reads | asked | live) - {found.counter}
    found.carried = in_order(carried, node.body)
    if not found.carried:
        raise NotUnderstood("it gives no value")
    for test in tests:
        check_test(test, found.carried, loop=True)
        effects.of_expression(test)
    bound = finder.before(node)
    for name in found.carried:
        if name not in bound.sure:
            raise NotUnderstood(f"`{name}` may be bound or not before the first turn: bind it before")
        check_carried(finder, found, name)
    found.modules = modules_of(found.body)
    if any(path == "self" for path in found.modules):
        raise NotUnderstood("a turn calls a method of the model: call its parts")
    return found


def find_counter(found: Turns, live: set[str]) -> None:
    node = found.node
    assert isinstance(node, ast.For)
    if not isinstance(node.target, ast.Name):
        raise NotUnderstood(f"`{short(node.target)}` counts")
    found.counter, found.bounds = node.target.id, bounds_of(node)
    if found.counter in live:
        raise NotUnderstood(f"`{found.counter}` is read behind the loop")
    for bound in found.bounds:
        inner = read_of(bound)
        value = value_of(inner if inner is not None else bound)
        number = isinstance(value, Plain) and value.kind == "int"
        if not number and not (isinstance(value, Tensor) and value.ndim == 0):
            raise NotUnderstood(f"`{short(bound)}` is not known to be one number")
    check_uses(found.node.body, found.counter)


def check_carried(finder: Finder, found: Turns, name: str) -> None:
    node = found.node
    stored = values_of(name, found.body)[-1:]
    values = [*stored, before(finder, name, node)]
    if all(is_data(value) for value in values):
        agree(values)
        last = last_value(name, found.body)
        if last is not None and resizes(last):
            raise NotUnderstood(f"`{name} = {short(last)}` is of another shape at each turn")
        return
    if all(getattr(value, "kind", "") in NUMBERS for value in values):
        if len({getattr(value, "kind", "") for value in values}) > 1:
            raise NotUnderstood(f"`{name}` is a number of another kind after a turn")
        check_uses(finder.body, name)
        return
    raise NotUnderstood(f"`{name}` is not known to be a tensor, or a number, at each turn")


def before(finder: Finder, name: str, node: ast.stmt) -> Value | None:
    """What a name is before the loop."""
    earlier = [one for one in finder.body if one.lineno < node.lineno]
    last = None
    for statement in earlier:
        for part in walk(statement):
            if isinstance(part, ast.Name) and part.id == name and part.lineno < node.lineno:
                last = (
                    part if last is None or (part.lineno, part.col_offset) >= (last.lineno, last.col_offset) else last
                )
    if last is not None:
        return value_of(last)
    inside = values_of(name, [node])
    return inside[0] if inside else None


def check_uses(statements: Collection[ast.stmt], name: str) -> None:
    """That a number's uses are such that an array does as well. Raises NotUnderstood."""
    for statement in statements:
        for part in walk(statement):
            for child in ast.iter_child_nodes(part):
                if not isinstance(child, ast.Name) or child.id != name or not isinstance(child.ctx, ast.Load):
                    continue
                sums = isinstance(part, (ast.BinOp, ast.Compare, ast.AugAssign, ast.Return, ast.UnaryOp, ast.BoolOp))
                plain = isinstance(part, (ast.While, ast.If)) or (isinstance(part, ast.Assign) and part.value is child)
                index = isinstance(part, ast.Subscript) and isinstance(value_of(part.value), Tensor)
                given = isinstance(part, ast.Tuple)
                if not (sums or plain or index or given):
                    raise NotUnderstood(
                        f"line {child.lineno}: `{name}` is used as Python's number, which it is no more"
                    )
