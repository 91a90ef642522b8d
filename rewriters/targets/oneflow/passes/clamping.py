"""Clamping of what may be integers by a float, or by a tensor of some: OneFlow's keeps the integers' dtype."""

from __future__ import annotations

import ast

from rewriters.infer.values import BOOLEAN, FLOATING, INTEGRAL, Method, ModuleInfo, Ref, Tensor

NAMES = ("clamp", "clip", "clamp_min", "clamp_max")
CLAMPING = {f"{owner}.{name}" for owner in ("torch", "torch.Tensor") for name in NAMES}
TINY = 0.01


def keys(module: ModuleInfo) -> dict[ast.AST, str]:
    """``x.clamp(max=2.5)`` of what may be integers: torch gives floating-point numbers."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not isinstance(called, (Method, Ref)) or called.name not in CLAMPING:
            continue
        of = node.func.value if isinstance(called, Method) and isinstance(node.func, ast.Attribute) else None
        of = node.args[0] if of is None and node.args else of
        value = getattr(of, "v", None)
        known = isinstance(value, Tensor) and (not value.kinds & (INTEGRAL | BOOLEAN) or value.kinds == INTEGRAL)
        low = isinstance(value, Tensor) and value.kinds == INTEGRAL
        by_tensor = low and any(getattr(getattr(one, "v", None), "kinds", 0) == FLOATING for one in bounds(node))
        by_float = not known and any(map(is_float, bounds(node)))
        if of is not None and not isinstance(of, ast.Starred) and (by_float or by_tensor):
            found[node] = f"{called.name}:fraction"
    return found


def bounds(node: ast.Call) -> list[ast.expr]:
    return [*node.args, *(word.value for word in node.keywords if word.arg in {"min", "max"})]


def is_float(node: ast.expr) -> bool:
    """Whether it is a float; what is next to nothing keeps logarithms finite, of floats."""
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    number = node.value if isinstance(node, ast.Constant) else None
    return isinstance(number, float) and (number == 0 or number > TINY)
