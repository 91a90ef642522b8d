"""What a file's text says to those who only call what it defines: all of it but what stands in its functions."""

from __future__ import annotations

import ast
import re
from array import array

from rewriters.text.tree import FUNCTIONS

DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
# What others may know of that stands in a function: what is defined and imported there.
INNER = re.compile(rb"\b(?:lambda|def|class|import)\b")
# Files of which more is asked: classes that calls make, who writes to an object's dict, arrays of truth values, objects
# that hand on what they are asked for.
ASKED = re.compile(
    rb"\bnamedtuple\b|\bNamedTuple\s*\(|\b__dict__\b|\bvars\s*\(|\b(?:array|asarray|full)\s*\(\s*[\[(]?\s*(?:True|False)\b"
    rb"|\bdef\s+__getattr(?:ibute)?__\b"
)
BLOCKS = ("body", "orelse", "finalbody")


def outline(tree: ast.Module, text: bytes, starts: array[int]) -> None:
    """Leave out of an ordinary tree what only those ask for who look into functions.

    Definitions and imports keep their number among those of their class in the whole file, functions in functions too:
    what they stand in stays.

    text: in UTF-8; starts: where its lines begin.
    """
    if ASKED.search(text) is None:
        Outline(text, starts).around(tree.body)


class Outline:
    def __init__(self, text: bytes, starts: array[int]) -> None:
        self.text, self.starts = text, starts

    def around(self, statements: list[ast.stmt]) -> None:
        """Statements that are interpreted where they stand: of the functions among them the bodies."""
        for statement in statements:
            if isinstance(statement, FUNCTIONS):
                statement.body = self.inside(statement.body)
            else:
                for _, _, block in blocks_of(statement):
                    self.around(block)

    def inside(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Of statements in a function those that define or import something, or hold such."""
        if not statements or not self.has_inner(statements[0], statements[-1]):
            return []
        kept = [one for one in statements if isinstance(one, DEFINITIONS) or self.has_inner(one, one)]
        for statement in kept:
            for holder, name, block in blocks_of(statement):
                if isinstance(statement, ast.ClassDef):
                    self.around(block)
                else:
                    setattr(holder, name, self.inside(block))
        return kept

    def has_inner(self, first: ast.stmt, last: ast.stmt) -> bool:
        """Whether the lines may hold a definition or an import; too often rather than too seldom."""
        end = last.end_lineno or last.lineno
        stop = self.starts[end] if end < len(self.starts) else len(self.text)
        return INNER.search(self.text, self.starts[first.lineno - 1], stop) is not None


def blocks_of(statement: ast.stmt) -> list[tuple[ast.AST, str, list[ast.stmt]]]:
    """The blocks of a statement that holds others: what has each, and in which field."""
    holders = [statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
    found = [(holder, name, getattr(holder, name, None)) for holder in holders for name in BLOCKS]
    return [(holder, name, block) for holder, name, block in found if isinstance(block, list)]
