"""A definition of a rule file as text for the helper module: what it names, and its text with some of it changed."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import cache

from rewriters.rules.rule_file import Statement
from rewriters.rules.rulebook import Rule
from rewriters.text.tree import walk
from rewriters.torch.overloads import VARIADIC, overloads_of


def unsaid(rules: list[Rule], key: str) -> dict[str, str]:
    """Parameters of torch's function that none of the rules has: name -> default."""
    if any(rule.parameters.kwarg or rule.is_class for rule in rules):
        return {}
    known = {name for rule in rules for name in names_of(rule)}
    return {
        one.name: one.default
        for overload in overloads_of(key.partition(":")[0])
        for one in overload
        if one.name not in known and one.kind != VARIADIC and one.default in ("None", "True", "False")
    }


@cache
def names_in(node: ast.stmt) -> list[ast.Name | ast.Attribute]:
    """Names and attributes in a definition, but those in its decorators, and those that a function binds itself: its
    parameters and variables.
    """
    outside = {part for decorator in getattr(node, "decorator_list", ()) for part in walk(decorator)}
    parts = [part for part in walk(node) if part not in outside]
    own: set[str] = set()
    if isinstance(node, ast.FunctionDef):
        own |= {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
        own |= {part.arg for part in parts if isinstance(part, ast.arg)}
    named = (part for part in parts if isinstance(part, (ast.Name, ast.Attribute)))
    return [part for part in named if not (isinstance(part, ast.Name) and part.id in own)]


def declares(decorator: ast.expr, known: Mapping[str, Statement]) -> bool:
    """Whether a decorator is for the rule book: one of rewriters.rule."""
    said = decorator.func if isinstance(decorator, ast.Call) else decorator
    if isinstance(said, ast.Name) and said.id not in known:
        return said.id == "rule"  # of what ``becomes`` stands for
    found = known[said.id].node if isinstance(said, ast.Name) else None
    return isinstance(found, ast.ImportFrom) and found.module == "rewriters.rule"


def refusals_in(node: ast.stmt) -> list[ast.Name]:
    """Where a rule says ``raise NotImplementedError("why")``: methods of a class raise it as torch's do, but for the
    constructor.
    """
    within: list[ast.stmt] = [node]
    if isinstance(node, ast.ClassDef):
        within = [part for part in node.body if isinstance(part, ast.FunctionDef) and part.name == "__init__"]
    calls = (part.exc for body in within for part in walk(body) if isinstance(part, ast.Raise))
    named = (call.func for call in calls if isinstance(call, ast.Call))
    return [name for name in named if isinstance(name, ast.Name) and name.id == "NotImplementedError"]


def names_of(rule: Rule) -> list[str]:
    """The names of its parameters."""
    spec = rule.parameters
    return [part.arg for part in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]]


def dispatcher(name: str, overloads: list[str]) -> str:
    return f"def {name}(*args, **kwargs):\n    return _fitting([{', '.join(overloads)}], args, kwargs)(*args, **kwargs)"


def source_of(node: ast.stmt, text: str, name: str, changes: Sequence[tuple[ast.expr, str]] = ()) -> str:
    """The definition's own text, comments included, without decorators and under ``name``.

    changes: expressions in it, on one line each, and what stands in their place.
    """
    lines = [line.encode() for line in text.split("\n")[node.lineno - 1 : node.end_lineno]]
    for part, new in sorted(changes, key=lambda change: (change[0].lineno, change[0].col_offset), reverse=True):
        line = lines[part.lineno - node.lineno]
        lines[part.lineno - node.lineno] = line[: part.col_offset] + new.encode() + line[part.end_col_offset :]
    body = [line.decode() for line in lines]
    if isinstance(node, ast.ClassDef):
        body[0] = body[0].replace(f"class {node.name}", f"class {name}", 1)
    if isinstance(node, ast.FunctionDef):
        body[0] = body[0].replace(f"def {node.name}(", f"def {name}(", 1)
    body[0] = body[0].split("  # noqa")[0]
    return "\n".join(body)
