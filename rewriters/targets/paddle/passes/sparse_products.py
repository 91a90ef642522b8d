"""Products of matrices of which the first may be sparse: ``paddle.mm`` and ``t()`` take dense ones alone.

Nothing says of a tensor that is handed on whether it is sparse. In a project that makes sparse tensors, ``torch.mm``
looks at run time, and so does ``x.t()`` where the file multiplies what goes by that name.
"""

from __future__ import annotations

import ast
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.values import Method, ModuleInfo, Ref
from rewriters.rules.rulebook import dotted

MAKERS = frozenset({"sparse_coo_tensor", "sparse_csr_tensor", "to_sparse", "to_sparse_coo", "to_sparse_csr"})
PRODUCTS = frozenset({"torch.mm", "torch.Tensor.mm"})
TURNED = "torch.Tensor.t"

_of_project: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()


def sparse_products(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """The products in a file that are to look, with their rule's key."""
    calls = {node: getattr(node.func, "v", None) for node in module.nodes.of(ast.Call)}
    found = {
        node: f"{value.name}:sparse"
        for node, value in calls.items()
        if isinstance(value, (Ref, Method)) and value.name in PRODUCTS
    }
    if not found or not makes_sparse(project):
        return {}
    first = {dotted(multiplied(call)) for call in found} - {None}
    turned = {
        node: f"{TURNED}:sparse"
        for node, value in calls.items()
        if is_turned(node, value) and dotted(multiplied(node)) in first
    }
    return {**found, **turned}


def is_turned(call: ast.Call, value: object) -> bool:
    """``x.t()`` of a tensor, or of what may be one."""
    if isinstance(value, Method):
        return value.name == TURNED
    return isinstance(call.func, ast.Attribute) and call.func.attr == "t" and not isinstance(value, Ref)


def multiplied(call: ast.Call) -> ast.expr:
    """The first matrix: a method's receiver, a function's first argument."""
    function = call.func
    is_method = isinstance(function, ast.Attribute) and not isinstance(getattr(function, "v", None), Ref)
    if is_method or not call.args:
        return function.value if isinstance(function, ast.Attribute) else function
    return call.args[0]


def makes_sparse(project: Project) -> bool:
    """Whether a file of the project makes sparse tensors."""
    if project not in _of_project:
        modules = project.modules.values()
        _of_project[project] = any(part.attr in MAKERS for module in modules for part in module.nodes.of(ast.Attribute))
    return _of_project[project]
