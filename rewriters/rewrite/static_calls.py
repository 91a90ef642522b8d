"""Calls of what becomes a static graph."""

from __future__ import annotations

import ast

from rewriters.rewrite.rewriting import Rewriting


class StaticCalls(Rewriting):
    """Rewrites them as the plan of what becomes static asks for."""

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
