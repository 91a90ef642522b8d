"""``sum(xs)``, ``reduce(operator.mul, xs)``: operators that Python applies, between tensors of several dtypes."""

from __future__ import annotations

import ast

from rewriters.infer.joining import element, joined, low_kinds
from rewriters.infer.kinds import LOW
from rewriters.infer.values import BOOLEAN, INT, INTEGRAL, External, Items, Plain, Ref, Tensor, Unknown, Value
from rewriters.report import Outcome
from rewriters.rewrite.promoting import NAMED, promoting_key
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rules.promotion import Answer
from rewriters.rules.rulebook import Rule

# What applies an operator by itself: which one, and to what it is applied first.
OPERATORS: dict[Value, tuple[str, Value]] = {Plain("builtin:sum"): ("add", INT), External("math.prod"): ("mul", INT)}
# What is handed one: the place of the function, and of what it is applied to.
TAKING: dict[Value, tuple[int, int]] = {External("functools.reduce"): (0, 1), External("itertools.accumulate"): (1, 0)}


class Folds(Rewriting):
    """Hands Python's folds a function that promotes as torch does, where the target's operator does not."""

    def folded(self, node: ast.Call) -> bool:
        """Whether it was rewritten; its arguments have been visited then."""
        called = value_at(node.func)
        if not node.args or any(isinstance(one, ast.Starred) for one in node.args) or node.keywords:
            return False
        if called in OPERATORS:
            return self.added_up(node, *OPERATORS[called])
        function, given = TAKING.get(called, (0, 0))
        if function == given or len(node.args) <= given:
            return False
        if len(node.args) <= function:
            return self.accumulated(node)
        name = operator_of(value_at(node.args[function]))
        rules = self.asked(name, node.args[given], *map(value_at, node.args[2:]))
        if not rules:
            return False
        self.draft.record(node.args[function], f"torch.Tensor.__{name}__", Outcome.HELPER, rules[0].where)
        self.draft.replace(node.args[function], self.draft.helper_text(rules))
        self.visit_others(node, function)
        return True

    def added_up(self, node: ast.Call, name: str, first: Value) -> bool:
        """``sum(xs)`` and ``math.prod(xs)``, by the rule under ``torch.Tensor.__add__:folded``."""
        key = f"torch.Tensor.__{name}__"
        rules = self.book.rules.get(f"{key}:folded")
        start = value_at(node.args[1]) if len(node.args) > 1 else first
        if not rules or not self.asked(name, node.args[0], start):
            return False
        self.draft.record(node, key, Outcome.HELPER, rules[0].where)
        self.draft.replace(node.func, self.draft.helper_text(rules))
        self.visit_others(node, None)
        return True

    def accumulated(self, node: ast.Call) -> bool:
        """``accumulate(xs)`` is given what adds."""
        rules = self.asked("add", node.args[0])
        if not rules:
            return False
        self.draft.record(node, "torch.Tensor.__add__", Outcome.HELPER, rules[0].where)
        with self.source.collect() as inner:
            self.walk.visit(node.args[0])
        words = f"{self.placing.given(node.args[0], inner)}, {self.draft.helper_text(rules)}"
        self.draft.replace(node.args[0], words)
        return True

    def visit_others(self, node: ast.Call, replaced: int | None) -> None:
        for place, one in enumerate(node.args):
            if place != replaced:
                self.walk.visit(one)

    def asked(self, name: str, given: ast.expr, *start: Value) -> list[Rule] | None:
        """The rules that look at run time what the operator stands between, where that may matter."""
        rules = self.book.rules.get(promoting_key(name)) if name else None
        held = value_at(given)
        parts = [*(held.values if isinstance(held, Items) else [element(held)]), *start]
        if any(isinstance(one, Unknown) and one.tensor and low_kinds(one) & LOW for one in parts):
            return rules
        tensors = [one for one in parts if isinstance(one, Tensor)]
        tensors += [one for one in [joined(tensors)] if isinstance(one, Tensor)]  # what some of them have given
        if name == "add" and any(one.kinds & BOOLEAN for one in tensors):
            tensors.append(Tensor(kinds=INTEGRAL))  # what 0 and truth values add up to
        first = [one for one in start if isinstance(one, (Tensor, Plain))]
        answers = {self.placing.answer(name, a, b, (given, given)) for a in [*first, *tensors] for b in tensors}
        return rules if answers - {Answer.PLAIN} else None


def operator_of(value: Value) -> str:
    """The operator that a function of Python's or torch's stands for; "" for others."""
    name = value.name if isinstance(value, (External, Ref)) else ""
    module, _, last = name.rpartition(".")
    if module not in {"operator", "_operator", "torch", "torch.Tensor"}:
        return ""
    last = last.strip("_")
    return NAMED.get(last, last)
