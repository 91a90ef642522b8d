"""Changes in place for a target whose arrays do not change (``Target.in_place``): names are bound to what becomes of
them, parts are written back into what they are parts of, and who else sees torch's change is named.
"""

from __future__ import annotations

import ast
import re

from rewriters.infer.values import (
    BOOLEAN,
    BYTES,
    COMPLEX,
    FLOATING,
    Choice,
    External,
    Instance,
    Items,
    Plain,
    Ref,
    Series,
    Tensor,
)
from rewriters.members.items import changed_in_state
from rewriters.places.arrays import METHODS_WRITING
from rewriters.places.calls import NUMPY_OF, asks_in_place, gives_array, is_array, may_be_in_place
from rewriters.places.index_parts import item_called
from rewriters.report import Code, Outcome
from rewriters.rewrite.augmented_targets import READ_AGAIN
from rewriters.rewrite.class_names import is_function
from rewriters.rewrite.naming import plain_targets
from rewriters.rewrite.promoting import BINARY
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rewrite.stored_at_picks import PickedStores, may_pick_nothing
from rewriters.rewrite.telling import is_of_tensor
from rewriters.rewrite.unknown_stores import UnknownStores
from rewriters.rewrite.writing_back import is_gathered
from rewriters.rules.effects import Effect, effect_of
from rewriters.rules.render import enclosed
from rewriters.text.precedence import OPERAND, SIGNS
from rewriters.text.source_text import Edit
from rewriters.text.tree import walk

STORE = "torch.Tensor.__setitem__"
# What an array's place can do by itself, so that it is written once.
OWN: dict[type, str] = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide", ast.Pow: "power"}
IN_PLACE: dict[type, str] = {ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_"}


class Rebinding(Rewriting):
    """Rewrites such statements, and tells of others who see the change in torch."""

    def __init__(self, tools: Tools) -> None:
        super().__init__(tools)
        self.picked, self.unknown = PickedStores(tools), UnknownStores(tools)

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
        if isinstance(node, ast.For):
            self.placing.aliases.count(node)
            for call in changed_in_state(node).values() if self.target.held else ():
                end = self.source.end(call) - 1
                self.source.edit(end, end, "keep_vars=True")
        return False

    def store(self, node: ast.Assign) -> bool:
        """``x[i] = v`` as ``x = x.at[i].set(v)``."""
        if self.unknown.store(node):
            return True
        parts = [part for target in node.targets for part in walk(target) if isinstance(part, ast.Subscript)]
        stored = [part for part in parts if isinstance(part.ctx, ast.Store) and is_of_tensor(part)]
        if not stored:
            for one in parts:
                if isinstance(one.ctx, ast.Store) and may_be_array(one.value):
                    self.tell_of_array(one, one.value)
            return False
        target = node.targets[0]
        if self.named_too(node, stored[0]):
            return self.store_named(node, stored[0])
        if self.unknown.exchange(node, self.as_stored):
            return True
        if len(node.targets) > 1 or not isinstance(target, ast.Subscript):
            why = f"{self.target.title}'s arrays do not change: store one part a line"
            self.draft.mark(stored[0], STORE, why, Code.UNSUPPORTED)
            return False
        with self.source.collect() as inner:
            for part in (target, node.value):
                self.walk.visit(part)
        given = self.as_stored(target.value, node.value, inner)
        text = self.picked.stored(target, node.value, given, inner)
        text = text or self.placing.written_back(target, inner, f"set({given})")
        return self.finished(node, target, target, text, inner)

    def named_too(self, node: ast.Assign, stored: ast.Subscript) -> bool:
        """Whether it is ``x[i] = y = v`` on a line of its own, of which the place reads no y."""
        names = [target for target in node.targets if isinstance(target, ast.Name)]
        if len(node.targets) != 2 or len(names) != 1 or stored not in node.targets:
            return False
        read = any(isinstance(part, ast.Name) and part.id == names[0].id for part in walk(stored))
        start, end = self.source.start(node), self.source.end(node)
        own = self.source.buffer[self.source.line_start(node.lineno) : start].isspace() or not node.col_offset
        rest = self.source.buffer[end : self.source.buffer.find(b"\n", end)].strip()
        return own and not read and (not rest or rest.startswith(b"#"))

    def store_named(self, node: ast.Assign, target: ast.Subscript) -> bool:
        """``x[i] = y = v`` as two statements, the name's first."""
        name = next(one.id for one in node.targets if isinstance(one, ast.Name))
        with self.source.collect() as inner:
            for part in (target, node.value):
                self.walk.visit(part)
        given = self.placing.given(node.value, inner)
        cast = self.as_stored(target.value, node.value, inner)
        text = self.placing.written_back(target, inner, f"set({name})") if cast == given else None
        if text is not None:
            text = f"{name} = {given}{self.source.newline}{self.source.indentation(node.lineno)}{text}"
        return self.finished(node, target, target, text, inner)

    def as_stored(self, whole: ast.expr, value: ast.expr, inner: list[Edit]) -> str:
        """What is stored; fractions in the dtype of the integers that they come among, which would become fractions
        for it.
        """
        text, kept, given = self.placing.given(value, inner), value_at(whole), value_at(value)
        counts = isinstance(kept, Tensor) and not kept.kinds & (FLOATING | COMPLEX)
        if not (counts and isinstance(given, Tensor) and given.kinds & FLOATING):
            return text
        if not all(isinstance(part, READ_AGAIN) for part in walk(whole)):
            return text
        closed = text if isinstance(value, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)) else f"({text})"
        said = {"tensor": closed, "like": self.source.text(whole, inner)}
        return re.sub(r"\b(?:tensor|like)\b", lambda word: said[word[0]], self.target.cast)

    def augmented(self, node: ast.AugAssign) -> bool:
        """``x[i] += v`` as ``x = x.at[i].add(v)``; what has no place of its own is bound anew as it stands."""
        target = node.target
        if self.placing.is_item(target):
            end = self.source.end(target)
            self.source.edit(end, end, self.target.held)
            return False
        if self.of_alias(node) or self.unknown.store(node):
            return True
        if not isinstance(target, ast.Subscript) or not is_of_tensor(target):
            told = [target] if isinstance(target, ast.Subscript) else [target, node.value]
            at_times = is_tensor_at_times(target) or self.placing.may_keep_tensor(target)
            if at_times or any(isinstance(value_at(part), Tensor) for part in told):
                self.placing.tell(node, target, f"torch.Tensor.__i{BINARY[type(node.op)]}__")
            elif is_array(value_at(target)):
                self.tell_of_array(node, target)
            return False
        with self.source.collect() as inner:
            for part in (target, node.value):
                self.walk.visit(part)
        mask = value_at(target.slice)
        once = isinstance(mask, Tensor) and mask.kinds == BOOLEAN  # names no place twice
        text, repeats = None, effect_of(target) is not Effect.EFFECT
        if repeats and may_pick_nothing(target.slice):
            sum_of = f"{self.source.text(target, inner)} {SIGNS[type(node.op)]} "
            sum_of += enclosed(self.placing.argument(node.value, 0, inner), OPERAND)
            text = self.picked.stored(target, node.value, sum_of, inner)
        if text is not None:
            return self.finished(node, target, node, text, inner)
        if type(node.op) in OWN and (once or not is_gathered(target.slice)):
            change = f"{OWN[type(node.op)]}({self.placing.given(node.value, inner)})"
        elif repeats:
            # of a place that is named twice torch keeps the last
            by = enclosed(self.placing.argument(node.value, 0, inner), OPERAND)
            change = f"set({self.source.text(target, inner)} {SIGNS[type(node.op)]} {by})"
        else:
            self.source.edits += inner
            why = f"{self.target.title}'s arrays do not change, and the index would be evaluated twice; name it first"
            self.draft.mark(target, STORE, why, Code.UNSUPPORTED)
            return True
        return self.finished(node, target, node, self.placing.written_back(target, inner, change), inner)

    def of_alias(self, node: ast.AugAssign) -> bool:
        """``m *= 0.9`` of what a list or a dict holds, which becomes the new value, too; whether it was rewritten."""
        target, key = node.target, f"torch.Tensor.{IN_PLACE.get(type(node.op), '')}:mixed"
        value = value_at(target)
        if not isinstance(target, ast.Name) or not isinstance(value, Tensor) or value.assumed:
            return False
        if key not in self.book.rules or not self.placing.aliases.place(target):
            return False
        with self.source.collect() as inner:
            self.walk.visit(node.value)
        self.placing.tell(node, target, key)
        text = f"{self.draft.helper_text(self.book.rules[key])}({target.id}, {self.placing.given(node.value, inner)})"
        self.draft.record(target, key, Outcome.HELPER, "stored where it is held, too")
        self.draft.replace(node, f"{self.placing.as_bound(target, inner)} = {text}")
        return True

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
        if not rules or not is_of_tensor(node) or node in self.draft.keys:
            return
        made = plain_targets(rules, self.target.packages)[0]
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if isinstance(node.slice, ast.List) and any(map(is_several, node.slice.elts)):
            parts = node.slice.elts  # torch takes such a list for a tuple
            self.source.edit(self.source.start(node.slice), self.source.start(parts[0]), "")
            self.source.edit(self.source.end(parts[-1]), self.source.end(node.slice), "")
        self.index_bytes(parts)
        for part in (part for part in parts if holds_list(part)):
            self.by_helper(part, "torch.Tensor.__getitem__:list held")
        for part in (part for part in parts if isinstance(part, ast.List) and part.elts):
            end = end_of_list(part)
            if end and all(other is part or is_slice(other) for other in parts):
                self.source.edit(self.source.start(part), self.source.end(part), end)
                continue
            self.source.edit(self.source.start(part), self.source.start(part), f"{self.draft.spell(made)}(")
            self.source.edit(self.source.end(part), self.source.end(part), ")")

    def index_bytes(self, parts: list[ast.expr]) -> None:
        """``x[mask.byte()]``: torch takes uint8 for truth values, numpy and the like for places."""
        for part in parts:
            value = value_at(part)
            if isinstance(value, Tensor) and value.hints & BYTES:
                self.by_helper(part, "torch.Tensor.__getitem__:bytes")

    def by_helper(self, part: ast.expr, key: str) -> None:
        if rules := self.book.rules.get(key, []):
            start, end = self.source.start(part), self.source.end(part)
            self.source.edit(start, start, f"{self.draft.helper_text(rules)}(")
            self.source.edit(end, end, ")")

    def call_for_effect(self, node: ast.Expr, call: ast.Call) -> bool:
        """``F.relu(x, inplace=True)``, ``self.relu(x)`` whose result nobody takes: bound to x, or written back into
        what x is a part of. Whether it is done with; else the call is still to be visited.
        """
        key = self.changes_given(call)
        if not key:
            return False
        given, surely = call.args[0], self.changes_surely(call, key)
        part = isinstance(given, ast.Subscript) and is_of_tensor(given)
        named = isinstance(given, (ast.Name, ast.Attribute)) and self.placing.is_bound_here(given)
        if not surely or not (part or named):
            self.draft.differs(call, key, f"{self.target.title}'s arrays do not change: take what it gives")
            return False
        with self.source.collect() as inner:
            self.walk.visit(call)
        text: str | None = self.source.text(call, inner)
        if isinstance(given, ast.Subscript):
            text = self.placing.written_back(given, inner, f"set({text})")
        else:
            text = f"{self.placing.as_bound(given, [])} = {text}"
        if text is None:
            self.source.edits += inner
            self.draft.differs(call, key, f"{self.target.title}'s arrays do not change: take what it gives")
            return True
        self.placing.tell(call, given, key)
        self.draft.replace(node, text)
        return True

    def changes_surely(self, call: ast.Call, key: str) -> bool:
        if may_be_in_place(call):
            return self.shared.places.asked_in_place.asked(call, surely=True)
        return asks_in_place(call, key, surely=True)

    def in_place_result(self, call: ast.Call) -> None:
        """Name who reads what a layer or a function was given, and changes in torch: ``y = self.relu(x); x + y``."""
        statement = self.here.statement
        if self.target.in_place:
            return
        self.changed_by_function(call)
        method = call.func
        if isinstance(method, ast.Attribute) and method.attr in METHODS_WRITING and may_be_array(method.value):
            self.tell_of_array(call, method.value)
        if isinstance(statement, ast.Expr) and statement.value is call:
            return
        key = self.changes_given(call)
        change = self.placing.change_of(call) if key else None
        if change is not None and change.seen is not None and change.seen.line:
            why = f"torch changes it for {change.seen} too; {self.target.title}'s arrays do not change"
            self.draft.differs(call, key, f"{why}: read what this gives")

    def changed_by_function(self, call: ast.Call) -> None:
        """``operator.iadd(x, y)`` and ``operator.setitem(x, i, y)``, which change x in torch."""
        called, item = value_at(call.func), item_called(call)
        module, _, name = called.name.rpartition(".") if isinstance(called, External) else ("", "", "")
        if not call.args or module not in {"operator", "_operator"} or not isinstance(value_at(call.args[0]), Tensor):
            return
        why = f"{self.target.title}'s arrays do not change"
        if item is not None and item.value is not None:
            self.draft.mark(call, STORE, f"{why}: write x[index] = value", Code.UNSUPPORTED)
            self.draft.replace(call.func, self.draft.stand_in(STORE))
        elif name.strip("_") in {f"i{operator}" for operator in BINARY.values()}:
            self.draft.differs(call, f"torch.Tensor.__{name.strip('_')}__", f"{why}: take what it gives")

    def tell_of_array(self, event: ast.AST, node: ast.expr) -> None:
        """Name the tensor that an array has its memory in common with in torch: ``t.numpy()[0] = 1``."""
        change = self.placing.change_of(event)
        if change is not None and change.as_tensor is not None:
            why = (
                f"torch changes {change.as_tensor} too, in the same memory; {self.target.title}'s arrays do not change"
            )
            self.draft.differs(node, NUMPY_OF, f"{why}: make one anew of the other")

    def changes_given(self, call: ast.Call) -> str:
        """The name of torch's layer or function that is called, and told to change what it is given; "" for others."""
        if not call.args:
            return ""
        called = value_at(call.func)
        if isinstance(called, Instance):
            return called.name if may_be_in_place(call) and self.shared.places.asked_in_place.asked(call) else ""
        if not isinstance(called, Ref) or called.name[-1:] == "_":
            return ""
        return called.name if asks_in_place(call, called.name) and is_function(called.name) else ""


def is_tensor_at_times(node: ast.expr) -> bool:
    """Whether an attribute is known to hold a tensor at one time and something else at another."""
    value = value_at(node) if isinstance(node, ast.Attribute) else None
    return isinstance(value, Choice) and any(isinstance(one, Tensor) for one in value.values)


def may_be_array(node: ast.expr) -> bool:
    """Whether it is one of numpy's, or what ``numpy()`` gives of what is not known."""
    return is_array(value_at(node)) or gives_array(node)


def holds_list(part: ast.expr) -> bool:
    """Whether a part of an index is a list or a range that is not written out there, or one of nothing."""
    value = value_at(part)
    if isinstance(part, ast.List):
        return not part.elts
    held = isinstance(value, (Items, Series)) and value.kind in {"list", "range"}
    return held or value == Plain("list")


def end_of_list(part: ast.List) -> str:
    """``:1`` for ``[0]`` and ``-1:`` for ``[-1]``: beside slices they pick the same, with the axis kept."""
    return {"0": ":1", "-1": "-1:"}.get(ast.unparse(part.elts[0]), "") if len(part.elts) == 1 else ""


def is_slice(part: ast.expr) -> bool:
    return isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value is ...)


def is_several(item: ast.expr) -> bool:
    """Whether an item of a list makes it an index of several parts."""
    return isinstance(item, ast.List) or isinstance(value_at(item), Tensor)
