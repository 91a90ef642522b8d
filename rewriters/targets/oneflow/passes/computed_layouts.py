"""Reshaping of what lies otherwise in OneFlow than in torch: the one copies where the other gives a view.

What is computed of a transposed tensor lies as that does in torch, and in one piece in OneFlow; softmax over another
axis than the last gives one piece in torch, and a transposed tensor in OneFlow.
"""

from __future__ import annotations

import ast
from typing import Any

from rewriters.infer.values import FunctionOf, Method, ModuleInfo, Plain, Ref, Tensor
from rewriters.targets.oneflow.passes.axisless_sums import changes_in, names_of, text
from rewriters.targets.oneflow.passes.parts import handed
from rewriters.text.tree import called_name, walk

RESHAPING = {f"torch.Tensor.{name}" for name in ("reshape", "flatten", "ravel", "contiguous")}
OF_TORCH = {"torch.reshape", "torch.flatten", "torch.ravel"}
TRANSPOSED = {
    "t",
    "transpose",
    "permute",
    "swapaxes",
    "swapdims",
    "movedim",
    "moveaxis",
    "adjoint",
    "T",
    "mT",
    "H",
    "mH",
}
TRANSPOSING = {
    f"torch.{owner}{name}" for owner in ("", "nn.functional.", "Tensor.") for name in ("softmax", "log_softmax")
}
# Names and functions that a value is followed through.
MOST_STEPS = 6
# Of these the result lies as the first operand does.
BY_ELEMENT = {
    "abs", "add", "ceil", "clamp", "clip", "clone", "cos", "cosh", "div", "erf", "exp", "exp2", "expm1", "floor",
    "frac", "log", "log10", "log1p", "log2", "logical_not", "mul", "neg", "pow", "reciprocal", "relu", "round", "rsqrt",
    "sigmoid", "sign", "sin", "sinh", "sqrt", "square", "sub", "tan", "tanh", "trunc", "double", "float", "long", "int",
    "half", "gelu", "silu", "softplus", "leaky_relu", "elu",
}  # fmt: skip


def keys(module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls that a rule under ``:copied`` answers for, where what comes out or what it is made of changes in place."""
    found: dict[ast.AST, str] = {}
    changed: set[str] | None = None
    reshaped: set[str] = set()
    for node in module.nodes.of(ast.Call):
        called: Any = getattr(node.func, "v", None)
        if (of := reshaped_by(node)) is None:
            continue
        changed = changes_in(module) if changed is None else changed
        touched = names_of(module.nodes.parents.get(node)) | {text(of)}
        around = module.nodes.parents.get(node)
        stored = isinstance(around, ast.Subscript) and isinstance(around.ctx, ast.Store)
        if changed.isdisjoint(touched - {""}) and not stored:
            continue
        reshaped.add(text(of))
        if is_strided(module, of, False, 0):
            found[node] = f"{called.name}:copied"
    return found | in_one_piece(module, reshaped) if reshaped else found


def reshaped_by(node: ast.Call) -> ast.expr | None:
    """What a call reshapes, as a method or as torch's function."""
    called = getattr(node.func, "v", None)
    if isinstance(called, Ref):
        return node.args[0] if called.name in OF_TORCH and node.args else None
    method = isinstance(called, Method) and called.name in RESHAPING
    return node.func.value if method and isinstance(node.func, ast.Attribute) else None


def in_one_piece(module: ModuleInfo, reshaped: set[str]) -> dict[ast.AST, str]:
    """Softmaxes that are bound to one of these names, or that a function gives which is called to bind one."""
    bindings = [one for one in module.nodes.of(ast.Assign) if any(text(target) in reshaped for target in one.targets)]
    giving = {called_name(one.value) for one in bindings if isinstance(one.value, ast.Call)}
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not isinstance(called, (Method, Ref)) or called.name not in TRANSPOSING:
            continue
        around = module.nodes.parents.get(node)
        function = module.nodes.around(node, ast.FunctionDef) if isinstance(around, ast.Return) else None
        bound = not reshaped.isdisjoint(names_of(around) - {""})
        if bound or (isinstance(function, ast.FunctionDef) and function.name in giving):
            found[node] = f"{called.name}:laid"
    return found


def is_strided(module: ModuleInfo, node: ast.expr, computed: bool, depth: int) -> bool:
    """Whether a value was computed, by the elements, of a transposed tensor; ``computed``: it is an operand of that."""
    if isinstance(node, ast.Name) and depth < MOST_STEPS:
        given = [one.value for one in module.nodes.of(ast.Assign) if any(is_name(t, node.id) for t in one.targets)]
        given = given or handed(module, node)
        return bool(given) and all(is_strided(module, value, computed, depth + 1) for value in given)
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
        left = getattr(node.left, "v", None)
        first = node.right if isinstance(left, Plain) or getattr(left, "ndim", None) == 0 else node.left
        return is_strided(module, first, True, depth)
    if isinstance(node, ast.UnaryOp):
        return is_strided(module, node.operand, True, depth)
    if isinstance(node, ast.Subscript) and isinstance(node.value, (ast.List, ast.Tuple)):
        return bool(node.value.elts) and all(is_strided(module, one, computed, depth) for one in node.value.elts)
    if isinstance(node, ast.Attribute):
        return computed and node.attr in TRANSPOSED
    if not isinstance(node, ast.Call) or not isinstance(getattr(node, "v", None), Tensor):
        return False
    called = getattr(node.func, "v", None)
    if isinstance(called, FunctionOf) and depth < MOST_STEPS:
        own = {part for part in walk(called.info.node) if isinstance(part, ast.Return)}
        values = [part.value for part in own & set(module.nodes.of(ast.Return)) if part.value is not None]
        return bool(values) and all(is_strided(module, value, computed, depth + 1) for value in values)
    name = called_name(node)
    if name in TRANSPOSED:
        return computed
    of_torch = isinstance(getattr(node.func, "v", None), Ref)
    operands = node.args if of_torch else [node.func.value] if isinstance(node.func, ast.Attribute) else []
    return name in BY_ELEMENT and bool(operands) and is_strided(module, operands[0], True, depth)


def is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
