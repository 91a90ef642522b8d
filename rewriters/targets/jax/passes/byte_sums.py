"""Sums and products of what is of 8 bits at times: JAX makes uint64 of uint8, torch int64."""

from __future__ import annotations

import ast

from rewriters.infer.values import BYTES, INTEGRAL, WIDE, Method, ModuleInfo, Ref, Tensor

SUMS = {f"{owner}.{name}" for owner in ("torch", "torch.Tensor") for name in ("sum", "prod")}


def byte_sums(module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of a file that a rule answers for which looks at run time, with its key."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not isinstance(called, (Ref, Method)) or called.name not in SUMS:
            continue
        of_method = isinstance(called, Method) and isinstance(node.func, ast.Attribute)
        for of in [node.func.value] if of_method else node.args[:1]:
            if is_of_bytes(getattr(of, "v", None)):
                found[node] = f"{called.name}:bytes"
    return found


def is_of_bytes(value: object) -> bool:
    """Of an array's numbers nothing is sure: those are left."""
    return isinstance(value, Tensor) and bool(value.hints & BYTES and value.kinds & INTEGRAL) and not value.hints & WIDE
