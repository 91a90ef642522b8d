"""Inlining: the body of a rule, evaluated as far as the call's arguments decide it.

The result is an expression (and statements before it) with holes where the arguments' own text goes. Whatever can't be
shown to keep meaning is a named Refusal; the caller then uses the emitted helper.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from rewriters.infer.values import Plain, Tensor
from rewriters.rules.binding import Argument, Bound
from rewriters.rules.effects import Effect, effect_of
from rewriters.rules.folding import Folder
from rewriters.rules.holes import UNDECIDED, Hole, hole
from rewriters.rules.refusal import Obstacle, Refusal
from rewriters.text.tree import walk

REFUSES = "the rule refuses this call"


class RuleRaises(Exception):
    """The rule itself says that this call has no equivalent; the message is the reason."""


@dataclass
class Plan:
    """What a call becomes.

    result:     expression with holes; None when the rule returns nothing.
    statements: to run before it, where the call stands as a statement.
    required:   places in the order of evaluation (see rewriters.rules.folding) of calls that must not get lost.
    differs:    why the outcome is not torch's, as the rule says.
    """

    result: ast.expr | None
    statements: list[ast.stmt] = field(default_factory=list)
    required: set[int] = field(default_factory=set)
    differs: list[str] = field(default_factory=list)


class Inliner(Folder):
    """Evaluates one rule's body for one call."""

    def __init__(self, bound: Bound, statement: bool = False) -> None:
        super().__init__(bound)
        self.statement = statement

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
        return plan

    def run(self, body: list[ast.stmt], plan: Plan) -> bool:
        """Evaluate statements; True when a return was reached."""
        for index, statement in enumerate(body):
            if isinstance(statement, ast.Return):
                self.asked = statement.value
                plan.result = self.answer(statement.value) if statement.value is not None else None
                return True
            if isinstance(statement, ast.If):
                truth = self.truth(statement.test)
                if truth is UNDECIDED:
                    raise Refusal(Obstacle.UNDECIDED_BRANCH, ast.unparse(statement.test))
                branch = statement.body if truth else statement.orelse
                if self.run(branch, plan):
                    return True
            elif isinstance(statement, ast.Raise):
                raise RuleRaises(self.message(statement))
            elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                self.assign(statement.targets[0], statement.value, body[index + 1 :], plan)
            elif isinstance(statement, ast.Pass) or is_text(statement):
                continue
            elif (reason := said_to_differ(statement)) is not None:
                plan.differs.append(self.told(reason))
            elif isinstance(statement, ast.Expr) and self.statement:
                plan.statements.append(ast.Expr(self.fold(statement.value)))
            else:
                raise Refusal(Obstacle.STATEMENTS, type(statement).__name__)
        return False

    def assign(self, target: ast.expr, value: ast.expr, rest: list[ast.stmt], plan: Plan) -> None:
        if isinstance(target, ast.Attribute) and self.statement:
            folded = self.fold(value)
            plan.statements.append(
                ast.Assign([ast.Attribute(self.fold(target.value), target.attr, ast.Store())], folded)
            )
            return
        if isinstance(target, ast.Subscript) and self.statement:
            folded, place = self.fold(value), self.fold(target.value)
            stored: ast.expr = ast.Subscript(place, self.fold(target.slice), ast.Store())
            if is_all(target.slice) and isinstance(place, Hole) and is_part(place.argument.node):
                stored = place  # ``x[:, 1][...] = 0`` is ``x[:, 1] = 0``, which a graph is told of too
            plan.statements.append(self.numbered(ast.Assign([stored], folded)))
            return
        if not isinstance(target, ast.Name):
            raise Refusal(Obstacle.STATEMENTS, "Assign")
        name = target.id
        folded = self.fold(value)
        if name == "self" and name in self.bound.arguments:
            self.rebind(self.bound.arguments[name], folded, plan)
            return
        names = [node for statement in rest for node in walk(statement) if isinstance(node, ast.Name)]
        uses = sum(node.id == name and isinstance(node.ctx, ast.Load) for node in names)
        if isinstance(folded, (ast.Constant, Hole)) or uses <= 1:
            plan.required |= {node.sequence for node in walk(folded) if isinstance(node, ast.Call)}  # type: ignore[attr-defined]
            self.locals[name] = folded
        elif self.statement:
            self.locals[name] = ast.Name(id=name)
            plan.statements.append(ast.Assign([ast.Name(id=name)], folded))
        else:
            raise Refusal(Obstacle.STATEMENTS, f"{name} is used {uses} times")

    def rebind(self, argument: Argument, value: ast.expr, plan: Plan) -> None:
        """``self = ...``: an in-place method where nothing changes in place; the receiver's name gets a new value."""
        if argument.fresh:
            self.locals["self"] = value
            return
        place = argument.place or argument
        if not isinstance(place.node, (ast.Name, ast.Attribute, ast.Subscript)):
            raise RuleRaises(f"{argument.text} is no variable that could be bound to the result; give it a name first")
        if not self.statement:
            raise Refusal(Obstacle.STATEMENTS, "the receiver is bound anew")
        plan.statements.append(ast.Assign([hole(place)], value))
        if argument.place is not None:
            self.locals["self"] = hole(place)

    def message(self, statement: ast.Raise) -> str:
        call = statement.exc
        return self.told(call.args[0]) if isinstance(call, ast.Call) and call.args else REFUSES

    def told(self, reason: ast.expr) -> str:
        folded = self.fold(reason)
        return str(folded.value) if isinstance(folded, ast.Constant) else REFUSES


def is_all(index: ast.expr) -> bool:
    return isinstance(index, ast.Constant) and index.value is ...


def is_part(node: ast.AST) -> bool:
    """Whether it is part of a tensor, by ranges and numbers: stored to, that part changes."""
    if not isinstance(node, ast.Subscript):
        return False
    whole = getattr(node.value, "v", None)
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    kinds = [getattr(part, "v", None) for part in parts]
    return (isinstance(whole, Tensor) and not whole.assumed) and all(
        isinstance(part, (ast.Slice, ast.Constant)) or (isinstance(kind, Plain) and kind.kind == "int")
        for part, kind in zip(parts, kinds, strict=True)
    )


def said_to_differ(statement: ast.stmt) -> ast.expr | None:
    """The reason in ``differs("why; what to do")``; None for any other statement."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    named = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "differs"
    return call.args[0] if named and isinstance(call, ast.Call) else None


def reasons_of(body: ast.AST) -> list[str]:
    """All that a rule says of what differs, where it is not evaluated but called."""
    said = (said_to_differ(part) for part in ast.walk(body) if isinstance(part, ast.stmt))
    return [str(getattr(part, "value", None) or ast.unparse(part)) for part in said if part is not None]


def is_text(statement: ast.stmt) -> bool:
    """A docstring."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
