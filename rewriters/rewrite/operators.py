"""Operators between tensors: rules filed under ``torch.Tensor.__add__`` and the like, and promotion of dtypes."""

from __future__ import annotations

import ast
import copy
from dataclasses import replace
from typing import TypeGuard

from rewriters.infer.either import is_hint
from rewriters.infer.joining import low_kinds
from rewriters.infer.values import (
    INTEGRAL,
    UNKNOWN,
    Bottom,
    External,
    Items,
    Plain,
    Ref,
    Series,
    Tensor,
    Unknown,
    Value,
)
from rewriters.places.index_parts import item_called
from rewriters.report import Code, Outcome
from rewriters.rewrite.augmented import Augmented
from rewriters.rewrite.calls import Calls
from rewriters.rewrite.folds import Folds
from rewriters.rewrite.items import Items as Subscripts
from rewriters.rewrite.promoting import BINARY, COMPARISONS, promoting_key
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting, Tools
from rewriters.rules.binding import Argument, choose
from rewriters.rules.effects import Effect, effect_of
from rewriters.rules.holes import Hole, hole
from rewriters.rules.inline import Inliner, Plan, RuleRaises
from rewriters.rules.ordering import check_effects
from rewriters.rules.promotion import OF_BITS, Answer, is_beside_truth, is_computed, numbers_of, told_of
from rewriters.rules.refusal import NoMatch, Refusal
from rewriters.rules.render import closed
from rewriters.rules.rulebook import Rule
from rewriters.text.source_text import Edit

MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
UNARY: dict[type, str] = {ast.Invert: "invert", ast.USub: "neg", ast.UAdd: "pos"}


def spread(item: Argument) -> Argument:
    """An item that is stored to: what is stored spreads over it, so that it matters to nobody whether it has axes."""
    node = copy.copy(item.node)
    node.v = replace(value_at(node), ndim=value_at(node).ndim or 1)  # type: ignore[attr-defined, type-var]
    node.effect = Effect.READ  # type: ignore[attr-defined]  # it is asked for its axes alone
    return replace(item, node=node)


def operator_called(node: ast.Call) -> tuple[str, ast.expr, ast.expr] | None:
    """Of a call of an operator's function, or of its method by name: which, and the operands."""
    callee, func = value_at(node.func), node.func
    if node.keywords or any(isinstance(one, ast.Starred) for one in node.args):
        return None
    if isinstance(callee, External) and len(node.args) == 2:
        module, _, name = callee.name.rpartition(".")
        return (name.strip("_"), node.args[0], node.args[1]) if module in {"operator", "_operator"} else None
    if isinstance(callee, Ref) and callee.name.startswith("torch.Tensor.__") and len(node.args) == 2:
        name = callee.name.rpartition(".")[2].strip("_")
        return (name, node.args[0], node.args[1]) if name in {*BINARY.values(), *COMPARISONS.values()} else None
    if not isinstance(func, ast.Attribute) or len(node.args) != 1 or not isinstance(value_at(func.value), Tensor):
        return None
    name = func.attr[2:-2]
    known = func.attr == f"__{name}__" and name in {*BINARY.values(), *COMPARISONS.values()}
    return (name, func.value, node.args[0]) if known else None


def is_counted_else(value: Value) -> bool:
    """Whether something says that a tensor holds integers at times, and something else at others."""
    return isinstance(value, Tensor) and value.kinds != INTEGRAL and bool(low_kinds(value) & INTEGRAL)


# In place: of these a target's own operator may give other numbers, and not another dtype alone.
DIVIDING = {"imod": "torch.Tensor.__mod__", "ifloordiv": "torch.Tensor.__floordiv__"}


class Operators(Rewriting):
    """Rewrites operators that mean something else in the target, for some operands."""

    def __init__(self, tools: Tools, calls: Calls, augments: Augmented, items: Subscripts) -> None:
        super().__init__(tools)
        self.calls, self.augments, self.items = calls, augments, items
        self.folds = Folds(tools)

    def operator(self, node: ast.expr) -> bool:
        """Whether a rule answers for the operator; its operands have been visited then.

        A rule whose body is the same operator leaves the text alone.
        """
        found = self.operands(node)
        if found is None:
            self.hold(node)
            return self.is_told(node) and self.promoted(node, f"torch.Tensor.__{BINARY[type(node.op)]}__")
        name, operands = found
        key = f"torch.Tensor.__{name}__"
        if self.draft.keys.get(node, "").startswith(f"{key}:"):
            key = self.draft.keys[node]
        elif len(operands) > 1 and self.promoted(node, key):
            return True
        elif name == "invert" and is_counted_else(value_at(operands[0])) and f"{key}:unknown" in self.book.rules:
            key = f"{key}:unknown"
        rules = self.book.rules.get(key)
        if not rules:
            self.hold(node)
            return False
        ordered = sorted(operands, key=self.source.start)
        with self.source.collect() as inner:
            for operand in ordered:
                self.walk.visit(operand)
        arguments = [
            self.placing.argument(operand, ordered.index(operand), inner, receiver=index == 0)
            for index, operand in enumerate(operands)
        ]
        if self.stays(rules, arguments, node):
            self.source.edits += inner
            self.hold(node)
        else:
            self.calls.apply(node, key, rules, arguments, inner)  # type: ignore[arg-type]
        return True

    def hold(self, node: ast.expr) -> None:
        """``p[...] > 0`` of a parameter: what holds one is not compared, or is another as a whole."""
        if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS and self.target.held:
            for side in (node.left, *node.comparators):
                if isinstance(side, ast.Name) and self.placing.is_item(side):
                    end = self.source.end(side)
                    self.source.edit(end, end, self.target.held)

    def is_told(self, node: ast.expr) -> TypeGuard[ast.BinOp]:
        """Whether of both operands, which may be tensors, something says of which kind of dtype they are at times, also
        of one beside a number, or one is a truth value or a number of numpy's.
        """
        if not isinstance(node, ast.BinOp) or type(node.op) not in BINARY or hasattr(node, "own"):
            return False
        values = [value_at(side) for side in (node.left, node.right)]
        if all(map(told_of, values)) or is_beside_truth(*values):
            return True
        if any(map(told_of, values)) and any(map(numbers_of, values)):
            return f"torch.Tensor.__{BINARY[type(node.op)]}__:either" in self.book.rules
        return bool(self.draft.table.bindings) and any(map(is_computed, values))

    def operands(self, node: ast.expr) -> tuple[str, list[ast.expr]] | None:
        """(name of the special method, receiver first) of an operator of which one operand is a tensor."""
        other_kinds = (Items, Series) if isinstance(node, ast.Compare) else (Plain, Items, Series)
        if hasattr(node, "own") or isinstance(value_at(node), other_kinds):
            return None  # an operator of the project's own class; `"%.3f" % x`, `[0] * n`
        if isinstance(node, ast.UnaryOp):
            name = UNARY.get(type(node.op))
            return (name, [node.operand]) if name and isinstance(value_at(node.operand), Tensor) else None
        if isinstance(node, ast.BinOp):
            name, left, right = BINARY.get(type(node.op)), node.left, node.right
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            name, left, right = COMPARISONS.get(type(node.ops[0])), node.left, node.comparators[0]
        else:
            return None
        if name is None:
            return None
        if isinstance(value_at(left), Tensor):
            return name, [left, right]
        if isinstance(value_at(right), Tensor):
            return MIRRORED.get(name) or f"r{name}", [right, left]
        return None

    def stays(self, rules: list[Rule], arguments: list[Argument], node: ast.expr) -> bool:
        """Whether the rule that fits is the same operator."""
        try:
            result = Inliner(choose(rules, arguments, self.target.ambient)).plan().result
        except (NoMatch, Refusal, RuleRaises):
            return False
        if isinstance(result, ast.BinOp) and isinstance(node, ast.BinOp):
            same = type(result.op) is type(node.op)
            parts = [result.left, result.right]
        elif isinstance(result, ast.Compare) and isinstance(node, ast.Compare):
            own, other = (COMPARISONS.get(type(part.ops[0]), "") for part in (node, result))
            same, parts = other in {own, MIRRORED.get(own)}, [result.left, *result.comparators]
        elif isinstance(result, ast.UnaryOp) and isinstance(node, ast.UnaryOp):
            same, parts = type(result.op) is type(node.op), [result.operand]
        else:
            return False
        return same and all(isinstance(part, Hole) for part in parts)

    def promoted(self, node: ast.expr | ast.AugAssign, key: str) -> bool:
        """``i + f`` as ``i.astype(f.dtype) + f``, or by a helper, where the target's operator promotes otherwise."""
        if isinstance(node, ast.BinOp):
            left, right, name = node.left, node.right, BINARY[type(node.op)]
        elif isinstance(node, ast.Compare):
            left, right, name = node.left, node.comparators[0], COMPARISONS[type(node.ops[0])]
        else:
            assert isinstance(node, ast.AugAssign)
            left, right, name = node.target, node.value, f"i{BINARY[type(node.op)]}"
        values = [value_at(left), value_at(right)]
        if self.is_bound(node):
            values = [UNKNOWN if is_hint(value) else value for value in values]
        answer = self.placing.answer(name, values[0], values[1], (left, right))
        in_place, kept = isinstance(node, ast.AugAssign), f"torch.Tensor.__{name}__"
        if in_place and answer is Answer.ASK and not (self.draft.table.bindings or isinstance(value_at(left), Tensor)):
            return False
        widens = isinstance(node, ast.AugAssign) and not self.target.in_place and self.augments.widens(node, kept)
        if widens:
            answer = Answer.ASK
        other = name in DIVIDING and {promoting_key(name), DIVIDING[name]} <= self.book.rules.keys()
        if other and answer is Answer.CAST_RIGHT:
            answer = Answer.ASK  # of the same dtypes, too, the operator's numbers are others
        if isinstance(node, ast.AugAssign) and answer is Answer.PLAIN:
            return self.by_own_rule(node, self.draft.keys.get(node, f"torch.Tensor.__{name.removeprefix('i')}__"))
        if answer is Answer.PLAIN or (in_place and answer is Answer.CAST_LEFT):
            return False  # what would change the left one's dtype torch refuses too
        if isinstance(node, ast.AugAssign) and answer is Answer.ASK and not isinstance(left, (ast.Name, ast.Attribute)):
            of_bits = name.removeprefix("i") in OF_BITS
            own = promoting_key(name) if of_bits else f"torch.Tensor.__{name.removeprefix('i')}__"
            return self.by_own_rule(node, own)  # sums and products of items stay: what is stored is cast to their dtype
        with self.source.collect() as inner:
            self.walk.visit(left)
            self.walk.visit(right)
        arguments = [self.placing.argument(part, n, inner) for n, part in enumerate((left, right))]
        if answer is not Answer.ASK and self.cast_operand(answer, arguments, key, inner):
            return True
        rules = self.book.rules.get(f"{kept}:mixed" if widens else promoting_key(name))
        if not isinstance(value_at(left), Tensor) and (in_place or not isinstance(value_at(right), Tensor)):
            rules = self.book.rules.get(f"torch.Tensor.__{name}__:either", rules)
        elif isinstance(node, ast.AugAssign) and self.augments.seen_by(node) is not None:
            rules = self.book.rules.get(f"torch.Tensor.__{name}__:held", rules)
        if rules is None:
            self.source.edits += inner
            what = f"{self.target.title} promotes these dtypes otherwise; give both operands the same"
            self.draft.mark(left, key, what, Code.UNSUPPORTED)
        elif in_place:
            self.draft.record(left, key, Outcome.HELPER, rules[0].where)
            text, value = (argument.text for argument in arguments)
            self.draft.replace(node, f"{text} = {self.draft.helper_text(rules)}({text}, {value})")
        else:
            self.calls.apply(node, key, rules, arguments, inner)  # type: ignore[arg-type]
        return True

    def by_own_rule(self, node: ast.AugAssign, key: str) -> bool:
        """``i **= 40`` as ``i = power(i, 40)``, where ``i ** 40`` is written so, too; so ``i[0] **= 40``."""
        rules = self.book.rules.get(key)
        if not rules or not isinstance(value_at(node.target), Tensor):
            return False
        with self.source.collect() as inner:
            self.walk.visit(node.target)
            self.walk.visit(node.value)
        parts = (node.target, node.value)
        arguments = [self.placing.argument(part, n, inner, receiver=n == 0) for n, part in enumerate(parts)]
        asked = [spread(arguments[0]), arguments[1]] if isinstance(node.target, ast.Subscript) else arguments
        if self.stays(rules, asked, ast.BinOp(node.target, node.op, node.value)):
            self.source.edits += inner
        elif effect_of(node.target) is Effect.EFFECT:
            self.source.edits += inner
            what = f"{self.target.title}'s operator gives other numbers here; give the index a name first"
            self.draft.differs(node.target, key, what)
        else:
            text, value = (argument.text for argument in arguments)
            self.draft.record(node.target, key, Outcome.HELPER, rules[0].where)
            self.draft.replace(node, f"{text} = {self.draft.helper_text(rules)}({text}, {value})")
        return True

    def is_bound(self, node: ast.AST) -> bool:
        """Whether it is the bound of a slice, which is an integer: floating-point numbers are none."""
        parents = self.source.nodes.parents
        while isinstance(node, ast.BinOp):
            node = parents[node]
        return isinstance(node, ast.Slice)

    def operator_function(self, node: ast.Call) -> bool:
        """``operator.floordiv(x, 2)``, ``x.__floordiv__(2)`` where the operator itself would be rewritten: its rule is
        called.
        """
        if self.items.called(node) or self.folds.folded(node):
            return True
        called = operator_called(node)
        if called is None:
            return False
        name, left, right = called
        answer = self.placing.answer(name, value_at(left), value_at(right), (left, right))
        key = promoting_key(name) if answer is not Answer.PLAIN else f"torch.Tensor.__{name}__"
        rules = self.book.rules.get(self.draft.keys.get(node, key))
        if not rules or not (isinstance(value_at(left), Tensor) or answer is not Answer.PLAIN):
            return False
        with self.source.collect() as inner:
            self.walk.visit(left)
            self.walk.visit(right)
        by_name = isinstance(node.func, ast.Attribute) and node.func.value is left
        arguments = [
            self.placing.argument(left, 0, inner, receiver=by_name),
            self.placing.argument(right, 1, inner),
        ]
        self.calls.apply(node, f"torch.Tensor.__{name}__", rules, arguments, inner)
        return True

    def handed_on(self, node: ast.expr) -> bool:
        """``reduce(operator.iadd, xs)``, ``{"//": operator.floordiv}``: by the rule for what may be a tensor."""
        value = value_at(node)
        module, _, name = value.name.rpartition(".") if isinstance(value, External) else ("", "", "")
        loaded = isinstance(getattr(node, "ctx", None), ast.Load)
        if module not in {"operator", "_operator"} or not loaded or not self.draft.table.bindings:
            return False
        around = self.source.nodes.parents.get(node)
        item = item_called(around) if isinstance(around, ast.Call) and around.func is node else None
        if item is not None and not isinstance(value_at(item.owner), (Unknown, Bottom)):
            return False  # what takes from a tensor itself is seen to by the target's passes
        key = f"torch.Tensor.__{name.strip('_')}__"
        rules = self.book.rules.get(f"{key}:any") or self.book.rules.get(f"{key}:unknown")
        if not rules:
            return False
        self.draft.record(node, f"torch.Tensor.__{name}__", Outcome.HELPER, rules[0].where)
        self.draft.replace(node, self.draft.helper_text(rules))
        return True

    def cast_operand(self, answer: Answer, arguments: list[Argument], key: str, inner: list[Edit]) -> bool:
        """Whether one operand could be cast to the other's dtype without doing its work twice."""
        cast_left = answer is Answer.CAST_LEFT
        of_lower, of_like = arguments if cast_left else reversed(arguments)
        lower = of_lower.node
        cast = self.placing.cast(hole(of_lower), hole(of_like), 1)
        both: list[ast.expr] = [cast, hole(of_like)] if cast_left else [hole(of_like), cast]
        try:
            check_effects(Plan(ast.BinOp(both[0], ast.Add(), both[1])), arguments, self.known.rebindable)
        except Refusal:
            return False
        self.draft.record(lower, key, Outcome.INLINED, "promotion of dtypes")
        start, end = self.source.start(lower), self.source.end(lower)
        self.source.edits += [edit for edit in inner if not start <= edit.start <= edit.end <= end]
        if self.placing.is_enclosed(lower):
            before, after = self.source.buffer[:start].rstrip(b" "), self.source.buffer[end:]
            if before.endswith(b"(") and after.lstrip(b" ").startswith(b")"):
                start, end = len(before) - 1, end + after.index(b")") + 1
        self.source.edit(start, end, closed(self.draft.printer.text(cast)))
        return True
