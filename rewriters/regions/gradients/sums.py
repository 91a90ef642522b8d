"""Losses that are given together: ``torch.autograd.backward([one, other])``."""

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
