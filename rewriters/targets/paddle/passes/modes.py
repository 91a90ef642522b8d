"""``model.eval()`` where a layer of the project has a ``train`` of its own: torch's asks each layer, Paddle's none."""

from __future__ import annotations

import ast
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.values import ClassInfo, Instance, ModuleInfo, ObjectOf
from rewriters.targets.paddle.passes.weight_makers import is_unknown, value_of

MODES = {"train", "eval"}


def modes(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """The calls that set a mode, with the keys of the rules that go from layer to layer."""
    if project not in _overriding:
        _overriding[project] = any(info.is_module and overrides(info) for info in project.classes.values())
    if not _overriding[project]:
        return {}
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        function = node.func
        if not isinstance(function, ast.Attribute) or function.attr not in MODES:
            continue
        of, mode = function.value, function.attr
        given = len(node.args) + len(node.keywords)
        if given > (mode == "train") or any(word.arg != "mode" for word in node.keywords):
            continue  # a method of the project's own that is called so
        value = value_of(of)
        if isinstance(of, ast.Call) and isinstance(of.func, ast.Name) and of.func.id == "super":
            if mode == "train":
                found[node] = "torch.nn.Module.train:super"
        elif is_unknown(value) or isinstance(value, (Instance, ObjectOf)):
            found[node] = f"torch.nn.Module.{mode}:own"
    return found


def overrides(info: ClassInfo) -> bool:
    """Whether a class has torch's ``train(mode)`` of its own."""
    function = info.functions.get("train")
    arguments = getattr(getattr(function, "node", function), "args", None)
    names = [argument.arg for argument in arguments.args] if isinstance(arguments, ast.arguments) else []
    return names[1:2] == ["mode"]


_overriding: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()
