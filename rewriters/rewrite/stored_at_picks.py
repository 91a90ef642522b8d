"""What may be stored at no place at all, and is trained: ``out[mask] = expert(x[mask])`` where the mask is empty.

torch's gradients go back to it, zeros; JAX leaves such a store out, and with it the gradients.
"""

from __future__ import annotations

import ast

from rewriters.infer.values import Method, Ref, Tensor, Unknown
from rewriters.members import Members, Role
from rewriters.places.calls import is_data
from rewriters.places.index_parts import index_parts
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.text.source_text import Edit
from rewriters.text.tree import walk

PICKED = "torch.Tensor.__setitem__:picked"


class PickedStores(Rewriting):
    """Rewrites stores of what may be trained at places that may be none, by the rule that looks."""

    def stored(self, target: ast.Subscript, value: ast.expr, given: str, inner: list[Edit]) -> str | None:
        """``out = stored_at(out, mask, v)``; None of other stores."""
        rules, whole = self.book.rules.get(PICKED), target.value
        home = self.here.functions[-1] if self.here.functions else self.source.tree
        if not rules or not may_pick_nothing(target.slice):
            return None
        if not isinstance(whole, (ast.Name, ast.Attribute)) or not self.placing.can_be_bound(whole, inner):
            return None
        if is_data(whole) or not may_be_trained(value, home, self.shared.members):
            return None
        index = self.source.text(target.slice, inner)
        if any(isinstance(part, ast.Slice) for part in walk(target.slice)):
            index = f"{self.draft.spell('numpy.s_')}[{index}]"
        elif isinstance(target.slice, ast.Tuple):
            index = f"({index})"
        text = f"{self.draft.helper_text(rules)}({self.source.text(whole, inner)}, {index}, {given})"
        return f"{self.placing.as_bound(whole, inner)} = {text}"


def may_pick_nothing(index: ast.expr) -> bool:
    """Whether an index has a mask in it, or a tensor of places."""
    return any(isinstance(part, Tensor) and part.ndim != 0 for part in index_parts(index))


def may_be_trained(value: ast.expr, home: ast.AST, members: Members) -> bool:
    """Whether it comes of a parameter, or of a call of something that is not torch's, as far as its function says."""
    made = [one for one in walk(home) if isinstance(one, ast.Assign)]
    seen: set[str] = set()
    waiting = [value]
    while waiting:
        for part in walk(waiting.pop()):
            if isinstance(part, ast.Call) and isinstance(value_at(part), (Tensor, Unknown)):
                if not isinstance(value_at(part.func), (Ref, Method)):
                    return True
            elif isinstance(part, ast.Attribute) and members.role(value_at(part.value), part.attr) is Role.PARAMETER:
                return True
            elif isinstance(part, ast.Name) and part.id not in seen:
                seen.add(part.id)
                waiting += [one.value for one in made if binds(one, part.id)]
    return False


def binds(made: ast.Assign, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for target in made.targets for one in walk(target))
