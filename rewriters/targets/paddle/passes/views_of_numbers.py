"""``v = x.reshape(1)`` of a tensor without axes, a view in torch: Paddle's is a copy. ``unsqueeze`` gives a view."""

from __future__ import annotations

import ast

from rewriters.infer.values import ModuleInfo, Tensor
from rewriters.places.accesses import name_of_root
from rewriters.targets.paddle.passes.changed_leaves import changes

RESHAPING = {"reshape", "view"}


def views_of_numbers(module: ModuleInfo) -> dict[ast.AST, str]:
    """The calls of a file where one of the two may change in place, with their rules' keys."""
    calls = [node for node in module.nodes.of(ast.Call) if is_of_number(node)]
    if not calls:
        return {}
    changed = set(changes(module))
    names = {name_of_root(node) for node in changed} - {""}
    found: dict[ast.AST, str] = {}
    for call in calls:
        around = module.nodes.parents.get(call)
        bound = {name_of_root(target) for target in around.targets} if isinstance(around, ast.Assign) else set()
        if call in changed or (bound and names & {*bound, name_of_root(call.func)}):
            found[call] = f"torch.Tensor.{call.func.attr}:number"
    return found


def is_of_number(node: ast.Call) -> bool:
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr not in RESHAPING or not node.args or node.keywords:
        return False
    value = getattr(func.value, "v", None)
    return isinstance(value, Tensor) and value.ndim == 0
