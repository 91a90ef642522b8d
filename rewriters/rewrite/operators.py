"""Operators between tensors: rules filed under ``torch.Tensor.__add__`` and the like, and promotion of dtypes."""

from __future__ import annotations

import ast
import copy

from rewriters.binding import Argument, NoMatch, Refusal, choose
from rewriters.folding import Hole, hole
from rewriters.inline import Inliner, Plan, RuleRaises
from rewriters.ordering import check_effects
from rewriters.parsing import expression_of
from rewriters.render import closed
from rewriters.rewrite.lookups import LookUps
from rewriters.rewrite.marks import shorten
from rewriters.rewrite.resolving import value_at
from rewriters.rulebook import Rule
from rewriters.tree import walk
from rewriters.values import Items, Plain, Series, Tensor, Value

BINARY: dict[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
COMPARISONS: dict[type, str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
UNARY: dict[type, str] = {ast.Invert: "invert", ast.USub: "neg", ast.UAdd: "pos"}


class Operators(LookUps):
    """Rewrites operators that mean something else in the target, for some operands."""

    def changes(self, node: ast.expr) -> bool:
        """Whether an operator is rewritten, and with it its operands."""
        return (isinstance(node, ast.Compare) and self.comparison(node)) or self.operator(node)

    def operator(self, node: ast.expr) -> bool:
        """Whether a rule answers for the operator; its operands have been visited then.

        A rule whose body is the same operator leaves the text alone.
        """
        found = self.operands(node)
        if found is None:
            return False
        name, operands = found
        key = f"torch.Tensor.__{name}__"
        rules = self.book.rules.get(key)
        if not rules:
            return len(operands) > 1 and self.promoted(node, key)
        ordered = sorted(operands, key=self.source.start)
        with self.source.collect() as inner:
            for operand in ordered:
                self.visit(operand)
        arguments = [
            self.argument(operand, ordered.index(operand), inner, receiver=index == 0)
            for index, operand in enumerate(operands)
        ]
        if self.stays(rules, arguments, node):
            self.source.edits += inner
        else:
            self.apply(node, key, rules, arguments, inner)  # type: ignore[arg-type]
        return True

    def operands(self, node: ast.expr) -> tuple[str, list[ast.expr]] | None:
        """(name of the special method, receiver first) of an operator of which one operand is a tensor."""
        other_kinds = (Items, Series) if isinstance(node, ast.Compare) else (Plain, Items, Series)
        if hasattr(node, "own") or isinstance(value_at(node), other_kinds):
            return None  # an operator of the project's own class; `"%.3f" % x`, `[0] * n`
        if isinstance(node, ast.UnaryOp):
            name = UNARY.get(type(node.op))
            return (name, [node.operand]) if name and isinstance(value_at(node.operand), Tensor) else None
        if isinstance(node, ast.BinOp):
            name, left, right = BINARY.get(type(node.op)), node.left, node.right
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            name, left, right = COMPARISONS.get(type(node.ops[0])), node.left, node.comparators[0]
        else:
            return None
        if name is None:
            return None
        if isinstance(value_at(left), Tensor):
            return name, [left, right]
        if isinstance(value_at(right), Tensor):
            return MIRRORED.get(name) or f"r{name}", [right, left]
        return None

    def stays(self, rules: list[Rule], arguments: list[Argument], node: ast.expr) -> bool:
        """Whether the rule that fits is the same operator."""
        try:
            result = Inliner(choose(rules, arguments, self.target.ambient)).plan().result
        except (NoMatch, Refusal, RuleRaises):
            return False
        if isinstance(result, ast.BinOp) and isinstance(node, ast.BinOp):
            same = type(result.op) is type(node.op)
            parts = [result.left, result.right]
        elif isinstance(result, ast.Compare) and isinstance(node, ast.Compare):
            own, other = (COMPARISONS.get(type(part.ops[0]), "") for part in (node, result))
            same, parts = other in {own, MIRRORED.get(own)}, [result.left, *result.comparators]
        elif isinstance(result, ast.UnaryOp) and isinstance(node, ast.UnaryOp):
            same, parts = type(result.op) is type(node.op), [result.operand]
        else:
            return False
        return same and all(isinstance(part, Hole) for part in parts)

    def promoted(self, node: ast.expr | ast.AugAssign, key: str) -> bool:
        """``i + f`` as ``i.astype(f.dtype) + f``, where the target does not promote and both kinds are known."""
        if not self.target.cast:
            return False
        if isinstance(node, ast.BinOp):
            left, right = node.left, node.right
        elif isinstance(node, ast.Compare):
            left, right = node.left, node.comparators[0]
        else:
            assert isinstance(node, ast.AugAssign)
            left, right = node.target, node.value
        lower, like = (left, right) if is_lower(value_at(left), value_at(right)) else (right, left)
        if not is_lower(value_at(lower), value_at(like)) or isinstance(getattr(node, "op", None), ast.MatMult):
            return False
        if isinstance(node, ast.AugAssign) and lower is left:
            return False  # torch refuses it too
        with self.source.collect() as inner:
            self.visit(left)
            self.visit(right)
        arguments = [self.argument(part, n, inner) for n, part in enumerate((left, right))]
        of_lower, of_like = arguments if lower is left else reversed(arguments)
        cast = self.cast(of_lower, of_like)
        both: list[ast.expr] = [cast, hole(of_like)] if lower is left else [hole(of_like), cast]
        try:
            check_effects(Plan(ast.BinOp(both[0], ast.Add(), both[1])), arguments, self.rebindable)
        except Refusal as refusal:
            self.source.edits += inner
            what = f"{self.target.title} does not promote dtypes: give {shorten(of_lower.text)} the other operand's"
            self.mark(lower, key, f"{what} ({refusal.name})", "unsupported")
            return True
        self.record(lower, key, "inlined", "promotion of dtypes")
        start, end = self.source.start(lower), self.source.end(lower)
        self.source.edits += [edit for edit in inner if not start <= edit.start <= edit.end <= end]
        if self.is_enclosed(lower):
            before, after = self.source.buffer[:start].rstrip(b" "), self.source.buffer[end:]
            if before.endswith(b"(") and after.lstrip(b" ").startswith(b")"):
                start, end = len(before) - 1, end + after.index(b")") + 1
        self.source.edit(start, end, closed(self.printer.text(cast)))
        return True

    def cast(self, tensor: Argument, like: Argument) -> ast.expr:
        """The target's cast of one operand to the other's dtype."""
        places = {"tensor": tensor, "like": like}

        class Filled(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> ast.AST:
                return hole(places[node.id]) if node.id in places else node

        number = 0
        filled: ast.expr = Filled().visit(copy.deepcopy(expression_of(self.target.cast)))
        for part in reversed(walk(filled)):  # operands before what is done with them
            if isinstance(part, (ast.Call, ast.Attribute)):
                number += 1
                part.sequence, part.sometimes = number, False  # type: ignore[union-attr]
        return filled


def is_lower(one: Value, other: Value) -> bool:
    """Whether torch promotes the one tensor to the kind of the other, for sure."""
    if not isinstance(one, Tensor) or not isinstance(other, Tensor):
        return False
    lowest_of_other = other.kinds & -other.kinds
    return one.kinds < lowest_of_other
