"""A class or function of torch's that is handed on, where all its calls mean the same of the target's own."""

from __future__ import annotations

import ast
from typing import NamedTuple

from rewriters.report import Outcome
from rewriters.rewrite.class_names import is_function
from rewriters.rewrite.given_keywords import without_defaults
from rewriters.rewrite.reached_calls import partial_of, reached_calls
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


class Own(NamedTuple):
    """The target's. given: a partial's keywords, and how it calls each."""

    name: str
    given: tuple[tuple[ast.keyword, str], ...]


class HandedClasses(Rewriting):
    """Finds out for which names the target's own will do."""

    def value_text(self, node: ast.expr, key: str, callee: Callee, as_class: bool) -> tuple[Outcome, str, str]:
        """(outcome, text, detail) of a torch object used as a value at a node."""
        kept = as_class or callee.spelling in self.book.spelled or (is_function(key) and self.shared.travel.names_asked)
        own = None if kept else self.own_name(node, key)
        if own is None:
            return self.names.value_text(key, callee, as_class)
        for word, name in own.given:
            start = self.source.start(word)
            if word.arg != name:
                self.source.edit(start, start + len((word.arg or "").encode()), name)
        with self.draft.within(style=callee.style):
            return Outcome.INLINED, self.draft.spell(own.name), "each call of it means the same"

    def own_name(self, node: ast.expr, key: str) -> Own | None:
        """Where ``own(...)`` is what torch's call becomes, wherever the value arrives, or a partial of it."""
        book, rules = self.book, self.book.rules.get(key)
        if not rules or rules[0].is_class or is_tensor_class(key) or ":" in key:
            return None
        if key in book.refusals or key in book.aliases or key in book.same:
            return None
        if any(f"{key}:{kind}" in book.rules for kind in DECIDED) or any(
            one.startswith(f"{key}:") for one in self.shared.variants
        ):
            return None
        partial = partial_of(node, self.known.module)
        value = node if partial is None else partial
        calls = reached_calls(value, self.known.module, self.shared.travel, self.known.read_elsewhere)
        before = partial.keywords if partial else []
        names = {self.becomes(call, before, key, rules) for call in calls or ()}
        return names.pop() if len(names) == 1 else None

    def becomes(self, call: ast.Call, before: list[ast.keyword], key: str, rules: list[Rule]) -> Own | None:
        """The target's name that takes a call's arguments as they stand; None where the call becomes something else.

        before: keywords that a partial gives, whose names may become others.
        """
        if any(isinstance(one, ast.Starred) for one in call.args) or any(word.arg is None for word in call.keywords):
            return None
        if {word.arg for word in before} & {word.arg for word in call.keywords}:
            return None
        arguments = [Argument(value, order) for order, value in enumerate(call.args, start=1)]
        arguments += [
            Argument(word.value, order, word.arg)
            for order, word in enumerate([*call.keywords, *before], len(arguments) + 1)
        ]
        said = arguments[: len(arguments) - len(before)]
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
        if len(same) != len(given) or same[: len(said)] != [(one.keyword, one) for one in said] or name is None:
            return None
        bound = {id(one): word for word, one in same[len(said) :] if word is not None}
        words = tuple(bound.get(id(one), "") for one in arguments[len(said) :])
        if len(same) != len(arguments) or not all(words) or name.partition(".")[0] not in self.target.packages:
            return None
        return Own(name, tuple(zip(before, words, strict=True)))
