"""Numbers that are no Python numbers, of all functions at once: 0-d tensors and numpy's where torch means a number;
and Python's types where it means a dtype.

Torch takes each for the number that it holds; a target's functions mostly look for Python's own.
"""

from __future__ import annotations

import ast
import re
from typing import TypeGuard

from rewriters.infer.python_dtypes import BY_POSITION, holds_type, may_be_type
from rewriters.infer.syntax import defaults_of
from rewriters.infer.values import (
    BOOL,
    DTYPE,
    DTYPE_IF_ANY,
    FLOAT,
    FLOATING,
    INT,
    NUMBER,
    NUMPY,
    External,
    Tensor,
    Unknown,
    Value,
)
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rules.given_values import comes_of_library
from rewriters.rules.render import enclosed
from rewriters.text.precedence import ATOM
from rewriters.torch.overloads import Meant, dtype_taken, for_every_axis, number_meant, number_taken

SCALARS = re.compile(r"numpy\.(u?int\d*|u?intp|float\d*|double|single|half|longlong)_?")
REAL = re.compile(r"numpy\.(float\d*|double|single|half)_?")
RATE, RATE_AT = "torch.optim.Optimizer:rate", (1, "lr")
VALUES: dict[str, Value] = {"int": INT, "float": FLOAT, "number": NUMBER}


class GivenNumbers(Rewriting):
    """Rewrites arguments of calls of torch."""

    def visit_argument(self, node: ast.expr, key: str, place: int | str) -> None:
        """An argument of ``key``; as Python's number where it is another's, one for all axes without its brackets."""
        if self.as_dtype(node, key, place) or self.as_rate(node, key, place):
            return
        if is_sequence(node) and len(node.elts) == 1 and (for_every_axis(key, place) or is_one(key, place)):
            with self.source.collect() as inner:
                self.visit_argument(node.elts[0], key, place)
            self.draft.replace(node, enclosed(self.placing.argument(node.elts[0], 0, inner), 0))
            node.v = value_at(node.elts[0])  # type: ignore[union-attr]
            return
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value.is_integer():
            if is_one(key, place):
                self.draft.replace(node, str(int(node.value)))
                node.v = INT  # type: ignore[attr-defined]
            return
        foreign = [part for part in parts(node) if is_foreign(part)]
        meant = number_meant(key, place) if foreign else None
        if meant is None and foreign == [node] and is_scalar(node) and not isinstance(value_at(node), Tensor):
            meant = number_taken(key, place)  # numpy's is no tensor, though one may be meant
        if meant is None and foreign == [node] and key.startswith("torch.optim.") and isinstance(node, ast.Call):
            meant = number_taken(key, place)  # a rate that is a tensor, which nobody else holds
        if meant is None or (isinstance(node, (ast.Tuple, ast.List)) and not meant.several):
            self.walk.visit(node)
            return
        for part in parts(node):
            if part in foreign and (not meant.several or part is not node or is_scalar(part)):
                self.as_number(part, meant)
            else:
                self.walk.visit(part)

    def as_dtype(self, node: ast.expr, key: str, place: int | str) -> bool:
        """Whether it is one of Python's types held by a name, ``x.to(kind)``, or keywords with one, ``zeros(3, **kw)``.

        It is written as the dtype then, by a helper that looks.
        """
        value = value_at(node)
        if place == "":
            rules = self.book.rules.get("torch.dtype:of types in keywords", []) if holds_type(value) else []
        else:
            by_place = isinstance(place, int) and key.rpartition(".")[2] in BY_POSITION
            taken = may_be_type(value) and (by_place or dtype_taken(key, place))
            named = (f"{key}:of a type", "torch.dtype:of a type") if taken else ()
            rules = next((self.book.rules[name] for name in named if name in self.book.rules), [])
        if not rules:
            return False
        with self.source.collect() as inner:
            self.walk.visit(node)
        given = self.placing.argument(node, 0, inner)
        self.draft.replace(node, f"{self.draft.helper_text(rules)}({given.text})")
        if place != "":
            # Of a module a device may stand at the same place.
            node.v = DTYPE if key == "torch.nn.Module.to" else DTYPE_IF_ANY  # type: ignore[attr-defined]
        return True

    def as_rate(self, node: ast.expr, key: str, place: int | str) -> bool:
        """Whether it is a rate that is a whole number, which a target's optimizers refuse; it is written as a float."""
        if RATE not in self.book.rules or place not in RATE_AT or not key.startswith("torch.optim."):
            return False
        if "lr_scheduler" in key or not (value_at(node) == INT or self.is_whole_by_default(node)):
            return False
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            self.draft.replace(node, repr(float(node.value)))
            node.v = FLOAT  # type: ignore[attr-defined]
        else:
            self.as_number(node, Meant("float", False))
        return True

    def is_whole_by_default(self, node: ast.expr) -> bool:
        """Whether it is a parameter that is a whole number where none is given."""
        function = self.here.functions[-1] if self.here.functions else None
        if not isinstance(node, ast.Name) or not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        default = defaults_of(function.args).get(node.id)
        return default is not None and value_at(default) == INT

    def as_number(self, node: ast.expr, meant: Meant) -> None:
        with self.source.collect() as inner:
            self.walk.visit(node)
        given = self.placing.argument(node, 0, inner)
        # Some of torch's own annotations say int where its functions take what is none (``correction``).
        kind = "float" if meant.kind == "int" and is_real(node) else meant.kind
        shadowed = kind == "number" or kind in self.here.shadowed
        text = f"{enclosed(given, ATOM)}.item()" if shadowed else f"{kind}({given.text})"
        self.draft.replace(node, text)
        node.was, node.v = value_at(node), VALUES[kind]  # type: ignore[attr-defined]


def meant_by(key: str) -> str:
    """The callable whose arguments a call has: what a layer is called with are its forward's."""
    name, _, special = key.partition(":")
    return f"{name}.forward" if special == "call" else name


def is_one(key: str, place: int | str) -> bool:
    """Whether one whole number is meant there: what torch takes otherwise, ``BatchNorm2d((3,))``, is that number."""
    meant = number_meant(key, place)
    return meant is not None and meant.kind == "int" and not meant.several


def is_sequence(node: ast.expr) -> TypeGuard[ast.Tuple | ast.List]:
    """Whether it is a printed tuple or list of so many items as there are."""
    return isinstance(node, (ast.Tuple, ast.List)) and not any(isinstance(item, ast.Starred) for item in node.elts)


def parts(node: ast.expr) -> list[ast.expr]:
    """The items of a printed tuple or list; else the argument itself."""
    return node.elts if is_sequence(node) else [node]


def is_real(node: ast.expr) -> bool:
    """Whether a tensor, or numpy's number, is of floats for sure."""
    value = value_at(node)
    if isinstance(value, Tensor):
        return not value.kinds & ~FLOATING
    called = value_at(node.func) if isinstance(node, ast.Call) else None
    return isinstance(called, External) and bool(REAL.fullmatch(called.name))


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


def is_of_numbers(node: ast.Call) -> bool:
    """Whether a call is given Python's numbers and nothing else."""
    given = [*node.args, *(word.value for word in node.keywords)]
    return all(value_at(value) in (INT, FLOAT, BOOL, NUMBER) for value in given)
