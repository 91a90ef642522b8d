"""Scattering in place into what changes afterwards: Paddle's gradient of it needs what it gave, torch's does not."""

from __future__ import annotations

import ast

from rewriters.infer import Project
from rewriters.infer.values import Method, ModuleInfo
from rewriters.places.changing import Changing
from rewriters.places.kept_results import asked_in, records
from rewriters.text.tree import walk

SCATTERING = {"torch.Tensor.scatter_add_", "torch.Tensor.scatter_"}


def scattered(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Such calls, with the key of the rule that keeps what they give."""
    found: dict[ast.AST, str] = {}
    changing: Changing | None = None
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not isinstance(called, Method) or called.name not in SCATTERING or not isinstance(node.func, ast.Attribute):
            continue
        if changing is None:
            if not records(project):
                return {}
            changing = Changing(module, asked_in(project), binds_anew=True)
        own = changing.key_of(node.func.value)
        if own is None or node in changing.without:
            continue
        if changing.later({own}, node) or is_repeated(node, own[1], module):
            found[node] = f"{called.name}:again"
    return found


def is_repeated(node: ast.Call, name: str, module: ModuleInfo) -> bool:
    """Whether a loop around it comes to it again with the same tensor."""
    for loop in module.nodes.all_around(node, ast.For, ast.While, ast.FunctionDef):
        if isinstance(loop, ast.FunctionDef):
            return False
        stored = (part for part in walk(loop) if isinstance(getattr(part, "ctx", None), ast.Store))
        if not any(isinstance(part, (ast.Name, ast.Attribute)) and ast.unparse(part) == name for part in stored):
            return True
    return False
