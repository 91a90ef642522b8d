"""Products of matrices of which the first may be sparse: ``paddle.mm`` takes dense ones alone.

Nothing says of a tensor that is handed on whether it is sparse. In a project that makes sparse tensors, ``torch.mm``
looks at run time.
"""

from __future__ import annotations

import ast
from typing import Any
from weakref import WeakKeyDictionary

from rewriters.infer import Project
from rewriters.infer.values import Method, ModuleInfo, Ref

MAKERS = frozenset({"sparse_coo_tensor", "sparse_csr_tensor", "to_sparse", "to_sparse_coo", "to_sparse_csr"})
PRODUCTS = frozenset({"torch.mm", "torch.Tensor.mm"})

_of_project: WeakKeyDictionary[Any, bool] = WeakKeyDictionary()


def sparse_products(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """The products in a file that are to look, with their rule's key."""
    calls = {node: getattr(node.func, "v", None) for node in module.nodes.of(ast.Call)}
    found = {
        node: f"{value.name}:sparse"
        for node, value in calls.items()
        if isinstance(value, (Ref, Method)) and value.name in PRODUCTS
    }
    return dict(found) if found and makes_sparse(project) else {}


def makes_sparse(project: Project) -> bool:
    """Whether a file of the project makes sparse tensors."""
    if project not in _of_project:
        modules = project.modules.values()
        _of_project[project] = any(part.attr in MAKERS for module in modules for part in module.nodes.of(ast.Attribute))
    return _of_project[project]
