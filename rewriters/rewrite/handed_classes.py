"""A class or function of torch's that is handed on, where all its calls mean the same of the target's own."""

from __future__ import annotations

import ast

from rewriters.report import Outcome
from rewriters.rewrite.given_keywords import without_defaults
from rewriters.rewrite.reached_calls import reached_calls
from rewriters.rewrite.resolving import Callee
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rules.binding import Argument, choose
from rewriters.rules.holes import Hole
from rewriters.rules.inline import Inliner, RuleRaises
from rewriters.rules.refusal import NoMatch, Refusal
from rewriters.rules.rulebook import Rule, dotted
from rewriters.rules.tidy import tidy
from rewriters.torch.table import is_tensor_class

# Kinds of special rules that say what the value is, or that look at more of a call than its arguments' text.
DECIDED = ("told", "value", "mixed", "numbers")


class HandedClasses(Rewriting):
    """Finds out for which names the target's own will do."""

    def value_text(self, node: ast.expr, key: str, callee: Callee, as_class: bool) -> tuple[Outcome, str, str]:
        """(outcome, text, detail) of a torch object used as a value at a node."""
        own = None if as_class or callee.spelling in self.book.spelled else self.own_name(node, key)
        if own is None:
            return self.names.value_text(key, callee, as_class)
        with self.draft.within(style=callee.style):
            return Outcome.INLINED, self.draft.spell(own), "each call of it means the same"

    def own_name(self, node: ast.expr, key: str) -> str | None:
        """The target's dotted name, where ``own(...)`` is what torch's call becomes, wherever the value arrives."""
        book, rules = self.book, self.book.rules.get(key)
        if not rules or rules[0].is_class or is_tensor_class(key) or ":" in key:
            return None
        if key in book.refusals or key in book.aliases or key in book.same:
            return None
        if any(f"{key}:{kind}" in book.rules for kind in DECIDED) or any(
            one.startswith(f"{key}:") for one in self.shared.variants
        ):
            return None
        calls = reached_calls(node, self.known.module, self.shared.travel, self.known.read_elsewhere)
        names = {self.becomes(call, key, rules) for call in calls or ()}
        return names.pop() if len(names) == 1 else None

    def becomes(self, call: ast.Call, key: str, rules: list[Rule]) -> str | None:
        """The target's name that takes a call's arguments as they stand; None where the call becomes something else."""
        if any(isinstance(one, ast.Starred) for one in call.args) or any(word.arg is None for word in call.keywords):
            return None
        arguments = [Argument(value, order) for order, value in enumerate(call.args, start=1)]
        arguments += [
            Argument(word.value, order, word.arg) for order, word in enumerate(call.keywords, len(arguments) + 1)
        ]
        try:
            plan = Inliner(without_defaults(choose(rules, arguments, self.target.ambient), key)).plan()
        except (NoMatch, Refusal, RuleRaises):
            return None
        if plan.statements or plan.differs or not isinstance(plan.result, ast.Call):
            return None
        made = tidy(plan.result, self.shared.signatures, key)
        assert isinstance(made, ast.Call)
        given = [(None, one) for one in made.args] + [(word.arg, word.value) for word in made.keywords]
        same = [(word, one.argument) for word, one in given if isinstance(one, Hole)]
        name = dotted(made.func)
        if len(same) != len(given) or same != [(one.keyword, one) for one in arguments] or name is None:
            return None
        return name if name.partition(".")[0] in self.target.packages else None
