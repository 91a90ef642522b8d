"""Norms over an axis of what has no axes, or has none at times: Paddle reads memory that is not the tensor's there."""

from __future__ import annotations

import ast

from rewriters.infer.either import members
from rewriters.infer.values import INT, UNKNOWN, Method, ModuleInfo, Ref, Tensor, Unknown, Value, is_bare

# Where the axis stands among the arguments, the tensor counted.
NORMS = {
    "torch.norm": 2,
    "torch.Tensor.norm": 2,
    "torch.linalg.norm": 2,
    "torch.nn.functional.normalize": 2,
    "torch.cosine_similarity": 2,
}
# Of these each call counts, those without an axis too.
OF_AN_AXIS = {"torch.nn.functional.normalize", "torch.cosine_similarity"}


def bare_norms(module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of a file that a rule answers for which looks at run time, with its key."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not isinstance(called, (Ref, Method)) or called.name not in NORMS:
            continue
        of_method = isinstance(called, Method) and isinstance(node.func, ast.Attribute)
        parts = [node.func.value, *node.args] if of_method else node.args
        of = getattr(parts[0], "v", UNKNOWN) if parts else UNKNOWN
        axis = next((word.value for word in node.keywords if word.arg == "dim"), None)
        axis = axis if axis is not None else next(iter(parts[NORMS[called.name] :]), None)
        of_number = axis is not None and getattr(axis, "v", None) == INT
        if any(map(is_bare, members(of))):
            if of_number or called.name in OF_AN_AXIS:
                found[node] = f"{called.name}:bare"
        elif called.name in OF_AN_AXIS and parts and axis is not None and takes_numbers(of, axis):
            found[node] = f"{called.name}:bare"
    return found


def takes_numbers(of: Value, axis: ast.expr) -> bool:
    """Whether what nothing is said of, or the rank of, may have no axes: then it has one by which it is asked.

    Of what is known to be a tensor only an axis that is 0, or is reckoned there, counts: one that has a name is one of
    several.
    """
    if type(of) is Unknown:
        return may_be_first(axis)
    first = isinstance(axis, ast.BinOp) or (isinstance(axis, ast.Constant) and axis.value == 0)
    return first and any(isinstance(one, Tensor) and one.ndim is None for one in members(of))


def may_be_first(axis: ast.expr) -> bool:
    """Whether it is 0, or nothing says which axis; -1 is what is written of what has axes."""
    literal = isinstance(axis, (ast.Constant, ast.Tuple, ast.List, ast.UnaryOp))
    return not literal or (isinstance(axis, ast.Constant) and axis.value == 0)
