"""Casts to integers and truth values whose results go back to floating-point numbers: ``x.bool().float() * y``.

In torch no gradient goes through such a cast; where a target's hands it on, the result is detached.
"""

from __future__ import annotations

import ast
import re
from enum import IntEnum

from rewriters.infer.kinds import LOW, known_low
from rewriters.infer.values import FLOATING, Method, ModuleInfo, Plain, Ref, Tensor
from rewriters.text.tree import FUNCTIONS, walk

CUT = ":cut"
CASTS = {f"torch.Tensor.{name}" for name in ("to", "type", "long", "int", "short", "char", "byte", "bool")}
# Of what they give no gradient is left anyway.
ROUNDING = {"floor", "round", "ceil", "trunc", "sign", "fix"}
MADE = {"rand", "randn", "arange", "linspace", "logspace", "zeros", "ones", "full", "empty", "eye", "tensor"}
# What they give is made of all that they are given, but for a condition.
MIXING = {
    *("where", "cat", "stack", "concat", "hstack", "vstack", "add", "sub", "mul", "div", "maximum", "minimum", "lerp"),
    *("matmul", "mm", "bmm", "einsum", "outer", "dot", "mean", "true_divide", "multiply", "subtract", "divide", "sum"),
    *("prod", "cumsum", "abs", "clamp", "pow", "mse_loss", "l1_loss", "smooth_l1_loss", "binary_cross_entropy"),
    *("add_", "sub_", "mul_", "div_", "masked_fill", "unsqueeze", "squeeze", "reshape", "flatten", "expand", "repeat"),
}  # fmt: skip
# Methods whose result is no tensor, or one of which torch's has no gradient, and the target's none either.
ASKING = {"item", "tolist", "numpy", "any", "all", "eq", "ne", "lt", "le", "gt", "ge", "nonzero", "argmax", "detach"}
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.Mod, ast.FloorDiv, ast.MatMult)
# Names of what no gradient is taken of, as people give them.
COUNTED = re.compile(r"mask|valid|pad|ind(ex|ic)|idx|ids?$|label|target|class|step|pos|len|num|count|size|token|time")


class Way(IntEnum):
    """Where a result goes: it ends there, is returned, is among floating-point numbers again."""

    ENDS = 0
    GIVEN = 1
    BACK = 2


def whole_casts(module: ModuleInfo) -> dict[ast.AST, str]:
    """Calls of a file whose results are to be detached, with the key that says so."""
    found: dict[ast.AST, str] = {}
    for node in module.nodes.of(ast.Call):
        called = getattr(node.func, "v", None)
        if not isinstance(called, Method) or called.name not in CASTS or not isinstance(node.func, ast.Attribute):
            continue
        of = node.func.value
        if not known_low(getattr(node, "v", None)) or not may_carry(of):
            continue
        surely = not of.v.kinds & LOW and not is_counted(of)  # type: ignore[attr-defined]
        if Ways(module).of(node) >= (Way.GIVEN if surely else Way.BACK):
            found[node] = CUT
    return found


def is_counted(node: ast.expr) -> bool:
    """Whether a name in an expression says that it is a mask, an index or the like."""
    words = (
        getattr(part, "id", None) or getattr(part, "attr", None) or getattr(part, "value", "") for part in walk(node)
    )
    return any(isinstance(word, str) and COUNTED.search(word.lower()) for word in words)


def may_carry(node: ast.expr) -> bool:
    """Whether a gradient may flow through a tensor: it may be of floating-point numbers, and is not made or rounded."""
    value = getattr(node, "v", None)
    if not isinstance(value, Tensor) or not value.kinds & FLOATING or isinstance(node, ast.Compare):
        return False
    while isinstance(node, (ast.Call, ast.BinOp)):
        if isinstance(node, ast.BinOp):
            node = node.left if isinstance(getattr(node.left, "v", None), Tensor) else node.right
            continue
        called = getattr(node.func, "v", None)
        if not isinstance(called, (Ref, Method)):
            return True
        name = called.name.rpartition(".")[2].rstrip("_").removeprefix("new_")
        if name in ROUNDING | MADE or name.endswith("_like"):
            return False
        if not isinstance(called, Method) or not isinstance(node.func, ast.Attribute):
            return True
        node = node.func.value
    return True


class Ways:
    """Follows a value through one function."""

    def __init__(self, module: ModuleInfo) -> None:
        self.module, self.parents = module, module.nodes.parents
        self.seen: set[ast.AST] = set()

    def of(self, node: ast.expr) -> Way:
        """Where it goes, at the worst."""
        if node in self.seen:
            return Way.ENDS
        self.seen.add(node)
        around = self.parents.get(node)
        if isinstance(around, ast.Attribute):
            return self.of_attribute(around)
        if isinstance(around, (ast.Call, ast.keyword)):
            call = around if isinstance(around, ast.Call) else self.parents.get(around)
            return self.of_argument(node, call) if isinstance(call, ast.Call) else Way.ENDS
        if isinstance(around, ast.BinOp):
            return self.of_operator(around, around.right if node is around.left else around.left)
        if isinstance(around, ast.Subscript):
            return self.of(around) if node is around.value else Way.ENDS
        if isinstance(around, ast.Assign):
            return max((self.of_target(target) for target in around.targets), default=Way.ENDS)
        if isinstance(around, ast.AugAssign):
            return Way.BACK if not known_low(getattr(around.target, "v", None)) else Way.ENDS
        if isinstance(around, (ast.Compare, ast.If, ast.While, ast.Assert, ast.Expr, ast.BoolOp)):
            return Way.ENDS
        if isinstance(around, ast.UnaryOp):
            return self.of(around) if isinstance(around.op, ast.USub) else Way.ENDS
        if isinstance(around, (ast.Tuple, ast.List, ast.Starred, ast.NamedExpr, ast.IfExp)):
            return self.of(around)
        return Way.GIVEN if isinstance(around, ast.Return) else Way.ENDS

    def of_attribute(self, node: ast.Attribute) -> Way:
        """``i.float()``, ``i.T``, ``i.shape``."""
        call = self.parents.get(node)
        if not (isinstance(call, ast.Call) and call.func is node):
            return self.of(node) if isinstance(getattr(node, "v", None), Tensor) else Way.ENDS
        value = getattr(call, "v", None)
        if node.attr in ASKING or not isinstance(value, Tensor):
            return Way.ENDS
        return self.of(call) if known_low(value) else Way.BACK

    def of_argument(self, node: ast.expr, call: ast.Call) -> Way:
        """``torch.where(c, i, x)``; an index ends it."""
        called = getattr(call.func, "v", None)
        if not isinstance(called, (Ref, Method)):
            return Way.ENDS
        name = called.name.rpartition(".")[2]
        is_condition = name == "where" and call.args[:1] == [node] and isinstance(called, Ref)
        if name not in MIXING or is_condition:
            return Way.ENDS
        value = getattr(call, "v", None)
        return self.of(call) if known_low(value) else Way.BACK

    def of_operator(self, node: ast.BinOp, other: ast.expr) -> Way:
        """``x - i``, ``i + 1``."""
        if not isinstance(node.op, ARITHMETIC):
            return Way.ENDS
        value = getattr(node, "v", None)
        return self.of(node) if known_low(value) or not may_be_fraction(other) else Way.BACK

    def of_target(self, target: ast.expr) -> Way:
        """A name is followed in its function."""
        if not isinstance(target, ast.Name):
            return Way.ENDS
        inside = self.module.nodes.around(target, *FUNCTIONS, ast.Lambda) or self.module.tree
        loads = [
            part
            for part in walk(inside)
            if isinstance(part, ast.Name) and part.id == target.id and isinstance(part.ctx, ast.Load)
        ]
        return max(map(self.of, loads), default=Way.ENDS)


def may_be_fraction(node: ast.expr) -> bool:
    """Whether an operand may be of floating-point numbers; what is not known is a number, most likely a whole one."""
    value = getattr(node, "v", None)
    return (isinstance(value, Tensor) and not known_low(value)) or (isinstance(value, Plain) and value.kind == "float")
