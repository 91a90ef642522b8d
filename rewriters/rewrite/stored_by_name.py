"""Stores to attributes, also by ``setattr`` under a name that is written out, and their deletion."""

from __future__ import annotations

import ast

from rewriters.infer.joining import torch_class
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
        return deleted(node, references, items)
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


def deleted(node: ast.Delete, references: References, items: Items) -> bool:
    """Whether a deletion was rewritten: ``del x.grad`` by the rule under ``torch.Tensor.grad:deleted``, ``del net[0]``
    by that under ``torch.nn.Sequential.__delitem__``, or what a pass names.
    """
    target = node.targets[0]
    if len(node.targets) != 1 or not isinstance(target, (ast.Attribute, ast.Subscript)):
        return False
    value, draft = value_at(target.value), references.draft
    if isinstance(target, ast.Attribute):
        key = f"torch.Tensor.{target.attr}:deleted" if isinstance(value, (Tensor, Unknown, Bottom)) else ""
    else:
        key = draft.keys.get(target) or f"{torch_class(value)}.__delitem__"
    rules = references.book.rules.get(key)
    if not rules:
        return False
    with references.source.collect() as inner:
        references.walk.visit(target.value)
    given = references.placing.given(target.value, inner)
    if isinstance(target, ast.Subscript):
        with references.source.collect() as within:
            references.walk.visit(target.slice)
        given = f"{given}, {items.index_text(target.slice, within)}"
    draft.record(target, key, Outcome.HELPER, rules[0].where)
    draft.replace(node, f"{draft.helper_text(rules)}({given})")
    return True
