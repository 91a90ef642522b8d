"""Sums and means of what may have no axes, of which OneFlow gives the tensor itself: its memory, and its dtype."""

from __future__ import annotations

import ast

from rewriters.infer.values import BOOLEAN, INT, INTEGRAL, STR, Method, ModuleInfo, Ref, Tensor, is_bare
from rewriters.places.by_text import changes_in, given_the_same, handed, names_of, text
from rewriters.places.whole import whole
from rewriters.rules.promotion import is_open

SUMS = {"torch.sum", "torch.Tensor.sum"}
MEANS = {"torch.mean", "torch.Tensor.mean"}
NARROW = {
    "int",
    "short",
    "char",
    "byte",
    "int32",
    "int8",
    "uint8",
    "IntTensor",
    "CharTensor",
    "ByteTensor",
    "from_numpy",
}
NUMBERS = {"item", "tolist", "__float__", "__int__"}


def keys(module: ModuleInfo) -> dict[ast.AST, str]:
    """Sums and means over everything that another rule answers for, with its key."""
    found: dict[ast.AST, str] = {}
    changed: set[str] | None = None
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not isinstance(called, (Method, Ref)) or called.name not in SUMS | MEANS:
            continue
        of = summed(node, called)
        value = getattr(of, "v", None)
        known = {None, 0} if called.name in MEANS else {None}  # of no axes, a rule by rank sums
        if of is None or not isinstance(value, Tensor) or value.ndim not in known:
            continue
        around = module.nodes.parents.get(node)
        if value.kinds == BOOLEAN and called.name in SUMS:
            # of one truth value `item()` gives True, which is 1 to whoever reckons with it
            if value.ndim is None and (is_bare(value) or not is_number(around) or shows_kind(module, around)):
                found[node] = f"{called.name}:truths"
            continue  # of none, a rule by rank
        if value.kinds == INTEGRAL and called.name in SUMS and speaks_of_narrow(module):
            if not is_number(around):
                found[node] = f"{called.name}:counted"
            continue
        counts = bool(value.kinds & (BOOLEAN | INTEGRAL)) and not is_open(value)
        if called.name in SUMS and is_bare(value) and counts and not is_number(around):
            found[node] = f"{called.name}:bare"
            continue
        changed = changes_in(module) if changed is None else changed
        seen = value.ndim == 0 or text(of) in changed or not changed.isdisjoint(names_of(around))
        seen |= bool(changed) and ((is_bare(value) and isinstance(of, ast.Name)) or any(map(is_element, ways(of))))
        seen = seen or not changed.isdisjoint(given_the_same(module, of))
        seen = seen or (isinstance(of, ast.IfExp) and any(may_be_row(module, way, changed) for way in ways(of)))
        if seen and not is_number(around):
            found[node] = f"{called.name}:apart"
    return found


def speaks_of_narrow(module: ModuleInfo) -> bool:
    """Whether integers may be narrower than 64 bits."""
    return any(node.attr in NARROW for node in module.nodes.of(ast.Attribute))


def summed(node: ast.Call, called: Method | Ref) -> ast.expr | None:
    """What is summed over all its axes; None for other calls."""
    if node.keywords:
        return None
    if isinstance(called, Method):
        return node.func.value if isinstance(node.func, ast.Attribute) and not node.args else None
    return node.args[0] if len(node.args) == 1 and not isinstance(node.args[0], ast.Starred) else None


def ways(of: ast.expr) -> list[ast.expr]:
    """What ``a if test else b`` may be."""
    return [*ways(of.body), *ways(of.orelse)] if isinstance(of, ast.IfExp) else [of]


def may_be_row(module: ModuleInfo, way: ast.expr, changed: set[str]) -> bool:
    """``q[0]`` of what a call gives that changes."""
    of = whole(way)
    given = handed(module, of) if isinstance(of, ast.Name) else []
    return isinstance(way, ast.Subscript) and any(text(one) in changed for one in (of, *given))


def is_element(of: ast.expr) -> bool:
    """What has no axes; ``x[0, 0]``, of which more axes than these two are rare."""
    if getattr(getattr(of, "v", None), "ndim", None) == 0:
        return True
    index = of.slice if isinstance(of, ast.Subscript) else None
    parts = index.elts if isinstance(index, ast.Tuple) else []
    return len(parts) > 1 and all(getattr(part, "v", None) == INT for part in parts)


def is_number(around: ast.AST | None) -> bool:
    """Whether only a number is made of it."""
    if isinstance(around, ast.Call):
        return isinstance(around.func, ast.Name) and around.func.id in {"float", "int"}
    return isinstance(around, ast.Attribute) and around.attr in NUMBERS


def shows_kind(module: ModuleInfo, number: ast.AST | None) -> bool:
    """Whether the truth value that ``x.item`` gives in place of a number may be seen to be one."""
    parents = module.nodes.parents
    node = parents.get(number) if isinstance(number, ast.Attribute) else None
    if not isinstance(node, ast.Call) or number.attr not in {"item", "tolist"}:  # type: ignore[union-attr]
        return False
    around = parents.get(node)
    if isinstance(around, ast.BinOp):
        return bool(getattr(around.left, "v", None) == STR)
    if isinstance(around, ast.Call) and isinstance(around.func, ast.Name):
        return around.func.id not in {"int", "float", "bool", "round", "range", "sum"}
    if isinstance(around, ast.FormattedValue):
        return around.format_spec is None
    return not isinstance(
        around, (ast.AugAssign, ast.Compare, ast.UnaryOp, ast.If, ast.While, ast.IfExp, ast.Subscript)
    )
