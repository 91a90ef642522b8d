"""Modes that are values: ``context = torch.no_grad() if frozen else nullcontext()``, and then ``with context:``.

The block stays. What it binds and others read, or returns, is a constant for gradients where the value turns out to
be torch's mode. A mode that goes elsewhere (to a function, an attribute, an ``ExitStack``) turns nothing off: it is
marked.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol

from rewriters.infer.values import ModuleInfo, Ref
from rewriters.regions.emit import NO_GRAD
from rewriters.regions.gradients.mode_stores import changed_objects, containers_given
from rewriters.regions.gradients.words import Words
from rewriters.regions.plan import Draft, Plan, replace, settle, whole_lines, wrap
from rewriters.regions.tracing import value_of
from rewriters.report import Code, Outcome
from rewriters.text.tree import FUNCTIONS, walk

Constant = Callable[[str, bool, Draft], str]
ELSEWHERE = (
    "gradients are taken of functions: this mode turns nothing off where it arrives; stand `with torch.no_grad():` "
    "around what is to be a constant for gradients"
)
STORED = (
    "gradients are taken of functions: what is stored here is no constant for gradients; bind it to a name in the "
    "block, and store that behind it"
)


class Blocks(Protocol):
    """What is known of a file's blocks (``modes.Modes``)."""

    module: ModuleInfo
    plan: Plan
    words: Words
    differentiated: set[ast.AST]

    def is_mode(self, node: ast.With) -> bool: ...
    def seen(self, node: ast.With, file: ast.AST | None = None) -> Iterator[str]: ...
    def may_be_dict(self, name: str, block: ast.With) -> bool: ...
    def returned(self, node: ast.With) -> list[tuple[ast.Return, ast.expr]]: ...
    def returns(self, statement: ast.Return, value: ast.expr, draft: Draft, constant: Constant) -> None: ...


class HeldModes:
    """Of one file."""

    def __init__(self, modes: Blocks) -> None:
        self.modes, self.module, self.plan = modes, modes.module, modes.plan

    def prepare(self) -> bool:
        """Whether there is something to do."""
        found: dict[ast.With, ast.expr] = {}
        told = False
        for node in self.made():
            whole = self.whole(node)
            around = self.module.nodes.parents.get(whole)
            if isinstance(around, ast.withitem):
                block = self.module.nodes.parents[around]
                if isinstance(block, ast.With) and not self.modes.is_mode(block):
                    self.add(found, block, whole)
            elif isinstance(around, (ast.Assign, ast.AnnAssign)) and self.by_name(found, around):
                continue
            elif not self.is_decorator(whole, around):
                self.say(whole, ELSEWHERE)
                told = True
        ordered = sorted(found.items(), key=lambda pair: -pair[0].lineno)
        # before a loss takes such a block into its function
        self.plan.edits[:0] = [partial(self.block, *pair) for pair in ordered]
        return bool(found) or told

    def made(self) -> Iterator[ast.expr]:
        """The mode's name, wherever it stands for itself."""
        for node in self.module.nodes.of(ast.Name, ast.Attribute):
            value = value_of(node)
            if isinstance(value, Ref) and value.name in NO_GRAD and isinstance(node.ctx, ast.Load):
                yield node

    def whole(self, node: ast.expr) -> ast.expr:
        """The call of it, and the choice of which it is a part."""
        parents = self.module.nodes.parents
        around = parents.get(node)
        if isinstance(around, ast.Call) and around.func is node:
            node, around = around, parents.get(around)
        while isinstance(around, ast.IfExp) and around.test is not node:
            node, around = around, parents.get(around)
        return node

    def is_decorator(self, node: ast.expr, around: ast.AST | None) -> bool:
        """``@torch.no_grad()``, ``torch.no_grad()(f)``, ``isinstance(x, torch.no_grad)``."""
        if isinstance(around, FUNCTIONS):
            return node in around.decorator_list
        if isinstance(around, ast.Expr):
            return True  # made and dropped
        return isinstance(around, ast.Call) and (around.func is node or not isinstance(node, ast.Call))

    def by_name(self, found: dict[ast.With, ast.expr], assigned: ast.Assign | ast.AnnAssign) -> bool:
        """Of a mode that has a name, the blocks that it stands above; whether it is used for nothing else."""
        targets = assigned.targets if isinstance(assigned, ast.Assign) else [assigned.target]
        home = self.module.nodes.around(assigned, *FUNCTIONS)
        if len(targets) != 1 or not isinstance(targets[0], ast.Name):
            return False
        blocks: list[tuple[ast.With, ast.expr]] = []
        for part in walk(home if home is not None else self.module.tree):
            if not isinstance(part, ast.Name) or part.id != targets[0].id or not isinstance(part.ctx, ast.Load):
                continue
            around = self.module.nodes.parents.get(part)
            context: ast.expr = part
            if isinstance(around, ast.Call) and around.func is part:
                context, around = around, self.module.nodes.parents.get(around)
            block = self.module.nodes.parents.get(around) if isinstance(around, ast.withitem) else None
            if not isinstance(block, ast.With):
                return False
            blocks.append((block, context))
        for block, context in blocks:
            self.add(found, block, context)
        return True

    def add(self, found: dict[ast.With, ast.expr], block: ast.With, context: ast.expr) -> None:
        """Have that block's mode be looked at."""
        home = self.module.nodes.around(block, *FUNCTIONS)
        if found.get(block, context) is not context:
            return
        if home in self.modes.differentiated and (changed_objects(block) or any(containers_given(block))):
            self.say(block, STORED)
        found[block] = context

    def say(self, node: ast.AST, reason: str) -> None:
        statement = node if isinstance(node, ast.stmt) else self.module.nodes.around(node, ast.stmt)
        assert isinstance(statement, ast.stmt)
        self.plan.site(statement, Outcome.DIFFERS, reason)
        text = Code.DIFFERS.comment(reason)
        self.plan.edits.insert(0, lambda draft: draft.above.setdefault(statement.lineno, {}).update({text: text}))

    def block(self, node: ast.With, context: ast.expr, draft: Draft) -> None:
        source, span = draft.source, whole_lines(draft.source, node)
        names, returned = list(self.modes.seen(node, self.module.tree)), self.modes.returned(node)
        if span is None or not (names or returned):
            return
        settle(draft, span)
        home = self.module.nodes.around(node, *FUNCTIONS)
        mode, sure = self.named(context, home), isinstance(context, ast.Call) and context.func in set(self.made())
        constant: Constant = lambda text, plain, draft: (  # noqa: E731
            self.modes.words.constant(text, plain, draft) if sure
            else self.modes.words.constant_in(mode, text, draft)
        )  # fmt: skip
        for statement, value in returned:
            self.modes.returns(statement, value, draft, constant)
        if not isinstance(context, ast.Name) and not sure:
            wrap(source, context, f"({mode} := ", ")")
        text = source.segment(*span, source.edits)
        indent = source.indentation(node.lineno)
        dicts = {name for name in names if self.modes.may_be_dict(name, node)}
        lines = [f"{indent}{name} = {constant(name, name not in dicts, draft)}{source.newline}" for name in names]
        replace(source, span, text + "".join(lines))

    def named(self, context: ast.expr, home: ast.AST | None) -> str:
        """The mode's name; a new one where it has none."""
        if isinstance(context, ast.Name):
            return context.id
        used = {part.id for part in walk(home or self.module.tree) if isinstance(part, ast.Name)}
        return next(name for name in ("mode", *(f"mode_{n}" for n in range(1, 100))) if name not in used)
