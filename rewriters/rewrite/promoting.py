"""Operators in what a rule gives, ``torch.add(i, f)`` as ``i + f``: they promote dtypes as torch's do."""

from __future__ import annotations

import ast
import copy

from rewriters.infer import dtypes
from rewriters.infer.values import BOOL, FLOAT, FLOATING, INT, UNKNOWN, Tensor, Value
from rewriters.rewrite.draft import Part
from rewriters.rewrite.fallbacks import falls_back
from rewriters.rules import promotion
from rewriters.rules.binding import Argument, bind
from rewriters.rules.holes import Hole
from rewriters.rules.inline import Inliner, Plan, RuleRaises
from rewriters.rules.ordering import check_effects
from rewriters.rules.promotion import Answer
from rewriters.rules.refusal import Refusal
from rewriters.rules.rulebook import Rule
from rewriters.text.parsing import expression_of
from rewriters.text.tree import walk

BINARY: dict[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
COMPARISONS: dict[type, str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
# Functions and methods of torch that are an operator under another name than Python has for it.
NAMED = {"multiply": "mul", "subtract": "sub"}
IN_PLACE = {f"i{name}" for name in BINARY.values()}
CONSTANTS = {bool: BOOL, int: INT, float: FLOAT}


class Promoting(Part):
    """Casts operands, or has a helper look at them, where the target's table of promotion says so."""

    def answer(self, name: str, left: Value, right: Value, nodes: tuple[ast.expr, ast.expr]) -> Answer:
        """What becomes of an operator between these values; without a rule for it, it stays."""
        unheard = falls_back(self.source.nodes, nodes[0])
        found = promotion.answer(self.target.folder, name, left, right, nodes, unheard)
        if found in {Answer.CAST_LEFT, Answer.CAST_RIGHT} and self.target.cast:
            return found
        if found is Answer.PLAIN and f"torch.Tensor.__{name}__:widths" in self.book.rules:
            floats = [isinstance(one, Tensor) and promotion.single(one) == FLOATING for one in (left, right)]
            # what is not known is most likely a number
            tensors = isinstance(left, Tensor) and isinstance(right, Tensor)
            if (tensors or any(floats)) and self.shared.travel.makes_wide and promotion.of_open_widths([left, right]):
                return Answer.ASK
        if found is Answer.PLAIN and f"torch.Tensor.__{name}__:sizes" in self.book.rules:
            narrow = self.shared.travel.makes_narrow and promotion.of_several_sizes([left, right])
            if narrow or promotion.of_half_beside([left, right]):
                return Answer.ASK
        return Answer.ASK if found is not Answer.PLAIN and promoting_key(name) in self.book.rules else Answer.PLAIN

    def promote(self, plan: Plan, arguments: list[Argument]) -> Plan:
        """The plan with its operators promoted. Raises Refusal where that would do an argument's work twice."""
        if not any(isinstance(part, (ast.BinOp, ast.Compare)) for part in parts_of(plan)):
            return plan
        for casts in (True, False):
            promoter = Promoter(self, casts)
            result = promoter.visit(plan.result) if plan.result is not None else None
            statements = [promoter.visit(statement) for statement in plan.statements]
            if not promoter.changes:
                return plan
            promoted = Plan(result, statements, plan.required, plan.differs)
            try:
                check_effects(promoted, arguments, self.known.rebindable)
            except Refusal:
                if not casts:
                    raise
                continue
            for call, key in promoter.asked:
                call.func = expression_of(self.draft.helper_text(self.book.rules[key]))
            return promoted
        return plan

    def helping(self, chosen: list[Rule], arguments: list[Argument]) -> list[Rule]:
        """Whose helper is called for a rule that is an operator between its two parameters, where it is to look at
        run time and cannot be written where the call stands; none where the rule's own does.
        """
        if len(chosen) != 1 or len(arguments) != 2:
            return []
        try:
            bound = bind(chosen[0], arguments, self.target.ambient)
            whole = Inliner(bound, statement=False).plan(discard=False).result if bound is not None else None
        except (Refusal, RuleRaises):
            return []
        name = operator_of(whole)
        operands = [whole.left, whole.right] if isinstance(whole, ast.BinOp) else []
        operands = [whole.left, *whole.comparators] if isinstance(whole, ast.Compare) else operands
        held = [part.argument for part in operands if isinstance(part, Hole)]
        if not name or len(held) != 2 or held[0] is held[1]:
            return []
        left, right = held
        if self.answer(name, left.value, right.value, (left.node, right.node)) is Answer.PLAIN:
            return []
        rules = self.book.rules.get(promoting_key(name), [])
        places = [spec.arg for spec in rules[0].parameters.args] if rules else []
        swapped = any(one.keyword is None and arguments.index(one) != place for place, one in enumerate(held))
        if len(places) != 2 or swapped:
            return []
        left.called, right.called = places
        return rules

    def cast(self, tensor: ast.expr, like: ast.expr, sequence: int = 0, sometimes: bool = False) -> ast.expr:
        """The target's cast of one operand to the other's dtype."""
        places = {"tensor": tensor, "like": like}

        class Filled(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> ast.AST:
                return copy.copy(places[node.id]) if node.id in places else node

        template = expression_of(self.target.cast)
        for part in walk(template):
            if isinstance(part, (ast.Call, ast.Attribute)):
                part.sequence, part.sometimes = sequence, sometimes  # type: ignore[union-attr]
        filled: ast.expr = Filled().visit(copy.deepcopy(template))
        return filled


class Promoter(ast.NodeTransformer):
    """Promotes the operators of one expression.

    casts:   whether casts are written; else helpers do all.
    changes: how many operators have changed.
    asked:   calls that are to name the helper of that key.
    """

    def __init__(self, rewriter: Promoting, casts: bool) -> None:
        self.rewriter = rewriter
        self.casts = casts
        self.changes = 0
        self.asked: list[tuple[ast.Call, str]] = []

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        new = copy.copy(node)
        new.left, new.right = self.visit(node.left), self.visit(node.right)
        return self.operated(new, BINARY[type(node.op)], node.left, node.right)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        new = copy.copy(node)
        new.left, new.comparators = self.visit(node.left), [self.visit(part) for part in node.comparators]
        name = operator_of(node)
        return self.operated(new, name, node.left, node.comparators[0]) if name else new

    def generic_visit(self, node: ast.AST) -> ast.AST:
        return super().generic_visit(node if isinstance(node, ast.expr_context) else copy.copy(node))

    def operated(self, new: ast.BinOp | ast.Compare, name: str, left: ast.expr, right: ast.expr) -> ast.AST:
        nodes = (written(left), written(right))
        found = self.rewriter.answer(name, value_of(left), value_of(right), nodes)
        if found is Answer.PLAIN:
            return new
        self.changes += 1
        one, other = (new.left, new.right) if isinstance(new, ast.BinOp) else (new.left, new.comparators[0])
        place = (getattr(new, "sequence", 0), getattr(new, "sometimes", False))
        if found is not Answer.ASK and self.casts:
            if found is Answer.CAST_LEFT:
                new.left = self.rewriter.cast(one, other, *place)
            elif isinstance(new, ast.BinOp):
                new.right = self.rewriter.cast(other, one, *place)
            else:
                new.comparators = [self.rewriter.cast(other, one, *place)]
            return new
        key = promoting_key(name)
        if key not in self.rewriter.book.rules:
            return new
        call = ast.Call(ast.Name(id="_", ctx=ast.Load()), [one, other], [])
        call.sequence, call.sometimes = place  # type: ignore[attr-defined]
        self.asked.append((call, key))
        return call


def operator_of(node: ast.expr | None) -> str:
    """The name of an operator between two operands; "" of what is none."""
    if isinstance(node, ast.Compare):
        return COMPARISONS.get(type(node.ops[0]), "") if len(node.ops) == 1 else ""
    return BINARY[type(node.op)] if isinstance(node, ast.BinOp) else ""


def share_tensors(call: ast.Call) -> bool:
    """Whether both operands are made of one tensor, so that they are of one width: ``where(x > 0, x / c, x * c)``."""
    given, func = call.args[-2:], call.func
    if isinstance(func, ast.Attribute) and isinstance(getattr(func.value, "v", None), Tensor):
        given = [func.value, *call.args[-1:]]
    names = [tensors_named(one) for one in given]
    return len(names) == 2 and not names[0].isdisjoint(names[1])


def tensors_named(node: ast.expr) -> set[str]:
    """The names of tensors that an expression is made of."""
    named = (part for part in walk(node) if isinstance(part, (ast.Name, ast.Attribute)))
    return {ast.unparse(part) for part in named if isinstance(getattr(part, "v", None), Tensor)}


def promoting_key(operator: str) -> str:
    """The key of the rules that look at run time: they take the operands as they stand, left and right."""
    return f"torch.Tensor.__{operator.removeprefix('i') if operator in IN_PLACE else operator}__:mixed"


def parts_of(plan: Plan) -> list[ast.AST]:
    return [part for whole in [*plan.statements, plan.result] if whole is not None for part in walk(whole)]


def written(node: ast.expr) -> ast.expr:
    """The expression that stands in the source."""
    return node.argument.node if isinstance(node, Hole) else node


def value_of(node: ast.expr) -> Value:
    """What is known of an expression made of arguments and operators."""
    if isinstance(node, Hole):
        return node.argument.value
    if isinstance(node, ast.Constant):
        return CONSTANTS.get(type(node.value), UNKNOWN)
    if isinstance(node, ast.BinOp):
        left, right = value_of(node.left), value_of(node.right)
        return (
            dtypes.operated(left, right, node.op) if isinstance(left, Tensor) or isinstance(right, Tensor) else UNKNOWN
        )
    return UNKNOWN
