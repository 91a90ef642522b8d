"""What a file's names are bound to, as far as it is written out: assignments, parts of what is unpacked, what loops go
through.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from rewriters.infer.syntax import all_arguments
from rewriters.infer.values import ClassOf, FunctionOf, ModuleInfo
from rewriters.text.tree import Parents, called_name, walk

BRANCHING = (ast.For, ast.While, ast.If, ast.Try)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# Any item: what a loop takes one after the other.
EACH = "each"
Way = tuple[int | str, ...]
# Give the items of what they are given.
PASSING = {"reversed", "list", "tuple", "sorted", "iter", "set"}
# Names and functions that a value is followed through.
MOST_STEPS = 6


class Bound(NamedTuple):
    """A name is bound to a part of a value. way: the items by which that part is reached; by: what binds it."""

    value: ast.expr
    way: Way
    by: ast.stmt | ast.NamedExpr | ast.comprehension | ast.Call

    @property
    def place(self) -> tuple[int, int]:
        """Where in the text it is bound: behind the value."""
        return self.value.end_lineno or 0, self.value.end_col_offset or 0


class Bindings:
    """The bindings of a file, by the texts of their targets; of attributes by ``.name`` too."""

    def __init__(self, module: ModuleInfo) -> None:
        self.module = module
        self.found: dict[tuple[ast.expr, Way, int], list[ast.expr]] = {}

    @cached_property
    def stores(self) -> dict[str, list[Bound]]:
        found: dict[str, list[Bound]] = {}
        for target, bound in self.all():
            found.setdefault(ast.unparse(target), []).append(bound)
            if isinstance(target, ast.Attribute):
                found.setdefault(f".{target.attr}", []).append(bound)
        for name, bound in self.fields():
            found.setdefault(f".{name}", []).append(bound)
        return found

    def fields(self) -> Iterator[tuple[str, Bound]]:
        """What fields of dataclasses and named tuples are given where these are made."""
        for call in self.module.nodes.of(ast.Call):
            called = getattr(call.func, "v", None)
            names = called.info.fields() if isinstance(called, ClassOf) else []
            plain = takewhile(lambda one: not isinstance(one, ast.Starred), call.args)
            given = dict(zip(names, plain, strict=False))
            given |= {word.arg: word.value for word in call.keywords if word.arg in names}
            yield from ((name, Bound(value, (), call)) for name, value in given.items())

    def all(self) -> Iterator[tuple[ast.expr, Bound]]:
        nodes = self.module.nodes
        for assign in nodes.of(ast.Assign):
            for target in assign.targets:
                yield from parts(target, Bound(assign.value, (), assign))
        for annotated in nodes.of(ast.AnnAssign):
            if annotated.value is not None:
                yield from parts(annotated.target, Bound(annotated.value, (), annotated))
        for walrus in nodes.of(ast.NamedExpr):
            yield from parts(walrus.target, Bound(walrus.value, (), walrus))
        for loop in nodes.of(ast.For):
            yield from parts(loop.target, Bound(loop.iter, (EACH,), loop))
        for clause in nodes.of(ast.comprehension):
            yield from parts(clause.target, Bound(clause.iter, (EACH,), clause))

    def values(self, name: ast.Name, depth: int = 0) -> list[ast.expr]:
        """What a name may hold where it is read: the last that binds it before, where that is certain; else all."""
        bound = self.latest(name, self.stores.get(name.id, []))
        return [value for one in bound for value in self.reached(one.value, one.way, depth)]

    def stored(self, target: str, depth: int = 0) -> list[ast.expr]:
        """What is bound to a target of that text somewhere in the file."""
        return [value for one in self.stores.get(target, []) for value in self.reached(one.value, one.way, depth)]

    def latest(self, node: ast.Name, given: list[Bound]) -> list[Bound]:
        parents = self.module.nodes.parents
        clauses = [one for one in given if isinstance(one.by, ast.comprehension)]
        if own := [one for one in clauses if within(parents, node, parents.get(one.by))]:
            return own
        given = self.of_scope(node, [one for one in given if not isinstance(one.by, ast.comprehension)])
        before = [one for one in given if one.place <= (node.lineno, node.col_offset)]
        last = max(before, key=lambda one: one.place, default=None)
        if last is None:
            return given
        in_loop = isinstance(last.by, ast.For) and within(parents, node, last.by)
        block = last.by if in_loop else parents.get(last.by)
        certain = (in_loop or not isinstance(block, BRANCHING)) and within(parents, node, block)
        return [one for one in given if one.by is last.by] if certain else given

    def of_scope(self, name: ast.Name, given: list[Bound]) -> list[Bound]:
        """Those of the function that the name is a variable of: none for a parameter that is not bound there again."""
        around = self.module.nodes.around
        scope: ast.AST | None = around(name, *FUNCTIONS)
        while scope is not None:
            own = [one for one in given if around(one.by, *FUNCTIONS) is scope]
            if own or any(one.arg == name.id for one in all_arguments(scope.args)):  # type: ignore[attr-defined]
                return own
            scope = around(scope, *FUNCTIONS)
        return [one for one in given if around(one.by, *FUNCTIONS) is None]

    def reached(self, node: ast.expr, way: Way, depth: int = 0) -> list[ast.expr]:
        """The expressions that are that part of a value, as far as they are written out."""
        if not way or depth > MOST_STEPS:
            return [] if way else [node]
        key = (node, way, depth)
        if key not in self.found:
            items, rest = self.items(node, way, depth)
            self.found[key] = [found for item in items for found in self.reached(item, rest, depth + 1)]
        return self.found[key]

    def items(self, node: ast.expr, way: Way, depth: int) -> tuple[list[ast.expr], Way]:
        """Values, and the way that leads on from each of them to the same parts."""
        step, rest = way[0], way[1:]
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            starred = any(isinstance(part, ast.Starred) for part in node.elts)
            picked = node.elts[step : step + 1] if isinstance(step, int) else node.elts
            return [] if starred else picked, rest
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            return [node.elt], rest
        if isinstance(node, ast.IfExp):
            return [node.body, node.orelse], way
        if isinstance(node, ast.Name):
            return self.values(node, depth + 1), way
        if isinstance(node, ast.Attribute):
            return self.stored(ast.unparse(node), depth + 1), way
        return self.given(node, way, depth) if isinstance(node, ast.Call) else ([], way)

    def given(self, node: ast.Call, way: Way, depth: int) -> tuple[list[ast.expr], Way]:
        """The same of what a call gives."""
        called, name, inner = getattr(node.func, "v", None), called_name(node), way[1:]
        if isinstance(called, FunctionOf):
            return returned(self.module, called), way
        if name in PASSING:
            return node.args[:1], way
        if name == "enumerate" and inner[:1] == (1,):
            return node.args[:1], (EACH, *inner[1:])
        if name == "zip" and inner and isinstance(inner[0], int):
            return node.args[inner[0] : inner[0] + 1], (EACH, *inner[1:])
        if isinstance(node.func, ast.Attribute) and (name == "values" or (name == "items" and inner[:1] == (1,))):
            held = [value for one in self.dicts(node.func.value, depth) for value in one.values]
            return held, inner if name == "values" else inner[1:]
        return [], way

    def dicts(self, node: ast.expr, depth: int) -> list[ast.Dict]:
        held = self.values(node, depth + 1) if isinstance(node, ast.Name) else [node]
        held = self.stored(ast.unparse(node), depth + 1) if isinstance(node, ast.Attribute) else held
        return [one for one in held if isinstance(one, ast.Dict)]


def parts(target: ast.expr, bound: Bound) -> Iterator[tuple[ast.expr, Bound]]:
    """What is bound by a target that may be several."""
    if isinstance(target, (ast.Tuple, ast.List)):
        if not any(isinstance(part, ast.Starred) for part in target.elts):
            for index, part in enumerate(target.elts):
                yield from parts(part, bound._replace(way=(*bound.way, index)))
    elif isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
        yield target, bound


def returned(module: ModuleInfo, function: FunctionOf) -> list[ast.expr]:
    """What a function of the file gives."""
    node = function.info.node
    if isinstance(node, ast.Lambda):
        return [node.body]
    own = {part for part in walk(node) if isinstance(part, ast.Return)}
    return [part.value for part in module.nodes.of(ast.Return) if part in own and part.value is not None]


def within(parents: Parents, node: ast.AST | None, around: ast.AST | None) -> bool:
    while node is not None and node is not around:
        node = parents.get(node)
    return node is not None
