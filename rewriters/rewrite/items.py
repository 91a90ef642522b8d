"""Subscripts of tensors for which a special rule answers: what is taken from where, and stores as calls."""

from __future__ import annotations

import ast

from rewriters.places.index_parts import item_called
from rewriters.report import Outcome
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rules.binding import choose
from rewriters.rules.effects import Effect, effect_of
from rewriters.rules.inline import Inliner
from rewriters.rules.render import enclosed
from rewriters.text.precedence import OPERAND, SIGNS
from rewriters.text.source_text import Edit
from rewriters.text.tree import walk

# Evaluating these twice gives the same, and costs little.
PLAIN_PARTS = (
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Slice,
    ast.Constant,
    ast.Tuple,
    ast.UnaryOp,
    ast.expr_context,
)


class Items(Rewriting):
    """Rewrites such subscripts."""

    def visited(self, node: ast.Subscript, key: str) -> bool:
        """Whether it was rewritten; ``x[i], y[j] = ...``, ``for x[i] in ...``, no statement of its own, is marked."""
        if isinstance(node.ctx, ast.Load):
            self.take_from(node, key)
            return True
        if isinstance(node.ctx, ast.Store):
            self.draft.differs(node, key, "several stores at once through what may be a strided view: write one a line")
        return False

    def take_from(self, node: ast.Subscript, key: str) -> None:
        """``x[index]``, where a rule says what it is taken from instead of x, or has a parameter for the index too."""
        with self.source.collect() as inner:
            self.walk.visit(node.value)
        if len(self.book.rules[key][0].parameters.args) > 1:
            with self.source.collect() as within:
                self.walk.visit(node.slice)
            self.draft.record(node, key, Outcome.HELPER, self.book.rules[key][0].where)
            owner, index = self.placing.given(node.value, inner), self.index_text(node.slice, within)
            self.draft.replace(node, f"{self.draft.helper_text(self.book.rules[key])}({owner}, {index})")
            return
        self.draft.record(node.value, key, Outcome.INLINED, self.book.rules[key][0].where)
        start, end = self.source.start(node.value), self.source.end(node.value)
        self.source.edit(start, end, self.taken_text(node, key, inner))
        self.walk.visit(node.slice)

    def store_item(self, node: ast.Assign | ast.AugAssign) -> bool:
        """``x[index] = value`` as a call, where a rule under ``torch.Tensor.__setitem__`` answers for this store."""
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        key = self.draft.keys.get(target)
        if key is None or not isinstance(target, ast.Subscript):
            return False
        if isinstance(node, ast.Assign) and node.targets[1:]:
            return False
        with self.source.collect() as inner:
            for part in (target.value, target.slice, node.value):
                self.walk.visit(part)
        owner, value = (self.placing.given(part, inner) for part in (target.value, node.value))
        index = self.index_text(target.slice, inner)
        words = [f"{owner}", index, value]
        if isinstance(node, ast.AugAssign):
            by = f"{SIGNS[type(node.op)]} {enclosed(self.placing.argument(node.value, 0, inner), OPERAND)}"
            words[2] = f"lambda taken: taken {by}"
            if is_plain(target):
                words[2] = f"{self.taken(target, key.replace('__setitem__', '__getitem__'), inner)} {by}"
            else:
                key = f"{key} in place"
        elif (
            not isinstance(node.value, ast.Constant)
            and not is_plain(target)
            and any(effect_of(part) is Effect.EFFECT for part in (target.value, target.slice, node.value))
        ):
            words = [f"value={value}", f"self={owner}", f"index={index}"]  # in the order in which Python evaluates them
        rules = self.book.rules[key]
        self.draft.record(target, key, Outcome.HELPER, rules[0].where)
        self.draft.replace(node, f"{self.draft.helper_text(rules)}({', '.join(words)})")
        return True

    def called(self, node: ast.Call) -> bool:
        """``operator.getitem(x, index)`` by the rule that answers for it; whether it was rewritten."""
        item, rules = item_called(node), self.book.rules.get(self.draft.keys.get(node, ""))
        if item is None or not rules:
            return False
        with self.source.collect() as inner:
            for part in item.given:
                self.walk.visit(part)
        words = [self.placing.given(one, inner) for one in item.given]
        words[1] = self.index_text(item.place, inner)
        self.draft.record(node, self.draft.keys[node], Outcome.HELPER, rules[0].where)
        self.draft.replace(node, f"{self.draft.helper_text(rules)}({', '.join(words)})")
        return True

    def taken(self, node: ast.Subscript, key: str, inner: list[Edit]) -> str:
        """What a subscript takes, as its rule says; where there is none, as it stands."""
        rules = self.book.rules.get(key)
        if not rules:
            return self.source.text(node, inner)
        if len(rules[0].parameters.args) > 1:
            owner, index = self.placing.given(node.value, inner), self.index_text(node.slice, inner)
            return f"{self.draft.helper_text(rules)}({owner}, {index})"
        return f"{self.taken_text(node, key, inner)}[{self.source.text(node.slice, inner)}]"

    def taken_text(self, node: ast.Subscript, key: str, inner: list[Edit]) -> str:
        """What is taken from instead of the subscript's receiver."""
        receiver = self.placing.argument(node.value, 0, inner, receiver=True)
        result = Inliner(choose(self.book.rules[key], [receiver], self.target.ambient)).plan().result
        assert result is not None
        return self.draft.printer.text(result)

    def index_text(self, node: ast.expr, inner: list[Edit]) -> str:
        """An index as a value: ``1:`` is ``slice(1, None)``."""
        if isinstance(node, ast.Tuple):
            return f"({', '.join(self.index_text(part, inner) for part in node.elts)}{',' * (len(node.elts) == 1)})"
        if isinstance(node, ast.Starred):
            return f"*{self.placing.given(node.value, inner)}"
        if not isinstance(node, ast.Slice):
            return self.placing.given(node, inner)
        ends = [node.lower, node.upper, node.step]
        words = ["None" if end is None else self.placing.given(end, inner) for end in ends]
        if node.step is None:
            words = words[1:2] if node.lower is None else words[:2]
        return f"slice({', '.join(words)})"


def is_plain(target: ast.Subscript) -> bool:
    return all(isinstance(part, PLAIN_PARTS) for part in walk(target))
