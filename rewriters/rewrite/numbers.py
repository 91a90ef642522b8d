"""Tensors that builtins are given: of one element as numbers, ``float(x)``, ``math.sqrt(x)``; ``reversed(x)``. And
those that numpy's functions are given, ``np.exp(x)``, of which torch makes tensors.
"""

from __future__ import annotations

import ast

from rewriters.infer.either import ARRAYS, is_hint
from rewriters.infer.joining import holds_tensor
from rewriters.infer.other_libraries import OF_A_TENSOR
from rewriters.infer.values import Bottom, Choice, External, ObjectOf, Tensor, Unknown
from rewriters.places.calls import SHALLOW
from rewriters.report import Outcome
from rewriters.rewrite.calls import Calls
from rewriters.rewrite.layer_attributes import SETTINGS
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rewrite.sizes import Sizes
from rewriters.rules.binding import choose
from rewriters.rules.inline import Inliner
from rewriters.text.tree import last_name, walk

ASKED = {"float", "int", "complex", "reversed"}
DEEPLY = "torch.Tensor.__deepcopy__:deeply"
COPYING = {SHALLOW: "torch.Tensor.__copy__:shared", "copy.deepcopy": DEEPLY}
WRAPPING = "torch.Tensor.__array_wrap__:called"
IN_ARRAY, IN_SLICE = "torch.Tensor:in_array", "torch.Tensor:in_slice"


class Numbers(Rewriting):
    """Rewrites what makes numbers of tensors, by the rules under ``torch.Tensor.__float__`` and the like."""

    def __init__(self, tools: Tools, calls: Calls) -> None:
        super().__init__(tools)
        self.calls, self.sizes = calls, Sizes(tools)

    def as_number(self, node: ast.Call) -> bool:
        """Whether it makes a number of a tensor that may have axes, or turns it, by a rule; it is rewritten then."""
        if self.of_numpys(node) or self.copied(node) or self.sizes.tested(node):
            return True
        if len(node.args) != 1 or node.keywords or not may_have_axes(node.args[0]):
            return False
        called, given = value_at(node.func), node.args[0]
        if isinstance(node.func, ast.Name) and node.func.id in ASKED - self.here.shadowed:
            name = node.func.id
        elif isinstance(called, External) and called.name.startswith("math."):
            name = "float"
        else:
            return False
        key = f"torch.Tensor.__{name}__"
        rules = self.book.rules.get(key)
        if not rules:
            return False
        with self.source.collect() as inner:
            self.walk.visit(given)
        argument = self.placing.argument(given, 0, inner, receiver=True)
        if isinstance(called, External) and isinstance(given, ast.Call):  # whose own arguments are none of the rule's
            result = Inliner(choose(rules, [argument], self.target.ambient)).plan().result
            assert result is not None
            self.draft.record(given, key, Outcome.INLINED, rules[0].where)
            self.draft.replace(given, self.draft.printer.text(result))
        else:
            self.calls.apply(given if isinstance(called, External) else node, key, rules, [argument], inner)  # type: ignore[arg-type]
        return True

    def of_numpys(self, node: ast.Call) -> bool:
        """Whether it is a function of numpy's that makes a tensor of a tensor in torch; rewritten by the rule under
        ``torch.Tensor.__array_wrap__:called``, which is given the function and its arguments.
        """
        called = value_at(node.func)
        if not isinstance(called, External) or called.name not in OF_A_TENSOR or WRAPPING not in self.book.rules:
            return False
        if not any(isinstance(value_at(one), Tensor) or is_hint(value_at(one)) for one in node.args):
            return False
        rules = self.book.rules[WRAPPING]
        self.draft.record(node, WRAPPING, Outcome.HELPER, rules[0].where)
        start = self.source.start(node)
        self.source.edit(start, start, f"{self.draft.helper_text(rules)}(")
        self.source.edit(self.source.end(node.func), self.placing.opening(node) + 1, ", ")
        for part in (*node.args, *(word.value for word in node.keywords)):
            self.walk.visit(part)
        return True

    def copied(self, node: ast.Call) -> bool:
        """Whether it is ``copy.copy(x)`` of what may be a tensor, which shares its memory in torch, or
        ``copy.deepcopy(x)`` of what may hold some; written by the rule under ``torch.Tensor.__copy__:shared`` or
        ``torch.Tensor.__deepcopy__:deeply``.
        """
        called = value_at(node.func)
        if not isinstance(called, External) or called.name not in COPYING or len(node.args) != 1 or node.keywords:
            return False
        key = COPYING[called.name]
        rules = self.book.rules.get(key)
        if not rules or not may_be_copied(node.args[0], key == DEEPLY):
            return False
        self.draft.record(node, key.partition(":")[0], Outcome.HELPER, rules[0].where)
        self.source.edit(self.source.start(node.func), self.source.end(node.func), self.draft.helper_text(rules))
        self.walk.visit(node.args[0])
        return True

    def stored_in_array(self, node: ast.Assign | ast.AugAssign) -> bool:
        """``array[i] = x`` and ``array[i] += x``, by the rule under ``torch.Tensor:in_array``; whether there is one.

        Of slices it is the one under ``torch.Tensor:in_slice``.
        """
        targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
        given, target = node.value, targets[0]
        if targets[1:] or not is_of_array(target) or not may_have_axes(given):
            return False
        assert isinstance(target, ast.Subscript)
        parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
        key = IN_SLICE if any(isinstance(part, ast.Slice) for part in parts) else IN_ARRAY
        rules = self.book.rules.get(key)
        if not rules:
            return False
        self.walk.visit(target)
        with self.source.collect() as inner:
            self.walk.visit(given)
        self.draft.record(given, key, Outcome.HELPER, rules[0].where)
        words = f"{self.placing.given(given, inner)}, {self.source.text(target.value)}"
        self.draft.replace(given, f"{self.draft.helper_text(rules)}({words})")
        return True


def may_be_copied(node: ast.expr, deeply: bool) -> bool:
    """Whether it may be a tensor; whether it may hold some, where it is copied with what it holds."""
    value, name = value_at(node), last_name(node)
    if deeply and isinstance(value, ObjectOf) and not value.info.is_module:
        return any(map(holds_tensor, value.info.attributes.values()))
    if deeply:
        return holds_tensor(value) and "state" not in ast.unparse(node)  # of a state_dict none asks for gradients
    if isinstance(value, (Tensor, Choice)):
        return True
    return isinstance(value, (Unknown, Bottom)) and name != "self" and not SETTINGS.search(name)


def is_of_array(target: ast.expr) -> bool:
    """Whether it is part of an array of numpy's that is named."""
    if not isinstance(target, ast.Subscript) or value_at(target.value) not in ARRAYS:
        return False
    return all(isinstance(part, (ast.Name, ast.Attribute, ast.expr_context)) for part in walk(target.value))


def may_have_axes(node: ast.expr) -> bool:
    value = value_at(node)
    return isinstance(value, Tensor) and not value.assumed and value.ndim != 0
