"""Syntax trees of texts, made by one thread at a time: CPython 3.11 counts how deep a tree is for all threads together,
and two that parse at once may raise SystemError.

Meanwhile no garbage is collected. A tree is all new objects, none of them garbage, and their number alone would set
the collector off again and again, each time to go through all that is alive: half of the time of parsing.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_PARSING = Lock()


@contextmanager
def _parsing() -> Iterator[None]:
    with _PARSING:
        collects = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                gc.enable()


def module_of(text: str | bytes, filename: str = "<unknown>") -> ast.Module:
    """The statements of a text. Raises SyntaxError, and whatever else ``ast.parse`` does."""
    with _parsing():
        return ast.parse(text, filename)


def expression_of(text: str) -> ast.expr:
    """The one expression of a text. Raises as ``module_of``."""
    with _parsing():
        return ast.parse(text, mode="eval").body
