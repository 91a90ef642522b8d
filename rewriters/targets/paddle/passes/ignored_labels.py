"""Losses of classes whose labels cannot be the number that torch ignores.

torch leaves out labels of -100 unless told otherwise. Paddle's mean counts them, and its nll_loss writes beyond its
memory; what does neither is a helper. A project that never writes that number, and uses no library that does, has no
such label, and Paddle's own loss is what it reads.
"""

from __future__ import annotations

import ast
from typing import Any

from rewriters.infer import Project
from rewriters.infer.values import ModuleInfo, Ref

LOSSES = {
    f"torch.nn.{name}": f"torch.nn.{name}:labelled"
    for name in ("functional.cross_entropy", "functional.nll_loss", "CrossEntropyLoss", "NLLLoss")
}
PLAIN_ARGUMENTS = {"input", "target", "weight", "reduction"}
IGNORED = 100
# Libraries that fill labels up with it.
FILLING = {"transformers", "datasets", "trl", "peft", "accelerate", "lightning", "pytorch_lightning", "fairseq"}


def labelled(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of these losses in the module that are told nothing of ignored labels, where none are."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        key = LOSSES.get(called.name) if isinstance(called, Ref) else None
        if key and is_plain(node, 3 if "functional" in key else 1):
            found[node] = key
    return found if found and not any(may_ignore(part) for part in project.modules.values()) else {}


def is_plain(call: ast.Call, positions: int) -> bool:
    return (
        len(call.args) <= positions
        and not any(isinstance(argument, ast.Starred) for argument in call.args)
        and all(word.arg in PLAIN_ARGUMENTS for word in call.keywords)
    )


def may_ignore(module: ModuleInfo) -> bool:
    """Whether a file writes the number, asks a loss for it, or imports what may."""
    imported = [item.name for node in module.nodes.of(ast.Import) for item in node.names]
    imported += [node.module or "" for node in module.nodes.of(ast.ImportFrom)]
    return (
        any(name.partition(".")[0] in FILLING for name in imported)
        or any(node.attr == "ignore_index" for node in module.nodes.of(ast.Attribute))
        or any("ignore_index" in str(node.value) or str(node.value) == "-100" for node in strings(module))
        or any(is_ignored(node) for node in module.nodes.of(ast.UnaryOp, ast.BinOp))
    )


def strings(module: ModuleInfo) -> list[ast.Constant]:
    return [node for node in module.nodes.of(ast.Constant) if isinstance(node.value, str) and len(node.value) < 100]


def is_ignored(node: ast.expr) -> bool:
    """``-100``, however it is put: ``-10 * 10``, ``1 - 101``."""
    try:
        return bool(number(node) == -IGNORED)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        return False


def number(node: ast.expr) -> Any:
    """The number that an expression of literals is; None for any other."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, (int, float)) else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -number(node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
        left, right = number(node.left), number(node.right)
        if isinstance(node.op, ast.Mult):
            return left * right
        return left + right if isinstance(node.op, ast.Add) else left - right
    return None
