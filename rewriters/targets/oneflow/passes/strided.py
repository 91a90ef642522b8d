"""What is surely known of tensors that change in place: which lie in memory one element after the other (OneFlow's
``fill_`` and ``zero_`` write so, whatever the strides), and which are part of no graph (``zero_`` tells none).
"""

from __future__ import annotations

import ast

from rewriters.infer.values import Ref, Tensor
from rewriters.places.contiguity import KEEPING, STRIDING, Layouts

# What makes tensors of no others.
MAKING = {
    "empty", "zeros", "ones", "full", "rand", "randn", "randint", "randperm", "arange", "linspace", "eye", "tensor",
    "FloatTensor", "LongTensor", "BoolTensor", "Tensor", "zeros_like", "ones_like", "empty_like", "full_like",
    "rand_like", "randn_like", "new_zeros", "new_ones", "new_empty", "new_full", "new_tensor",
}  # fmt: skip


class Leaves(Layouts):
    """Whether a tensor is part of no graph."""

    def data(self, node: ast.expr) -> bool:
        return True

    def call(self, node: ast.Call) -> bool:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        called = getattr(node.func, "v", None)
        if isinstance(called, Ref):
            return name in MAKING or called.name == "torch.nn.Parameter"
        if not isinstance(node.func, ast.Attribute) or not isinstance(getattr(node.func.value, "v", None), Tensor):
            return False
        if name in MAKING or name == "detach":
            return True
        alike = name in KEEPING | STRIDING | {"clone", "contiguous", "fill_", "zero_", "uniform_", "normal_"}
        return alike and self.plain(node.func.value)

    def item(self, node: ast.Subscript) -> bool:
        return isinstance(getattr(node.value, "v", None), Tensor) and self.plain(node.value)

    def plain(self, node: ast.expr) -> bool:
        return not isinstance(node, (ast.BinOp, ast.UnaryOp)) and super().plain(node)
