"""Changes by way of ``x.data`` of which torch tells no graph, where one may still need what was there.

Paddle counts them, and its backward raises. Which are meant: those in the ``forward`` of a function with a gradient of
its own, where what it is given changes, and those of a module's buffers after it was made, as noise that is drawn anew.
"""

from __future__ import annotations

import ast

from rewriters.infer import Project
from rewriters.infer.values import ClassInfo, ModuleInfo, Tensor
from rewriters.text.tree import Parents, called_name, is_in_place, walk

FUNCTION = "torch.autograd.Function"
KEY = "torch.Tensor.data:alone"
MAKING = ("__init__", "reset", "init", "_init", "load", "_load")
DRAWING = {"normal_", "uniform_", "bernoulli_", "random_", "exponential_", "cauchy_", "log_normal_", "geometric_"}


def hidden_changes(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """The ``x.data`` that change in place."""
    found: dict[ast.AST, str] = {}
    parents = module.nodes.parents
    owners = {info.node: info for info in project.classes.values() if info.module is module}
    for node in module.nodes.of(ast.Attribute):
        if node.attr != "data" or not isinstance(getattr(node.value, "v", None), Tensor):
            continue
        change = changed_by(node, parents)
        if not change:
            continue
        function = module.nodes.around(node, ast.FunctionDef)
        around = module.nodes.around(node, ast.ClassDef)
        owner = owners.get(around) if isinstance(around, ast.ClassDef) else None
        if owner is None or not isinstance(function, ast.FunctionDef):
            continue
        of_function = function.name == "forward" and FUNCTION in owner.linear()
        drawn = change in DRAWING and not function.name.startswith(MAKING) and is_buffer(node.value, owner)
        if of_function or drawn:
            found[node] = KEY
    return found


def changed_by(node: ast.Attribute, parents: Parents) -> str:
    """``normal_`` of ``x.data.normal_()``, ``[]`` of ``x.data[i] = y``; "" of others."""
    around = parents.get(node)
    if isinstance(around, ast.Attribute):
        called = isinstance(parents.get(around), ast.Call)
        return around.attr if called and is_in_place(around.attr) else ""
    stored = isinstance(around, ast.Subscript) and around.value is node and isinstance(around.ctx, ast.Store)
    return "[]" if stored else ""


def is_buffer(node: ast.expr, owner: ClassInfo) -> bool:
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"):
        return False
    calls = (part for part in walk(owner.node) if isinstance(part, ast.Call) and called_name(part) == "register_buffer")
    return any(call.args and getattr(call.args[0], "value", None) == node.attr for call in calls)
