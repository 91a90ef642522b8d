"""What any function of torch's may be asked for beside its meaning, said once for all rules.

``out=``: the call is rewritten without it, and its result stored in the tensor of the caller's. ``requires_grad=``,
where a rule makes nothing of it: the result is then told to ask for a gradient.
"""

from __future__ import annotations

import ast

from rewriters.infer.values import Ref
from rewriters.report import Outcome
from rewriters.rewrite.calls import Calls
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rules.rulebook import Rule
from rewriters.text.tree import walk

STORE = "torch.Tensor:out"
GRADIENT = "torch.Tensor:requires_grad"
# With a place for each part, torch's give nothing.
GIVING_NOTHING = {"torch.unbind_copy", "torch.split_copy", "torch.split_with_sizes_copy"}


def words_of(rule: Rule) -> set[str]:
    """The names of its parameters."""
    return {argument.arg for argument in [*rule.parameters.args, *rule.parameters.kwonlyargs]}


class Outputs(Rewriting):
    """Rewrites such calls, by a target's rules under ``torch.Tensor:out`` and ``torch.Tensor:requires_grad``."""

    def __init__(self, tools: Tools, calls: Calls) -> None:
        super().__init__(tools)
        self.calls = calls

    def stores(self, node: ast.Call) -> bool:
        """Whether it is such a call; it has been rewritten then."""
        for word in node.keywords:
            if word.arg == "out" and self.has_own_place(node):
                self.finished(node, word, STORE)
                return True
            if word.arg == "requires_grad" and self.is_left_out(node):
                self.finished(node, word, GRADIENT)
                return True
        return False

    def finished(self, node: ast.Call, word: ast.keyword, key: str) -> None:
        """The call without the word, its result handed to the rule under that key, with what the word was given."""
        # A part of another call from here on, and no statement of its own.
        anchor = self.draft.here.anchor or self.draft.here.statement
        with (
            self.calls.keywords.without(node, [word]),
            self.source.collect() as inner,
            self.draft.within(anchor=anchor, statement=None),
        ):
            self.calls.visit_call(node)
        with self.source.collect() as of_out:
            self.walk.visit(word.value)
        result, out = self.source.text(node, inner), self.source.text(word.value, of_out)
        if isinstance(word.value, ast.Constant) and not word.value.value:
            self.draft.replace(node, result)
            return
        self.draft.record(node, key, Outcome.HELPER, self.book.rules[key][0].where)
        self.draft.replace(node, f"{self.draft.helper_text(self.book.rules[key])}({result}, {out})")

    def is_left_out(self, node: ast.Call) -> bool:
        """Whether rules take ``requires_grad`` for the call, and none of them looks at it."""
        found = self.names.resolve(node.func)
        key = self.names.key_of(found) if found is not None else ""
        rules = [rule for rule in self.book.rules.get(key, ()) if "requires_grad" in words_of(rule)]
        if GRADIENT not in self.book.rules or not rules or rules[0].is_class:
            return False
        return not any(isinstance(part, ast.Name) and part.id == "requires_grad"
                       for rule in rules for statement in rule.node.body for part in walk(statement))  # fmt: skip

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
        return not rules[0].is_class and not any("out" in words_of(rule) for rule in rules)
