"""Stores into parts of what may be a tensor, ``y[..., 0] = v``, for a target whose arrays do not change."""

from __future__ import annotations

import ast
from collections.abc import Callable

from rewriters.infer.syntax import all_arguments
from rewriters.infer.values import Tensor, Unknown
from rewriters.report import Outcome
from rewriters.rewrite.augmented_targets import READ_AGAIN, is_open
from rewriters.rewrite.naming import plain_targets
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rewrite.telling import is_of_tensor
from rewriters.rewrite.writing_back import is_gathered
from rewriters.rules.render import enclosed
from rewriters.text.precedence import OPERAND, SIGNS
from rewriters.text.source_text import Edit
from rewriters.text.tree import walk

STORE = "torch.Tensor.__setitem__"
UNKNOWN = f"{STORE}:unknown"


class UnknownStores(Rewriting):
    """Rewrites such stores of names by the rule that looks what it is: a tensor is bound anew."""

    def store(self, node: ast.Assign | ast.AugAssign) -> bool:
        """``x[mask == 2] = v``, ``y[:, 0] *= w``: whether it was one."""
        rules = self.book.rules.get(UNKNOWN)
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if not rules or not isinstance(target, ast.Subscript) or (isinstance(node, ast.Assign) and node.targets[1:]):
            return False
        whole = target.value
        masks = is_mask(target.slice) and isinstance(node, ast.Assign)
        if not isinstance(whole, ast.Name) or not is_open(value_at(whole)) or not (masks or self.may_be_part(target)):
            return False
        if not self.placing.is_bound_here(whole):
            return False
        home = self.source.nodes.around(node, ast.FunctionDef, ast.AsyncFunctionDef)
        given_out = isinstance(home, (ast.FunctionDef, ast.AsyncFunctionDef)) and whole.id in arguments_of(home)
        if given_out and masks:
            return False  # whoever gives it sees the change in torch
        if given_out:
            why = f"if it is a tensor, torch changes it for whoever gives {whole.id} too"
            self.draft.differs(target, STORE, f"{why}; {self.target.title}'s arrays do not change: hand the new one on")
        else:
            event = target if isinstance(node, ast.Assign) else node
            if self.placing.is_named_elsewhere(event):
                self.placing.tell(event, target, STORE)
        with self.source.collect() as inner:
            for part in (target, node.value):
                self.walk.visit(part)
            self.make_arrays(target)
        value = self.placing.given(node.value, inner)
        if isinstance(node, ast.AugAssign):
            by = enclosed(self.placing.argument(node.value, 0, inner), OPERAND)
            value = f"{self.source.text(target, inner)} {SIGNS[type(node.op)]} {by}"
        index = self.placing.given(target.slice, inner)
        if any(isinstance(part, ast.Slice) for part in walk(target.slice)):
            index = f"{self.draft.spell('numpy.s_')}[{self.source.text(target.slice, inner)}]"
        elif isinstance(target.slice, ast.Tuple):
            index = f"({self.source.text(target.slice, inner)})"
        self.draft.record(target, STORE, Outcome.HELPER, rules[0].where)
        text = f"{self.draft.helper_text(rules)}({self.source.text(whole, inner)}, {index}, {value})"
        self.draft.replace(node, f"{self.source.text(whole, inner)} = {text}")
        return True

    def exchange(self, node: ast.Assign, as_stored: Callable[[ast.expr, ast.expr, list[Edit]], str]) -> bool:
        """``x[i], x[j] = x[j].clone(), x[i].clone()``, whose values are none of x's views; whether it was one."""
        target, value = node.targets[0], node.value
        if len(node.targets) > 1 or not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
            return False
        stored = [one for one in target.elts if isinstance(one, ast.Subscript) and is_of_tensor(one)]
        if len(stored) != len(target.elts) or len(stored) != len(value.elts) or not all(map(is_new, value.elts)):
            return False
        root = stored[0].value
        if any(ast.unparse(one.value) != ast.unparse(root) or is_gathered(one.slice) for one in stored):
            return False
        if not isinstance(root, (ast.Name, ast.Attribute)) or self.placing.is_item(root):
            return False
        with self.source.collect() as inner:
            for part in (*stored, *value.elts):
                self.walk.visit(part)
        if not self.placing.can_be_bound(root, inner):
            self.source.edits += inner
            return False
        text = self.source.text(root, inner)
        for one, given in zip(stored, value.elts, strict=True):
            text = f"{self.placing.part(text, self.source.text(one.slice, inner))}.set({as_stored(root, given, inner)})"
            self.placing.tell(one, one, STORE)
        self.draft.record(stored[0], STORE, Outcome.INLINED, "a functional update")
        self.draft.replace(node, f"{self.placing.as_bound(root, inner)} = {text}")
        return True

    def may_be_part(self, target: ast.Subscript) -> bool:
        """Whether it is a part of what is a tensor in one of the ways in which it is made, as neither a list nor a dict
        has: ``y[..., 0]``.
        """
        value, parts = value_at(target.value), target.slice.elts if isinstance(target.slice, ast.Tuple) else []
        if not isinstance(value, Unknown) or not value.tensor:
            return False
        several = any(isinstance(one, ast.Slice) or getattr(one, "value", None) is ... for one in parts)
        return several and all(isinstance(part, (*READ_AGAIN, ast.List)) for part in walk(target))

    def make_arrays(self, target: ast.Subscript) -> None:
        """``y[:, [0, 2]]`` where the target takes no list for an index."""
        rules = self.book.rules.get("torch.Tensor.__getitem__:listed", [])
        for part in target.slice.elts if rules and isinstance(target.slice, ast.Tuple) else ():
            if isinstance(part, ast.List):
                made = self.draft.spell(plain_targets(rules, self.target.packages)[0])
                self.source.edit(self.source.start(part), self.source.start(part), f"{made}(")
                self.source.edit(self.source.end(part), self.source.end(part), ")")


def is_new(node: ast.expr) -> bool:
    """Whether it is a number, a copy or what is computed: no view of what is about to change."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("clone", "item") and isinstance(value_at(node.func.value), Tensor)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd):
        return is_new(node.operand)
    return isinstance(node, (ast.Constant, ast.BinOp, ast.UnaryOp))


def is_mask(node: ast.expr) -> bool:
    """Whether it is a comparison of a tensor, or put together of such: no key of a dict."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        return is_mask(node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr)):
        return is_mask(node.left) or is_mask(node.right)
    return isinstance(node, ast.Compare) and isinstance(value_at(node), Tensor)


def arguments_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    return {one.arg for one in all_arguments(function.args)}
