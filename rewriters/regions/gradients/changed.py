"""A statement that changes one parameter's gradient: ``p.grad.mul_(2)``, ``p.grad /= n``, ``p.grad[0] = g``."""

from __future__ import annotations

import ast

from rewriters.regions.gradients.events import Event
from rewriters.regions.gradients.words import Words
from rewriters.regions.plan import Draft, Plan, replace_within
from rewriters.text.precedence import OPERAND, SIGNS, form_of


def prepare_change(event: Event, plan: Plan) -> None:
    """Have the walk give the value that the statement gives the gradient."""
    statement = event.statement
    plan.parts[event.node] = [event.subject]
    if isinstance(statement, ast.Expr):
        plan.fresh.add(statement.value)
    elif isinstance(statement, (ast.Assign, ast.AugAssign)):
        part = part_of(statement)
        plan.written[statement] = [event.subject, *([part.slice] if part else []), statement.value]


def changed_text(event: Event, modules: str, gradients: str, words: Words, draft: Draft) -> str:
    """The statement that gives the parameter another gradient."""
    statement, source = event.statement, draft.source
    parameter = source.text(event.subject, source.edits)
    assert isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign))
    assert isinstance(event.node, ast.Attribute)
    before = words.read(parameter, modules, gradients, draft)
    if isinstance(statement, ast.Expr):
        replace_within(source, event.node, before)
    assert statement.value is not None
    value = source.text(statement.value, source.edits)
    part = part_of(statement)
    index = source.text(part.slice, source.edits) if part else ""
    if isinstance(statement, ast.AugAssign):
        operand = value if form_of(value).precedence >= OPERAND else f"({value})"
        value = f"{before}{f'[{index}]' if part else ''} {SIGNS[type(statement.op)]} {operand}"
    value = words.stored(before, index, value) if part else value
    return words.changed(parameter, modules, gradients, value, draft)


def part_of(statement: ast.stmt) -> ast.Subscript | None:
    """``p.grad[0]``, to which is stored."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
    return target if isinstance(target, ast.Subscript) else None
