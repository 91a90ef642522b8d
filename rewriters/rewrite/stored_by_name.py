"""Stores to attributes, also by ``setattr`` under a name that is written out, and their deletion."""

from __future__ import annotations

import ast

from rewriters.infer.values import Bottom, Tensor, Unknown
from rewriters.report import Outcome
from rewriters.rewrite.items import Items
from rewriters.rewrite.references import References
from rewriters.rewrite.resolving import value_at


def stored(node: ast.stmt, references: References, items: Items) -> bool:
    """Whether a store was rewritten: ``setattr(x, "data", y)`` is ``x.data = y`` where a rule answers for that."""
    if isinstance(node, ast.Assign):
        return items.store_item(node) or references.store(node)
    if isinstance(node, ast.Delete):
        return deleted(node, references)
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


def deleted(node: ast.Delete, references: References) -> bool:
    """Whether ``del x.grad`` was rewritten, by the rule under ``torch.Tensor.grad:deleted``."""
    target = node.targets[0]
    if len(node.targets) != 1 or not isinstance(target, ast.Attribute):
        return False
    key = f"torch.Tensor.{target.attr}:deleted"
    rules = references.book.rules.get(key)
    if not rules or not isinstance(value_at(target.value), (Tensor, Unknown, Bottom)):
        return False
    with references.source.collect() as inner:
        references.walk.visit(target.value)
    references.draft.record(target, key, Outcome.HELPER, rules[0].where)
    given = references.placing.given(target.value, inner)
    references.draft.replace(node, f"{references.draft.helper_text(rules)}({given})")
    return True
