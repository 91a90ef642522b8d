"""What becomes of results: a state_dict that is read or written, a hook's handle that is kept, the mean of what a mask
picks, which may be nothing; extremes in files that speak of NaN; gradients that something unknown clears.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer import Project
from rewriters.infer.calls import is_tensor_method
from rewriters.infer.values import BOOLEAN, Bottom, FunctionOf, Method, ModuleInfo, Ref, Tensor, Unknown
from rewriters.text.tree import Parents, called_name, walk

STATE = "torch.nn.Module.state_dict"
HOOK = "torch.Tensor.register_hook"
MEANS = {"torch.mean", "torch.Tensor.mean"}
EXTREMES = {
    f"{owner}.{name}"
    for owner in ("torch", "torch.Tensor")
    for name in (
        "max",
        "min",
        "argmax",
        "argmin",
        "amax",
        "amin",
        "maximum",
        "minimum",
        "sort",
        "argsort",
        "msort",
        "topk",
    )
}
PICKING = {"masked_select", "nonzero", "argwhere"}
# What the mean of the picked is taken of, as often as not.
KEEPING = {"view", "reshape", "flatten", "float", "abs", "detach", "clone", "pow", "square", "sqrt", "exp", "log"}


def keys(project: Project, module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of this module that a special rule answers for, with the rule's key."""
    found: dict[ast.AST, str] = {}
    clearing = [node for node in module.nodes.of(ast.Call) if clears_unknown(node)]
    if clearing and not any(defines_zero_grad(one) for one in project.modules.values()):
        found |= {node.func: "torch.optim.Optimizer.zero_grad" for node in clearing}
    found |= {node.func: f"{HOOK}:kept" for node in module.nodes.of(ast.Call) if hooks_unknown(module, node)}
    calls = [
        (node, value.name)
        for node in module.nodes.of(ast.Call)
        if isinstance(value := getattr(node.func, "v", None), (Method, Ref))
    ]
    if any(name in {STATE, HOOK} for _, name in calls):
        parents = module.nodes.parents
    speaks = any(name in EXTREMES for _, name in calls) and speaks_of_nan(module)
    for node, name in calls:
        if name == STATE and is_read(module, parents, node):
            found[node] = f"{STATE}:read"
        elif name == HOOK and (not isinstance(parents.get(node), ast.Expr) or not only_computes(node)):
            found[node] = f"{HOOK}:kept"
        elif name in EXTREMES and speaks:
            found[node] = f"{name}:nan"
        elif name in MEANS and is_picked(module, averaged(node, name), 0):
            found[node] = f"{name}:picked"
    return found


def clears_unknown(node: ast.Call) -> bool:
    """``optimizer.zero_grad()`` of what is handed in: an optimizer or a module, which both leave zeros in OneFlow."""
    return (
        isinstance(node.func, ast.Attribute)
        and node.func.attr == "zero_grad"
        and not node.args
        and not node.keywords
        and isinstance(getattr(node.func.value, "v", Unknown()), (Unknown, Bottom))
    )


def hooks_unknown(module: ModuleInfo, node: ast.Call) -> bool:
    """``net[0].weight.register_hook(f)``: nothing but tensors has a method of that name."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "register_hook":
        return False
    unknown = isinstance(getattr(node.func.value, "v", Unknown()), (Unknown, Bottom))
    return unknown and (not isinstance(module.nodes.parents.get(node), ast.Expr) or not only_computes(node))


def only_computes(node: ast.Call) -> bool:
    """``x.register_hook(lambda g: g * mask.float())``: OneFlow calls a leaf's hook twice, and takes functions of
    Python's own alone.
    """
    hook = node.args[0] if node.args else node.keywords[0].value if node.keywords else None
    if not isinstance(hook, ast.Lambda):
        return False
    calls = [part.func for part in walk(hook.body) if isinstance(part, ast.Call)]
    return all(
        isinstance(getattr(func, "v", None), Ref)
        or (isinstance(func, ast.Attribute) and not func.attr.endswith("_") and is_tensor_method(func.attr))
        for func in calls
    )


def defines_zero_grad(module: ModuleInfo) -> bool:
    return any(node.name == "zero_grad" for node in module.nodes.of(ast.FunctionDef))


def speaks_of_nan(module: ModuleInfo) -> bool:
    """Whether a file makes NaN, or asks for it."""
    if any(node.attr in {"nan", "NaN", "isnan"} for node in module.nodes.of(ast.Attribute)):
        return True
    return any(isinstance(node.value, str) and node.value.lower() == "nan" for node in module.nodes.of(ast.Constant))


def is_read(module: ModuleInfo, parents: Parents, node: ast.Call) -> bool:
    """Whether the project's code looks at the tensors: by a name too."""
    around = parents.get(node)
    if isinstance(around, ast.Call) and isinstance(getattr(around.func, "v", None), FunctionOf):
        return True  # the project's own
    while isinstance(around, (ast.Tuple, ast.List)):
        around = parents.get(around)
    added = isinstance(around, ast.Call) and called_name(around) in {"append", "appendleft", "insert"}
    if added or isinstance(around, (ast.Return, ast.Yield)):
        return True  # where it goes, it may be
    if isinstance(around, ast.Assign):
        names = {part.id for target in around.targets for part in walk(target) if isinstance(part, ast.Name)}
        uses = [part for part in module.nodes.of(ast.Name) if part.id in names and isinstance(part.ctx, ast.Load)]
        return any(looks(parents.get(use), use) for use in uses)
    return looks(around, node)


def looks(around: ast.AST | None, node: ast.AST) -> bool:
    if isinstance(around, ast.Subscript):
        return around.value is node
    return isinstance(around, ast.Attribute) and around.attr in {"items", "values", "get"}


def averaged(node: ast.Call, name: str) -> ast.expr | None:
    if name == "torch.mean":
        return node.args[0] if node.args else None
    return node.func.value if isinstance(node.func, ast.Attribute) else None


def is_picked(module: ModuleInfo, node: ast.expr | None, depth: int) -> bool:
    """Whether a mask picked it, so that it may be empty."""
    if isinstance(node, ast.Subscript):
        value = getattr(node.slice, "v", None)
        masked = isinstance(value, Tensor) and (value.kinds == BOOLEAN or is_mask(module, node.slice, depth))
        return masked and isinstance(getattr(node.value, "v", None), Tensor)
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        inner = node.func.value if isinstance(node.func, ast.Attribute) else None
        return name in PICKING or (name in KEEPING and is_picked(module, inner, depth))
    if isinstance(node, ast.BinOp):
        return is_picked(module, node.left, depth) or is_picked(module, node.right, depth)
    if isinstance(node, ast.Name) and depth < 3:
        return any(is_picked(module, value, depth + 1) for value in given_to(module, node.id))
    return False


def is_mask(module: ModuleInfo, node: ast.expr, depth: int) -> bool:
    """``x > 0``, ``~m``, ``a & b``, where dtypes are not known."""
    if isinstance(node, ast.Name) and depth < 3:
        return any(is_mask(module, value, depth + 1) for value in given_to(module, node.id))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Invert)
    return isinstance(node, ast.Compare)


def given_to(module: ModuleInfo, name: str) -> Iterator[ast.expr]:
    for node in module.nodes.of(ast.Assign):
        if any(isinstance(target, ast.Name) and target.id == name for target in node.targets):
            yield node.value
