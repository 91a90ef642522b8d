"""Padding by less than nothing, which takes away: ``F.pad(x, (0, 0, 1, -1))`` shifts. Paddle's own refuses it."""

from __future__ import annotations

import ast

from rewriters.infer.values import ModuleInfo, Ref

PADS = {"torch.nn.functional.pad", "torch.constant_pad_nd"}


def cropping(module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of a file that a rule answers for which crops first, with its key."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not isinstance(called, Ref) or called.name not in PADS:
            continue
        amounts = next((word.value for word in node.keywords if word.arg == "pad"), None)
        amounts = amounts if amounts is not None else next(iter(node.args[1:]), None)
        if amounts is not None and is_negative(amounts):
            found[node] = f"{called.name}:cropping"
    return found


def is_negative(node: ast.expr) -> bool:
    """Whether an amount is, as it is written: ``-1``, ``-amount``, ``1 - amount`` is not."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return any(map(is_negative, node.elts))
    if isinstance(node, ast.BinOp):
        return is_negative(node.left)
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
