"""Products with an attribute of which nothing says how many axes it has, ``x @ self.w``: OneFlow aborts at a vector."""

from __future__ import annotations

import ast

from rewriters.infer.values import ModuleInfo, Tensor

KEY = "torch.Tensor.__matmul__:axes"


def keys(module: ModuleInfo) -> dict[ast.AST, str]:
    """The products that a rule answers for which looks at run time."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.BinOp):
        if isinstance(node.op, ast.MatMult):
            pairs = ((node.left, node.right), (node.right, node.left))
            if any(may_be_vector(one) and has_axes(other) for one, other in pairs):
                found[node] = KEY
    return found


def may_be_vector(node: ast.expr) -> bool:
    value = getattr(node, "v", None)
    return isinstance(node, ast.Attribute) and isinstance(value, Tensor) and value.ndim is None


def has_axes(node: ast.expr) -> bool:
    """Whether it may have other numbers of axes than a vector and a matrix have, which OneFlow multiplies."""
    value = getattr(node, "v", None)
    return isinstance(value, Tensor) and value.ndim not in {1, 2}
