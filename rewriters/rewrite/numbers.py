"""Tensors of one element as numbers: ``float(x)``, ``int(x)``, ``math.sqrt(x)``."""

from __future__ import annotations

import ast

from rewriters.infer.values import External, Tensor
from rewriters.rewrite.calls import Calls
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools

NUMBERS = {"float", "int", "complex"}


class Numbers(Rewriting):
    """Rewrites what makes numbers of tensors, by the rules under ``torch.Tensor.__float__`` and the like."""

    def __init__(self, tools: Tools, calls: Calls) -> None:
        super().__init__(tools)
        self.calls = calls

    def as_number(self, node: ast.Call) -> bool:
        """Whether it makes a number of a tensor that may have axes, and a rule says how; it is rewritten then."""
        if len(node.args) != 1 or node.keywords or not may_have_axes(node.args[0]):
            return False
        called, given = value_at(node.func), node.args[0]
        if isinstance(node.func, ast.Name) and node.func.id in NUMBERS - self.here.shadowed:
            name = node.func.id
        elif isinstance(called, External) and called.name.startswith("math."):
            name = "float"
        else:
            return False
        key = f"torch.Tensor.__{name}__"
        rules = self.book.rules.get(key)
        if not rules:
            return False
        with self.source.collect() as inner:
            self.walk.visit(given)
        whole: ast.expr = given if isinstance(called, External) else node
        self.calls.apply(whole, key, rules, [self.placing.argument(given, 0, inner, receiver=True)], inner)  # type: ignore[arg-type]
        return True


def may_have_axes(node: ast.expr) -> bool:
    value = value_at(node)
    return isinstance(value, Tensor) and not value.assumed and value.ndim != 0
