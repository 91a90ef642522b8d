"""``row = x.T`` and then ``row.data = y``: of one axis Paddle's row is x itself, torch's another one in its memory."""

from __future__ import annotations

import ast

from rewriters.infer.values import Method, ModuleInfo, Ref, Tensor
from rewriters.places.calls import is_data

TURNED = {"torch.Tensor.T", "torch.Tensor.t", "torch.t"}


def own_objects(module: ModuleInfo) -> dict[ast.AST, str]:
    """The transposed tensors of a module that are to be tensors of their own."""
    stores = [target for node in module.nodes.of(ast.Assign) for target in node.targets]
    names = {target.value.id for target in stores if is_data(target) and isinstance(target.value, ast.Name)}
    if not names:
        return {}
    made = (node for node in module.nodes.of(ast.Assign) if any(getattr(t, "id", "") in names for t in node.targets))
    found = ((node.value, turned(node.value)) for node in made)
    return {node: f"{name}:own" for node, name in found if name and may_have_one_axis(node)}


def turned(node: ast.expr) -> str:
    """The name of the function, method or property, if it is one of these."""
    if isinstance(node, ast.Attribute):
        return "torch.Tensor.T" if node.attr == "T" and isinstance(getattr(node.value, "v", None), Tensor) else ""
    called = getattr(node.func, "v", None) if isinstance(node, ast.Call) else None
    return called.name if isinstance(called, (Ref, Method)) and called.name in TURNED else ""


def may_have_one_axis(node: ast.expr) -> bool:
    value = getattr(node, "v", None)
    return not isinstance(value, Tensor) or value.ndim in (None, 0, 1)
