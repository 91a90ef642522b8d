"""Changes in place for a target whose arrays do not change (``Target.in_place``): names are bound to what becomes of
them, parts are written back into what they are parts of, and who else sees torch's change is named.
"""

from __future__ import annotations

import ast

from rewriters.infer.values import Tensor
from rewriters.places.calls import asks_in_place
from rewriters.report import Code, Outcome
from rewriters.rewrite.augmented_targets import READ_AGAIN
from rewriters.rewrite.items import SIGNS
from rewriters.rewrite.naming import plain_targets
from rewriters.rewrite.promoting import BINARY
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.rewrite.writing_back import is_gathered, is_of_tensor
from rewriters.text.parsing import expression_of
from rewriters.text.source_text import Edit
from rewriters.text.tree import walk

STORE = "torch.Tensor.__setitem__"
# What an array's place can do by itself, so that it is written once.
OWN: dict[type, str] = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide", ast.Pow: "power"}


class Rebinding(Rewriting):
    """Rewrites such statements, and tells of others who see the change in torch."""

    def statement(self, node: ast.stmt) -> bool:
        """Whether it was a store into a part of a tensor, rewritten here."""
        if self.target.in_place:
            return False
        if isinstance(node, ast.Assign):
            return self.store(node)
        if isinstance(node, ast.AugAssign):
            return self.augmented(node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            return self.call_for_effect(node, node.value)
        return False

    def store(self, node: ast.Assign) -> bool:
        """``x[i] = v`` as ``x = x.at[i].set(v)``."""
        parts = [part for target in node.targets for part in walk(target) if isinstance(part, ast.Subscript)]
        stored = [part for part in parts if isinstance(part.ctx, ast.Store) and is_of_tensor(part)]
        if not stored:
            return False
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Subscript):
            why = f"{self.target.title}'s arrays do not change: store one part a line"
            self.draft.mark(stored[0], STORE, why, Code.UNSUPPORTED)
            return False
        with self.source.collect() as inner:
            for part in (target, node.value):
                self.walk.visit(part)
        text = self.placing.written_back(target, inner, f"set({self.placing.given(node.value, inner)})")
        return self.finished(node, target, target, text, inner)

    def augmented(self, node: ast.AugAssign) -> bool:
        """``x[i] += v`` as ``x = x.at[i].add(v)``; what has no place of its own is bound anew as it stands."""
        target = node.target
        if self.placing.is_item(target):
            end = self.source.end(target)
            self.source.edit(end, end, self.target.held)
            return False
        if not isinstance(target, ast.Subscript) or not is_of_tensor(target):
            told = [target] if isinstance(target, ast.Subscript) else [target, node.value]
            if any(isinstance(value_at(part), Tensor) for part in told):
                self.placing.tell(node, target, f"torch.Tensor.__i{BINARY[type(node.op)]}__")
            return False
        with self.source.collect() as inner:
            for part in (target, node.value):
                self.walk.visit(part)
        value = self.placing.given(node.value, inner)
        if type(node.op) in OWN and not is_gathered(target.slice):
            change = f"{OWN[type(node.op)]}({value})"
        elif all(isinstance(part, (*READ_AGAIN, ast.List)) for part in walk(target)):
            # of a place that is named twice torch keeps the last
            change = f"set({self.source.text(target, inner)} {SIGNS[type(node.op)]} {bracketed(value)})"
        else:
            self.source.edits += inner
            why = f"{self.target.title}'s arrays do not change, and the index would be evaluated twice; name it first"
            self.draft.mark(target, STORE, why, Code.UNSUPPORTED)
            return True
        return self.finished(node, target, node, self.placing.written_back(target, inner, change), inner)

    def finished(
        self, node: ast.stmt, target: ast.Subscript, event: ast.AST, text: str | None, inner: list[Edit]
    ) -> bool:
        if text is None:
            self.source.edits += inner
            why = f"{self.target.title}'s arrays do not change, and this part cannot be written back into what it is of"
            self.draft.mark(target, STORE, f"{why}: store into the whole by its index", Code.UNSUPPORTED)
            return True
        self.draft.record(target, STORE, Outcome.INLINED, "a functional update")
        self.placing.tell(event, target, STORE)
        self.draft.replace(node, text)
        return True

    def index_lists(self, node: ast.Subscript) -> None:
        """``x[[0, 2]]`` where the target takes no list for an index: by the function that the rule names."""
        rules = self.book.rules.get("torch.Tensor.__getitem__:listed", [])
        if not rules or not is_of_tensor(node):
            return
        made = plain_targets(rules, self.target.packages)[0]
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for part in (part for part in parts if isinstance(part, ast.List) and part.elts):
            end = end_of_list(part)
            if end and all(other is part or is_slice(other) for other in parts):
                self.source.edit(self.source.start(part), self.source.end(part), end)
                continue
            self.source.edit(self.source.start(part), self.source.start(part), f"{self.draft.spell(made)}(")
            self.source.edit(self.source.end(part), self.source.end(part), ")")

    def call_for_effect(self, node: ast.Expr, call: ast.Call) -> bool:
        """``F.relu(x, inplace=True)`` whose result nobody takes: bound to x. The call itself is still to be visited."""
        callee = self.names.resolve(call.func)
        key = self.names.key_of(callee) if callee is not None and callee.receiver is None else ""
        if not key or not call.args or not asks_in_place(call, key) or key[-1:] == "_":
            return False
        given = call.args[0]
        if isinstance(given, (ast.Name, ast.Attribute)) and self.placing.is_bound_here(given):
            self.source.edit(self.source.start(node), self.source.start(node), f"{self.source.text(given, [])} = ")
        else:
            why = f"{self.target.title}'s arrays do not change: take what it gives"
            self.draft.mark(call, key, why, Code.UNSUPPORTED)
        return False


def end_of_list(part: ast.List) -> str:
    """``:1`` for ``[0]`` and ``-1:`` for ``[-1]``: beside slices they pick the same, with the axis kept."""
    return {"0": ":1", "-1": "-1:"}.get(ast.unparse(part.elts[0]), "") if len(part.elts) == 1 else ""


def is_slice(part: ast.expr) -> bool:
    return isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value is ...)


def bracketed(text: str) -> str:
    """As an operand: in brackets where it is more than a name, a number, a call."""
    node = expression_of(text)
    return text if isinstance(node, (ast.Name, ast.Constant, ast.Attribute, ast.Call, ast.Subscript)) else f"({text})"
