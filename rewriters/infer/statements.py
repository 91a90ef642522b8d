"""Statements, node by node."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from rewriters.infer.aliases import alias
from rewriters.infer.alone import sizes_taken
from rewriters.infer.arithmetic import binary
from rewriters.infer.cells import reading
from rewriters.infer.definitions import Definitions
from rewriters.infer.either import is_hint
from rewriters.infer.joining import element
from rewriters.infer.keepers import is_keeper
from rewriters.infer.scopes import Unit, Waiting
from rewriters.infer.syntax import path_of, sees_what_is_around
from rewriters.infer.values import (
    BOTTOM,
    MAYBE,
    NONE,
    UNKNOWN,
    ClassOf,
    FunctionInfo,
    FunctionOf,
    Instance,
    Items,
    Mapping,
    ObjectOf,
    Plain,
    Series,
    Tensor,
    Value,
)
from rewriters.infer.words import contradicts, hinted, is_maybe, value_of_annotation
from rewriters.text.slots import ByClass
from rewriters.text.tree import children, last_name

# What is bound in a loop from what is bound in it takes another round for each link of such a chain.
LOOPS = 20
# From this turn on, what still moves may be anything.
WIDENED = 6


STATEMENTS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Interpreter(Definitions):
    """One pass over one module."""

    def run(self) -> None:
        """Interpret what may see something else than the last time."""
        before: Interpreter | None = self.module.last
        if before is not None and self.holds():
            before.pending = {info: one._replace(kept=True) for info, one in before.unit.waiting.items()}
            before.bodies()
            return
        self.read()
        self.bodies()

    def holds(self) -> bool:
        """Whether the file's own statements have been interpreted, and would see what they have seen."""
        last: Interpreter | None = self.module.last
        return last is not None and last.unit.holds(self.project.clock, self.look_again)

    def read(self) -> None:
        """Interpret the file's own statements; the bodies of its functions wait."""
        self.module.last = self
        self.unit.begin(self.module.bound)
        for name, value in self.module.scope.items():
            self.scope.setdefault(name, BOTTOM if not isinstance(value, (ClassOf, FunctionOf)) else value)
            self.scope.dotted |= "." in name
        self.block(self.module.tree.body)
        for name, value in self.scope.items():
            if "." in name:
                reading.cells.add(self.module.named[name])
            if self.module.scope.get(name) != value:
                self.module.scope[name] = value
                self.project.moved(self.module.named[""])
                self.project.moved(self.module.named[name])
        self.unit.done()

    def bodies(self) -> None:
        """Interpret the bodies that wait, and those in them, but for those that would see what they have seen."""
        around = self.unit
        while self.pending:
            info = next(iter(self.pending))
            waiting = self.pending.pop(info)
            last: Unit | None = info.last
            # A lambda may be read at two places, in a default and in what calls it.
            is_lambda = not isinstance(info.node, STATEMENTS)
            same = waiting.kept and last is not None and not (is_lambda and last.scopes is not waiting.scopes)
            alike = last is not None and (same or self.is_alike(info, waiting, last))
            if last is not None and alike and last.holds(self.project.clock, self.look_again):
                if not same:
                    last.scopes = waiting.scopes
                    last.waiting = {inner: one.moved_to(waiting) for inner, one in last.waiting.items()}
                for inner, one in last.waiting.items():
                    self.pending.setdefault(inner, one._replace(kept=same))
                continue
            self.unit = info.last = Unit(self.project.clock, waiting.scopes, len(waiting.scopes))
            self.unit.begin(self.module.bound)
            self.body_of(info, waiting.scopes, waiting.owner, waiting.made)
            self.unit.done()
        self.unit = around

    @staticmethod
    def is_alike(info: FunctionInfo, waiting: Waiting, last: Unit) -> bool:
        """Whether what is around a function has been interpreted again, and holds for it what it did."""
        return not waiting.kept and not sees_what_is_around(info.node) and last.sees_the_same(waiting)

    def block(self, statements: Sequence[ast.stmt]) -> bool:
        """Interpret in order; True when control cannot leave at the end."""
        ends = False
        for place, statement in enumerate(statements):
            handler = STATEMENT_HANDLERS[statement.__class__]
            if handler is None:
                for child in children(statement):
                    if isinstance(child, ast.expr):
                        self.ev(child)
            elif handler(self, statement):
                ends = True
            elif isinstance(statement, ast.Assign):
                for target in statement.targets:
                    self.show_bound(target, statements, place + 1)
        return ends

    def do_Return(self, node: ast.Return) -> bool:
        value = self.ev(node.value) if node.value is not None else NONE
        if self.function is not None:
            self.returned(value)
        return True

    def do_Raise(self, node: ast.Raise) -> bool:
        for child in (node.exc, node.cause):
            if child is not None:
                self.ev(child)
        return True

    def do_Continue(self, node: ast.Continue) -> bool:
        if self.continues:
            self.continues[-1].append(dict(self.scope))
        return True

    def do_Break(self, node: ast.Break) -> bool:
        if self.breaks:
            self.breaks[-1].append(dict(self.scope))
        return True

    def do_Assign(self, node: ast.Assign) -> None:
        if self.is_telling():
            shown = sizes_taken(node, self.project.others)
            if shown is not None:
                self.show(shown)
        value = self.ev(node.value)
        if self.function is None and (of_types := alias(node.value, self.quiet)) is not None:
            value = of_types
        for target in node.targets:
            self.assign(target, value)
            self.unpacked(node.value, target)
            if isinstance(value, (Items, Series, Mapping)):
                self.same(target, node.value)
                self.same(target, node.targets[0])

    def unpacked(self, shape: ast.expr, target: ast.expr) -> None:
        """``B, T, C = x.shape``: x has three axes."""
        if not isinstance(target, (ast.Tuple, ast.List)) or any(isinstance(t, ast.Starred) for t in target.elts):
            return
        called = isinstance(shape, ast.Call) and not shape.args and not shape.keywords
        owner = shape.func if isinstance(shape, ast.Call) else shape
        if not isinstance(owner, ast.Attribute) or owner.attr != ("size" if called else "shape"):
            return
        path, value = path_of(owner.value), getattr(owner.value, "v", None)
        bound = {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
        if path and path.partition(".")[0] not in bound and isinstance(value, Tensor):
            self.set_path(path, Tensor(value.assumed, value.kinds, len(target.elts), value.hints))

    def do_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.annotation(node.annotation)
        promised = value_of_annotation(node.annotation, self.quiet)
        value = self.ev(node.value) if node.value is not None else None
        if node.value is not None and last_name(node.annotation) == "TypeAlias":
            self.assign(node.target, alias(node.value, self.quiet) or value or UNKNOWN)
        elif promised is not None and (value is None or not (is_maybe(promised) or contradicts(promised, value))):
            self.assign(node.target, promised)
        elif value is not None:
            self.assign(node.target, hinted(promised, value))
        elif isinstance(node.target, ast.Name) and self.scope.get("__class__") and not self.is_filled(node.target.id):
            self.bind(node.target.id, UNKNOWN)

    def is_filled(self, name: str) -> bool:
        """Whether calls say what a field of the class holds that is being defined."""
        return self.owner is not None and name in self.owner.filled

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        left = self.ev(node.target)
        right = self.ev(node.value)
        value = self.changed_own(node, left, right) or binary(left, right, node.op)
        if isinstance(left, Tensor) and isinstance(value, Tensor):
            value = left  # in place: the dtype stays
        self.assign(node.target, value)
        target: Any = node.target
        target.v = left  # what it was decides whether a tensor is changed
        if isinstance(left, (Items, Series)):
            self.altered(node.target, value)

    def do_Expr(self, node: ast.Expr) -> None:
        self.ev(node.value)

    def do_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self.ev(target)
            if isinstance(target, ast.Name):
                self.scope.pop(target.id, None)
            elif isinstance(target, ast.Subscript):
                held = getattr(target.value, "v", UNKNOWN)
                if isinstance(held, Items):
                    self.altered(target.value, Series(element(held), held.kind))

    def do_Global(self, node: ast.Global) -> None:
        self.globals |= set(node.names)

    def do_Assert(self, node: ast.Assert) -> None:
        self.ev(node.test)
        self.narrow(node.test, True)
        if node.msg is not None:
            self.ev(node.msg)

    def do_If(self, node: ast.If) -> bool:
        self.ev(node.test)
        before = dict(self.scope)
        self.narrow(node.test, True)
        ends_body = self.block(node.body)
        after_body = self.replace_scope(before)
        self.narrow(node.test, False)
        ends_else = self.block(node.orelse)
        if ends_body and not ends_else:
            return False
        if ends_else and not ends_body:
            self.replace_scope(after_body)
            return False
        self.join_scope(after_body)
        return ends_body and ends_else and bool(node.orelse)

    def do_For(self, node: ast.For | ast.AsyncFor) -> None:
        iterated = self.ev(node.iter)

        def turn() -> None:
            self.assign(node.target, self.iterated(iterated))
            self.show_bound(node.target, node.body, 0)
            self.block(node.body)

        self.loop(turn, node.orelse)

    def do_AsyncFor(self, node: ast.AsyncFor) -> None:
        self.ev(node.iter)

        def turn() -> None:
            self.assign(node.target, UNKNOWN)
            self.block(node.body)

        self.loop(turn, node.orelse)

    def loop(self, turn: Callable[[], None], orelse: Sequence[ast.stmt]) -> None:
        """Rounds of a loop until nothing moves: what holds after it may come from its end, or from where it is left."""
        before = dict(self.scope)
        self.continues.append([])
        self.breaks.append([])
        for count in range(LOOPS):
            start = dict(self.scope)
            self.breaks[-1].clear()
            turn()
            for left in self.continues[-1]:
                self.join_scope(left)
            self.continues[-1].clear()
            self.join_scope(before)
            if self.scope == start:
                break
            if count >= WIDENED:
                for name in [name for name, value in self.scope.items() if start.get(name) != value]:
                    self.scope[name] = UNKNOWN
        self.continues.pop()
        broken = self.breaks.pop()
        self.block(orelse)
        for left in broken:
            self.join_scope(left)

    def do_While(self, node: ast.While) -> None:
        def turn() -> None:
            self.ev(node.test)
            self.narrow(node.test, True)
            self.block(node.body)

        self.loop(turn, node.orelse)

    def do_With(self, node: ast.With | ast.AsyncWith) -> bool:
        for item in node.items:
            value = self.ev(item.context_expr)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, self.entered(value))
                self.show_bound(item.optional_vars, node.body, 0)
        return self.block(node.body)

    def entered(self, value: Value) -> Value:
        """What ``with value as`` binds."""
        if isinstance(value, ObjectOf):
            enter = self.project_attribute(value, "__enter__")
            return self.call(enter, [], {}) if isinstance(enter, FunctionOf) else UNKNOWN
        known = isinstance(value, (Instance, Plain)) or is_keeper(value)
        return value if known else MAYBE if is_hint(value) else UNKNOWN

    do_AsyncWith = do_With

    def do_Try(self, node: ast.Try) -> bool:
        before = dict(self.scope)
        self.trying.append(dict(before))
        ends = self.block(node.body)
        within = self.trying.pop()
        after = self.replace_scope(before)
        self.join_scope(within)
        joined = dict(self.scope)
        outcomes = [] if ends else [after]
        for handler in node.handlers:
            self.replace_scope(joined)
            if handler.type is not None:
                self.ev(handler.type)
            if handler.name:
                caught = getattr(handler.type, "v", UNKNOWN)
                self.bind(handler.name, ObjectOf(caught.info) if isinstance(caught, ClassOf) else UNKNOWN)
            settled, self.settled = self.settled, self.settled | torch_alone(node)
            if not self.block(handler.body):
                outcomes.append(dict(self.scope) | {name: after[name] for name in torch_alone(node) if name in after})
            self.settled = settled
        if node.orelse and not ends:
            self.replace_scope(after)
            if self.block(node.orelse):
                outcomes = [outcome for outcome in outcomes if outcome is not after]
            else:
                outcomes = [dict(self.scope), *[outcome for outcome in outcomes if outcome is not after]]
        if outcomes:
            self.replace_scope(outcomes[0])
            for outcome in outcomes[1:]:
                self.join_scope(outcome)
        else:
            self.replace_scope(joined)
        return self.block(node.finalbody) or not outcomes

    do_TryStar = do_Try

    def do_Match(self, node: ast.Match) -> None:
        self.ev(node.subject)
        before = dict(self.scope)
        outcomes = []
        for case in node.cases:
            self.replace_scope(before)
            for pattern in ast.walk(case.pattern):
                if isinstance(pattern, (ast.MatchAs, ast.MatchStar)) and pattern.name:
                    self.bind(pattern.name, UNKNOWN)
                elif isinstance(pattern, ast.MatchMapping) and pattern.rest:
                    self.bind(pattern.rest, UNKNOWN)
                elif isinstance(pattern, ast.MatchValue):
                    self.ev(pattern.value)
                elif isinstance(pattern, ast.MatchClass):
                    self.ev(pattern.cls)
            if case.guard is not None:
                self.ev(case.guard)
            self.block(case.body)
            outcomes.append(dict(self.scope))
        self.replace_scope(before)
        for outcome in outcomes:
            self.join_scope(outcome)


STATEMENT_HANDLERS: ByClass[Any] = ByClass(
    {
        getattr(ast, name[3:]): getattr(Interpreter, name)
        for name in dir(Interpreter)
        if name.startswith("do_") and hasattr(ast, name[3:])
    },
    None,
)


def torch_alone(node: ast.Try) -> frozenset[str]:
    """Names that torch itself is imported by, where nothing else is tried: it is there, whatever the handlers do."""
    if not all(isinstance(part, ast.Import) and all(item.name == "torch" for item in part.names) for part in node.body):
        return frozenset()
    return frozenset(
        {item.asname or item.name for part in node.body if isinstance(part, ast.Import) for item in part.names}
    )
