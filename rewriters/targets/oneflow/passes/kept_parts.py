"""Attributes that may hold a part of another tensor, by what all of a project stores under their names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.syntax import is_dict_of
from rewriters.infer.values import Instance, ModuleInfo, ObjectOf, Tensor
from rewriters.targets.oneflow.passes.parts import is_part_of
from rewriters.text.tree import called_name

# What torch's own layers, and its tensors, hold as a whole.
OF_TORCH = ("weight", "bias", "running_", "in_proj_", "grad", "data")
COMPUTED = ""


class Kept:
    """What is stored where, in all of a project.

    values: by the attribute's name, COMPUTED for those that are known at run time alone.
    plain:  names under which something is stored as an attribute's, ``x.name = y``.
    parts:  names of which it was asked -> whether one of these values is a part of another tensor.
    """

    def __init__(self, project: Project) -> None:
        self.values: dict[str, list[tuple[ModuleInfo, ast.expr]]] = {}
        self.plain: set[str] = set()
        self.parts: dict[str, bool] = {}
        for module in project.modules.values():
            for node in module.nodes.of(ast.Assign, ast.AnnAssign):
                if node.value is not None:
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    for name in (name for target in targets for name in self.stored_under(target)):
                        self.values.setdefault(name, []).append((module, node.value))
            for call in module.nodes.of(ast.Call):
                for name, value in given_names(call):
                    self.values.setdefault(name, []).append((module, value))
            for display in module.nodes.of(ast.Dict):
                for key, value in zip(display.keys, display.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        self.values.setdefault(key.value, []).append((module, value))

    def stored_under(self, target: ast.expr) -> Iterator[str]:
        """``x.name``, ``vars(x)["name"]``"""
        if isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                yield from self.stored_under(part)
        elif isinstance(target, ast.Attribute):
            self.plain.add(target.attr)
            yield target.attr
        elif isinstance(target, ast.Subscript):  # of a dict, which may become an object's
            named = getattr(target.slice, "value", None)
            if isinstance(named, str):
                yield named
            elif is_dict_of(target.value):
                yield COMPUTED

    def may_be_part(self, node: ast.Attribute) -> bool:
        """Whether what an object has under that name may be a part: a value says so, or the project tells of none."""
        value = getattr(node.value, "v", None)
        if node.attr.startswith(OF_TORCH) or isinstance(value, (Tensor, Instance)):
            return False
        untold = isinstance(value, ObjectOf) and node.attr not in self.plain
        return untold or self.holds_part(node.attr) or self.holds_part(COMPUTED)

    def holds_part(self, name: str) -> bool:
        if name not in self.parts:
            self.parts[name] = any(is_part_of(module, value, 0) for module, value in self.values.get(name, ()))
        return self.parts[name]


def given_names(call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """What a call may put under a name: ``setattr(x, "name", y)``, ``put(name=y)``."""
    for word in call.keywords:
        if word.arg is not None:
            yield word.arg, word.value
    if len(call.args) == 3 and called_name(call) in {"setattr", "__setattr__"}:
        named = getattr(call.args[1], "value", None)
        yield named if isinstance(named, str) else COMPUTED, call.args[2]
    if len(call.args) == 2 and isinstance(call.func, ast.Attribute):  # vars(x).setdefault("name", y), x.__setattr__
        named = getattr(call.args[0], "value", None)
        if is_dict_of(call.func.value) or call.func.attr in {"__setattr__", "register_buffer", "register_parameter"}:
            yield named if isinstance(named, str) else COMPUTED, call.args[1]


def kept_of(project: Project) -> Kept:
    """Found once for all files of a project."""
    if project not in _of_project:
        _of_project[project] = Kept(project)
    return _of_project[project]


_of_project: WeakKeyDictionary[Any, Kept] = WeakKeyDictionary()
