"""``self.weight.data *= x``, ``self.weight *= x`` where arrays do not change: what holds the parameter is changed."""

from __future__ import annotations

import ast

from rewriters.infer.values import BOOL, FLOAT, INT
from rewriters.members import Role
from rewriters.members.roles import is_array
from rewriters.places.calls import is_data
from rewriters.report import Outcome
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rewrite.unknown_changes import CHANGED
from rewriters.text.precedence import SIGNS

METHODS: dict[type, str] = {ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_"}


class AugmentedData(Rewriting):
    """Rewrites such statements: by a number as ``self.weight[...] *= 2``, by what may have a wider dtype as the method
    is rewritten, which keeps the parameter's.
    """

    def statement(self, node: ast.AugAssign) -> bool:
        """Whether it was one, and has been rewritten."""
        target, method = node.target, METHODS.get(type(node.op), "")
        if self.target.in_place or not method or CHANGED not in self.book.rules:
            return False
        held: ast.expr = target.value if is_data(target) else target
        key = f"torch.Tensor.{method}"
        rules = self.book.rules.get(f"{key}:mixed") or self.book.rules.get(key)
        if not rules or not (self.is_holder(held) if held is not target else self.is_parameter(held)):
            return False
        with self.source.collect() as inner:
            self.walk.visit(target.value if isinstance(target, ast.Attribute) and held is target else held)
            self.walk.visit(node.value)
        holder, value = self.source.text(held, inner), self.source.text(node.value, inner)
        if value_at(node.value) in (INT, FLOAT, BOOL):
            text = f"{holder}{self.target.held} {SIGNS[type(node.op)]}= {value}"
        else:
            name, own = self.draft.printer.text(ast.Constant(method)), self.draft.helper_text(rules)
            text = f"{self.draft.helper_text(self.book.rules[CHANGED])}({holder}, {name}, {own})({value})"
        self.draft.record(target, key, Outcome.INLINED, "what holds the parameter is written to")
        self.draft.replace(node, text)
        return True

    def is_parameter(self, node: ast.expr) -> bool:
        """Whether it is an attribute that holds a parameter; None, which it may be, takes part in no such statement."""
        if not isinstance(node, ast.Attribute):
            return False
        owner, members = value_at(node.value), self.shared.members
        held = members.role(owner, node.attr) is Role.PARAMETER
        return held and (is_array(node) or members.may_be_none(owner, node.attr))

    def is_holder(self, node: ast.expr) -> bool:
        """Whether an expression stands for what holds a parameter or a buffer."""
        if isinstance(node, ast.Attribute) and is_array(node):
            return self.shared.members.role(value_at(node.value), node.attr) is not Role.PLAIN
        return self.placing.is_item(node)
