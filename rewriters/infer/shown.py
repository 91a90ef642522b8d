"""Which names the statements of a body surely show to be tensors (``alone.py``), whatever comes of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from rewriters.infer.alone import given, shown_by, sizes_taken
from rewriters.infer.others import Others
from rewriters.text.tree import children, walk

# What is evaluated first of a statement, whatever comes of it.
FIRST = {ast.If: "test", ast.While: "test", ast.For: "iter", ast.Assert: "test", ast.Return: "value"}
SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)
# What may not be evaluated, or not here.
SOMETIMES = (
    *(ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr),
    *(ast.Compare, ast.Await, ast.Yield, ast.YieldFrom),
)
LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await, ast.Try)


def shown_parameters(
    function: ast.FunctionDef | ast.AsyncFunctionDef, others: Others, called: Callable[[ast.Call], str]
) -> frozenset[str]:
    """The parameters that its body surely uses as tensors alone can be used, before it binds them anew or returns.

    called: the name of torch's function that a call calls; "" of others.
    """
    arguments = function.args
    names = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    found: set[str] = set()
    bound: set[str] = set()
    for statement in straight(function.body):
        shown = [*uses(statement, others, called)]
        found |= {one.id for one in shown if isinstance(one, ast.Name)} - bound
        bound |= {part.id for part in walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, BINDING)}
    return frozenset(found & names)


BINDING = (ast.Store, ast.Del)


def straight(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that are executed one after the other, whatever comes of them, up to the first that may leave."""
    for statement in body:
        if isinstance(statement, (ast.With, ast.AsyncWith)):
            yield from straight(statement.body)
        else:
            yield statement
        if any(isinstance(part, LEAVING) for part in walk(statement)):
            return


def uses(statement: ast.stmt, others: Others, called: Callable[[ast.Call], str]) -> Iterator[ast.expr]:
    """What a statement surely shows to be tensors."""
    if others.anything:
        return
    unpacked = sizes_taken(statement, others)
    if unpacked is not None:
        yield unpacked
    parts: list[ast.AST] = []
    if isinstance(statement, SIMPLE):
        parts.append(statement)
    elif type(statement) in FIRST and getattr(statement, FIRST[type(statement)]) is not None:
        parts.append(getattr(statement, FIRST[type(statement)]))
    while parts:
        part = parts.pop()
        if isinstance(part, ast.Call):
            shown = shown_by(part, others)
            if shown is not None:
                yield shown
            yield from given(part, called(part), others)
        first = part.left if isinstance(part, ast.Compare) else part.test if isinstance(part, ast.IfExp) else None
        first = part.values[0] if isinstance(part, ast.BoolOp) else first
        parts += [first] if first is not None else [] if isinstance(part, SOMETIMES) else children(part)
