"""Where a file tells something whether it takes a gradient."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.values import ModuleInfo


def freezes(module: ModuleInfo) -> bool:
    """Whether a file may freeze anything."""
    return any(not (isinstance(value, ast.Constant) and value.value) for _, _, value in told(module))


def told(module: ModuleInfo) -> Iterator[tuple[ast.expr, ast.AST, ast.expr]]:
    """What is told whether it takes a gradient, where, and what it is told."""
    for node in module.nodes.of(ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Attribute) and target.attr == "requires_grad":
                yield target.value, node, node.value
    for node in module.nodes.of(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_":
            given = [*node.args, *(word.value for word in node.keywords)]
            yield node.func.value, node, given[0] if given else ast.Constant(True)
        elif getattr(node.func, "id", "") == "setattr" and len(node.args) == 3 and is_text(node.args[1]):
            yield node.args[0], node, node.args[2]


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == "requires_grad"
