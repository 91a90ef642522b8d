"""Arrays in the memory of tensors, where the target computes beside Python: one waits for the other.

Under ``torch.Tensor.numpy:late`` a target says what waits until all is computed. That is put after a statement by which
a tensor changes whose array is read later, and before one by which an array changes of which something was computed.
"""

from __future__ import annotations

import ast

from rewriters.places import Change
from rewriters.places.calls import NUMPY_OF
from rewriters.report import Outcome
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rules.rulebook import Rule

SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)


class Arriving(Rewriting):
    """Notes the statements beside which the program has to wait, and writes that when they are come to."""

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools)
        self.before: dict[ast.stmt, tuple[str, list[Rule]]] = {}
        self.after: dict[ast.stmt, tuple[str, list[Rule]]] = {}

    def waits(self, change: Change, keys: list[str]) -> bool:
        """Whether all is right once the program waits, or without that: nothing else is to be said then.

        keys: what torch calls what made the arrays of tensors, or the tensors of arrays.
        """
        keys = [NUMPY_OF if key.startswith("numpy.") else key for key in keys]
        rules = [self.book.rules.get(f"{key}:late") for key in keys]
        if not keys or None in rules or change.spread is not None:
            return False
        statement = change.statement
        if not hasattr(statement, "parent"):
            return False  # a lambda's
        noted = keys[0], rules[0] or []
        if change.of_array:
            # That an array was just made says nothing: it is given at once where the tensor itself is there.
            if isinstance(statement, ast.While) or not self.begins_line(statement):
                return False
            self.before[statement] = noted
            return True
        if change.broken is None or change.broken.name == "what the same line reads":
            return False
        if not isinstance(statement, SIMPLE) or not self.begins_line(statement) or not self.ends_line(statement):
            return False
        self.after[statement] = noted
        return True

    def begins_line(self, statement: ast.stmt) -> bool:
        start = self.source.start(statement)
        return not self.source.original(self.source.line_start(statement.lineno), start).strip(" \t\f@")

    def ends_line(self, statement: ast.stmt) -> bool:
        rest = self.source.buffer[self.source.end(statement) :].split(b"\n", 1)[0]
        return not rest.split(b"#")[0].strip()

    def write(self, statement: ast.stmt) -> None:
        """What waits, in lines of its own."""
        if statement in self.before:
            text = self.text(statement, *self.before[statement])
            self.draft.above_statement()[text] = text
        if statement in self.after:
            text = self.text(statement, *self.after[statement])
            end = self.source.end(statement)
            rest = self.source.buffer[end:].split(b"\n", 1)[0]
            indent = self.source.indentation(statement.lineno)
            at = end + len(rest.rstrip(b"\r"))
            self.source.edit(at, at, f"{self.source.newline}{indent}{text}")

    def text(self, statement: ast.stmt, key: str, rules: list[Rule]) -> str:
        self.draft.record(statement, key, Outcome.HELPER, rules[0].where)
        return f"{self.draft.helper_text(rules)}()"
