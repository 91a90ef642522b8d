"""The texts that a computed name may be, ``setattr(block, name, None)``, where the code around says them all."""

from __future__ import annotations

import ast

from rewriters.infer.computed_names import fits, pattern
from rewriters.infer.syntax import all_arguments
from rewriters.text.tree import Nodes, text_of, walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
DISPLAYS = (ast.List, ast.Tuple, ast.Set)


def may_be_one_of(node: ast.expr, names: list[str], around: ast.AST, nodes: Nodes) -> bool:
    """Whether a computed name may be one of these."""
    likeness = pattern(node)
    if likeness:
        return any(fits(likeness, name) for name in names)
    said = texts_held(node, around, nodes) if isinstance(node, ast.Name) else None
    return said is None or not said.isdisjoint(names)


def texts_held(node: ast.Name, around: ast.AST, nodes: Nodes) -> frozenset[str] | None:
    """The texts that a variable holds: all that a function, or the file, binds it to; None where not all are said."""
    found: set[str] = set()
    for given, each in bound_to(node.id, around, nodes) or [(node, False)]:
        texts = held_in(given, around, nodes) if each else {text_of(given)}
        if texts is None or None in texts:
            return None
        found |= texts  # type: ignore[arg-type]
    return frozenset(found)


def held_in(node: ast.expr, around: ast.AST, nodes: Nodes) -> set[str | None] | None:
    """The texts in a display, or in a variable that holds one and of which no method is called."""
    if isinstance(node, DISPLAYS):
        return {text_of(part) for part in node.elts}
    if not isinstance(node, ast.Name):
        return None
    if any(isinstance(one.value, ast.Name) and one.value.id == node.id for one in nodes.of(ast.Attribute)):
        return None
    given = bound_to(node.id, around, nodes)
    if not given or not all(isinstance(one, DISPLAYS) and not each for one, each in given):
        return None
    return {text_of(part) for one, _ in given for part in one.elts}  # type: ignore[attr-defined]


def bound_to(name: str, around: ast.AST, nodes: Nodes) -> list[tuple[ast.expr, bool]]:
    """What binds a variable, and whether each of its parts does, as in a loop; nothing where something else may."""
    inside = walk(around)
    if isinstance(around, FUNCTIONS) and name in {one.arg for one in all_arguments(around.args)}:
        return []
    stores = [one for one in inside if is_store(one, name)]
    if not stores or isinstance(around, ast.Module):
        if any(one.arg == name for one in nodes.of(ast.arg)):
            return []
        stores = [one for one in nodes.of(ast.Name) if is_store(one, name)]
    found: list[tuple[ast.expr, bool]] = []
    for one in stores:
        binding = nodes.parents.get(one)
        if isinstance(binding, ast.Assign) and one in binding.targets:
            found.append((binding.value, False))
        elif isinstance(binding, (ast.For, ast.comprehension)) and binding.target is one:
            found.append((binding.iter, True))
        else:
            return []
    return found


def is_store(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, (ast.Store, ast.Del))
