"""What single rules cannot see: a Linear that shares its weight with an Embedding.

``self.head.weight = self.wte.weight`` needs torch's (out, in) weight, which paddle.nn.Linear does not have.
"""

from __future__ import annotations

import ast
from typing import Any

TIED = "torch.nn.Linear:tied"


def keys(project: Any, module: Any) -> dict[ast.AST, str]:
    """Constructor calls of this module that a special rule answers for, with the rule's key."""
    found: dict[ast.AST, str] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef):
            for call in tied_linears(node):
                found[call] = TIED
    return found


def tied_linears(node: ast.ClassDef) -> list[ast.Call]:
    """Calls of nn.Linear assigned to an attribute whose weight is, or becomes, an Embedding's."""
    made: dict[str, ast.Call] = {}
    ties: list[tuple[str, str]] = []
    for part in ast.walk(node):
        if not isinstance(part, ast.Assign) or len(part.targets) != 1:
            continue
        left, right = attribute(part.targets[0]), attribute(part.value)
        if left and isinstance(part.value, ast.Call):
            made[left] = part.value
        elif left and right and left.endswith(".weight") and right.endswith(".weight"):
            ties.append((left.removesuffix(".weight"), right.removesuffix(".weight")))
    found = []
    for pair in ties:
        classes = {name: constructed(made.get(name)) for name in pair}
        if set(classes.values()) == {"torch.nn.Linear", "torch.nn.Embedding"}:
            found += [made[name] for name, klass in classes.items() if klass == "torch.nn.Linear"]
    return found


def attribute(node: ast.expr) -> str | None:
    """``self.a.b`` as text."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) and parts else None


def constructed(call: ast.Call | None) -> str | None:
    """The torch class that a call constructs."""
    value = getattr(call.func, "v", None) if call is not None else None
    return getattr(value, "name", None)
