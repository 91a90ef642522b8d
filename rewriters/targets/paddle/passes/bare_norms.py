"""Norms over an axis of what has no axes, or has none at times: Paddle reads memory that is not the tensor's there."""

from __future__ import annotations

import ast

from rewriters.infer.values import INT, UNKNOWN, Method, ModuleInfo, Ref, is_bare

# Where the axis stands among the arguments, the tensor counted.
NORMS = {
    "torch.norm": 2,
    "torch.Tensor.norm": 2,
    "torch.linalg.norm": 2,
    "torch.nn.functional.normalize": 2,
}


def bare_norms(module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of a file that a rule answers for which looks at run time, with its key."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not isinstance(called, (Ref, Method)) or called.name not in NORMS:
            continue
        of_method = isinstance(called, Method) and isinstance(node.func, ast.Attribute)
        parts = [node.func.value, *node.args] if of_method else node.args
        if not parts or not is_bare(getattr(parts[0], "v", UNKNOWN)):
            continue
        axis = next((word.value for word in node.keywords if word.arg == "dim"), None)
        axis = axis if axis is not None else next(iter(parts[NORMS[called.name] :]), None)
        if called.name.endswith("normalize") or (axis is not None and getattr(axis, "v", None) == INT):
            found[node] = f"{called.name}:bare"
    return found
