"""Operators between objects of the project's own classes and others: what their special methods give."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rewriters.infer.functions import Functions
from rewriters.infer.joining import join as joined
from rewriters.infer.values import (
    BOTTOM,
    UNKNOWN,
    Bottom,
    Choice,
    FunctionOf,
    ModuleInfo,
    ObjectOf,
    Tensor,
    Unknown,
    Value,
)

BINARY: dict[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
COMPARISONS: dict[type, tuple[str, str]] = {
    ast.Eq: ("eq", "eq"), ast.NotEq: ("ne", "ne"), ast.Lt: ("lt", "gt"), ast.LtE: ("le", "ge"),
    ast.Gt: ("gt", "lt"), ast.GtE: ("ge", "le"),
}  # fmt: skip
UNARY: dict[type, str] = {ast.Invert: "__invert__", ast.USub: "__neg__", ast.UAdd: "__pos__"}
OPERATORS = {
    "__torch_function__",
    *UNARY.values(),
    *(f"__{side}{name}__" for name in BINARY.values() for side in ("", "r", "i")),
    *(f"__{name}__" for pair in COMPARISONS.values() for name in pair),
}


def own_special_methods(modules: Iterable[ModuleInfo]) -> frozenset[str]:
    """The methods of operators that the project's classes define, torch's protocol for look-alikes among them."""
    return own_methods(modules) & OPERATORS


def own_methods(modules: Iterable[ModuleInfo]) -> frozenset[str]:
    """The names of all methods that the project's classes define."""
    bodies = (node.body for module in modules for node in module.nodes.of(ast.ClassDef))
    names = (part.name for body in bodies for part in body if isinstance(part, ast.FunctionDef))
    return frozenset(names)


class OwnOperators(Functions):
    """Looks special methods of operators up."""

    def operator_of_own(self, node: ast.BinOp | ast.Compare, left: Value, right: Value) -> Value | None:
        """What the operator gives where a class of the project may answer for it; None where none does.

        An object of which nothing is known may be of such a class, if the project has any with that method.
        """
        if isinstance(node, ast.BinOp):
            name = BINARY[type(node.op)]
            names = (f"__{name}__", f"__r{name}__")
        else:
            pair = COMPARISONS.get(type(node.ops[0]))
            if pair is None:
                return None
            names = (f"__{pair[0]}__", f"__{pair[1]}__")
        if self.project.own_methods.isdisjoint((*names, "__torch_function__")):
            return None
        for side, (value, other, special) in enumerate(((left, right, names[0]), (right, left, names[1]))):
            found = self.special(value, special, [other], isinstance(other, Tensor))
            if found is not None:
                method = self.project_attribute(value, special) if isinstance(value, ObjectOf) else UNKNOWN
                node.own = call_of_own(node, side, special, method)  # type: ignore[union-attr]
                return found
        if hasattr(node, "own"):
            del node.own  # of an earlier round, when less was known of the operands
        return None

    def changed_own(self, node: ast.AugAssign, left: Value, right: Value) -> Value | None:
        """What ``left += right`` leaves under the name of an object whose class says what that is; None for others."""
        if not isinstance(left, ObjectOf):
            return None
        names = (f"__{side}{BINARY[type(node.op)]}__" for side in ("i", ""))
        answers = (self.special(left, name, [right], isinstance(right, Tensor)) for name in names)
        return next((found for found in answers if found is not None), None)

    def special(self, value: Value, name: str, arguments: list[Value], beside_tensor: bool) -> Value | None:
        """What a special method gives; None where the value has none of its own."""
        if isinstance(value, ObjectOf):
            for method in (name, "__torch_function__"):
                if method not in self.project.own_methods:
                    continue
                function = self.project_attribute(value, method)
                if isinstance(function, FunctionOf) and method == name:
                    return self.call(function, arguments, {})
                if not isinstance(function, Tensor) and (
                    isinstance(function, FunctionOf) or "?" in value.info.linear()
                ):
                    return UNKNOWN
            return None
        if isinstance(value, Choice):
            answers = [self.special(one, name, arguments, beside_tensor) for one in value.values]
            known = [answer for answer in answers if answer is not None]
            found: Value = BOTTOM
            for answer in known:
                found = joined(found, answer)
            return None if not known else found if len(known) == len(answers) else UNKNOWN
        if beside_tensor and isinstance(value, (Unknown, Bottom)) and name in self.project.own_methods:
            return value
        return None


def operands_of(node: ast.BinOp | ast.Compare) -> tuple[ast.expr, ast.expr]:
    return node.left, node.right if isinstance(node, ast.BinOp) else node.comparators[0]


def told_by(own: ast.Call, node: ast.BinOp | ast.Compare) -> tuple[int, str, Value]:
    """Of the call that an operator stands for: which operand's method is called, its name and its value."""
    assert isinstance(own.func, ast.Attribute)
    return int(own.func.value is not node.left), own.func.attr, own.func.v  # type: ignore[attr-defined]


def call_of_own(operator: ast.BinOp | ast.Compare, side: int, name: str, method: Value) -> ast.Call:
    """The call of an operand's special method that an operator stands for."""
    operands = operands_of(operator)
    return as_call(operator, operands[side], name, [operands[1 - side]], method)


def as_call(operator: ast.expr, receiver: ast.expr, name: str, others: list[ast.expr], method: Value) -> ast.Call:
    """The call of a method that an operator, or another expression, stands for; it is no part of the tree."""
    called = ast.copy_location(ast.Attribute(receiver, name, ast.Load()), operator)
    called.v = method  # type: ignore[attr-defined]
    call = ast.copy_location(ast.Call(called, others, []), operator)
    call.operator = operator  # type: ignore[attr-defined]
    return call
