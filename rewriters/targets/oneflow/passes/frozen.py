"""Transposed convolutions, where a project freezes anything: OneFlow's end the process where their weight takes no
gradient and what they are given does.
"""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.values import ModuleInfo, Ref

TRANSPOSED = {f"torch.nn.ConvTranspose{axes}d" for axes in (1, 2, 3)}

_freezing: WeakKeyDictionary[Project, bool] = WeakKeyDictionary()


def keys(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    calls = (node for node in module.nodes.of(ast.Call) if isinstance(getattr(node.func, "v", None), Ref))
    made = [node for node in calls if node.func.v.name in TRANSPOSED]
    if not made:
        return {}
    if project not in _freezing:
        _freezing[project] = any(map(freezes, project.modules.values()))
    return {node: f"{node.func.v.name}:frozen" for node in made} if _freezing[project] else {}


def freezes(module: ModuleInfo) -> bool:
    """Whether a file tells something to take no gradient, ``p.requires_grad = False``, or may tell it."""
    stored = (
        node.value
        for node in module.nodes.of(ast.Assign)
        if any(isinstance(target, ast.Attribute) and target.attr == "requires_grad" for target in node.targets)
    )
    told = (
        part
        for node in module.nodes.of(ast.Call)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "requires_grad_"
        for part in [*node.args, *(word.value for word in node.keywords)]
    )
    return any(not (isinstance(value, ast.Constant) and value.value is True) for value in [*stored, *told])
