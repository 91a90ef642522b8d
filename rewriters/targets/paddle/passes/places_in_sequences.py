"""Layers of a Sequential by their places: ``features[4:]``, ``classifier[-1] = nn.Linear(...)``.

torch's parts keep the names that their layers have in the whole, which Paddle numbers anew; and what torch puts in the
place of the last layer Paddle puts at the end, under the name ``-1``. Where what is indexed is not known, but a
Sequential is stored somewhere under that name, or a layer is what is put there, it is looked at when the program runs.
"""

from __future__ import annotations

import ast
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.values import Instance, ModuleInfo, ObjectOf, Ref, Value
from rewriters.targets.paddle.passes.weight_makers import is_unknown, value_of
from rewriters.text.tree import last_name
from rewriters.torch.table import mro

SEQUENTIAL, MODULE = "torch.nn.Sequential", "torch.nn.Module"
TAKEN, PUT = f"{SEQUENTIAL}.__getitem__:part", f"{SEQUENTIAL}.__setitem__:placed"
DELETED = f"{SEQUENTIAL}.__delitem__"

_names: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
_named: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()


def places_in_sequences(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """The subscripts of a file that are converted by a rule that goes by places, with its key."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Subscript):
        if isinstance(node.ctx, ast.Load):
            around = module.nodes.parents.get(node)
            is_called = isinstance(around, ast.Call) and around.func is node  # by whatever names, it gives the same
            if begins_later(node.slice) and not is_called and may_be_sequential(project, node.value):
                found[node] = TAKEN
        elif isinstance(node.ctx, ast.Del):
            if may_be_sequential(project, node.value):
                found[node] = DELETED
        elif isinstance(node.ctx, ast.Store) and (are_named(project) or not is_name(node.slice)):
            around = module.nodes.parents.get(node)
            if not isinstance(around, ast.Assign):
                continue
            layer = is_a(value_of(around.value), MODULE) and is_unknown(value_of(node.value))
            if layer or may_be_sequential(project, node.value):
                found[node] = PUT
    return found


def begins_later(index: ast.expr) -> bool:
    """Whether a slice may begin elsewhere than at the first layer, or leaves layers out."""
    if not isinstance(index, ast.Slice):
        return False
    begins = index.lower is not None and not (isinstance(index.lower, ast.Constant) and not index.lower.value)
    return begins or index.step is not None


def is_name(index: ast.expr) -> bool:
    """Whether the place is also the name that a layer has there, where the program gives it no other."""
    return isinstance(index, ast.Constant)


def are_named(project: Project) -> bool:
    """Whether somewhere in the project the layers of a Sequential may be given with names: by one dict of them."""
    if project not in _named:
        calls = [node for module in project.modules.values() for node in module.nodes.of(ast.Call)]
        made = [node for node in calls if value_of(node.func) == Ref(SEQUENTIAL) and len(node.args) == 1]
        given = [node.args[0] for node in made if not isinstance(node.args[0], ast.Starred)]
        _named[project] = any(not is_a(value_of(node), MODULE) for node in given)
    return _named[project]


def may_be_sequential(project: Project, node: ast.expr) -> bool:
    value = value_of(node)
    return is_a(value, SEQUENTIAL) or (is_unknown(value) and last_name(node) in names_of_sequences(project))


def is_a(value: Value, torch_class: str) -> bool:
    """Whether it is known to be an object of this class of torch's, or of one that derives from it."""
    if isinstance(value, Instance):
        return torch_class in mro(value.name)
    bases = value.info.linear() if isinstance(value, ObjectOf) else ()
    return any(isinstance(base, str) and torch_class in mro(base) for base in bases)


def names_of_sequences(project: Project) -> set[str]:
    """The variables and attributes that a Sequential is stored in, anywhere in the project."""
    if project not in _names:
        assigned = [node for module in project.modules.values() for node in module.nodes.of(ast.Assign)]
        held = [node for node in assigned if is_a(value_of(node.value), SEQUENTIAL)]
        _names[project] = {last_name(target) for node in held for target in node.targets} - {""}
    return _names[project]
