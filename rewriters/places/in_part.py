"""Changes of a part of what is written to: torch makes them also where many elements share one place in memory."""

from __future__ import annotations

import ast

# Found by calling all methods that change in place on what is expanded: torch refuses the others.
IN_PART = {"fill_diagonal_", "index_fill_", "index_put_", "masked_fill_", "tril_", "triu_"}


def changes_part(event: ast.AST) -> bool:
    """Whether what changes may be a part of what is written to: torch refuses that of all that shares a place."""
    method = event.func.attr if isinstance(event, ast.Call) and isinstance(event.func, ast.Attribute) else ""
    return isinstance(event, ast.Subscript) or method in IN_PART
