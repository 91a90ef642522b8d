"""Whether a name is read after a point of a function."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from rewriters.places.changed_by_calls import changed_in
from rewriters.text.tree import COMPREHENSIONS, LOOPS, called_name, children, is_in_place, walk

Position = tuple[int, int]


@dataclass
class Accesses:
    """The reads and writes of the names of one function, and where its statements stand.

    reads:  name -> the nodes that read it.
    writes: name -> statements that bind it anew without reading it.
    loops:  name -> ``for`` loops that bind it anew in each round.
    around: statement -> the statements that it stands in, outermost first.
    block:  statement -> number of the block that it stands in.
    """

    reads: dict[str, list[ast.Name]] = field(default_factory=dict)
    writes: dict[str, list[ast.stmt]] = field(default_factory=dict)
    loops: dict[str, list[ast.For | ast.AsyncFor]] = field(default_factory=dict)
    around: dict[ast.stmt, list[ast.stmt]] = field(default_factory=dict)
    block: dict[ast.stmt, int] = field(default_factory=dict)
    blocks: int = 0

    @staticmethod
    def of(body: Sequence[ast.stmt]) -> Accesses:
        found = Accesses()
        found.add(body, [])
        return found

    def add(self, body: Sequence[ast.stmt], around: list[ast.stmt]) -> None:
        self.blocks += 1
        number = self.blocks
        for statement in body:
            self.around[statement] = around
            self.block[statement] = number
            if isinstance(statement, ast.Assign):
                bound = {t.id for target in statement.targets for t in plain_names(target)}
                read = {part.id for part in walk(statement.value) if isinstance(part, ast.Name)}
                for name in bound - read:
                    self.writes.setdefault(name, []).append(statement)
            elif isinstance(statement, (ast.For, ast.AsyncFor)):
                for target in plain_names(statement.target):
                    self.loops.setdefault(target.id, []).append(statement)
            inner = [*around, statement]
            for part in children(statement):
                if isinstance(part, ast.stmt):
                    continue
                self.expression(part, inner)
            for name in ("body", "orelse", "finalbody"):
                block = getattr(statement, name, None)
                if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                    self.add(block, inner)

    def expression(self, node: ast.AST, around: list[ast.stmt]) -> None:
        read: list[ast.Name] = []
        inside: set[ast.Name] = set()
        for part in walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                read.append(part)
            elif isinstance(part, COMPREHENSIONS):
                inside |= own_reads(part)
            block = getattr(part, "body", None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                self.add(block, around)  # of a handler, or of a case
        for part in read:
            if part not in inside:
                self.reads.setdefault(part.id, []).append(part)

    def later_read(self, name: str, statement: ast.stmt, spare: frozenset[ast.AST]) -> ast.Name | None:
        """The first read of the name that may come at or after the statement, those nodes aside; None for none.

        A statement that binds the name anew, on every way to such a read, ends the search.
        """
        reads = [node for node in self.reads.get(name, ()) if node not in spare]
        start, end = begin(statement), finish(statement)
        around = self.around.get(statement, [])
        # A block that the statement stands in, or its own: what follows in it is always run.
        certain = {self.block[outer] for outer in [*around, statement] if outer in self.block}
        kills = [w for w in self.writes.get(name, ()) if self.block.get(w) in certain]
        until = min((begin(kill) for kill in kills if begin(kill) > end), default=(1 << 30, 0))
        for node in reads:
            if start <= place(node) < until and not self.is_bound_anew(node, start):
                return node
        for loop in around:
            if not isinstance(loop, LOOPS) or (begin(loop) < until < finish(loop)):
                continue  # bound anew before the next round
            first = min((begin(kill) for kill in kills if begin(kill) > begin(loop)), default=(1 << 30, 0))
            for node in reads:
                if begin(loop) <= place(node) < min(first, start) and not self.is_bound_anew(node, begin(loop)):
                    return node
        return None

    def is_bound_anew(self, node: ast.Name, since: Position) -> bool:
        """Whether what is read is what a loop around it has bound, which begins at that position or behind it."""
        loops = (loop for loop in self.loops.get(node.id, ()) if begin(loop) >= since)
        return any(begin(loop.body[0]) <= place(node) < finish(loop.body[-1]) for loop in loops)


def own_reads(node: ast.AST) -> set[ast.Name]:
    """The reads of what a comprehension binds itself."""
    clauses: list[ast.comprehension] = node.generators  # type: ignore[attr-defined]
    names = {part.id for clause in clauses for part in plain_names(clause.target)}
    found = {part for part in walk(node) if isinstance(part, ast.Name) and part.id in names}
    return found - {part for part in walk(clauses[0].iter) if isinstance(part, ast.Name)}


def plain_names(target: ast.expr) -> list[ast.Name]:
    if isinstance(target, ast.Name):
        return [target]
    if isinstance(target, (ast.Tuple, ast.List)):
        return [name for part in target.elts for name in plain_names(part)]
    return []


def place(node: ast.Name) -> Position:
    return (node.lineno, node.col_offset)


def begin(node: ast.stmt) -> Position:
    return (node.lineno, node.col_offset)


def finish(node: ast.stmt) -> Position:
    return (node.end_lineno or node.lineno, node.end_col_offset or 0)


def name_of_root(node: ast.expr) -> str:
    """The name in ``x[0].data``, and in ``x.mul_(2)``, which is x; "" for none."""
    while True:
        if isinstance(node, (ast.Subscript, ast.Attribute)):
            node = node.value
        elif isinstance(node, ast.Call) and is_in_place(called_name(node)):
            node = changed_in(node) or node.func
        else:
            return node.id if isinstance(node, ast.Name) else ""
