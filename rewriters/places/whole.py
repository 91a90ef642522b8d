"""What a part or a view is of."""

from __future__ import annotations

import ast
from collections.abc import Collection

VIEWS = {
    "view", "view_as", "reshape", "flatten", "ravel", "t", "transpose", "permute", "squeeze", "unsqueeze", "expand",
    "expand_as", "detach", "narrow", "select", "diagonal", "swapaxes", "movedim", "unflatten", "contiguous", "chunk",
    "split", "tensor_split", "unbind",
}  # fmt: skip
PROPERTIES = {"T", "mT", "data"}


def whole(node: ast.expr, views: Collection[str] = VIEWS) -> ast.expr:
    """What a part or a view is of; views: methods that give one."""
    while True:
        if isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr in PROPERTIES):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in views:
            node = node.func.value
        else:
            return node
