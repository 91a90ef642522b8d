"""Hooks of what nothing says to be a module: no other library has methods by these names."""

from __future__ import annotations

import ast

from rewriters.infer import Project
from rewriters.infer.values import Bottom, ModuleInfo, Unknown
from rewriters.regions.tracing import value_of

HOOKS = {
    "register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook",
    "register_full_backward_pre_hook",
}  # fmt: skip


def hooks(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Such calls, where no class of the project defines the method itself."""
    found = {
        node: f"torch.nn.Module.{node.func.attr}"
        for node in module.nodes.of(ast.Call)
        if isinstance(node.func, ast.Attribute)
        and node.func.attr in HOOKS
        and isinstance(value_of(node.func.value), (Unknown, Bottom))
    }
    own = {
        function.name
        for other in (project.modules.values() if found else ())
        for function in other.nodes.of(ast.FunctionDef)
        if function.name in HOOKS
    }
    return {node: key for node, key in found.items() if key.rpartition(".")[2] not in own}
