"""What an optimizer's step changes: the parameters, which names hold beside copies of them."""

from __future__ import annotations

import ast
from typing import TypeGuard

from rewriters.infer.values import FunctionOf, Method, ObjectOf, Ref, Tensor
from rewriters.places.calls import asks_for_grad
from rewriters.places.sites import ANYWHERE, Site, Sites, whole
from rewriters.text.tree import walk

# Attributes and methods that give parameters of modules.
PARAMETERS = {"weight", "bias", "parameters", "named_parameters", "state_dict"}


def steps(node: ast.AST) -> TypeGuard[ast.Call]:
    """``optimizer.step()``, ``scaler.step(optimizer)``"""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "step":
        return False
    called = getattr(node.func, "v", None)
    return isinstance(called, Method) and called.name.startswith(("torch.optim.", "torch.amp.", "torch.cuda.amp."))


def trains(function: FunctionOf) -> bool:
    """Whether a function of the project takes such a step itself."""
    known = vars(function.info.node)
    if "trains" not in known:
        known["trains"] = any(map(steps, walk(function.info.node)))
    return bool(known["trains"])


def parameters_of(copy: Site) -> Sites:
    """Those that it is a copy of: a module's parameters, or leaves that ask for a gradient."""
    roots = whole(copy.base)
    if isinstance(copy.node, ast.Call) and names_parameter(copy.node):
        return frozenset(roots) - ANYWHERE
    return frozenset(filter(is_parameter, roots))


def is_parameter(site: Site) -> bool:
    if site.node is None:
        return site.name.rpartition(".")[2] in PARAMETERS
    return isinstance(site.node, ast.Call) and (names_parameter(site.node) or asks_for_grad(site.node))


def names_parameter(node: ast.expr) -> bool:
    """``net.weight.detach().numpy()``, ``torch.chunk(net.weight, 2)``"""
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute) and (node.attr in PARAMETERS or is_of_own_module(node)):
            return True
        if isinstance(node, ast.Call):
            of_module = not isinstance(node.func, ast.Attribute) or isinstance(getattr(node.func, "v", None), Ref)
            node = node.args[0] if of_module and node.args else node.func
        else:
            node = node.value
    return False


def is_of_own_module(node: ast.Attribute) -> bool:
    """``net.scale``, of a module of the project's."""
    owner = getattr(node.value, "v", None)
    return isinstance(owner, ObjectOf) and owner.info.is_module and isinstance(getattr(node, "v", None), Tensor)
