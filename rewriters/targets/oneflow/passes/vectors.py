"""Vectors where OneFlow multiplies rows alone: it aborts at products with an attribute of which nothing says how many
axes it has, ``x @ self.w``, and raises where a Linear is given one, as policies are given the state of an environment.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from rewriters.infer import Project
from rewriters.infer.values import FLOATING, External, ModuleInfo, Ref, Tensor
from rewriters.places.made_layers import made_layers
from rewriters.places.rowless import is_layer

KEY = "torch.Tensor.__matmul__:axes"
LINEAR = "torch.nn.Linear"
# Whose environments have a vector for a state.
ENVIRONMENTS = {"gym", "gymnasium"}


def layers(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """The Linears of a project that gives vectors to modules, which a class makes rows of."""
    if not meets_vectors(project) or any(map(tells_by_class, project.modules.values())):
        return {}
    return made_layers(module, {LINEAR}, "vectors")


@lru_cache(maxsize=1)
def meets_vectors(project: Project) -> bool:
    return any(
        any(gives_vector(node) for node in module.nodes.of(ast.Call))
        or any(is_environments(node) for node in module.nodes.of(ast.Name))
        for module in project.modules.values()
    )


def gives_vector(call: ast.Call) -> bool:
    if not is_layer(getattr(call.func, "v", None), call.func):
        return False
    values = [getattr(one, "v", None) for one in call.args]
    return any(isinstance(one, Tensor) and one.ndim == 1 and one.kinds == FLOATING for one in values)


def is_environments(node: ast.Name) -> bool:
    value = getattr(node, "v", None)
    return isinstance(value, External) and value.name.partition(".")[0] in ENVIRONMENTS


def tells_by_class(module: ModuleInfo) -> bool:
    """Whether the class is used as a value, ``type(m) is nn.Linear``, of which a derived one is none."""
    for node in module.nodes.of(ast.Name, ast.Attribute):
        value = getattr(node, "v", None)
        if isinstance(value, Ref) and value.name == LINEAR:
            around = module.nodes.parents.get(node)
            test = module.nodes.parents.get(around) if isinstance(around, ast.Tuple) else around
            made = isinstance(around, ast.Call) and around.func is node
            if not made and getattr(getattr(test, "func", None), "id", "") != "isinstance":
                return True
    return False


def keys(module: ModuleInfo) -> dict[ast.AST, str]:
    """The products that a rule answers for which looks at run time."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.BinOp):
        if isinstance(node.op, ast.MatMult):
            pairs = ((node.left, node.right), (node.right, node.left))
            if any(may_be_vector(one) and has_axes(other) for one, other in pairs):
                found[node] = KEY
    return found


def may_be_vector(node: ast.expr) -> bool:
    value = getattr(node, "v", None)
    return isinstance(node, ast.Attribute) and isinstance(value, Tensor) and value.ndim is None


def has_axes(node: ast.expr) -> bool:
    """Whether it may have other numbers of axes than a vector and a matrix have, which OneFlow multiplies."""
    value = getattr(node, "v", None)
    return isinstance(value, Tensor) and value.ndim not in {1, 2}
