"""Reshaping of what lies otherwise in OneFlow than in torch: the one copies where the other gives a view.

What is computed of a transposed tensor lies as that does in torch, and in one piece in OneFlow; softmax over another
axis than the last gives one piece in torch, and a transposed tensor in OneFlow.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
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
BRANCHING = (ast.For, ast.While, ast.If, ast.Try)
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
        around = module.nodes.parents.get(node)
        touched = names_of(around) | {holder := text(untransposed(of))}
        if changed.isdisjoint(touched - {""}) and not changes(around):
            continue
        reshaped.add(text(of))
        lies = lying(module, of)
        if lies.torch and not lies.own:
            found[node] = f"{called.name}:copied"
        elif lies.own and not lies.torch and holder:
            found[node] = f"{called.name}:torn"
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


@dataclass(frozen=True)
class Lying:
    """The transpositions of its memory that a tensor is, in each framework; none of what lies in one piece."""

    torch: tuple[object, ...] = ()
    own: tuple[object, ...] = ()

    def computed(self) -> Lying:
        """What is computed of it, by the elements."""
        return Lying(self.torch, ())

    def turned(self, by: object) -> Lying:
        return Lying(after(self.torch, by), after(self.own, by))


def after(turns: tuple[object, ...], by: object) -> tuple[object, ...]:
    """Transpositions after one more; twice the same is none."""
    last = turns[-1] if turns else None
    if isinstance(by, tuple) and isinstance(last, tuple) and len(by) == len(last):
        axes = tuple(last[place] for place in by)
        return turns[:-1] if axes == tuple(sorted(axes)) else (*turns[:-1], axes)
    return turns[:-1] if turns and last == by else (*turns, by)


def turning(node: ast.Call | ast.Attribute, value: Any) -> object:
    """Which transposition it is: the axes in their new order, or those that are exchanged."""
    name = called_name(node) if isinstance(node, ast.Call) else node.attr
    given = list(node.args) if isinstance(node, ast.Call) else []
    if isinstance(node, ast.Call) and isinstance(getattr(node.func, "v", None), Ref):
        given = given[1:]
    if len(given) == 1 and isinstance(given[0], (ast.Tuple, ast.List)):
        given = given[0].elts
    ndim = getattr(value, "ndim", None)
    if ndim == 2 or name == "t":
        return "exchanged"  # there is but one
    axes = [number_of(one) for one in given]
    if name == "permute" and axes and None not in axes:
        return tuple(axis % len(axes) for axis in axes if axis is not None)
    if name in {"mT", "adjoint"}:
        axes = [-2, -1]
    if len(axes) == 2 and None not in axes:
        return frozenset(axis % ndim if ndim else axis for axis in axes if axis is not None)
    return ast.unparse(node.func if isinstance(node, ast.Call) else node) if name not in {"T", "H"} else "reversed"


def number_of(node: ast.expr) -> int | None:
    """A literal number."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found = number_of(node.operand)
        return None if found is None else -found
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def lying(module: ModuleInfo, node: ast.expr, depth: int = 0) -> Lying:
    """How a value lies, by what it was computed of; what nothing is known of lies in one piece."""
    if isinstance(node, ast.Name) and depth < MOST_STEPS:
        given = [one for one in module.nodes.of(ast.Assign) if any(is_name(t, node.id) for t in one.targets)]
        values = [one.value for one in latest(module, node, given)] or handed(module, node)
        return alike(lying(module, value, depth + 1) for value in values)
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
        left = getattr(node.left, "v", None)
        first = node.right if isinstance(left, Plain) or getattr(left, "ndim", None) == 0 else node.left
        return lying(module, first, depth).computed()
    if isinstance(node, ast.UnaryOp):
        return lying(module, node.operand, depth).computed()
    if isinstance(node, ast.Subscript) and isinstance(node.value, (ast.List, ast.Tuple)):
        return alike(lying(module, one, depth) for one in node.value.elts)
    if isinstance(node, ast.Subscript) and is_picked_behind(node):
        return Lying((), ("picked",))  # torch's is of its own, in one piece
    if isinstance(node, ast.Attribute) and node.attr in TRANSPOSED:
        return lying(module, node.value, depth).turned(turning(node, getattr(node, "v", None)))
    if not isinstance(node, ast.Call) or not isinstance(getattr(node, "v", None), Tensor):
        return Lying()
    called = getattr(node.func, "v", None)
    if isinstance(called, FunctionOf) and depth < MOST_STEPS:
        own = {part for part in walk(called.info.node) if isinstance(part, ast.Return)}
        values = [part.value for part in own & set(module.nodes.of(ast.Return)) if part.value is not None]
        return alike(lying(module, value, depth + 1) for value in values)
    name = called_name(node)
    of_torch = isinstance(called, Ref)
    operands = node.args if of_torch else [node.func.value] if isinstance(node.func, ast.Attribute) else []
    if not operands or not (name in TRANSPOSED or name in BY_ELEMENT):
        return Lying()
    found = lying(module, operands[0], depth)
    return found.turned(turning(node, getattr(node, "v", None))) if name in TRANSPOSED else found.computed()


def is_picked_behind(node: ast.Subscript) -> bool:
    """``x[:, [0, 2]]``: by a list, an array or a tensor along another axis than the first."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
    if not isinstance(getattr(node.value, "v", None), Tensor) or not parts or not isinstance(parts[0], ast.Slice):
        return False
    return any(
        isinstance(part, (ast.List, ast.Tuple)) or isinstance(getattr(part, "v", None), Tensor) for part in parts
    )


def latest(module: ModuleInfo, node: ast.Name, given: list[ast.Assign]) -> list[ast.Assign]:
    """Of what binds a name, the last before a use, where that stands in the same block; else all."""
    before = [one for one in given if one.lineno < node.lineno]
    last = max(before, key=lambda one: one.lineno, default=None)
    block = module.nodes.parents.get(last) if last is not None else None
    around: ast.AST | None = node
    while around is not None and module.nodes.parents.get(around) is not block:
        around = module.nodes.parents.get(around)
    return given if last is None or around is None or isinstance(block, BRANCHING) else [last]


def alike(found: Iterable[Lying]) -> Lying:
    """How all of them lie, where they lie alike."""
    ways = set(found)
    return ways.pop() if len(ways) == 1 else Lying()


def untransposed(node: ast.expr) -> ast.expr:
    """What it is a transposition of, which may be held by a name."""
    while True:
        inner: ast.expr | None = None
        if isinstance(node, ast.Call) and called_name(node) in TRANSPOSED:
            of_torch = isinstance(getattr(node.func, "v", None), Ref)
            own = node.func.value if isinstance(node.func, ast.Attribute) else None
            inner = next(iter(node.args), None) if of_torch else own
        elif is_property(node):
            inner = getattr(node, "value", None)
        if inner is None:
            return node
        node = inner


def is_property(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in TRANSPOSED


def changes(around: ast.AST | None) -> bool:
    """Whether a reshaped tensor changes at once: ``x.reshape(-1)[0] = 1``, ``x.flatten().add_(1)``."""
    if isinstance(around, ast.Subscript):
        return isinstance(around.ctx, ast.Store)
    return isinstance(around, ast.Attribute) and around.attr.endswith("_") and not around.attr.startswith("_")


def is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
