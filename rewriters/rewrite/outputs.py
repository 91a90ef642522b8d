"""``out=``: the call is rewritten without it, and its result stored in the tensor of the caller's."""

from __future__ import annotations

import ast

from rewriters.infer.values import Ref
from rewriters.report import Outcome
from rewriters.rewrite.calls import Calls
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.text.source_text import Edit

STORE = "torch.Tensor:out"
# With a place for each part, torch's give nothing.
GIVING_NOTHING = {"torch.unbind_copy", "torch.split_copy", "torch.split_with_sizes_copy"}


class Outputs(Rewriting):
    """Rewrites calls of torch's functions that are given ``out``, by a target's rule under ``torch.Tensor:out``."""

    def __init__(self, tools: Tools, calls: Calls) -> None:
        super().__init__(tools)
        self.calls = calls

    def stores(self, node: ast.Call) -> bool:
        """Whether it is such a call; it has been rewritten then."""
        word = next((word for word in node.keywords if word.arg == "out"), None)
        if word is None or not self.has_own_place(node):
            return False
        given, node.keywords = node.keywords, [other for other in node.keywords if other is not word]
        self.calls.left_out[node] = self.without(node, word)
        try:
            with self.source.collect() as inner:
                self.calls.visit_call(node)
        finally:
            node.keywords = given
            del self.calls.left_out[node]
        with self.source.collect() as of_out:
            self.walk.visit(word.value)
        result, out = self.source.text(node, inner), self.source.text(word.value, of_out)
        if isinstance(word.value, ast.Constant) and word.value.value is None:
            self.draft.replace(node, result)
            return True
        self.draft.record(node, STORE, Outcome.HELPER, self.book.rules[STORE][0].where)
        self.draft.replace(node, f"{self.draft.helper_text(self.book.rules[STORE])}({result}, {out})")
        return True

    def has_own_place(self, node: ast.Call) -> bool:
        """Whether it is a function of torch's whose rules know no ``out`` of their own."""
        callee = value_at(node.func)
        if STORE not in self.book.rules or not isinstance(callee, Ref):
            return False
        found = self.names.resolve(node.func)
        key = self.names.key_of(found) if found is not None else ""
        if key not in self.book.rules or key in GIVING_NOTHING:
            return key in self.book.same
        rules = self.book.rules[key]
        named = (arg.arg for rule in rules for arg in [*rule.parameters.args, *rule.parameters.kwonlyargs])
        return not rules[0].is_class and "out" not in named

    def without(self, node: ast.Call, word: ast.keyword) -> Edit:
        """The keyword taken out, with the comma before or behind it."""
        buffer = self.source.buffer
        start, end = self.source.start(word), self.source.end(word)
        before = max(
            (self.source.end(part) for part in [*node.args, *node.keywords] if self.source.end(part) < start),
            default=None,
        )
        if before is not None:
            return Edit(buffer.index(b",", before), end, "")
        after = min(
            (self.source.start(other) for other in node.keywords if self.source.start(other) > end), default=end
        )
        return Edit(start, after, "")
