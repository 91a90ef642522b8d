"""Stores to names of torch's modules: ``torch.backends.cudnn.benchmark = True``."""

from __future__ import annotations

import ast

from rewriters.report import Outcome
from rewriters.rewrite.resolving import Callee
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rules.binding import choose
from rewriters.rules.inline import Inliner, Plan, RuleRaises
from rewriters.rules.ordering import check_effects
from rewriters.rules.refusal import NoMatch, Refusal
from rewriters.rules.render import enclosed


class Settings(Rewriting):
    """Rewrites them by the rule under the name and ``=``."""

    def stored(self, node: ast.Assign, callee: Callee) -> bool:
        """Whether it is such a store, and has been rewritten."""
        return self.store_setting(node, callee) or self.left_setting(node, callee)

    def store_setting(self, node: ast.Assign, callee: Callee) -> bool:
        """``torch.backends.cudnn.benchmark = True`` by the rule under that name and ``=``, which gets the value."""
        key, before = f"{callee.key}=", len(self.draft.report.sites)
        rules = self.book.rules.get(key)
        if not rules:
            return False
        with self.source.collect() as inner:
            self.walk.visit(node.value)
        value, called = self.placing.argument(node.value, 0, inner), False
        try:
            plan = Inliner(choose(rules, [value], self.target.ambient), statement=True).plan(discard=True)
            self.placing.check_free_names(plan, rules[0])
            check_effects(plan, [value], self.known.rebindable)
        except Refusal:  # what it is set to is computed, and once
            plan, called = Plan(None), True
        except (NoMatch, RuleRaises):
            plan = None
        if plan is None or plan.result is not None or len(plan.statements) > 1:
            del self.draft.report.sites[before:]
            return False
        self.names.count_load(node.targets[0])
        self.draft.record(node.targets[0], key, Outcome.HELPER if called else Outcome.INLINED, rules[0].where)
        if called:
            self.draft.replace(node, f"{self.draft.helper_text(rules)}({enclosed(value, 0)})")
        elif plan.statements:
            self.draft.replace(node, self.draft.printer.statement(plan.statements[0]))
        else:
            self.draft.removal.remove(node)
        return True

    def left_setting(self, node: ast.Assign, callee: Callee) -> bool:
        """A setting without a counterpart, made while others import the file: the import goes on."""
        target, key = node.targets[0], callee.key
        assert isinstance(target, ast.Attribute)
        if not self.draft.is_loading(node.value) or (self.book.answers(key) and key not in self.book.refusals):
            return False
        self.names.count_load(target)
        self.draft.mark(target, key, self.book.refusals.get(key) or self.draft.no_rule(key))
        of = self.draft.stand_in(key.rpartition(".")[0])
        name = self.draft.printer.text(ast.Constant(target.attr))
        self.source.edit(self.source.start(target), self.source.start(node.value), f"{of}._store({name}, ")
        self.walk.visit(node.value)
        self.source.edit(self.source.end(node), self.source.end(node), ")")
        return True
