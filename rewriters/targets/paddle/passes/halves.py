"""``x.tolist()`` of what may be bfloat16: Paddle gives the bits of its numbers, as whole numbers."""

from __future__ import annotations

import ast

from rewriters.infer.values import HALF, Method, ModuleInfo, Tensor

LISTED = "torch.Tensor.tolist"


def halves(module: ModuleInfo) -> dict[ast.AST, str]:
    """Such calls in a file, where something says that the tensor is of 16 bits."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called, func = getattr(node.func, "v", None), node.func
        if isinstance(called, Method) and called.name == LISTED and isinstance(func, ast.Attribute):
            value = getattr(func.value, "v", None)
            if isinstance(value, Tensor) and value.hints & HALF:
                found[node] = f"{LISTED}:half"
    return found
