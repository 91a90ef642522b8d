"""Tensors that torch's modules hold as plain attributes, and Paddle's take for buffers.

Mostly that makes no difference. It does where the class has something else under that name, which is then found first;
where the object holds something else in turn, which Paddle refuses; and where buffers are gone through. There the
store goes around the layer's own.
"""

from __future__ import annotations

import ast
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.joining import is_dtype
from rewriters.infer.values import (
    ClassInfo,
    Instance,
    Items,
    Mapping,
    Method,
    ModuleInfo,
    ObjectOf,
    Plain,
    Ref,
    Series,
    Tensor,
    Value,
)
from rewriters.targets.paddle.passes.weight_makers import is_unknown, value_of
from rewriters.torch.table import entry

KEY = "torch.nn.Module:attribute"
KEY_AT_RUN_TIME = f"{KEY}_or_parameter"
PARAMETERS = {"torch.nn.Parameter", "torch.nn.Buffer"}
CASTS = {"half", "bfloat16", "double", "float", "type", "to"}
OTHERS = (Items, Series, Mapping, Instance)


class Plains:
    """What a project's modules hold under each name, by class: tensors, what is no tensor, what is the layer's own to
    keep. Classes that derive from one another share their attributes.
    """

    def __init__(self, project: Project) -> None:
        self.classes = {info.node: info for info in project.classes.values() if info.is_module}
        self.tensors: dict[str, set[ClassInfo]] = {}
        self.others: dict[str, set[ClassInfo]] = {}
        self.kept: dict[str, set[ClassInfo]] = {}
        self.looks = False
        for module in project.modules.values():
            for node in module.nodes.of(ast.Assign):
                for target in node.targets:
                    owner = self.owner(target.value) if isinstance(target, ast.Attribute) else None
                    if owner is not None:
                        self.sort(target.attr, node.value, owner)
            for node in module.nodes.of(ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
                if name in {"register_buffer", "register_parameter"} and node.args:
                    given = str(getattr(node.args[0], "value", ""))
                    owner = self.owner(node.func.value)
                    self.kept.setdefault(given, set()).update([owner] if owner else self.classes.values())
                self.looks |= name in {"buffers", "named_buffers"} or self.casts(node)
        for info in self.classes.values():
            for name in names_in_body(info):
                self.others.setdefault(name, set()).add(info)

    def casts(self, node: ast.Call) -> bool:
        """Whether it gives all tensors of a module another dtype: Paddle's does so to what are plain attributes too."""
        function = node.func
        if not isinstance(function, ast.Attribute) or function.attr not in CASTS:
            return False
        of = value_of(function.value)
        if not (self.owner(function.value) or (isinstance(of, Instance) and not is_plain(of))):
            return False
        given = [*node.args, *(word.value for word in node.keywords)]
        return function.attr != "to" or any(is_dtype(value_of(one)) for one in given)

    def owner(self, node: ast.expr) -> ClassInfo | None:
        """The project's class of which an expression is an object."""
        value = value_of(node)
        return self.classes.get(value.info.node) if isinstance(value, ObjectOf) else None

    def sort(self, name: str, value: ast.expr, owner: ClassInfo) -> None:
        found = value_of(value)
        if any(map(makes_parameter, choices(value))):
            self.kept.setdefault(name, set()).add(owner)
        elif any(isinstance(value_of(one), Tensor) or is_reckoned(one) for one in choices(value)):
            self.tensors.setdefault(name, set()).add(owner)
        elif isinstance(found, OTHERS) or (isinstance(found, Plain) and found.kind != "None"):
            self.others.setdefault(name, set()).add(owner)

    def stores_plainly(self, name: str, owner: ClassInfo | None) -> bool:
        """Whether what is stored under the name, in objects of a class or of any, is to be stored as torch does."""

        def held(of: dict[str, set[ClassInfo]]) -> bool:
            return any(owner is None or one in owner.linear() or owner in one.linear() for one in of.get(name, ()))

        return held(self.tensors) and (self.looks or held(self.others)) and not held(self.kept)

    def keys(self, module: ModuleInfo) -> dict[ast.AST, str]:
        found: dict[ast.AST, str] = {}
        for node in module.nodes.of(ast.Assign) if self.tensors else ():
            target = node.targets[0]
            if len(node.targets) != 1 or not isinstance(target, ast.Attribute) or target.attr not in self.tensors:
                continue
            owner = self.owner(target.value)
            if owner is None and not is_unknown(value_of(target.value)):
                continue
            # A layer or a parameter is found by the layer's own store.
            plain = all(is_plain(value_of(part)) or is_reckoned(part) for part in choices(node.value))
            if plain and self.stores_plainly(target.attr, owner):
                found[target] = KEY if all(map(is_new, choices(node.value))) else KEY_AT_RUN_TIME
        return found


def choices(node: ast.expr) -> list[ast.expr]:
    """What an expression may give: ``a`` and ``b`` of ``a if c else b`` and of ``a or b``."""
    parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else getattr(node, "values", [])
    if not isinstance(node, (ast.IfExp, ast.BoolOp)):
        return [node]
    return [one for part in parts for one in choices(part)]


def makes_parameter(node: ast.expr) -> bool:
    made = value_of(node.func) if isinstance(node, ast.Call) else None
    return isinstance(made, Ref) and made.name in PARAMETERS


def is_new(node: ast.expr) -> bool:
    """Whether it was just computed, or is no tensor: what has a name, or is handed on, may be a parameter."""
    if not isinstance(value_of(node), Tensor):
        return True
    if isinstance(node, ast.Attribute):
        return node.attr in {"data", "grad"}
    if isinstance(node, ast.Subscript):
        return isinstance(value_of(node.value), Tensor)
    if not isinstance(node, ast.Call):
        return not isinstance(node, (ast.Name, ast.NamedExpr, ast.Await))
    made = value_of(node.func)
    name = made.name if isinstance(made, (Ref, Method)) else ""
    return name.startswith("torch.") and not name.endswith("_") and name not in PARAMETERS


def is_reckoned(node: ast.expr) -> bool:
    """Whether it is reckoned from a tensor by an operator."""
    if isinstance(node, ast.BinOp):
        return any(isinstance(value_of(one), Tensor) or is_reckoned(one) for one in (node.left, node.right))
    return isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not) and is_reckoned(node.operand)


def is_plain(value: Value) -> bool:
    """Whether it is surely neither a layer nor what may be one."""
    if isinstance(value, Instance):
        return not (entry(value.name) or {}).get("module")
    return isinstance(value, (Tensor, Items, Series, Mapping, Plain))


def names_in_body(info: ClassInfo) -> set[str]:
    """What a class has under a name of its own."""
    found = set()
    for node in info.node.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


_of_project: WeakKeyDictionary[Any, Plains] = WeakKeyDictionary()


def plains_of(project: Project) -> Plains:
    """The decisions for a project, made once."""
    if project not in _of_project:
        _of_project[project] = Plains(project)
    return _of_project[project]
