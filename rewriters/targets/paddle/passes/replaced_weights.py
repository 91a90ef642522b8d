"""Recurrent layers whose weights a project exchanges, drops, parametrizes or may freeze.

Paddle's go on computing with the parameters that they were made with, whatever is stored under the name of one. Which
layer is meant is told by its name alone (``setattr(self.module, name, weight)``), so that all of a project count. Their
gradient fails where a weight takes none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.values import Instance, ModuleInfo, ObjectOf, Plain
from rewriters.places.freezing import freezes
from rewriters.targets.paddle.passes.weight_makers import is_unknown, names_of_torch, value_of
from rewriters.text.tree import Parents

RECURRENT = {f"torch.nn.{name}" for name in ("LSTM", "GRU", "RNN")}
BASE = "torch.nn.RNNBase"
WEIGHT = re.compile(r"(weight|bias)_(ih|hh)(_l|$)")
# What only asks for a name, or asks a name.
ASKS = {"getattr", "hasattr", "startswith", "endswith", "find", "search", "match", "print"}
PARAMETRIZING = ("torch.nn.utils.parametriz", "torch.nn.utils.prune.", "torch.nn.utils.weight_norm")


def replaced_weights(project: Project, module: ModuleInfo, parents: Parents) -> dict[ast.AST, str]:
    """Uses in a file of the recurrent layers' classes that a rule answers for whose layers look their weights up.

    What is only tested with their base (``isinstance(m, nn.RNNBase)``) is tested with Paddle's.
    """
    replaces = replaces_any(project, parents)
    found: dict[ast.AST, str] = {}
    for node, name in names_of_torch(module):
        if name == BASE and is_tested(node, parents):
            found[node] = f"{BASE}:tested"
        if name in RECURRENT and replaces and not is_tested(node, parents):
            parent = parents.get(node)
            found[parent if isinstance(parent, ast.Call) and parent.func is node else node] = f"{name}:replaced"
    return found


def is_tested(node: ast.AST, parents: Parents) -> bool:
    parent = parents.get(node)
    while isinstance(parent, (ast.Tuple, ast.Set, ast.List)):
        parent = parents.get(parent)
    called = parent.func if isinstance(parent, ast.Call) else None
    return getattr(called, "id", "") in {"isinstance", "issubclass"} or isinstance(parent, ast.Compare)


_of_project: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()


def replaces_any(project: Project, parents: Parents) -> bool:
    """Whether a project makes recurrent layers and changes which weights one has, or freezes anything; decided once."""
    if project not in _of_project:
        modules = list(project.modules.values())
        makes = any(name in RECURRENT for module in modules for _, name in names_of_torch(module))
        replaces = makes and any(any(replacing(module, parents)) for module in modules)
        _of_project[project] = replaces or (makes and not any(map(projects, modules)) and any(map(freezes, modules)))
    return _of_project[project]


def projects(module: ModuleInfo) -> bool:
    """Whether a file speaks of ``proj_size``, which the layers that look their weights up do not take."""
    return any(word.arg == "proj_size" for call in module.nodes.of(ast.Call) for word in call.keywords)


def replacing(module: ModuleInfo, parents: Parents) -> Iterator[bool]:
    for node in module.nodes.of(ast.Attribute):
        stored = not isinstance(node.ctx, ast.Load)
        yield stored and bool(WEIGHT.match(node.attr)) and may_be_recurrent(node.value)
        yield node.attr == "_parameters" and is_changed(node, parents) and may_be_recurrent(node.value)
    for node in module.nodes.of(ast.Constant):
        yield isinstance(node.value, str) and bool(WEIGHT.match(node.value)) and not is_asked(node, parents)
    for node in module.nodes.of(ast.Call):
        yield stores_by_computed_name(node)
        called = getattr(value_of(node.func), "name", "")
        if called.startswith(PARAMETRIZING) and len(node.args) > 1:
            yield not isinstance(node.args[1], ast.Constant) and may_be_recurrent(node.args[0])


def stores_by_computed_name(call: ast.Call) -> bool:
    """``setattr(layer, name, weight)`` of what may be a recurrent layer, and no number or text."""
    if getattr(call.func, "id", "") != "setattr" or len(call.args) != 3 or isinstance(call.args[1], ast.Constant):
        return False
    owner, _, value = call.args
    return may_be_recurrent(owner) and not isinstance(value_of(value), Plain)


def may_be_recurrent(node: ast.expr) -> bool:
    """Whether it may be a recurrent layer; an object of the project's own is one where its class derives from one."""
    value = value_of(node)
    if isinstance(value, ObjectOf):
        return not RECURRENT.isdisjoint(one for one in value.info.linear() if isinstance(one, str))
    if isinstance(value, Instance):
        return value.name in RECURRENT or value.name in {"torch.nn.Module", BASE}
    return is_unknown(value)


def is_changed(node: ast.Attribute, parents: Parents) -> bool:
    """Whether a dict of parameters gets or loses one: ``del m._parameters[name]``, ``m._parameters.pop(name)``."""
    parent = parents.get(node)
    if isinstance(parent, ast.Subscript):
        return not isinstance(parent.ctx, ast.Load)
    return isinstance(parent, ast.Attribute) and parent.attr in {"pop", "popitem", "clear", "update", "setdefault"}


def is_asked(node: ast.AST, parents: Parents) -> bool:
    """Whether a name is only compared, or asked for: ``if "weight_hh" in name``, ``getattr(rnn, "weight_hh_l0")``."""
    parent = parents.get(node)
    while isinstance(parent, (ast.JoinedStr, ast.Tuple, ast.List, ast.Set, ast.FormattedValue)):
        parent = parents.get(parent)
    if isinstance(parent, ast.Subscript):
        return isinstance(parent.ctx, ast.Load)
    if isinstance(parent, ast.Call):
        return (getattr(parent.func, "id", "") or getattr(parent.func, "attr", "")) in ASKS
    return isinstance(parent, (ast.Compare, ast.Expr))
