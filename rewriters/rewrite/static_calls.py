"""Calls of what becomes a static graph."""

from __future__ import annotations

import ast

from rewriters.rewrite.rewriting import Rewriting


class StaticCalls(Rewriting):
    """Rewrites them as the plan of what becomes static asks for."""

    def writes(self, statement: ast.stmt) -> bool:
        """Whether the plan writes a statement anew: what it asks for of it is rewritten, and nothing else."""
        parts = None if self.known.plan is None else self.known.plan.written.get(statement)
        for part in parts or ():
            self.walk.visit(part)
        return parts is not None

    def call(self, node: ast.Call, function: str) -> None:
        """``receiver.method(x)`` becomes ``function(receiver, x)``."""
        assert isinstance(node.func, ast.Attribute)
        receiver, source = node.func.value, self.source
        self.walk.visit(receiver)
        for argument in [*node.args, *(word.value for word in node.keywords)]:
            self.walk.visit(argument)
        opening = source.buffer.index(b"(", source.end(node.func)) + 1
        source.edit(source.start(node), source.start(node), f"{function}(")
        source.edit(source.end(receiver), opening, ", " if node.args or node.keywords else "")
