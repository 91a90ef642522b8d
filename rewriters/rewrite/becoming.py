"""What may become another tensor than it was, where the target would then give something else than torch."""

from __future__ import annotations

import ast

from rewriters.infer.values import Tensor
from rewriters.places.own_objects import ITEMS
from rewriters.report import Outcome
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rules.binding import choose
from rewriters.rules.inline import Inliner

ROWS = "torch.Tensor.__iter__:rows"


class Becoming(Rewriting):
    """Has views be tensors of their own, and rows be taken at once.

    Under ROWS is the rule for what is a tensor, under ``ROWS_unknown`` the one for what may be.
    """

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools)
        self.rows: set[ast.expr] = set()

    def look_into(self, function: ast.AST | None) -> None:
        """What of a function or lambda, or at the top of the file, is to be so."""
        places, module = self.shared.places, self.known.module
        for node in places.gave_itself(function, module):
            if isinstance(node, ast.Subscript):
                key = ITEMS
            else:
                callee = self.names.resolve(node.func if isinstance(node, ast.Call) else node)  # type: ignore[arg-type]
                key = "" if callee is None else self.names.key_of(callee)
            if key:
                self.draft.keys.setdefault(node, f"{key}:own")
        if ROWS in self.book.rules:
            self.rows |= places.rows(function, module)

    def takes_rows(self, node: ast.expr) -> bool:
        """Whether it is looped over and becomes the list of its rows, with what is in it."""
        if node not in self.rows:
            return False
        self.rows.discard(node)
        with self.source.collect() as inner:
            self.walk.visit(node)
        value = value_at(node)
        known = isinstance(value, Tensor) and not value.assumed
        rules = self.book.rules[ROWS if known else f"{ROWS}_unknown"]
        if known:
            argument = self.placing.argument(node, 0, inner, receiver=True)
            result = Inliner(choose(rules, [argument], self.target.ambient)).plan().result
            assert result is not None
            text = self.draft.printer.text(result)
        else:
            text = f"{self.draft.helper_text(rules)}({self.placing.given(node, inner)})"
        self.draft.record(node, ROWS, Outcome.INLINED if known else Outcome.HELPER, rules[0].where)
        self.draft.replace(node, text)
        return True
