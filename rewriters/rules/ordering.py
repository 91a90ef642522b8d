"""Whether an inlined rule does what the call of its helper does: the same things, as often, in the same order.

The helper's call evaluates all arguments in their order, then the rule's body. The inlined text evaluates an argument
where the body mentions it.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from rewriters.rules.binding import Argument
from rewriters.rules.effects import Effect, effect_of, immutable, is_fresh, may_look_up
from rewriters.rules.holes import Hole
from rewriters.rules.inline import Plan
from rewriters.rules.refusal import Obstacle, Refusal
from rewriters.rules.rulebook import dotted
from rewriters.text.tree import children, walk

# Characters that the text of one argument may take up beyond its first use.
MOST_REPEATED = 30


@dataclass(frozen=True)
class Event:
    """Something that happens when the result is evaluated.

    argument:  an argument of the call, or
    node:      an operation of the rule's body.
    sometimes: only in some cases.
    """

    argument: Argument | None
    node: ast.AST | None
    sometimes: bool

    @property
    def is_call(self) -> bool:
        return self.node is not None and not isinstance(self.node, LOOKS)

    @property
    def sequence(self) -> int:
        found: int = getattr(self.node, "sequence", 0)
        return found


# Operations that change nothing, but see changes.
LOOKS = (ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.Compare)
INERT = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Slice, ast.Starred, ast.Lambda, ast.Name)


def events(node: ast.AST | None, sometimes: bool = False) -> Iterator[Event]:
    """What happens when the node is evaluated, in order."""
    if node is None:
        return
    if isinstance(node, Hole):
        yield Event(node.argument, None, sometimes)
    elif isinstance(node, ast.IfExp):
        yield from events(node.test, sometimes)
        yield from events(node.body, True)
        yield from events(node.orelse, True)
    elif isinstance(node, ast.BoolOp):
        for index, part in enumerate(node.values):
            yield from events(part, sometimes or index > 0)
    elif isinstance(node, ast.Assign):
        yield from events(node.value, sometimes)
        target = node.targets[0]
        if isinstance(target, ast.Attribute):
            yield from events(target.value, sometimes)
            yield Event(None, node, sometimes)
        elif isinstance(target, ast.Subscript):
            yield from events(target.value, sometimes)
            yield from events(target.slice, sometimes)
            yield Event(None, node, sometimes)
    elif isinstance(node, ast.Expr):
        yield from events(node.value, sometimes)
    elif isinstance(node, ast.Call):
        # Looking a method up comes before its arguments, here as in torch's own call.
        yield from events(node.func.value if isinstance(node.func, ast.Attribute) else node.func, sometimes)
        for part in [*node.args, *(word.value for word in node.keywords)]:
            yield from events(part, sometimes)
        yield Event(None, node, sometimes)
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            yield from events(key, sometimes)
            yield from events(value, sometimes)
    elif isinstance(node, ast.Compare):
        yield from events(node.left, sometimes)
        for index, part in enumerate(node.comparators):
            yield from events(part, sometimes or index > 0)
        yield Event(None, node, sometimes)
    elif isinstance(node, ast.Lambda) or (isinstance(node, ast.Attribute) and dotted(node) and not holes(node)):
        return
    else:
        for child in children(node):
            if isinstance(child, ast.expr):
                yield from events(child, sometimes)
        if isinstance(node, ast.expr) and not isinstance(node, INERT):
            yield Event(None, node, sometimes)


def holes(node: ast.AST) -> list[Argument]:
    return [part.argument for part in walk(node) if isinstance(part, Hole)]


def check_effects(plan: Plan, arguments: list[Argument], rebindable: Collection[str] = ()) -> None:
    """Raises Refusal where something would happen another number of times, only sometimes, or in another order.

    rebindable: names of the file that a function other than the one they are used in may bind anew.
    """
    happening: list[Event] = []
    for part in [*plan.statements, plan.result]:
        happening += events(part)
    check_counts(happening, arguments)
    check_argument_order(happening, rebindable)
    check_body_order(happening, plan)


def check_counts(happening: list[Event], arguments: list[Argument]) -> None:
    for argument in arguments:
        uses = [event for event in happening if event.argument is argument]
        effect = effect_of(argument.node)
        if not uses and effect is Effect.EFFECT:
            raise Refusal(Obstacle.DROPPED_EFFECT, argument.text)
        if len(uses) > 1 and effect is Effect.EFFECT:
            raise Refusal(Obstacle.DUPLICATED_EFFECT, argument.text)
        if len(uses) > 1 and (effect is Effect.PURE or is_fresh(argument.node) or may_look_up(argument.node)):
            raise Refusal(Obstacle.DUPLICATED_WORK, argument.text)
        if effect is Effect.EFFECT and any(event.sometimes for event in uses):
            raise Refusal(Obstacle.CONDITIONAL_EFFECT, argument.text)


def check_text(result: ast.expr) -> None:
    """Raises Refusal where the result would name something long again and again: a call of the helper reads better."""
    named = [argument for argument in holes(result) if not isinstance(argument.node, (ast.Name, ast.Constant))]
    for argument in named:
        if (sum(one is argument for one in named) - 1) * len(argument.text) > MOST_REPEATED:
            raise Refusal(Obstacle.REPEATED_TEXT, argument.text)


def check_argument_order(happening: list[Event], rebindable: Collection[str]) -> None:
    order = [event.argument for event in happening if event.argument is not None]
    for index, second in enumerate(order):
        for first in order[:index]:
            if first.order <= second.order:
                continue
            pair = (effect_of(first.node), effect_of(second.node))
            both = may_look_up(first.node) and may_look_up(second.node)
            moved = both or (Effect.EFFECT in pair and min(pair) > Effect.LITERAL)
            if moved and not (is_settled(first, second, rebindable) or is_settled(second, first, rebindable)):
                raise Refusal(Obstacle.REORDERED, f"{second.text} and {first.text}")


def is_settled(argument: Argument, other: Argument, rebindable: Collection[str]) -> bool:
    """Whether the argument is a name that evaluating the other cannot bind anew."""
    node = argument.node
    if not isinstance(node, ast.Name) or node.id in rebindable:
        return False
    return not any(isinstance(part, (ast.NamedExpr, ast.Await, ast.Yield)) for part in walk(other.node))


def check_body_order(happening: list[Event], plan: Plan) -> None:
    """The rule's own operations: after the arguments with effects, and among themselves as the rule has them."""
    done: set[int] = set()
    earlier: list[Event] = []
    for event in happening:
        if event.argument is not None:
            check_behind(event.argument, earlier)
            continue
        if event.is_call:
            if event.sequence in done:
                raise Refusal(Obstacle.DUPLICATED_WORK, shown(event.node))
            done.add(event.sequence)
            if event.sometimes and not getattr(event.node, "sometimes", True):
                raise Refusal(Obstacle.CONDITIONAL_EFFECT, shown(event.node))
        for before in earlier:
            if before.sequence > event.sequence > 0 and (before.is_call or event.is_call):
                raise Refusal(Obstacle.REORDERED, f"{shown(event.node)} and {shown(before.node)}")
        earlier.append(event)
    if plan.required - done:
        raise Refusal(Obstacle.DROPPED_EFFECT, "a call in the rule")


def check_behind(argument: Argument, earlier: list[Event]) -> None:
    """An argument that stands behind operations of the body, which the helper would do after it."""
    effect = effect_of(argument.node)
    for event in earlier:
        assert event.node is not None
        if effect is Effect.EFFECT and (event.is_call or holes(event.node)):
            raise Refusal(Obstacle.REORDERED, f"{argument.text} and {shown(event.node)}")
        if effect is Effect.PURE and event.is_call and not immutable(argument.node):
            raise Refusal(Obstacle.REORDERED, f"{argument.text} and {shown(event.node)}")


def shown(node: ast.AST | None) -> str:
    """The operation with ``_`` for arguments."""
    return ast.unparse(ast.fix_missing_locations(node)) if node is not None else ""


def is_reflected(arguments: list[Argument]) -> bool:
    """Whether operands are handed over in another order than torch evaluates them in, and it can be told."""
    effects = [effect_of(argument.node) for argument in arguments]
    swapped = any(first.order > second.order for first, second in itertools.pairwise(arguments))
    return swapped and Effect.EFFECT in effects and min(effects) > Effect.LITERAL
