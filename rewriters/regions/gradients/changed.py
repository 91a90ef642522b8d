"""A statement that changes one parameter's gradient: ``p.grad.mul_(2)``, ``p.grad /= n``, ``p.grad = g``."""

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
        plan.written[statement] = [event.subject, statement.value]


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
    if isinstance(statement, ast.AugAssign):
        operand = value if form_of(value).precedence >= OPERAND else f"({value})"
        value = f"{before} {SIGNS[type(statement.op)]} {operand}"
    return words.changed(parameter, modules, gradients, value, draft)
