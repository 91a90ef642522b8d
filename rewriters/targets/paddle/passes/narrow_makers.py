"""What is made of dtypes of which Paddle makes none: ``torch.eye(n, dtype=torch.bool)``."""

from __future__ import annotations

import ast

from rewriters.infer.values import ModuleInfo, Ref

NARROW = {f"torch.{name}" for name in ("bool", "uint8", "int8", "int16", "short")}
HALVES = {f"torch.{name}" for name in ("float16", "half", "bfloat16")}
MAKING = {"torch.eye": NARROW, "torch.arange": NARROW | HALVES}


def narrow_makers(module: ModuleInfo) -> dict[ast.AST, str]:
    """Their calls, where the dtype is written there or known by its name."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not isinstance(called, Ref) or called.name not in MAKING:
            continue
        given = (getattr(word.value, "v", None) for word in node.keywords if word.arg == "dtype")
        if any(isinstance(value, Ref) and value.name in MAKING[called.name] for value in given):
            found[node] = f"{called.name}:narrow"
    return found
