"""``2 in t``, where the target's tensors have no such operator."""

from __future__ import annotations

import ast

from rewriters.infer.values import Tensor
from rewriters.rewrite.calls import Calls
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rewrite.unknown_operators import UnknownOperators

KEY = "torch.Tensor.__contains__"


class Membership(Rewriting):
    """Rewrites ``in`` by the rule under KEY, ``not in`` by the one under ``KEY:absent``.

    What may be a tensor is looked at at run time, by the rules under ``KEY:unknown`` and ``KEY:absent_unknown``.
    """

    def __init__(self, tools: Tools, calls: Calls, unknown: UnknownOperators) -> None:
        super().__init__(tools)
        self.calls, self.unknown = calls, unknown

    def asked(self, node: ast.expr) -> bool:
        """Whether it was rewritten; its operands have been visited then."""
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
            return False
        element, container = node.left, node.comparators[0]
        value = value_at(container)
        known = isinstance(value, Tensor) and not value.assumed
        if not known and not (self.unknown.is_likely_tensor(container) or is_sliced(container)):
            return False
        parts = ["absent"] * isinstance(node.ops[0], ast.NotIn) + ["unknown"] * (not known)
        key = ":".join([KEY, *filter(None, ["_".join(parts)])])
        rules = self.book.rules.get(key)
        if not rules:
            return False
        with self.source.collect() as inner:
            self.walk.visit(element)
            self.walk.visit(container)
        arguments = [self.placing.argument(part, place, inner) for place, part in ((1, container), (0, element))]
        self.calls.apply(node, key, rules, arguments, inner)
        return True


def is_sliced(node: ast.expr) -> bool:
    """``x[:, 0]``: an array of some kind."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
        return False
    return any(isinstance(part, ast.Slice) for part in node.slice.elts)
