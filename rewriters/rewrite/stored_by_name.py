"""Stores to attributes, also by ``setattr`` under a name that is written out."""

from __future__ import annotations

import ast

from rewriters.infer.values import Tensor
from rewriters.rewrite.items import Items
from rewriters.rewrite.references import References
from rewriters.rewrite.resolving import value_at


def stored(node: ast.stmt, references: References, items: Items) -> bool:
    """Whether a store was rewritten: ``setattr(x, "data", y)`` is ``x.data = y`` where a rule answers for that."""
    if isinstance(node, ast.Assign):
        return items.store_item(node) or references.store(node)
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "setattr":
        return False
    if len(call.args) != 3 or call.keywords or not isinstance(call.args[1], ast.Constant):
        return False
    of, word, value = call.args
    name = word.value  # type: ignore[attr-defined]
    if not isinstance(value_at(of), Tensor) or f"torch.Tensor.{name}=" not in references.book.rules:
        return False
    target = ast.copy_location(ast.Attribute(of, name, ast.Store()), call)
    return references.store(ast.copy_location(ast.Assign([target], value), node))
