"""Modules of the project that have a name which Paddle's layers have for themselves, and torch's modules do not.

A method of that name would be called by Paddle in place of its own, and a layer, a parameter or a buffer stored under
it would not be found. What such a class derives from tells the two apart (``rules/nn/modules/own_names.py``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.values import ClassInfo, ModuleInfo, Ref

MODULE = "torch.nn.Module"
KEY = f"{MODULE}:named"
UNASKED = frozenset({"astype", "backward", "create_tensor", "create_variable", "float16", "full"})
"""Paddle itself never asks a layer for these: a method of that name disturbs nothing."""
ASKED = frozenset(
    """
    _apply _build_once _built _customized_attrs _dtype _dygraph_call_func _full_name _helper _loaddict_holder
    _obtain_parameters_buffers _original_funcs _set_op_attrs _startup_program _state_dict_impl _to_impl _transform
    add_parameter add_sublayer clear_gradients create_parameter full_name get_sublayer load_dict named_sublayers
    register_forward_post_hook register_state_dict_hook set_dict set_state_dict set_sublayer sharded_state_dict
    sublayers to_static_state_dict
    """.split()  # noqa: SIM905
)

_of_project: WeakKeyDictionary[Any, set[ast.expr]] = WeakKeyDictionary()


def own_names(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """The bases in a file that are to tell the program's names from Paddle's."""
    if project not in _of_project:
        modules = [info for info in project.classes.values() if info.is_module]
        own = with_own(project.modules.values())
        classes = [info for info in modules if info.node in own or is_distribution(info)]
        _of_project[project] = {base for info in classes for base in roots(info)}
    bases = _of_project[project]
    return {base: KEY for node in module.nodes.of(ast.ClassDef) for base in node.bases if base in bases}


def is_distribution(info: ClassInfo) -> bool:
    """Whether the constructor of a distribution, which sets its tensors, calls that of the module once more."""
    return any(isinstance(base, str) and base.startswith("torch.distributions.") for base in info.linear())


def with_own(modules: Iterable[ModuleInfo]) -> set[ast.AST]:
    """The classes that define such a name, or whose methods store something under one, or ask for ``_apply``."""
    found: set[ast.AST] = set()
    for module in modules:
        nodes = module.nodes
        own = [part for part in nodes.of(ast.Attribute) if is_own(part)]
        own += [call for call in nodes.of(ast.Call) if stored(call) in ASKED | UNASKED]
        found.update(around for part in own for around in nodes.all_around(part, ast.ClassDef))
        found.update(node for node in nodes.of(ast.ClassDef) if not defined(node).isdisjoint(ASKED))
    return found


def is_own(part: ast.Attribute) -> bool:
    if part.attr not in ASKED | UNASKED or not (isinstance(part.value, ast.Name) and part.value.id == "self"):
        return False
    return part.attr == "_apply" or isinstance(part.ctx, ast.Store)


def defined(node: ast.ClassDef) -> set[str]:
    """The names that a class's own statements define."""
    found = {part.name for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))}
    for part in node.body:
        targets = part.targets if isinstance(part, ast.Assign) else [getattr(part, "target", None)]
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def stored(call: ast.Call) -> str:
    """The name under which ``self.register_buffer("full", x)`` and the like store."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if method not in {"register_buffer", "register_parameter", "add_module", "register_module"} or not call.args:
        return ""
    return str(getattr(call.args[0], "value", ""))


def roots(info: ClassInfo) -> list[ast.expr]:
    """Where a class, or what it derives from, derives from torch's Module itself."""
    classes = [one for one in info.linear() if isinstance(one, ClassInfo)]
    bases = [base for one in classes for base in one.node.bases]
    return [base for base in bases if isinstance(value := getattr(base, "v", None), Ref) and value.name == MODULE]
