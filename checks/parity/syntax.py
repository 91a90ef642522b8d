"""Names in syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def last_name(node: ast.expr) -> str:
    """``b`` of ``a.b``, "" of what has no name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def called(node: ast.AST) -> Iterator[str]:
    """The last names of what is called."""
    return (last_name(child.func) for child in ast.walk(node) if isinstance(child, ast.Call))


def mentioned(node: ast.AST) -> set[str]:
    """Names, and names of attributes."""
    found = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
    return found | {child.attr for child in ast.walk(node) if isinstance(child, ast.Attribute)}
