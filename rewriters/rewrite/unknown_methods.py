"""Methods of what may be a tensor, where the target means something else by the name, or takes no such call."""

from __future__ import annotations

import ast
import json
from abc import ABC, abstractmethod
from collections.abc import Collection
from functools import cache
from pathlib import Path

from rewriters.infer.either import is_hint
from rewriters.infer.joining import is_dtype
from rewriters.infer.values import (
    FLOAT,
    FLOATING,
    STR,
    WIDE,
    Bottom,
    External,
    Items,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.report import Outcome
from rewriters.rewrite.array_names import ARRAYS_TOO
from rewriters.rewrite.errors import REFUSALS
from rewriters.rewrite.others_uses import is_taken
from rewriters.rewrite.promoting import COMPARISONS, NAMED, promoting_key
from rewriters.rewrite.resolving import SHARED, Callee, value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.text.tree import last_name, walk
from rewriters.torch.table import entry

OTHERS_TOO = ARRAYS_TOO | SHARED | {"to", "where", "select"}
DISPATCH = "torch.Tensor:unknown"
# Methods that are what an operator is, of one more operand.
OPERATORS = NAMED | {name: name for name in ("add", "sub", "mul", "pow", *COMPARISONS.values())}
OPERATORS |= dict.fromkeys(("div", "divide", "true_divide"), "truediv")
# What arrays' methods take nothing under.
OF_TORCH = {"dim", "keepdim", "shape"}
# Positional arguments that numpy's arrays take at most: their size is no method.
MOST = {"size": -1, "repeat": 2, "flatten": 0}
METHODCALLER = External("operator.methodcaller")


@cache
def silent(folder: Path) -> dict[str, list[str]]:
    """Method -> forms of its calls that give something else in the target and raise nothing (``silent.json``).

    A form is the number of positional arguments, "@" if there is a tensor among them, "~" if a number with a fraction
    is given to a tensor of whole ones, and the names of the others; after "=" where only the result differs, after "."
    where it does of tensors without axes alone. After "!" the target raises, "!*" for all calls.
    """
    path = folder / "records" / "silent.json"
    loaded: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return loaded


def forms_of(name: str, arguments: list[ast.expr], keywords: list[ast.keyword]) -> set[str]:
    """The forms that a call may have: what is not known may be a tensor, where only tensors have such a method, and
    then a number with a fraction too.
    """
    words = sorted(word.arg or "**" for word in keywords)
    values = [value_at(part) for part in arguments]
    found = {" ".join([str(len(arguments)), *words])}
    unknown = name not in ARRAYS_TOO and any(isinstance(value, (Unknown, Bottom)) for value in values)
    if unknown or any(isinstance(value, Tensor) for value in values):
        found.add(" ".join([str(len(arguments)), "@", *words]))
    if unknown or any(map(has_fraction, arguments)):
        found.add(" ".join([str(len(arguments)), "~", *words]))
    return found


def has_fraction(node: ast.expr) -> bool:
    """Whether a number may have one: 0.5, or what is known to be a float."""
    number = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(number, ast.Constant):
        return isinstance(number.value, float) and number.value % 1 != 0
    return value_at(node) == FLOAT


class UnknownMethods(Rewriting, ABC):
    """Rewrites methods of what is not known to be a tensor, and not known to be none.

    A rule under ``torch.Tensor.numel:unknown`` gives what is right for both; one under ``torch.Tensor.unfold:gradient``
    says that the target's method has a wrong gradient.
    """

    @abstractmethod
    def call_rule(self, node: ast.Call, key: str, callee: Callee) -> None:
        """Rewrite a call by the rules of a key."""

    def unknown_method(self, node: ast.Call) -> bool:
        """``x.max(1)`` by a helper that looks at run time what ``x`` is; False where the call stays as it is."""
        function = node.func
        if isinstance(function, ast.Call) and (looked_up := self.looked_up(function)):
            self.call_rule(node, looked_up, Callee(looked_up, function.args[0]))
            return True
        self.named_method(node)
        if not isinstance(function, ast.Attribute):
            return False
        key, rules = f"torch.Tensor.{function.attr}", self.book.rules.get(DISPATCH)
        if not rules or key not in self.book.rules or self.here.quotes:
            return False
        counts, wrong = self.counts_truths(node), f"{key}:gradient" in self.book.rules
        if not (counts or wrong) and not self.differs_silently(node, function.attr):
            return False
        value = value_at(function.value)
        if not may_be_tensor(value) and not is_annotated_wrongly(value, function.attr):
            return False
        if not is_taken(node, function.attr):
            return False
        if f"{key}:unknown" in self.book.rules:
            self.call_rule(node, f"{key}:unknown", Callee(f"{key}:unknown", function.value))
            return True
        own = self.draft.helper_text(self.book.rules[f"{key}:counted" if counts else self.promoting(key, node)])
        self.draft.record(node, key, Outcome.HELPER, "looks at run time whether it is a tensor's method")
        with self.source.collect() as inner:
            self.walk.visit(function.value)
        name = self.draft.printer.text(ast.Constant(function.attr))
        # As a whole: nothing of it stands where the receiver does, which others may write elsewhere.
        given = f"{self.placing.given(function.value, inner)}, {name}, {own}"
        self.source.edit(
            self.source.start(function), self.source.end(function), f"{self.draft.helper_text(rules)}({given})"
        )
        for argument in [*node.args, *(word.value for word in node.keywords)]:
            self.walk.visit(argument)
        return True

    def looked_up(self, function: ast.Call) -> str:
        """``torch.Tensor.abs`` of ``getattr(x, "abs")``, where x is a tensor and rules answer for it; else ""."""
        named = isinstance(function.func, ast.Name) and function.func.id == "getattr"
        if not named or len(function.args) != 2 or function.keywords or self.here.quotes:
            return ""
        value, name = value_at(function.args[0]), function.args[1]
        word = name.value if isinstance(name, ast.Constant) else None
        if not isinstance(value, Tensor) or value.assumed or not isinstance(word, str):
            return ""
        key = f"torch.Tensor.{word}"
        rules = self.book.rules.get(key, [])
        is_method = (entry(key) or {}).get("kind") == "method"
        return key if rules and is_method and not any(rule.rebinds for rule in rules) else ""

    def promoting(self, key: str, node: ast.Call) -> str:
        """The key of the rule that promotes dtypes as torch does: of a method that is an operator, and of a change in
        place by what may be of float64, where something says that of it.
        """
        operator = promoting_key(OPERATORS.get(key.rpartition(".")[2], ""))
        if operator in self.book.rules and len(node.args) == 1 and not node.keywords:
            return operator
        if self.shared.travel.makes_wide and f"{key}:widths" in self.book.rules:
            return f"{key}:widths"
        mixed = f"{key}:mixed"
        return mixed if key.endswith("_") and mixed in self.book.rules and any(map(is_wide, node.args)) else key

    def counts_truths(self, node: ast.Call) -> bool:
        """``(x > 0).sum()``: where the target's own gives no number for some."""
        function = node.func
        if not isinstance(function, ast.Attribute) or node.args or node.keywords:
            return False
        counted = f"torch.Tensor.{function.attr}:counted" in self.book.rules
        return counted and isinstance(function.value, ast.Compare)

    def differs_silently(self, node: ast.Call, name: str) -> bool:
        """Whether the target takes the call and gives something else, if this is a tensor's method."""
        forms, known = forms_of(name, node.args, node.keywords), silent(self.target.folder).get(name, ())
        # Tensors without axes are rare: something is to say that it is a tensor at all.
        likely = isinstance(node.func, ast.Attribute) and is_hint(value_at(node.func.value))
        found = [form for form in known if form.removeprefix("." if likely else "=").removeprefix("=") in forms]
        if not found:
            # Where handlers may go on, what the target's tensor raises is no more seen than what it gives.
            handled = likely and handles_refusals(self.known.nodes.around(node, ast.Try))
            return handled or self.fails(node, name, forms, known, likely)
        if any(isinstance(part, ast.Starred) or value_at(part) == STR for part in node.args):
            return False
        # list.sort()
        unused = isinstance(self.here.statement, ast.Expr) and self.here.statement.value is node
        return not unused or (name.endswith("_") and not all(form.startswith("=") for form in found))

    def fails(self, node: ast.Call, name: str, forms: set[str], known: Collection[str], likely: bool) -> bool:
        """Whether the target's tensors take no such call, where hardly anything but a tensor has the method."""
        lacking = name.startswith("_") or "!*" in known  # names of torch's own are no one else's
        of_torch = any(word.arg == "non_blocking" for word in node.keywords)
        of_torch |= name == "to" and any(map(is_dtype_or_device, [*node.args, *(word.value for word in node.keywords)]))
        if (name == "to" and not of_torch) or not (lacking or any(f"!{form}" in known for form in forms)):
            return False
        likely |= of_torch or any(word.arg in OF_TORCH for word in node.keywords)
        texts = not of_torch and any(value_at(part) == STR for part in node.args)
        of_no_array = len(node.args) > MOST.get(name, len(node.args))
        if texts or (name in OTHERS_TOO and not likely and not of_no_array):
            return False
        return not any(rule.rebinds for rule in self.book.rules[f"torch.Tensor.{name}"])

    def named_method(self, node: ast.Call) -> None:
        """``getattr(x, name)(1)``, ``f = getattr(x, "max")``, ``methodcaller("max", 1)``: marked where a method may
        be meant that differs.
        """
        function, arguments = node.func, node.args
        if isinstance(function, ast.Call) and isinstance(function.func, ast.Name) and function.func.id == "getattr":
            if len(function.args) < 2 or not may_be_tensor(value_at(function.args[0]), sure=True):
                return
            names = texts_in(function.args[1])
            self.named_of_tensor(node, function, names)
            if not names and isinstance(value_at(function.args[0]), Tensor):
                names = set(silent(self.target.folder))
        elif isinstance(function, ast.Name) and function.id == "getattr" and len(arguments) > 1:
            around = self.known.nodes.parents[node]
            if not (isinstance(around, ast.Call) and around.func is node):
                self.named_of_tensor(node, node, texts_in(arguments[1]))
            return
        elif value_at(function) == METHODCALLER and node.args:
            names, arguments = texts_in(node.args[0]), node.args[1:]
        else:
            return
        known = silent(self.target.folder)
        given = {name: {form.lstrip("=.") for form in known.get(name, ())} for name in names}
        found = sorted(n for n in names if not forms_of(n, arguments, node.keywords).isdisjoint(given[n]))
        if found:
            what = found[0] if len(found) < 3 else "this method"
            reason = f"of a tensor, {what} is {self.target.title}'s, not torch's; call it by its name"
            self.draft.differs(node, f"torch.Tensor.{found[0]}", reason)

    def named_of_tensor(self, node: ast.Call, function: ast.Call, names: set[str]) -> None:
        """``getattr(x, "numel")()`` of a tensor: the rules answer for ``x.numel()``."""
        if not isinstance(value_at(function.args[0]), Tensor):
            return
        converted = sorted(name for name in names if f"torch.Tensor.{name}" in self.book.rules)
        if converted:
            reason = f"{converted[0]} is looked up by its name, and so {self.target.title}'s; write .{converted[0]}"
            self.draft.differs(node, f"torch.Tensor.{converted[0]}", reason)


def is_dtype_or_device(node: ast.expr) -> bool:
    """``torch.float32``, ``x.dtype``, ``x.device``, of which modules are given the last at most by ``self``."""
    if is_dtype(value_at(node)):
        return True
    if not isinstance(node, ast.Attribute) or node.attr not in {"dtype", "device"}:
        return False
    return not (isinstance(node.value, ast.Name) and node.value.id == "self")


def promoted_value(node: ast.expr) -> Value:
    """What a function promotes beside others; a cast to float64 of what nothing is known of is a tensor there."""
    value = value_at(node)
    return Tensor(kinds=FLOATING, hints=WIDE) if isinstance(value, Unknown) and is_wide(node) else value


def is_wide(node: ast.expr) -> bool:
    """Whether something says that it is of float64: what is known of it, or a cast that nothing is known of."""
    value = value_at(node)
    if isinstance(value, Tensor):
        return bool(value.hints & WIDE)
    if isinstance(node, ast.BinOp):
        return is_wide(node.left) or is_wide(node.right)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    given = [value_at(part) for part in (*node.args, *(word.value for word in node.keywords))]
    return node.func.attr == "double" or any(
        isinstance(one, Ref) and one.name in {"torch.float64", "torch.double"} for one in given
    )


def handles_refusals(node: ast.AST | None) -> bool:
    """Whether a try statement goes on where torch refuses what a tensor is asked for."""
    handlers = node.handlers if isinstance(node, ast.Try) else []
    caught = [part for one in handlers for part in (walk(one.type) if one.type is not None else [None])]
    return any(part is None or last_name(part) in REFUSALS for part in caught)  # type: ignore[arg-type]


def texts_in(node: ast.expr) -> set[str]:
    """The literal texts in an expression."""
    return {part.value for part in walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def is_annotated_wrongly(value: Value, method: str) -> bool:
    """Whether what is said to be a list or a tuple is asked for a method that neither has: ``pair.to(device)``."""
    return isinstance(value, (Items, Series)) and not hasattr(list, method) and not hasattr(tuple, method)


def may_be_tensor(value: Value, sure: bool = False) -> bool:
    """Whether nothing says that it is none; ``sure``: also where it is known to be one."""
    if isinstance(value, Tensor):
        return value.assumed or sure
    return isinstance(value, (Unknown, Bottom))
