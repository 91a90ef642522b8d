"""Syntax trees of texts, made by one thread at a time: CPython 3.11 counts how deep a tree is for all threads together,
and two that parse at once may raise SystemError.
"""

from __future__ import annotations

import ast
from threading import Lock

_PARSING = Lock()


def module_of(text: str | bytes, filename: str = "<unknown>") -> ast.Module:
    """The statements of a text. Raises SyntaxError, and whatever else ``ast.parse`` does."""
    with _PARSING:
        return ast.parse(text, filename)


def expression_of(text: str) -> ast.expr:
    """The one expression of a text. Raises as ``module_of``."""
    with _PARSING:
        return ast.parse(text, mode="eval").body
