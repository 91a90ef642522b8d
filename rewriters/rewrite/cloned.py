"""What a target's passes ask to be cloned, ``a / b`` whose result changes in place, or detached: ``x.long()``."""

from __future__ import annotations

import ast

from rewriters.infer.values import Tensor, Unknown
from rewriters.places.kept_results import CLONED, is_pair
from rewriters.places.whole_casts import CUT
from rewriters.report import Outcome
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.text.parsing import expression_of
from rewriters.text.precedence import CLOSED
from rewriters.text.tree import text_of


def enclosed(text: str) -> str:
    """In brackets, where it is an operator's."""
    return text if isinstance(expression_of(f"({text}\n)"), CLOSED) else f"({text})"


class Clones(Rewriting):
    """Writes ``.clone()`` or ``.detach()`` behind an expression."""

    def visited(self, node: ast.expr) -> bool:
        """Whether the expression is to be cloned or detached; it has been rewritten then."""
        key = self.draft.keys.get(node)
        if key is None:  # it is asked of every expression
            return False
        suffix = next((one for one in (CUT, CLONED) if key.endswith(one)), "")
        if not suffix:
            return False
        self.draft.keys[node] = key.removesuffix(suffix)
        if key == suffix:
            del self.draft.keys[node]
        of_pair = suffix == CLONED and is_pair(node)
        if of_pair and not self.is_unpacked(node):
            self.draft.differs(node, "torch.Tensor.clone", f"{self.why}: clone the values, and change the clone")
            return False
        anchor = self.draft.here.anchor or self.draft.here.statement
        with self.source.collect() as inner, self.draft.within(anchor=anchor, statement=None):
            self.walk.visit(node)
        text = self.source.text(node, inner)
        if suffix == CUT:
            why = f"{self.target.title} hands gradients on through casts to integers and truth values"
            self.draft.record(node, "torch.Tensor.detach", Outcome.INLINED, why)
            self.draft.replace(node, f"{enclosed(text)}.detach()")
            return True
        self.told(node)
        pair = f"(part.clone() for part in {text})"  # which is unpacked
        self.draft.replace(node, pair if of_pair else f"{enclosed(text)}.clone()")
        return True

    def divides(self, node: ast.AugAssign) -> bool:
        """``y /= b`` as ``y[...] = y / b``: so is what was divided kept beside y; whether it has been rewritten.

        A part of a tensor is stored into itself: ``v[rows] = v[rows] / b``.
        """
        if self.draft.keys.get(node) != CLONED:
            return False
        held = value_at(node.target.value) if isinstance(node.target, ast.Subscript) else None
        if isinstance(held, Unknown) and text_of(node.target.slice) is None:  # type: ignore[union-attr]
            return False  # a tensor, of which the part may be a copy, or a list
        with self.source.collect() as inner:
            self.walk.visit(node.target)
            self.walk.visit(node.value)
        whole = "" if isinstance(held, Tensor) else "[...]"
        target, value = self.source.text(node.target, inner), self.source.text(node.value, inner)
        self.told(node.value)
        self.draft.replace(node, f"{target}{whole} = {target} / {enclosed(value)}")
        return True

    def told(self, node: ast.expr) -> None:
        self.draft.record(node, "torch.Tensor.clone", Outcome.INLINED, self.why)

    @property
    def why(self) -> str:
        return f"{self.target.title}'s gradient needs the result as it was, and it changes in place"

    def is_unpacked(self, node: ast.expr) -> bool:
        around = self.source.nodes.parents.get(node)
        return isinstance(around, ast.Assign) and isinstance(around.targets[0], ast.Tuple)
