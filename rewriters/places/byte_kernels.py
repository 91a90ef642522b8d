"""What is done to tensors of 8 bits, at times or always, for which a target has no kernels of these."""

from __future__ import annotations

import ast
from collections.abc import Collection

from rewriters.infer.values import INTEGRAL, Method, ModuleInfo, Plain, Ref, Tensor
from rewriters.places.byte_sums import is_of_bytes

OPERATORS = {ast.Mult: "mul", ast.Sub: "sub", ast.Mod: "mod", ast.Pow: "pow"}
MARK = ":bytes"


def byte_kernels(module: ModuleInfo, lacking: Collection[str]) -> dict[ast.AST, str]:
    """Calls and operators of a file, with the key of the rule that looks at run time.

    lacking: torch's functions, methods and operators.
    """
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.BinOp, ast.AugAssign):
        name = OPERATORS.get(type(node.op))
        left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
        by_number = name in {"mod", "pow"} and isinstance(getattr(right, "v", None), Plain)
        if name is not None and is_narrow(left) and (is_narrow(right) or by_number):
            key = f"torch.Tensor.__{'i' * isinstance(node, ast.AugAssign)}{name}__"
            found |= {node: f"{key}{MARK}"} if key in lacking else {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not isinstance(called, (Ref, Method)) or called.name not in lacking:
            continue
        of_method = isinstance(called, Method) and isinstance(node.func, ast.Attribute)
        operands = [*([node.func.value] if of_method else ()), *node.args]
        if any(map(is_narrow, operands)):
            found[node] = f"{called.name}{MARK}"
    return found


def is_narrow(node: ast.expr) -> bool:
    """Whether something says that it is a tensor of 8 bits."""
    value = getattr(node, "v", None)
    return isinstance(value, Tensor) and bool(value.kinds & INTEGRAL) and is_of_bytes(value)
