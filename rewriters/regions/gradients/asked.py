"""Numbers whose values Python itself asks for: ``if k > 0.5``, ``math.sqrt(k)``. What is compiled is given arrays."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rewriters.infer.syntax import path_of
from rewriters.infer.values import External, FunctionOf, Plain
from rewriters.regions.gradients.trained import arguments
from rewriters.regions.tracing import value_of
from rewriters.text.tree import walk

# How deep the project's functions are looked into that are given a number.
DEPTH = 4
TESTING = (ast.If, ast.While, ast.IfExp, ast.Assert)


def is_asked(code: Iterable[ast.AST], path: str, depth: int = DEPTH) -> bool:
    """Whether code asks for the value of the number that lies there, as far as it can be followed."""
    for part in code:
        for node in walk(part):
            if isinstance(node, TESTING) and mentions(node.test, path):
                return True
            truth = isinstance(node, ast.BoolOp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
            if truth and mentions(node, path):
                return True
            if isinstance(node, (ast.FormattedValue, ast.Slice)) and mentions(node, path):
                return True
            if isinstance(node, ast.comprehension) and any(mentions(test, path) for test in node.ifs):
                return True
            if isinstance(node, ast.Call) and asks(node, path, depth):
                return True
    return False


def asks(call: ast.Call, path: str, depth: int) -> bool:
    """Whether a call does: one of Python's own, of a library's, or of a function of the project that does."""
    given = [*call.args, *(word.value for word in call.keywords)]
    if not any(mentions(one, path) for one in given):
        return False
    called = value_of(call.func)
    if isinstance(called, FunctionOf):
        names = [name for name, value in arguments(call, called.info).items() if mentions(value, path)]
        body = called.info.node.body
        code = body if isinstance(body, list) else [body]
        untold = not depth or any(isinstance(one, ast.Starred) for one in call.args)
        return untold or any(is_asked(code, name, depth - 1) for name in names)
    return isinstance(called, (External, Plain))


def mentions(node: ast.AST, path: str) -> bool:
    return any(isinstance(part, (ast.Name, ast.Attribute)) and path_of(part) == path for part in walk(node))
