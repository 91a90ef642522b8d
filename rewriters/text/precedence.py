"""How tightly expressions bind, and their places ask for."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from rewriters.text.parsing import expression_of
from rewriters.text.slots import class_of

# How tightly a node binds; what binds looser than its place needs parentheses.
PRECEDENCE: dict[type, int] = {
    ast.NamedExpr: 0, ast.Lambda: 1, ast.IfExp: 2, ast.Or: 3, ast.And: 4, ast.Not: 5, ast.Compare: 6,
    ast.BitOr: 7, ast.BitXor: 8,
    ast.BitAnd: 9, ast.LShift: 10, ast.RShift: 10, ast.Add: 11, ast.Sub: 11, ast.Mult: 12, ast.Div: 12,
    ast.FloorDiv: 12, ast.Mod: 12,
    ast.MatMult: 12, ast.USub: 13, ast.UAdd: 13, ast.Invert: 13, ast.Pow: 14, ast.Await: 15,
}  # fmt: skip
OPERAND = 15  # of any operator
ATOM = 16
SIGNS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip


def precedence(node: ast.expr) -> int:
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.BoolOp)):
        return PRECEDENCE[type(node.op)]
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return ATOM - 1  # 1.real does not parse
    if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Starred)):
        return -1
    if isinstance(node, ast.Tuple):
        return -1  # its parentheses lie outside or inside of its span, as the user wrote it
    return PRECEDENCE.get(class_of(node), ATOM)


@dataclass(frozen=True)
class Form:
    """What a piece of text is as an expression.

    bracketed: whether it stands in parentheses of its own.
    """

    node: ast.expr
    bracketed: bool = False

    @property
    def precedence(self) -> int:
        return ATOM if self.bracketed else precedence(self.node)


def form_of(text: str) -> Form:
    """Raises SyntaxError for what is an expression in its place only: slices."""
    node = expression_of(f"({text}\n)")
    # Parentheses around a tuple or a generator are its own, so that ours count where it has none.
    first = 0 if isinstance(node, (ast.Tuple, ast.GeneratorExp)) else 1
    return Form(node, (node.lineno, node.col_offset) > (1, first))


# What stands anywhere without brackets.
CLOSED = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)


def is_closed(text: str) -> bool:
    """Whether it needs no brackets anywhere: a name, a call, an attribute or an item of one."""
    try:
        node = expression_of(text)
    except SyntaxError:
        return False
    return isinstance(node, CLOSED)


# Nodes that bind what stands in them.
PLACING = (
    ast.Attribute, ast.Subscript, ast.Await, ast.Call, ast.Starred, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp,
    ast.IfExp, ast.comprehension, ast.Dict, ast.FormattedValue,
)  # fmt: skip


def places(nodes: Iterable[ast.AST]) -> dict[ast.AST, int]:
    """How tightly each expression's place binds, where that is more than nothing."""
    found: dict[ast.AST, int] = {}
    for node in nodes:
        if isinstance(node, (ast.Attribute, ast.Subscript, ast.Await)):
            found[node.value] = ATOM
        elif isinstance(node, ast.Call):
            found[node.func] = ATOM
        elif isinstance(node, ast.Starred):
            found[node.value] = PRECEDENCE[ast.BitOr]
        elif isinstance(node, ast.BinOp):
            own = PRECEDENCE[type(node.op)]
            power = isinstance(node.op, ast.Pow)
            found[node.left] = own + 1 if power else own
            found[node.right] = PRECEDENCE[ast.USub] if power else own + 1
        elif isinstance(node, ast.UnaryOp):
            found[node.operand] = PRECEDENCE[type(node.op)]
        elif isinstance(node, ast.Compare):
            found.update(dict.fromkeys([node.left, *node.comparators], PRECEDENCE[ast.Compare] + 1))
        elif isinstance(node, ast.BoolOp):
            found.update(dict.fromkeys(node.values, PRECEDENCE[type(node.op)] + 1))
        elif isinstance(node, ast.IfExp):
            found.update(
                {node.test: PRECEDENCE[ast.Or], node.body: PRECEDENCE[ast.Or], node.orelse: PRECEDENCE[ast.IfExp]}
            )
        elif isinstance(node, ast.comprehension):
            found.update(dict.fromkeys([node.iter, *node.ifs], PRECEDENCE[ast.Or]))
        elif isinstance(node, ast.Dict):
            found.update({v: PRECEDENCE[ast.BitOr] for k, v in zip(node.keys, node.values, strict=True) if k is None})
        elif isinstance(node, ast.FormattedValue):
            found[node.value] = PRECEDENCE[ast.IfExp]
    return found
