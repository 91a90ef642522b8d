"""Sums of what is of 8 bits at times, of which targets make other integers than torch, and whether all or any of it
is on, which torch says in 8 bits, too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection

from rewriters.infer.values import BYTES, WIDE, Method, ModuleInfo, Ref, Tensor

# Whose result is of uint8 where that is given.
TESTS = {f"{owner}.{name}" for owner in ("torch", "torch.Tensor") for name in ("all", "any")}


def byte_sums(module: ModuleInfo, sums: Collection[str], concerned: Callable[[Tensor], bool]) -> dict[ast.AST, str]:
    """Calls of a file that a rule answers for which looks at run time, with its key.

    sums: torch's functions and methods; concerned: whether the target's give something else of such a tensor, of sums.
    """
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not isinstance(called, (Ref, Method)) or called.name not in TESTS | set(sums):
            continue
        of_method = isinstance(called, Method) and isinstance(node.func, ast.Attribute)
        for of in [node.func.value] if of_method else node.args[:1]:
            value = getattr(of, "v", None)
            if isinstance(value, Tensor) and is_of_bytes(value) and (called.name in TESTS or concerned(value)):
                found[node] = f"{called.name}:bytes"
    return found


def is_of_bytes(value: Tensor) -> bool:
    """Of an array's numbers nothing is sure: those are left."""
    return bool(value.hints & BYTES) and not value.hints & WIDE
