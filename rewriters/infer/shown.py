"""Which names the statements of a body surely show to be tensors (``alone.py``), whatever comes of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from rewriters.infer.alone import given, shown_by, sizes_taken
from rewriters.infer.others import Others
from rewriters.text.slots import class_of
from rewriters.text.tree import children, walk

# What is evaluated first of a statement, whatever comes of it.
FIRST: dict[type[ast.AST], str] = {
    **dict.fromkeys((ast.If, ast.While, ast.Assert), "test"), ast.For: "iter", ast.Return: "value",
}  # fmt: skip
SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)
# What may not be evaluated, or not here.
SOMETIMES = (
    *(ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr),
    *(ast.Compare, ast.Await, ast.Yield, ast.YieldFrom),
)
LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await, ast.Try)


BINDING = (ast.Store, ast.Del)
WITH = (ast.With, ast.AsyncWith)
Called = Callable[[ast.Call], str]


class Told(NamedTuple):
    """What a statement tells, once it is reached.

    shown:  names that it surely uses as tensors alone can be used, before it binds them.
    bound:  names that it may bind.
    leaves: whether what follows it may not be reached, or not from here.
    """

    shown: frozenset[str]
    bound: frozenset[str]
    leaves: bool


class Showing:
    """What statements tell, each asked once.

    called: the name of torch's function that a call calls; "" of others.
    """

    def __init__(self, others: Others) -> None:
        self.others = others
        self.known: dict[ast.stmt, Told] = {}

    def told(self, statement: ast.stmt, called: Called) -> Told:
        found = self.known.get(statement)
        if found is None:
            found = self.known[statement] = self.within(statement, called)
        return found

    def within(self, statement: ast.stmt, called: Called) -> Told:
        if isinstance(statement, WITH):
            bound = frozenset(part.id for one in statement.items for part in names_bound(one.optional_vars))
            first = self.before(statement.body, called)
            rest = [self.told(one, called) for one in statement.body]
            return Told(first - bound, bound.union(*(one.bound for one in rest)), any(one.leaves for one in rest))
        parts = walk(statement)
        shown = frozenset(one.id for one in uses(statement, self.others, called) if isinstance(one, ast.Name))
        bound = frozenset(part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, BINDING))
        return Told(shown, bound, any(isinstance(part, LEAVING) for part in parts))

    def before(self, body: Sequence[ast.stmt], called: Called) -> frozenset[str]:
        """The names that statements surely use as tensors alone can be used, before they bind them anew or leave."""
        found: set[str] = set()
        bound: set[str] = set()
        for statement in body:
            told = self.told(statement, called)
            found |= told.shown - bound
            bound |= told.bound
            if told.leaves:
                break
        return frozenset(found)

    def after(self, name: str, body: Sequence[ast.stmt], place: int, called: Called) -> bool:
        """Whether statements show a name so from a place on."""
        for statement in islice(body, place, None):
            told = self.told(statement, called)
            if name in told.shown:
                return True
            if told.leaves or name in told.bound:
                break
        return False


def names_bound(node: ast.expr | None) -> list[ast.Name]:
    return [part for part in walk(node) if isinstance(part, ast.Name)] if node is not None else []


def uses(statement: ast.stmt, others: Others, called: Callable[[ast.Call], str]) -> Iterator[ast.expr]:
    """What a statement surely shows to be tensors."""
    unpacked = sizes_taken(statement, others)
    if unpacked is not None:
        yield unpacked
    parts: list[ast.AST] = []
    if isinstance(statement, SIMPLE):
        parts.append(statement)
    elif (first := FIRST.get(class_of(statement))) and getattr(statement, first) is not None:
        parts.append(getattr(statement, first))
    while parts:
        part = parts.pop()
        if isinstance(part, ast.Call):
            shown = shown_by(part, others)
            if shown is not None:
                yield shown
            yield from given(part, called(part), others)
        begun = part.left if isinstance(part, ast.Compare) else part.test if isinstance(part, ast.IfExp) else None
        begun = part.values[0] if isinstance(part, ast.BoolOp) else begun
        parts += [begun] if begun is not None else [] if isinstance(part, SOMETIMES) else children(part)
