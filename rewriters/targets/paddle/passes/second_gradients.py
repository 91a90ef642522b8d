"""What Paddle has no second gradient of, where a project asks for gradients of gradients: ``create_graph=True``."""

from __future__ import annotations

import ast
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.values import Instance, Method, ModuleInfo, Ref
from rewriters.targets.paddle.passes.weight_makers import names_of_torch, value_of
from rewriters.text.tree import called_name

FLATTENED = {"torch.flatten", "torch.Tensor.flatten", "torch.nn.Flatten"}
# Also where they are handed on; what their rules write elsewhere has none, either.
ACTIVATIONS = {"torch.nn.SiLU", "torch.nn.functional.silu"}
ASKING = ("torch.func.", "torch.autograd.functional.")


def second_gradients(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """The uses in a file that a rule answers for which has a second gradient."""
    calls = [node for node in module.nodes.of(ast.Call) if called_name(node).lower() == "flatten"]
    handed = [(node, name) for node, name in names_of_torch(module) if name in ACTIVATIONS]
    if not (calls or handed) or not asks(project):
        return {}
    named = ((node, value_of(node.func)) for node in calls)
    names = {node: value.name for node, value in named if isinstance(value, (Ref, Method, Instance))}
    called = {node.func: node for node in module.nodes.of(ast.Call)} if handed else {}
    uses = {called.get(node, node): name for node, name in handed}
    return {node: f"{name}:twice" for node, name in (names | uses).items() if name in FLATTENED | ACTIVATIONS}


def asks(project: Project) -> bool:
    """Whether a project asks for gradients that have gradients."""
    if project not in _asking:
        words = (word for module in project.modules.values() for word in module.nodes.of(ast.keyword))
        _asking[project] = any(
            word.arg == "create_graph" and getattr(word.value, "value", True) is not False for word in words
        ) or any(name.startswith(ASKING) for module in project.modules.values() for _, name in names_of_torch(module))
    return _asking[project]


_asking: WeakKeyDictionary[Project, bool] = WeakKeyDictionary()
