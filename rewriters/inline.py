"""Inlining: the body of a rule, evaluated as far as the call's arguments decide it.

The result is an expression (and statements before it) with holes where the arguments' own text goes. Whatever can't be
shown to keep meaning is a named Refusal; the caller then uses the emitted helper.
"""

from __future__ import annotations

import ast
import copy
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rewriters.binding import Argument, Bound, Refusal, is_none, is_of
from rewriters.effects import Effect, effect_of
from rewriters.rulebook import dotted


class RuleRaises(Exception):
    """The rule itself says that this call has no equivalent; the message is the reason."""


class Hole(ast.Name):
    """The place of an argument's text."""

    argument: Argument


@dataclass
class Plan:
    """What a call becomes.

    result:     expression with holes; None when the rule returns nothing.
    statements: to run before it, where the call stands as a statement.
    """

    result: ast.expr | None
    statements: list[ast.stmt] = field(default_factory=list)


UNDECIDED: Any = object()
COMPARE: dict[type, Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Pow: operator.pow,
}  # fmt: skip


class Inliner:
    """Evaluates one rule's body for one call."""

    def __init__(self, bound: Bound, statement: bool = False) -> None:
        self.bound = bound
        self.statement = statement
        self.locals: dict[str, ast.expr] = {}
        self.uses: dict[str, int] = {}

    def plan(self, discard: bool = False) -> Plan:
        """What the call becomes; ``discard``: nobody uses the value.

        Raises Refusal and RuleRaises.
        """
        plan = Plan(None)
        self.run(self.bound.rule.node.body, plan)
        if (
            discard
            and plan.statements
            and isinstance(plan.result, Hole)
            and effect_of(plan.result.argument.node) < Effect.EFFECT
        ):
            plan.result = None
        if self.bound.extra:
            raise Refusal("ExtraKeywords")
        return plan

    def run(self, body: list[ast.stmt], plan: Plan) -> bool:
        """Evaluate statements; True when a return was reached."""
        for index, statement in enumerate(body):
            if isinstance(statement, ast.Return):
                plan.result = self.fold(statement.value) if statement.value is not None else None
                return True
            if isinstance(statement, ast.If):
                truth = self.truth(statement.test)
                if truth is UNDECIDED:
                    raise Refusal("UndecidedBranch", ast.unparse(statement.test))
                branch = statement.body if truth else statement.orelse
                if self.run(branch, plan):
                    return True
            elif isinstance(statement, ast.Raise):
                raise RuleRaises(self.message(statement))
            elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                self.assign(statement.targets[0].id, statement.value, body[index + 1 :], plan)
            elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue
            elif isinstance(statement, ast.Expr) and self.statement:
                plan.statements.append(ast.Expr(self.fold(statement.value)))
            else:
                raise Refusal("Statements", type(statement).__name__)
        return False

    def assign(self, name: str, value: ast.expr, rest: list[ast.stmt], plan: Plan) -> None:
        folded = self.fold(value)
        uses = sum(isinstance(n, ast.Name) and n.id == name for s in rest for n in ast.walk(s))
        if isinstance(folded, (ast.Constant, Hole)) or uses <= 1:
            self.locals[name] = folded
        elif self.statement:
            self.locals[name] = ast.Name(id=name)
            plan.statements.append(ast.Assign([ast.Name(id=name)], folded))
        else:
            raise Refusal("Statements", f"{name} is used {uses} times")

    def message(self, statement: ast.Raise) -> str:
        call = statement.exc
        if isinstance(call, ast.Call) and call.args:
            folded = self.fold(call.args[0])
            if isinstance(folded, ast.Constant):
                return str(folded.value)
        return "the rule refuses this call"

    # -- folding ------------------------------------------------------------------------------------------------

    def fold(self, node: ast.expr) -> ast.expr:
        """The expression with parameters replaced and everything decided evaluated."""
        if isinstance(node, ast.Name):
            return self.name(node)
        if isinstance(node, ast.IfExp):
            truth = self.truth(node.test)
            if truth is not UNDECIDED:
                return self.fold(node.body if truth else node.orelse)
            return ast.IfExp(self.fold(node.test), self.fold(node.body), self.fold(node.orelse))
        if isinstance(node, (ast.BoolOp, ast.Compare)) or (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        ):
            truth = self.truth(node)
            if truth is not UNDECIDED:
                return ast.Constant(truth)
        if isinstance(node, (ast.BinOp, ast.UnaryOp)):
            return self.arithmetic(node)
        if isinstance(
            node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr, ast.Await)
        ):
            if any(isinstance(n, ast.Name) and self.is_parameter(n.id) for n in ast.walk(node)):
                raise Refusal("LateBinding", type(node).__name__)
            return copy.deepcopy(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.Subscript):
            return self.subscript(node)
        return self.rebuild(node)

    def subscript(self, node: ast.Subscript) -> ast.expr:
        """``betas[0]`` of a tuple that stands in the call is its first element."""
        container, index = self.fold(node.value), self.fold(node.slice)
        number = constant(index)
        if isinstance(number, int) and isinstance(container, (ast.Tuple, ast.List)):
            return container.elts[number]
        if isinstance(number, int) and isinstance(container, Hole) and isinstance(container.argument.node, ast.Tuple):
            value = constant(container.argument.node.elts[number])
            if value is not UNDECIDED:
                return ast.Constant(value)
        return ast.Subscript(container, index, ast.Load())

    def is_parameter(self, name: str) -> bool:
        bound = self.bound
        return name in bound.arguments or name in bound.variadic or name in bound.defaults or name in self.locals

    def name(self, node: ast.Name) -> ast.expr:
        bound = self.bound
        if node.id in self.locals:
            return copy.copy(self.locals[node.id])
        if node.id in bound.arguments:
            return hole(bound.arguments[node.id])
        if node.id in bound.variadic:
            return ast.List([hole(argument) for argument in bound.variadic[node.id]], ast.Load())
        if node.id in bound.defaults:
            default = copy.deepcopy(bound.defaults[node.id])
            default.defaulted = True  # type: ignore[attr-defined]
            return default
        return copy.copy(node)

    def call(self, node: ast.Call) -> ast.expr:
        name = dotted(node.func)
        if name == "len" and len(node.args) == 1:
            inner = self.fold(node.args[0])
            size = len(inner.elts) if isinstance(inner, (ast.List, ast.Tuple)) else known_length(inner)
            if size is not None:
                return ast.Constant(size)
        if name == "isinstance":
            truth = self.truth(node)
            if truth is not UNDECIDED:
                return ast.Constant(truth)
        arguments: list[ast.expr] = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                inner = self.fold(argument.value)
                if isinstance(inner, (ast.List, ast.Tuple)):
                    arguments += inner.elts
                    continue
                arguments.append(ast.Starred(inner, ast.Load()))
                continue
            arguments.append(self.fold(argument))
        keywords = [ast.keyword(word.arg, self.fold(word.value)) for word in node.keywords]
        return ast.Call(self.fold(node.func), arguments, keywords)

    def rebuild(self, node: ast.expr) -> ast.expr:
        new = copy.copy(node)
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(new, name, self.fold(value))
            elif isinstance(value, list):
                setattr(new, name, [self.fold(v) if isinstance(v, ast.expr) else v for v in value])
            elif isinstance(value, ast.keyword):
                setattr(new, name, ast.keyword(value.arg, self.fold(value.value)))
        return new

    def arithmetic(self, node: ast.BinOp | ast.UnaryOp) -> ast.expr:
        if isinstance(node, ast.UnaryOp):
            operand = self.fold(node.operand)
            return ast.UnaryOp(node.op, operand)
        left, right = self.fold(node.left), self.fold(node.right)
        a, b = constant(left), constant(right)
        if a is not UNDECIDED and b is not UNDECIDED and type(node.op) in ARITHMETIC:
            try:
                value = ARITHMETIC[type(node.op)](a, b)
            except (TypeError, ValueError, ZeroDivisionError, OverflowError):
                value = UNDECIDED
            # 1 - 0.9 is 0.09999999999999998: then the sum reads better than its value.
            if isinstance(value, (int, float)) and len(repr(value)) <= max(len(repr(a)), len(repr(b))) + 2:
                return ast.Constant(value)
        return ast.BinOp(left, node.op, right)

    # -- tests --------------------------------------------------------------------------------------------------

    def truth(self, test: ast.expr) -> Any:
        """True, False or UNDECIDED."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = self.truth(test.operand)
            return inner if inner is UNDECIDED else not inner
        if isinstance(test, ast.BoolOp):
            wanted = isinstance(test.op, ast.Or)
            answers = [self.truth(part) for part in test.values]
            if wanted in answers:
                return wanted
            return UNDECIDED if UNDECIDED in answers else not wanted
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            return self.compare(test)
        if isinstance(test, ast.Call) and dotted(test.func) == "isinstance":
            inner = self.fold(test.args[0])
            if isinstance(inner, Hole):
                answer = is_of(inner.argument, test.args[1])
                return UNDECIDED if answer is None else answer
            if isinstance(inner, ast.Constant):
                return isinstance_of_constant(inner.value, test.args[1])
            if isinstance(inner, (ast.List, ast.Tuple)):
                return (
                    "list" in ast.unparse(test.args[1])
                    if isinstance(inner, ast.List)
                    else "tuple" in ast.unparse(test.args[1])
                )
            return UNDECIDED
        inner = self.fold(test)
        value = constant(inner)
        if value is not UNDECIDED:
            return bool(value)
        if isinstance(inner, ast.List):
            return bool(inner.elts)
        return UNDECIDED

    def compare(self, test: ast.Compare) -> Any:
        left, right = self.fold(test.left), self.fold(test.comparators[0])
        op = type(test.ops[0])
        if op in (ast.Is, ast.IsNot):
            if not (isinstance(right, ast.Constant) and right.value is None):
                return UNDECIDED
            answer = is_none(left.argument.node) if isinstance(left, Hole) else is_none(left)
            if answer is None:
                return UNDECIDED
            return answer if op is ast.Is else not answer
        a, b = constant(left), constant(right)
        if a is UNDECIDED or b is UNDECIDED or op not in COMPARE:
            return UNDECIDED
        try:
            return bool(COMPARE[op](a, b))
        except TypeError:
            return UNDECIDED


def hole(argument: Argument) -> Hole:
    node = Hole(id="_", ctx=ast.Load())
    node.argument = argument
    return node


def constant(node: ast.expr) -> Any:
    """The value of a literal, of a hole with a literal, else UNDECIDED."""
    source = node.argument.node if isinstance(node, Hole) else node
    if isinstance(source, ast.Constant):
        return source.value
    if isinstance(source, (ast.UnaryOp, ast.Tuple, ast.List)) and not any(
        isinstance(n, Hole) for n in ast.walk(source)
    ):
        try:
            return ast.literal_eval(source)
        except ValueError:
            return UNDECIDED
    if isinstance(source, (ast.Tuple, ast.List)):
        items = [constant(item) for item in source.elts]
        return UNDECIDED if UNDECIDED in items else tuple(items)
    return UNDECIDED


def known_length(node: ast.expr) -> int | None:
    source = node.argument.node if isinstance(node, Hole) else node
    if isinstance(source, (ast.Tuple, ast.List)) and not any(isinstance(item, ast.Starred) for item in source.elts):
        return len(source.elts)
    return None


def isinstance_of_constant(value: Any, annotation: ast.expr) -> bool:
    names = {n.id for n in ast.walk(annotation) if isinstance(n, ast.Name)}
    return any(klass.__name__ in names for klass in type(value).__mro__[:-1])


# -- effects ----------------------------------------------------------------------------------------------------------


def holes(node: ast.AST, conditional: bool = False) -> Iterator[tuple[Argument, bool]]:
    """Holes in evaluation order, with whether they are evaluated only sometimes."""
    if isinstance(node, Hole):
        yield node.argument, conditional
        return
    if isinstance(node, ast.IfExp):
        yield from holes(node.test, conditional)
        yield from holes(node.body, True)
        yield from holes(node.orelse, True)
        return
    if isinstance(node, ast.BoolOp):
        for index, part in enumerate(node.values):
            yield from holes(part, conditional or index > 0)
        return
    if isinstance(node, (ast.Assign,)):
        yield from holes(node.value, conditional)
        return
    for child in ast.iter_child_nodes(node):
        yield from holes(child, conditional)


def check_effects(plan: Plan, arguments: list[Argument]) -> None:
    """Each argument with an effect is evaluated exactly once, and in the order it was; raises Refusal."""
    used: list[tuple[Argument, bool]] = []
    for statement in plan.statements:
        used += holes(statement)
    if plan.result is not None:
        used += holes(plan.result)
    order = [argument for argument, _ in used]
    effects = {id(argument): effect_of(argument.node) for argument in arguments}
    for argument in arguments:
        count = sum(other is argument for other in order)
        effect = effects[id(argument)]
        if count == 0 and effect is Effect.EFFECT:
            raise Refusal("DroppedEffect", argument.text)
        if count > 1 and effect is Effect.EFFECT:
            raise Refusal("DuplicatedEffect", argument.text)
        if count > 1 and effect is Effect.PURE:
            raise Refusal("DuplicatedWork", argument.text)
        if effect is Effect.EFFECT and any(other is argument and conditional for other, conditional in used):
            raise Refusal("ConditionalEffect", argument.text)
    for later in range(len(order)):
        for earlier in range(later):
            first, second = order[earlier], order[later]
            if first.order <= second.order:
                continue
            pair = (effects[id(first)], effects[id(second)])
            if Effect.EFFECT in pair and min(pair) > Effect.LITERAL and not is_local(first, second):
                raise Refusal("Reordered", f"{second.text} and {first.text}")


def is_local(first: Argument, second: Argument) -> bool:
    """Whether the one of the two that has no effect is a plain local name, which the other cannot rebind."""
    for argument, other in ((first, second), (second, first)):
        if isinstance(argument.node, ast.Name) and not any(
            isinstance(n, (ast.NamedExpr, ast.Await, ast.Yield)) for n in ast.walk(other.node)
        ):
            return True
    return False
