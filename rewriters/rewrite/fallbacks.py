"""Where an error of the target's own takes another way, unheard: ``try: loss = f(x, y)`` with an ``except`` for any."""

from __future__ import annotations

import ast

from rewriters.text.tree import Nodes

# A longer one is a program's own work, whose errors are told.
MOST_STATEMENTS = 3
WIDE = {"Exception", "BaseException", "RuntimeError", "ValueError"}  # the last is the targets' for shapes, not torch's


def falls_back(nodes: Nodes, node: ast.AST) -> bool:
    """Whether an expression stands in a short ``try`` that goes on with something else after any error."""
    if not nodes.of(ast.Try):
        return False
    statement = nodes.around(node, ast.stmt)
    around = nodes.parents.get(statement) if statement is not None else None
    if not isinstance(around, ast.Try) or statement not in around.body or len(around.body) > MOST_STATEMENTS:
        return False
    return any(map(goes_on, around.handlers))


def goes_on(handler: ast.ExceptHandler) -> bool:
    """``except RuntimeError: y = x``."""
    of = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type] if handler.type else []
    wide = not of or any(isinstance(one, ast.Name) and one.id in WIDE for one in of)
    return wide and not any(isinstance(part, ast.Raise) for part in handler.body)


def may_broadcast(nodes: Nodes, node: ast.Call) -> bool:
    """Whether the first two are of different ranks for sure; or may be, in a ``try``, where no error is heard."""
    ranks = {getattr(getattr(part, "v", None), "ndim", None) for part in node.args[:2]}
    return (len(ranks) == 2 and None not in ranks) or falls_back(nodes, node)
