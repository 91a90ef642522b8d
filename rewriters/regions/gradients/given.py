"""Names that the code around gives what is differentiated."""

from __future__ import annotations

import ast

from rewriters.regions.step import Parents
from rewriters.text.tree import walk

HOMES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)


def home_of(node: ast.AST, parents: Parents) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Module | None:
    """The function around a node, else its file."""
    return next((one for one in parents.around(node) if isinstance(one, HOMES)), None)


def is_made_outside(name: str, inside: list[ast.stmt], parents: Parents) -> bool:
    """Whether anything but these statements may bind a name: what loops in there bind, nobody gives."""
    home = home_of(inside[0], parents) if inside else None
    if home is None:
        return True
    own = {id(node) for one in inside for node in walk(one)}
    return any(may_bind(node, name) for node in walk(home) if id(node) not in own)


def may_bind(node: ast.AST, name: str) -> bool:
    """Whether a node may bind a name."""
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    named = isinstance(node, ast.arg) and node.arg == name
    return named or isinstance(node, (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal))
