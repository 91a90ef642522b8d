"""Tensors as conditions, where the target holds other values for false than torch does."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.values import BOOLEAN, Tensor
from rewriters.rewrite.resolving import value_at
from rewriters.text.tree import Nodes

KEY = "torch.Tensor.__bool__"


def tested(nodes: Nodes) -> frozenset[ast.expr]:
    """The expressions of a file that are only asked whether they hold."""
    found: list[ast.expr] = []
    for node in nodes.of(ast.If, ast.While, ast.IfExp, ast.Assert):
        found += parts(node.test)
    for node in nodes.of(ast.UnaryOp):
        if isinstance(node.op, ast.Not):
            found += parts(node.operand)
    for node in nodes.of(ast.comprehension):
        found += [part for test in node.ifs for part in parts(test)]
    for node in nodes.of(ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id == "bool" and len(node.args) == 1:
            found += parts(node.args[0])
    return frozenset(found)


def parts(node: ast.expr) -> Iterator[ast.expr]:
    """Of ``a and (b or c)``: a, b, c."""
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from parts(value)
    elif not isinstance(node, (ast.Starred, ast.NamedExpr, ast.Compare)):
        yield node


def may_be_lost(node: ast.expr) -> bool:
    """Whether it is a tensor, and perhaps not of truth values."""
    value = value_at(node)
    return isinstance(value, Tensor) and not value.assumed and value.kinds != BOOLEAN
