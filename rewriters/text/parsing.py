"""Syntax trees of texts, all of which are made here, by one thread at a time.

CPython 3.11 counts how deep a tree is for all threads together, and two that parse at once may raise SystemError. numpy
parses too, the heads of the arrays that it reads, as do other libraries: then the text is parsed once more.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from symtable import symtable
from threading import Lock
from typing import TypeVar

Tree = TypeVar("Tree")
TIMES = 20

_PARSING = Lock()


def module_of(text: str | bytes, filename: str = "<unknown>") -> ast.Module:
    """The statements of a text. Raises SyntaxError, and whatever else ``ast.parse`` does."""
    return undisturbed(lambda: ast.parse(text, filename))


def expression_of(text: str) -> ast.expr:
    """The one expression of a text. Raises as ``module_of``."""
    return undisturbed(lambda: ast.parse(text, mode="eval").body)


def literal_of(text: str) -> object:
    """The value of a literal. Raises as ``module_of``, and ValueError for what is none."""
    return ast.literal_eval(expression_of(text))


def check(text: str | bytes) -> None:
    """Raises what ``module_of`` does. A table of the names is made faster than a tree, and refuses more."""
    try:
        undisturbed(lambda: symtable(text, "<unknown>", "exec"))  # type: ignore[arg-type]
    except (SyntaxError, RecursionError):
        module_of(text)


def undisturbed(parse: Callable[[], Tree]) -> Tree:
    """What ``parse`` gives, which is called again where another thread's parsing disturbed it."""
    with _PARSING:
        for _ in range(TIMES - 1):
            try:
                return parse()
            except SystemError as error:
                if "recursion depth mismatch" not in str(error):
                    raise
        return parse()
