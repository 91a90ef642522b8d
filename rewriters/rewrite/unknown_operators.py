"""Operators on what may be a tensor, where something says so, and the target's means something else then."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.calls import is_tensor_method
from rewriters.infer.either import is_hint
from rewriters.infer.values import BOOLEAN, FIGURED, Bottom, Items, Plain, Series, Tensor, Unknown
from rewriters.rewrite.augmented import Augmented
from rewriters.rewrite.calls import Calls
from rewriters.rewrite.operators import UNARY
from rewriters.rewrite.promoting import BINARY
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.text.slots import ByClass

# The parts of which an expression may be a tensor when one is.
PARTS: ByClass[tuple[str, ...]] = ByClass(
    {
        ast.BinOp: ("left", "right"),
        ast.UnaryOp: ("operand",),
        ast.IfExp: ("body", "orelse"),
        ast.Subscript: ("value",),
    },
    (),
)
MASKED = {"masked_fill", "masked_fill_", "masked_select", "masked_scatter", "where"}


class UnknownOperators(Rewriting):
    """Rewrites ``x % 2`` by the rule under ``torch.Tensor.__mod__:unknown``, which looks at run time what ``x`` is.

    Nothing is done where nothing says that it may be a tensor: numbers are counted everywhere.
    """

    def __init__(self, tools: Tools, calls: Calls, augments: Augmented) -> None:
        super().__init__(tools)
        self.calls, self.augments = calls, augments
        # Of names: each is asked for again by all that is computed of it.
        self.likely: dict[ast.Name, bool] = {}

    def unknown_operator(self, node: ast.expr) -> bool:
        """Whether it was rewritten; its operands have been visited then."""
        if isinstance(node, ast.BinOp):
            name, operands = BINARY.get(type(node.op)), [node.left, node.right]
        elif isinstance(node, ast.UnaryOp):
            name, operands = UNARY.get(type(node.op)), [node.operand]
        else:
            return False
        if name == "invert" and self.is_mask(node):
            return False
        key = f"torch.Tensor.__{name}__:unknown"
        rules = self.book.rules.get(key)
        if not rules or hasattr(node, "own"):
            return False
        likely = self.is_likely_truths if name == "truediv" else self.is_likely_tensor
        if not any(map(likely, operands)):
            return False
        if isinstance(node, ast.BinOp) and isinstance(value_at(node.left), (Items, Series)):
            return False
        if name == "mod" and value_at(operands[0]) == Plain("str"):
            return False
        with self.source.collect() as inner:
            for operand in operands:
                self.walk.visit(operand)
        arguments = [self.placing.argument(operand, place, inner) for place, operand in enumerate(operands)]
        self.calls.apply(node, key, rules, arguments, inner)
        return True

    def is_mask(self, node: ast.expr) -> bool:
        """``x.masked_fill(~m, 0)``: truth values, or torch refuses it too."""
        around = self.source.nodes.parents.get(node)
        called = around.func if isinstance(around, ast.Call) else None
        return isinstance(called, ast.Attribute) and called.attr in MASKED

    def is_likely_truths(self, node: ast.expr) -> bool:
        """``x > 0`` of what may be a tensor, by a name too."""
        value = value_at(node)
        if isinstance(value, Unknown) and value.low & BOOLEAN and not value.low & FIGURED:
            return True
        if isinstance(node, ast.Compare):
            return not isinstance(value, Tensor) and any(map(self.is_likely_tensor, compared(node)))
        if not is_hint(value) or not isinstance(node, ast.Name):
            return False
        given = (one.value for one in self.source.nodes.of(ast.Assign) if named(one.targets, node.id))
        return any(isinstance(one, ast.Compare) for one in given)

    def is_likely_tensor(self, node: ast.expr) -> bool:
        """Whether it is not known to be one, and what makes it says that it may be."""
        value = value_at(node)
        if is_hint(value) or (isinstance(value, Tensor) and value.assumed):
            return True
        if not isinstance(value, (Unknown, Bottom)):
            return False
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_tensor_method(node.func.attr):
            return self.is_likely_tensor(node.func.value)
        if isinstance(node, ast.Compare):
            return any(map(self.is_likely_tensor, compared(node)))
        if not isinstance(node, ast.Name):
            return any(self.is_likely_tensor(getattr(node, part)) for part in PARTS[type(node)])
        if node not in self.likely:
            given = self.augments.given_tensor(node)
            self.likely[node] = given or any(map(self.is_likely_tensor, self.computed(node)))
        return self.likely[node]

    def computed(self, node: ast.Name) -> Iterator[ast.expr]:
        """What operators gave it on earlier lines of the function."""
        around = self.here.functions[-1] if self.here.functions else self.source.tree
        first = getattr(around, "lineno", 0)
        for one in self.source.nodes.of(ast.Assign):
            before = first <= one.lineno and (one.end_lineno or one.lineno) < node.lineno
            if before and isinstance(one.value, (ast.BinOp, ast.UnaryOp, ast.IfExp)) and named(one.targets, node.id):
                yield one.value


def compared(node: ast.Compare) -> tuple[ast.expr, ...]:
    """What a comparison that may give truth values compares; nothing for ``x is None`` and ``x in y``."""
    asked = isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn))
    return () if asked else (node.left, node.comparators[0])


def named(targets: list[ast.expr], name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)
