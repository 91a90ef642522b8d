"""Writes what ``handed`` has found: expressions that are traced, and the gradients that are taken of these."""

from __future__ import annotations

import ast
import re

from rewriters.infer.values import ModuleInfo
from rewriters.regions.emit import Member
from rewriters.regions.gradients.handed_names import HandedOn, Traced
from rewriters.regions.gradients.words import Words
from rewriters.regions.plan import Draft, Plan, is_within, replace, replace_within, standing_alone
from rewriters.regions.renaming import free, rename
from rewriters.report import Outcome
from rewriters.text.tree import walk

OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@"}


class HandedEdits:
    """Of one file."""

    def __init__(self, module: ModuleInfo, plan: Plan, words: Words, grad: str) -> None:
        self.module, self.plan, self.words, self.grad = module, plan, words, grad

    def prepare(self, homes: list[HandedOn], calls: dict[ast.Call, dict[str, ast.expr]]) -> None:
        """calls: those of ``torch.autograd.grad``, with what they are given. What is inside of another comes first."""
        edits: list[tuple[ast.AST, HandedOn | None]] = [(call, None) for call in calls]
        edits += [(node, one) for one in homes for node in one.traced]
        for call, given in calls.items():
            self.plan.parts[call] = list(given.values())
            self.plan.site(call, Outcome.INLINED, "gradients of what is traced")
        for node, one in sorted(edits, key=lambda edit: extent(edit[0])):
            if one is None:
                self.plan.edits.append(lambda draft, call=node: self.gradients(call, calls[call], draft))  # type: ignore[misc]
            else:
                self.plan.edits.append(lambda draft, found=one.traced[node]: self.traced(found, draft))  # type: ignore[misc]

    def refuse(self, call: ast.Call, reason: str) -> None:
        """A call of a function that is given what it takes gradients of, where that is not traced."""
        self.plan.refuse(self.statement(call), f"autograd.grad: {reason}")
        self.plan.edits.append(lambda draft: replace_within(draft.source, call.func, draft.stand_in(self.grad)))

    def gradients(self, call: ast.Call, given: dict[str, ast.expr], draft: Draft) -> None:
        source = draft.source
        if not is_within(source, call):
            self.plan.refuse(self.statement(call), "autograd.grad: give what it gives a name in a statement of its own")
            replace_within(source, call.func, draft.stand_in(self.grad))
            return
        texts = {word: source.text(value, source.edits) for word, value in given.items()}
        replace_within(source, call, self.words.gradients_of(texts, draft))

    def traced(self, found: Traced, draft: Draft) -> None:
        source, node = draft.source, found.node
        value = node.value if isinstance(node, ast.AugAssign) else node
        if not is_within(source, value):
            self.plan.refuse(self.statement(value), "autograd.grad: what it is of is no expression of its own here")
            return
        taken = {part.id for part in walk(value) if isinstance(part, ast.Name)}
        given: dict[str, str] = {}
        members = [Member(path, free(path.rpartition(".")[2], taken - {path})) for path in found.inputs]
        given.update({member.name: member.path for member in members})
        for piece in found.inner:
            name = free("found", taken | set(given))
            given[name] = source.text(piece, source.edits)
            replace_within(source, piece, name)
        text = rename(standing_alone(source.text(value, source.edits)), members)
        text = f"list({text})" if found.whole else text
        if isinstance(node, ast.AugAssign):
            name = node.target.id  # type: ignore[union-attr]
            sign = OPERATORS.get(type(node.op), "")
            text = f"{name} {sign} {text}" if re.fullmatch(r"[\w.]+", text) else f"{name} {sign} ({text})"
        made = self.words.traced(text, given, found.bound, found.modules, draft)
        if isinstance(node, ast.AugAssign):
            replace(source, (source.start(node), source.end(node)), f"{name} = {made}")
        else:
            replace_within(source, value, made)

    def statement(self, node: ast.AST) -> ast.stmt:
        return self.module.nodes.around(node, ast.stmt)  # type: ignore[return-value]


def extent(node: ast.AST) -> tuple[int, int, int, int]:
    """Sorts what stands within something before that."""
    end = node.end_lineno or node.lineno, node.end_col_offset or 0  # type: ignore[attr-defined]
    return (*end, -node.lineno, -node.col_offset)  # type: ignore[attr-defined]
