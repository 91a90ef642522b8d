"""Transposed convolutions, where a project freezes anything: OneFlow's end the process where their weight takes no
gradient and what they are given does.
"""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.values import ModuleInfo, Ref
from rewriters.places.freezing import freezes

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
