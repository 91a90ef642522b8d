"""Names of types: what ``Size = Tuple[int, int]`` and ``OptTensor = Optional[Tensor]`` say where they annotate."""

from __future__ import annotations

import ast
from collections.abc import Callable

from rewriters.infer.values import TENSOR, Alias, ClassOf, External, Plain, Ref, Unknown, Value
from rewriters.infer.words import OF_TYPES, value_of_annotation
from rewriters.torch.table import is_tensor_class

GENERIC = {f"builtin:{name}" for name in ("dict", "frozenset", "list", "set", "tuple", "type")}


def alias(node: ast.expr, look_up: Callable[[ast.expr], Value]) -> Alias | None:
    """What a name is bound to that is bound to this; None where it is no type, or nothing is known of what it says.

    look_up: the value of a name or dotted name at that place.
    """
    if not isinstance(node, (ast.Subscript, ast.BinOp)) or not is_type(node, look_up):
        return None
    promised = value_of_annotation(node, look_up)
    return None if promised is None or (isinstance(promised, Unknown) and not promised.tensor) else Alias(promised)


def is_type(node: ast.expr, look_up: Callable[[ast.expr], Value]) -> bool:
    """Whether what it gives is a type, whatever its parts are bound to elsewhere."""
    if isinstance(node, ast.BinOp):
        sides = node.left, node.right
        if not isinstance(node.op, ast.BitOr):
            return False
        return any(value_of_annotation(side, look_up) == TENSOR for side in sides) or all(
            is_type(side, look_up) for side in sides
        )
    if isinstance(node, ast.Subscript):
        generic = look_up(node.value)
        if isinstance(generic, External):
            return generic.name.partition(".")[0] in OF_TYPES
        return isinstance(generic, Plain) and generic.kind in GENERIC
    if isinstance(node, ast.Constant):
        return node.value is None
    value = look_up(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
    if isinstance(value, Ref):
        return is_tensor_class(value.name)
    return isinstance(value, (Alias, ClassOf)) or (isinstance(value, Plain) and value.kind.startswith("builtin:"))
