"""Walking one function, statement by statement: what its names hold, and who sees each change in place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence, Set
from typing import Any

from rewriters.infer.values import FunctionOf, Plain, Ref
from rewriters.places.calls import is_tensor
from rewriters.places.changes import Changes
from rewriters.places.effect import Effect
from rewriters.places.expressions import Expressions
from rewriters.places.memory import Memory
from rewriters.places.parameters import free_names
from rewriters.places.sites import ANYWHERE, NOWHERE, Reader, Sites, are_apart
from rewriters.places.summary import Summary
from rewriters.places.unpacked import gives_its_own, has_starred
from rewriters.text.slots import ByClass
from rewriters.text.tree import children

ROUNDS = 3
MAP = Plain("builtin:map")


class Flow:
    """The walk; what it found is in ``memory`` and ``changes``."""

    def __init__(
        self,
        body: Sequence[ast.stmt],
        parameters: Sequence[str],
        summary: Callable[[FunctionOf], Summary],
        effect: Callable[[ast.Call], Effect | FunctionOf],
        node: ast.AST,
        copies: frozenset[str] = frozenset(),
        lending: Set[ast.Call] = frozenset(),
        itself: frozenset[str] = frozenset(),
        its_shape: frozenset[str] = frozenset(),
    ) -> None:
        free = set(free_names(node))
        self.memory = Memory(parameters, summary, effect, node, free, copies, lending, itself, its_shape)
        self.changes = Changes(body, self.memory)
        self.expressions = Expressions(self.memory, self.changes)
        self.body = body

    def run(self) -> None:
        self.block(self.body)

    def block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            outer, self.changes.statement = self.changes.statement, statement
            HANDLERS[statement.__class__](self, statement)
            self.changes.statement = outer

    def do_other(self, node: ast.stmt) -> None:
        for child in children(node):
            if isinstance(child, ast.expr):
                self.expressions.of(child)

    def do_Return(self, node: ast.Return) -> None:
        if node.value is None:
            return
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else []
        if len(parts) < 2 or has_starred(parts):
            self.memory.returned |= self.expressions.of(node.value)
            self.memory.apart.add(0)
            return
        held = self.expressions.several(parts)
        self.memory.returned |= frozenset({self.memory.site(node.value)}).union(*held)
        self.memory.apart.add(len(parts) if are_apart(held) else 0)

    def do_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
            held = self.pairwise(parts, node.value) if parts else None
            if held is None:
                self.expressions.assign(target, self.expressions.of(node.value), node.value)
                continue
            for part, sites in zip(parts, held, strict=True):
                self.expressions.assign(part, sites, None)

    def pairwise(self, targets: list[ast.expr], value: ast.expr) -> list[Sites] | None:
        """What each is bound to by ``a, b = x, y``; None for what is unpacked."""
        if not isinstance(value, (ast.Tuple, ast.List)):
            return self.mapped(targets, value)
        held = [self.expressions.of(part) for part in value.elts]
        if len(targets) != len(held) or has_starred([*targets, *value.elts]):
            return [frozenset().union(*held)] * len(targets)
        return held

    def mapped(self, targets: list[ast.expr], value: ast.expr) -> list[Sites] | None:
        """The same by ``a, b = map(f, (x, y))``, as by ``a, b = f(x), f(y)``; None for anything else."""
        if not isinstance(value, ast.Call) or getattr(value.func, "v", None) != MAP or len(value.args) != 2:
            return None
        effect, over = self.memory.effect(value), value.args[1]
        if not isinstance(effect, FunctionOf) or not isinstance(over, (ast.Tuple, ast.List)):
            return None
        if len(over.elts) != len(targets) or has_starred([*over.elts, *targets]):
            return None
        if not gives_its_own(self.memory.summary(effect)):
            return None
        self.expressions.of(value.args[0])
        own, found = self.memory.site(value), []
        for place, (sites, part) in enumerate(
            zip(self.expressions.several(over.elts), over.elts, strict=True), start=1
        ):
            given = self.expressions.called(value, effect, [(0, sites, part)])
            found.append((given - {own}) | {self.memory.site(value, place)} if own in given else given)
        return found

    def do_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.expressions.assign(node.target, self.expressions.of(node.value), node.value)

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        added = self.expressions.of(node.value)
        target = node.target
        if isinstance(target, ast.Name):
            held = self.memory.state.holds.get(target.id, ANYWHERE)
            # A list takes more in; what it holds stays as it is.
            self.changes.change(node, NOWHERE if adds_to_list(node, held) else held, target)
            if self.changes.is_leaf(held) and self.changes.found[node].seen is None:
                self.changes.found[node].seen = Reader("who asks for its gradient")
            if is_tensor(target) and self.memory.carries(added):
                self.memory.grads |= held
            if all(isinstance(site.node, ast.AugAssign) for site in held):  # begun as a number: what comes out is new
                self.memory.state.holds[target.id] = held | {self.memory.site(node)}
            elif not is_tensor(target):  # a list: what is added is in it
                self.memory.state.holds[target.id] = held | added
                self.memory.put(held, added, target)
            return
        held = self.expressions.of(target)
        self.changes.change(node, held, target)

    def do_For(self, node: ast.For | ast.AsyncFor) -> None:
        held = self.expressions.of(node.iter)
        self.expressions.rows.enter(node.iter, self.expressions.of)
        self.loop(node, lambda: self.expressions.assign(node.target, self.memory.elements(node.iter, held), None))
        self.expressions.rows.leave(node, self.expressions.of)

    do_AsyncFor = do_For

    def do_While(self, node: ast.While) -> None:
        self.loop(node, lambda: self.expressions.of(node.test))

    def loop(self, node: ast.For | ast.AsyncFor | ast.While, begin: Callable[[], object]) -> None:
        """Rounds, each of which begins so, until one changes nothing."""
        before = self.memory.state.copy()
        for _ in range(ROUNDS):
            start = self.memory.state.copy()
            begin()
            self.block(node.body)
            self.memory.state.join(before)
            if start == self.memory.state:
                break
        self.block(node.orelse)

    def do_If(self, node: ast.If) -> None:
        self.expressions.of(node.test)
        before = self.memory.state.copy()
        self.block(node.body)
        after, self.memory.state = self.memory.state, before
        self.block(node.orelse)
        self.memory.state.join(after)

    def do_With(self, node: ast.With | ast.AsyncWith) -> None:
        outer = gradless = self.changes.gradless
        for item in node.items:
            sites = self.expressions.of(item.context_expr)
            gradless |= is_gradless(item.context_expr)
            if item.optional_vars is not None:
                self.expressions.assign(item.optional_vars, sites | ANYWHERE, None)
        self.changes.gradless = gradless
        self.block(node.body)
        self.changes.gradless = outer

    do_AsyncWith = do_With

    def do_Try(self, node: ast.Try) -> None:
        before = self.memory.state.copy()
        self.block(node.body)
        self.memory.state.join(before)
        after = self.memory.state.copy()
        for handler in node.handlers:
            self.memory.state = after.copy()
            self.block(handler.body)
            after.join(self.memory.state)
        self.memory.state = after
        self.block(node.orelse)
        self.block(node.finalbody)

    do_TryStar = do_Try

    def do_Match(self, node: ast.Match) -> None:
        held = self.expressions.of(node.subject)
        before = self.memory.state.copy()
        for case in node.cases:
            branch, self.memory.state = self.memory.state, before.copy()
            for pattern in ast.walk(case.pattern):
                name = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
                if isinstance(name, str):
                    self.memory.state.holds[name] = held | ANYWHERE
            self.block(case.body)
            self.memory.state.join(branch)

    def do_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        """Names that it uses may be kept by it, whenever it is called."""
        self.memory.captured(node)
        self.memory.state.holds[node.name] = ANYWHERE

    do_AsyncFunctionDef = do_ClassDef = do_FunctionDef

    def do_Import(self, node: ast.stmt) -> None:
        """Binds what is outside."""

    do_ImportFrom = do_Pass = do_Break = do_Continue = do_Import

    def do_Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self.memory.declared |= set(node.names)

    do_Nonlocal = do_Global


HANDLERS: ByClass[Any] = ByClass(
    {
        getattr(ast, name.removeprefix("do_")): method
        for name, method in vars(Flow).items()
        if name.startswith("do_") and hasattr(ast, name.removeprefix("do_"))
    },
    Flow.do_other,
)

GRADLESS = {"torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad", "torch.autograd.grad_mode.no_grad"}


def is_gradless(node: ast.expr) -> bool:
    """``with torch.no_grad():``"""
    value = getattr(node.func if isinstance(node, ast.Call) else node, "v", None)
    return isinstance(value, Ref) and value.name in GRADLESS


def adds_to_list(node: ast.AugAssign, held: Sites) -> bool:
    """``out += [y] * n`` of what was made as a list."""
    value = node.value
    parts = [value.left, value.right] if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult) else [value]
    return any(map(is_list, parts)) and any(is_list(site.node) for site in held)


def is_list(node: ast.AST | None) -> bool:
    """Whether it is written as a list: ``[]``, ``[y for y in x]``, ``list()``."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "list"
    return called or isinstance(node, (ast.List, ast.ListComp))
