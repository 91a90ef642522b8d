"""``a and b``, ``x if a else y`` where a is True or False in the target: without what no longer decides anything."""

from __future__ import annotations

import ast
import re

from rewriters.rewrite.rewriting import Rewriting
from rewriters.text.parsing import expression_of
from rewriters.text.precedence import CLOSED
from rewriters.text.source_text import Edit


class Decided(Rewriting):
    """Rewrites them."""

    def visit_alternatives(self, node: ast.BoolOp) -> None:
        """Drop ``True and``, ``False or``, and behind others in a condition ``or False``."""
        word, neutral = ("and", "True") if isinstance(node.op, ast.And) else ("or", "False")
        parts = [self.edited(part) for part in node.values]
        kept = [part for part, (edits, text) in zip(node.values, parts, strict=True) if not edits or text != neutral]
        is_test = getattr(self.known.nodes.parents[node], "test", None) is node
        if not is_test and node.values[-1] not in kept:
            kept.append(node.values[-1])
        between = [
            self.source.original(self.source.end(a), self.source.start(b))
            for a, b in zip(node.values, node.values[1:], strict=False)
        ]
        edits = {part: inner for part, (inner, _) in zip(node.values, parts, strict=True)}
        if len(kept) == len(node.values) or not kept or not all(re.fullmatch(rf"\s+{word}\s+", gap) for gap in between):
            self.source.edits += [edit for inner in edits.values() for edit in inner]
            return
        first = node.values.index(kept[0])
        self.leave_out(self.source.start(node.values[0]), self.source.start(kept[0]))
        for before, part in zip(node.values[first:], node.values[first + 1 :], strict=False):
            if part not in kept:
                self.leave_out(self.source.end(before), self.source.end(part))
        self.source.edits += [edit for part in kept for edit in edits[part]]

    def visit_choice(self, node: ast.IfExp) -> None:
        """Leave the other value of ``"mps" if False else "cpu"`` alone, where what is dropped is a constant."""
        source = self.source
        edits, text = self.edited(node.test)
        dropped = {"True": node.orelse, "False": node.body}.get(text) if edits else None
        before = source.original(source.end(node.body), source.start(node.test))
        behind = source.original(source.end(node.test), source.start(node.orelse))
        plain = re.fullmatch(r"\s+if\s+", before) and re.fullmatch(r"\s+else\s+", behind)
        if not isinstance(dropped, ast.Constant) or not plain:
            self.walk.visit(node.body)
            source.edits += edits
            self.walk.visit(node.orelse)
        elif dropped is node.body:
            self.leave_out(source.start(node), source.start(node.orelse))
            self.walk.visit(node.orelse)
        else:
            self.walk.visit(node.body)
            self.leave_out(source.end(node.body), source.end(node))

    def visit_negation(self, node: ast.expr) -> bool:
        """Visit ``not x``; in a condition, drop both words of ``not not x.stop_gradient``: one of them is new."""
        if not isinstance(node, ast.UnaryOp) or not isinstance(node.op, ast.Not):
            return False
        edits, text = self.edited(node.operand)
        inner = negated(text) if edits and self.is_condition(node) and not isinstance(node.operand, ast.UnaryOp) else ""
        if inner:
            self.draft.replace(node, inner)
        else:
            self.source.edits += edits
        return True

    def is_condition(self, node: ast.expr) -> bool:
        """Whether only its truth counts."""
        around = self.known.nodes.parents[node]
        if isinstance(around, ast.comprehension):
            return node in around.ifs
        if isinstance(around, ast.BoolOp):
            return self.is_condition(around)
        return getattr(around, "test", None) is node

    def edited(self, node: ast.expr) -> tuple[list[Edit], str]:
        """What rewriting an expression comes to: its edits, its text."""
        with self.source.collect() as inner:
            self.walk.visit(node)
        return inner, self.source.text(node, inner)

    def leave_out(self, start: int, end: int) -> None:
        if start < end:
            self.source.edit(start, end, "")


def negated(text: str) -> str:
    """``x`` of ``not x``, as it is written; "" of anything else, and where it could not stand without its brackets."""
    try:
        node = expression_of(text.strip())
    except SyntaxError:
        return ""
    operand = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else None
    if not isinstance(operand, CLOSED) or operand.lineno != operand.end_lineno:
        return ""
    return ast.get_source_segment(text.strip(), operand) or ""
