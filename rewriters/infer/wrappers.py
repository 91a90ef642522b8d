"""Decorators of the project's that call a function as it was written and give what it gives: timers, profilers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.values import FunctionInfo
from rewriters.text.tree import FUNCTIONS, called_name, walk

# What the inner function may be decorated by itself: it stays what it is.
KEEPING = {"wraps"}
# What reads a dict, as a method and as a function.
READING = {"get", "items", "keys", "values"}
TELLING = {"print", "str", "repr", "len", "format", "debug", "info", "warning"}


def passes_on(info: FunctionInfo) -> bool:
    """Whether it gives a function that gives what ``fn(*args, **kwargs)`` does of what it is given, and calls it so
    alone.
    """
    node = info.node
    if not isinstance(node, ast.FunctionDef) or info.kind not in {"function", "staticmethod"}:
        return False
    given = [*node.args.posonlyargs, *node.args.args]
    inner = [part for part in node.body if isinstance(part, FUNCTIONS)]
    if len(inner) != 1 or not isinstance(inner[0], ast.FunctionDef) or not given or node.decorator_list:
        return False
    function, wrapper = given[0].arg, inner[0]
    results = [part.value for part in own_parts(node) if isinstance(part, ast.Return)]
    if not results or not all(isinstance(one, ast.Name) and one.id == wrapper.name for one in results):
        return False
    bound = [part for part in walk(node) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)]
    if any(part.id in {function, wrapper.name} for part in bound):
        return False
    return keeps(wrapper) and is_passing(wrapper, function)


def keeps(wrapper: ast.FunctionDef) -> bool:
    """Whether its own decorators give it back: ``@functools.wraps(fn)``."""
    return all(isinstance(one, ast.Call) and called_name(one) in KEEPING for one in wrapper.decorator_list)


def is_passing(wrapper: ast.FunctionDef, function: str) -> bool:
    """Whether all that it gives is what the function gives of its own arguments."""
    spec = wrapper.args
    if spec.vararg is None or spec.kwarg is None or spec.kwonlyargs or spec.defaults or spec.posonlyargs:
        return False
    names = [one.arg for one in spec.args]
    own = {*names, spec.vararg.arg, spec.kwarg.arg}
    parts = list(own_parts(wrapper))
    if any(isinstance(part, (ast.Yield, ast.YieldFrom, ast.Await, *FUNCTIONS, ast.Lambda)) for part in parts):
        return False
    stored = [part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)]
    if function in own or not own.isdisjoint(stored) or is_changed(parts, spec.kwarg.arg):
        return False
    calls = [part for part in parts if isinstance(part, ast.Call) and is_the(part.func, function)]
    if not calls or not all(is_of_all(call, names, spec.vararg.arg, spec.kwarg.arg) for call in calls):
        return False
    made = {
        part.targets[0].id: part.value
        for part in parts
        if isinstance(part, ast.Assign) and len(part.targets) == 1 and isinstance(part.targets[0], ast.Name)
    }
    results = [part.value for part in parts if isinstance(part, ast.Return)]
    for one in results:
        if isinstance(one, ast.Name) and stored.count(one.id) == 1:
            one = made.get(one.id)
        if one not in calls:
            return False
    return bool(results)


def is_changed(parts: list[ast.AST], words: str) -> bool:
    """Whether ``kwargs["x"] = y``, ``kwargs.pop("x")`` or a call that is given them may change what is handed on."""
    return any(is_the(part, words) and not is_read(part) for part in parts)


def is_read(name: ast.AST) -> bool:
    around = getattr(name, "parent", None)
    if isinstance(around, ast.Attribute):
        return around.attr in READING
    if isinstance(around, ast.Call):
        return called_name(around) in TELLING
    return isinstance(around, (ast.keyword, ast.FormattedValue)) and getattr(around, "arg", None) is None


def is_of_all(call: ast.Call, names: list[str], rest: str, words: str) -> bool:
    """``fn(*args, **kwargs)``, ``fn(self, *args, **kwargs)``"""
    if len(call.args) != len(names) + 1 or len(call.keywords) != 1 or call.keywords[0].arg is not None:
        return False
    *first, starred = call.args
    if not isinstance(starred, ast.Starred) or not is_the(starred.value, rest):
        return False
    return all(map(is_the, first, names)) and is_the(call.keywords[0].value, words)


def is_the(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def own_parts(node: ast.FunctionDef) -> Iterator[ast.AST]:
    """What stands in a function, functions inside it without what stands in these."""
    waiting: list[ast.AST] = [*node.body]
    while waiting:
        part = waiting.pop(0)
        yield part
        if not isinstance(part, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            waiting[:0] = ast.iter_child_nodes(part)
