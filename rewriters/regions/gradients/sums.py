"""Sums: losses that are given together, ``torch.autograd.backward([one, other])``, and what sums begin with."""

from __future__ import annotations

import ast

from rewriters.infer.values import Items, Series
from rewriters.regions.tracing import value_of


def is_written_out(losses: ast.expr, by: ast.expr | None) -> bool:
    """Whether several losses are written out, and so are their gradients where there are some."""
    subjects = items_of(losses)
    bys = items_of(by) if by is not None else subjects
    plain = not any(isinstance(one, ast.Starred) for one in [*subjects, *bys])
    unknown = isinstance(value_of(losses), (Items, Series)) and subjects == [losses]
    return plain and len(subjects) == len(bys) and not unknown


def items_of(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node]


def is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def is_start(statement: ast.stmt) -> bool:
    """What a sum or a list begins with: ``loss = 0``, ``losses = []``."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) > 1:
        return False
    target, value = statement.targets[0], statement.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return all(isinstance(one, ast.Name) for one in target.elts) and all(map(is_begun, value.elts))
    return isinstance(target, ast.Name) and is_begun(value)


def is_begun(value: ast.expr) -> bool:
    """``0``, ``[]``"""
    if isinstance(value, (ast.List, ast.Tuple)):
        return not value.elts
    return isinstance(value, ast.Constant) or (isinstance(value, ast.Dict) and not value.keys)
