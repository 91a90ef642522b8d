"""Numbers that are no Python numbers, of all functions at once: 0-d tensors and numpy's where torch means a number.

Torch takes each for the number that it holds; a target's functions mostly look for Python's own.
"""

from __future__ import annotations

import ast
import re

from rewriters.infer.values import FLOAT, INT, NUMBER, NUMPY, External, Tensor, Unknown, Value
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rules.binding import comes_of_library
from rewriters.rules.render import enclosed
from rewriters.text.precedence import ATOM
from rewriters.torch.overloads import Meant, number_meant, number_taken

SCALARS = re.compile(r"numpy\.(u?int\d*|u?intp|float\d*|double|single|half|longlong)_?")
VALUES: dict[str, Value] = {"int": INT, "float": FLOAT, "number": NUMBER}


class GivenNumbers(Rewriting):
    """Rewrites arguments of calls of torch."""

    def visit_argument(self, node: ast.expr, key: str, place: int | str) -> None:
        """An argument of ``key``; as Python's number where it is another's."""
        foreign = [part for part in parts(node) if is_foreign(part)]
        meant = number_meant(key, place) if foreign else None
        if meant is None and foreign == [node] and is_scalar(node) and not isinstance(value_at(node), Tensor):
            meant = number_taken(key, place)  # numpy's is no tensor, though one may be meant
        if meant is None or (isinstance(node, (ast.Tuple, ast.List)) and not meant.several):
            self.walk.visit(node)
            return
        for part in parts(node):
            if part in foreign and (not meant.several or part is not node or is_scalar(part)):
                self.as_number(part, meant)
            else:
                self.walk.visit(part)

    def as_number(self, node: ast.expr, meant: Meant) -> None:
        with self.source.collect() as inner:
            self.walk.visit(node)
        given = self.placing.argument(node, 0, inner)
        shadowed = meant.kind == "number" or meant.kind in self.here.shadowed
        text = f"{enclosed(given, ATOM)}.item()" if shadowed else f"{meant.kind}({given.text})"
        self.draft.replace(node, text)
        node.v = VALUES[meant.kind]  # type: ignore[attr-defined]


def parts(node: ast.expr) -> list[ast.expr]:
    """The items of a printed tuple or list; else the argument itself."""
    if isinstance(node, (ast.Tuple, ast.List)) and not any(isinstance(item, ast.Starred) for item in node.elts):
        return node.elts
    return [node]


def is_foreign(node: ast.expr) -> bool:
    """Whether it is a tensor, or what may be numpy's number."""
    value = value_at(node)
    if isinstance(value, Tensor):
        return not value.assumed
    return value == NUMPY or (isinstance(value, (Unknown, External)) and comes_of_library(node))


def is_scalar(node: ast.expr) -> bool:
    """Whether it is one number for sure, and not an array of several."""
    value = value_at(node)
    if isinstance(value, Tensor):
        return value.ndim == 0
    called = value_at(node.func) if isinstance(node, ast.Call) else None
    return isinstance(called, External) and bool(SCALARS.fullmatch(called.name))
