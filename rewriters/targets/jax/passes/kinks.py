"""Functions whose gradient is another in JAX at a kink: that of ``abs`` at 0 is 1 there, and 0 in torch; of equal
elements along an axis ``jnp.max`` gives each a part of the gradient, torch the first all of it. Steps (``round``) have
none at all in JAX, so that what comes to the loss by them alone is left alone by optimizers; torch gives zeros.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from rewriters.infer import Project
from rewriters.infer.values import COMPLEX, FLOATING, Method, ModuleInfo, Plain, Ref, Tensor, Unknown
from rewriters.places.changing import under_no_grad
from rewriters.regions.tracing import value_of
from rewriters.text.tree import FUNCTIONS, called_name, walk

TAKING = {
    *("torch.Tensor.backward", "torch.autograd.backward", "torch.autograd.grad"),
    *(f"torch.func.{name}" for name in ("grad", "grad_and_value", "vjp", "jvp", "jacrev", "jacfwd", "hessian")),
    *(f"torch.autograd.functional.{name}" for name in ("jacobian", "hessian", "vjp", "jvp", "hvp", "vhp")),
}
STEPS = ("ceil", "floor", "round", "trunc", "fix", "sign", "sgn")
KINKED = {f"torch.{owner}{name}" for owner in ("", "Tensor.") for name in ("abs", "absolute", "max", "min", *STEPS)}
ALIASES = {"fix": "trunc", "sgn": "sign"}
NUMBERS = {"int", "float", "bool", "number"}
# Attributes and methods behind which no gradient passes.
CUT = {"detach", "data", "item", "tolist", "numpy", "grad", "long", "int", "short", "bool", "byte"}


def kinks(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of these that gradients may be taken of, in a project that takes some."""
    if not takes_gradients(project):
        return {}
    found = {node: key for node in module.nodes.of(ast.Call) if (key := kinked(node))}
    steps = [node for node, key in found.items() if is_step(key)]
    if steps and not any(map(is_taking, module.nodes.of(ast.Name, ast.Attribute))):
        for node in steps:  # what comes to a loss by steps alone is shown, not trained
            del found[node]
    constant = under_no_grad(module) if found else set()
    return {node: key for node, key in found.items() if node not in constant and not is_cut(module, node)}


def is_cut(module: ModuleInfo, node: ast.Call) -> bool:
    """Whether no gradient passes: ``x.abs() > 1``, ``x.max(1)[1]``, ``(x.round() - x).detach()``, ``x.grad.sign()``."""
    around = module.nodes.parents.get(node)
    index = around.slice if isinstance(around, ast.Subscript) else None
    second = isinstance(index, ast.Constant) and index.value == 1 and not called_name(node).startswith("abs")
    if getattr(around, "attr", "") == "indices" or second or is_own_function(module, node):
        return True
    while isinstance(around, ast.expr):
        if isinstance(around, ast.Compare) or getattr(around, "attr", "") in CUT or has_no_gradient(value_of(around)):
            return True
        around = module.nodes.parents.get(around)
    given: ast.AST | None = given_of(module, node)
    while isinstance(given, (ast.Attribute, ast.Call, ast.Subscript)):
        if isinstance(given, ast.Attribute) and given.attr in CUT and isinstance(value_of(given.value), Tensor):
            return True
        given = given.func if isinstance(given, ast.Call) else given.value
    return False


def has_no_gradient(value: object) -> bool:
    """Whether it is a number, or a tensor of integers or truth values."""
    if isinstance(value, Tensor):
        return bool(value.kinds) and not value.kinds & (FLOATING | COMPLEX)
    return isinstance(value, Plain) and value.kind in NUMBERS


def given_of(module: ModuleInfo, node: ast.Call) -> ast.expr:
    """What a call is of, or what the name stands for which it is of."""
    method = isinstance(value_of(node.func), Method) and isinstance(node.func, ast.Attribute)
    given = node.func.value if method else node.args[0] if node.args else node  # type: ignore[attr-defined]
    if not isinstance(given, ast.Name):
        return given
    home = module.nodes.around(given, *FUNCTIONS)
    bound = [one.value for one in walk(home or module.tree) if isinstance(one, ast.Assign) and binds(one, given.id)]
    return bound[0] if len(bound) == 1 else given


def binds(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def is_own_function(module: ModuleInfo, node: ast.Call) -> bool:
    """Whether it stands in the forward of a torch.autograd.Function, whose gradient is said beside it."""
    home = module.nodes.around(node, *FUNCTIONS)
    owner = module.nodes.around(node, ast.ClassDef) if getattr(home, "name", "") == "forward" else None
    bases = map(value_of, owner.bases if isinstance(owner, ast.ClassDef) else ())
    return any(isinstance(base, Ref) and base.name.endswith("autograd.Function") for base in bases)


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
    if called.name.endswith((".max", ".min")):
        axes = [*given[1:2], *(word.value for word in node.keywords if word.arg == "dim")]
        if not axes or not isinstance(value_of(axes[0]), Plain):
            return ""  # of all elements, and of two tensors, torch too gives equals their parts
    name = ALIASES.get(called.name.rpartition(".")[2])
    key = f"{called.name.rpartition('.')[0]}.{name}" if name else called.name
    return f"{key}:kinked" if not given or differentiable(value_of(given[0])) else ""


def differentiable(value: object) -> bool:
    return isinstance(value, Tensor) and bool(value.kinds & FLOATING)


@lru_cache(maxsize=1)
def takes_gradients(project: Project) -> bool:
    """Whether the project does so anywhere."""
    return any(
        is_taking(node) for module in project.modules.values() for node in module.nodes.of(ast.Name, ast.Attribute)
    )


def is_taking(node: ast.AST) -> bool:
    value = value_of(node)
    return isinstance(value, (Ref, Method)) and value.name in TAKING


def is_step(key: str) -> bool:
    return key.partition(":")[0].rpartition(".")[2] in STEPS
