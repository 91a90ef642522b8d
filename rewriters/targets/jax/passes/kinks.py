"""Functions whose gradient at a kink is another in JAX: that of ``abs`` at 0 is 1 there, and 0 in torch; of equal
elements along an axis ``jnp.max`` gives each a part of the gradient, torch the first all of it.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from rewriters.infer import Project
from rewriters.infer.values import FLOATING, Method, ModuleInfo, Plain, Ref, Tensor, Unknown
from rewriters.places.changing import under_no_grad
from rewriters.regions.tracing import value_of
from rewriters.text.tree import called_name

TAKING = {
    *("torch.Tensor.backward", "torch.autograd.backward", "torch.autograd.grad"),
    *(f"torch.func.{name}" for name in ("grad", "grad_and_value", "vjp", "jvp", "jacrev", "jacfwd", "hessian")),
    *(f"torch.autograd.functional.{name}" for name in ("jacobian", "hessian", "vjp", "jvp", "hvp", "vhp")),
}
KINKED = {f"torch.{owner}{name}" for owner in ("", "Tensor.") for name in ("abs", "absolute", "max", "min")}


def kinks(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of these that gradients may be taken of, in a project that takes some."""
    if not takes_gradients(project):
        return {}
    found = {node: key for node in module.nodes.of(ast.Call) if (key := kinked(node))}
    constant = under_no_grad(module) if found else set()
    return {node: key for node, key in found.items() if node not in constant and not is_cut(module, node)}


def is_cut(module: ModuleInfo, node: ast.Call) -> bool:
    """Whether no gradient passes: ``x.abs() > 1``, ``x.max(1)[1]``, ``x.max(1).indices``."""
    around = module.nodes.parents.get(node)
    index = around.slice if isinstance(around, ast.Subscript) else None
    second = isinstance(index, ast.Constant) and index.value == 1 and not called_name(node).startswith("abs")
    return isinstance(around, ast.Compare) or getattr(around, "attr", "") == "indices" or second


def kinked(node: ast.Call) -> str:
    called = value_of(node.func)
    if getattr(node.func, "id", "") == "abs" and len(node.args) == 1:
        of = value_of(node.args[0])  # what is not known may be a tensor
        return "torch.abs:kinked" if isinstance(of, Unknown) or differentiable(of) else ""
    if not isinstance(called, (Method, Ref)) or called.name not in KINKED:
        return ""
    given = list(node.args)
    if isinstance(called, Method) and isinstance(node.func, ast.Attribute):
        given.insert(0, node.func.value)
    if called.name.endswith(("max", "min")):
        axes = [*given[1:2], *(word.value for word in node.keywords if word.arg == "dim")]
        if not axes or not isinstance(value_of(axes[0]), Plain):
            return ""  # of all elements, and of two tensors, torch too gives equals their parts
    return f"{called.name}:kinked" if not given or differentiable(value_of(given[0])) else ""


def differentiable(value: object) -> bool:
    return isinstance(value, Tensor) and bool(value.kinds & FLOATING)


@lru_cache(maxsize=1)
def takes_gradients(project: Project) -> bool:
    """Whether the project does so anywhere."""
    return any(
        isinstance(value := value_of(node), (Ref, Method)) and value.name in TAKING
        for module in project.modules.values()
        for node in module.nodes.of(ast.Name, ast.Attribute)
    )
