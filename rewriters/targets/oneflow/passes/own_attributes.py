"""Attributes that a program gives its tensors (``p.no_decay = True``), which OneFlow's do not take."""

from __future__ import annotations

import ast

from rewriters.infer.joining import gives_tensor
from rewriters.infer.values import ModuleInfo, Unknown
from rewriters.text.tree import called_name
from rewriters.torch.table import entry


def keys(module: ModuleInfo) -> dict[ast.AST, str]:
    """Stores to attributes that torch's tensors do not have by themselves, with the key of their rule."""
    found: dict[ast.AST, str] = {}
    for line in module.nodes.of(ast.Assign):
        target = line.targets[0]
        if not line.targets[1:] and isinstance(target, ast.Attribute) and is_given(target.value, target.attr):
            found[target] = "torch.Tensor:attribute"
    for node in module.nodes.of(ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id == "setattr" and len(node.args) == 3:
            name = node.args[1]
            if isinstance(name, ast.Constant) and isinstance(name.value, str) and is_given(node.args[0], name.value):
                found[node] = "torch.Tensor:setattr:asked"
    return found


def is_given(node: ast.expr, name: str) -> bool:
    """Whether it may be a tensor, and the attribute is none of torch's."""
    value = getattr(node, "v", Unknown())
    found = isinstance(value, Unknown) and isinstance(node, ast.Call) and called_name(node) == "getattr"
    return (found or gives_tensor(value)) and entry(f"torch.Tensor.{name}") is None
