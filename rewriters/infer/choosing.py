"""Functions that give one of their arguments back: ``def default(x, d): return x if exists(x) else d``.

What each call gives is what that call is given; what all calls together give them says of a number in one that it may
be a tensor, because another hands one over.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from rewriters.infer.joining import join
from rewriters.infer.values import (
    BOTTOM,
    ClassOf,
    FunctionInfo,
    FunctionOf,
    Items,
    Partial,
    Plain,
    Series,
    Tensor,
    Value,
)
from rewriters.infer.values import Mapping as Dict
from rewriters.text.tree import last_name, walk

# A value that the function may give: under which outcomes of which tests, the parameter, whether it is called.
Given = tuple[tuple[tuple[ast.expr, bool], ...], str, bool]
CALLABLE = {"callable", "isfunction"}


def chosen(info: FunctionInfo, given: Mapping[str, Value], call: Callable[..., Value]) -> Value | None:
    """What a function that gives one of its arguments back gives of these; None of any other."""
    if info.chooses is None:
        info.chooses = choices(info)
    if any(name not in given for _, name, _ in info.chooses):
        return None
    found: Value = BOTTOM
    for tests, name, called in info.chooses:
        if may_hold(tests, given):
            found = join(found, call(given[name], [], {}) if called else given[name])
    return found if info.chooses else None


def choices(info: FunctionInfo) -> tuple[Given, ...]:
    """What the function gives; empty where it does anything else."""
    node = info.node
    if isinstance(node, (ast.Lambda, ast.AsyncFunctionDef)) or info.kind != "function" or info.opaque:
        return ()
    spec = node.args
    if spec.vararg or spec.kwarg or spec.posonlyargs or node.returns is not None or node.decorator_list:
        return ()
    if any(isinstance(part, ast.NamedExpr) for part in walk(node)):
        return ()
    names = {one.arg for one in (*spec.args, *spec.kwonlyargs)}
    found: list[Given] = []
    tests: tuple[tuple[ast.expr, bool], ...] = ()
    for statement in node.body:
        if isinstance(statement, ast.If) and len(statement.body) == 1 and not statement.orelse:
            inner, test = statement.body[0], (statement.test, True)
            if not isinstance(inner, ast.Return) or not add(found, (*tests, test), inner.value, names):
                return ()
            tests = (*tests, (statement.test, False))
        elif isinstance(statement, ast.Return):
            return tuple(found) if add(found, tests, statement.value, names) else ()
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            return ()
    return ()


def add(found: list[Given], tests: tuple[tuple[ast.expr, bool], ...], value: ast.expr | None, names: set[str]) -> bool:
    """Notes what a ``return`` gives; whether it is one of the parameters."""
    if isinstance(value, ast.IfExp):
        other = add(found, (*tests, (value.test, False)), value.orelse, names)
        return other and add(found, (*tests, (value.test, True)), value.body, names)
    called = isinstance(value, ast.Call) and not value.args and not value.keywords
    name = value.func if isinstance(value, ast.Call) and called else value
    if not isinstance(name, ast.Name) or name.id not in names:
        return False
    found.append((tests, name.id, called))
    return True


def may_hold(tests: tuple[tuple[ast.expr, bool], ...], given: Mapping[str, Value]) -> bool:
    """Whether the tests may come out so, of what a call is given."""
    return all(outcome(test, given) in (truth, None) for test, truth in tests)


def outcome(test: ast.expr, given: Mapping[str, Value]) -> Any:
    """True, False, or None where it does not follow: whether a parameter is a function."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = outcome(test.operand, given)
        return None if inner is None else not inner
    if not isinstance(test, ast.Call) or len(test.args) != 1 or last_name(test.func) not in CALLABLE:
        return None
    value = given.get(test.args[0].id) if isinstance(test.args[0], ast.Name) else None
    if isinstance(value, (FunctionOf, Partial, ClassOf)):
        return True if isinstance(value, FunctionOf) or last_name(test.func) == "callable" else None
    plain = isinstance(value, Plain) and value.kind in {"int", "float", "bool", "str", "number", "None"}
    return False if plain or isinstance(value, (Tensor, Items, Series, Dict)) else None
