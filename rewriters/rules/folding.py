"""Evaluating a rule's expressions as far as the call's arguments decide them.

What remains is an expression with holes where the arguments' own text goes. Each part that does something when it is
evaluated carries its number (``sequence``) in the order in which the rule would evaluate it, and whether it would do so
only sometimes (``sometimes``): rewriters.rules.ordering compares these with the order of the result.
"""

from __future__ import annotations

import ast
import copy
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from rewriters.infer.values import Tensor
from rewriters.rules.binding import Bound, is_of
from rewriters.rules.effects import Effect, effect_of
from rewriters.rules.given_values import is_none
from rewriters.rules.holes import (
    ARITHMETIC,
    UNDECIDED,
    Hole,
    acts,
    as_list,
    constant,
    dtype_of,
    elements_of,
    hole,
    is_index,
    item_of,
    known_length,
    reckoned,
    truth_of,
)
from rewriters.rules.refusal import Obstacle, Refusal
from rewriters.rules.rulebook import dotted
from rewriters.text.tree import walk

Node = TypeVar("Node", bound=ast.AST)
COMPARE: dict[type, Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
LATE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr, ast.Await, ast.JoinedStr)


class Folder:
    """Evaluates expressions of one rule for one call.

    asked: what the rule gives back: if that is ``isinstance(...)`` the program asks so itself, and others than the
           project may hand it something else.
    """

    def __init__(self, bound: Bound) -> None:
        self.bound = bound
        self.asked: ast.expr | None = None
        self.locals: dict[str, ast.expr] = {}
        self.count = 0
        self.conditions = 0

    def numbered(self, node: Node) -> Node:
        """The node with its place in the order of evaluation; call it when its parts have been folded."""
        self.count += 1
        node.sequence = self.count  # type: ignore[attr-defined]
        node.sometimes = self.conditions > 0  # type: ignore[attr-defined]
        return node

    @contextmanager
    def condition(self, holds: bool = True) -> Iterator[None]:
        """What is folded inside is evaluated only sometimes."""
        self.conditions += holds
        try:
            yield
        finally:
            self.conditions -= holds

    # -- expressions ------------------------------------------------------------------------------------------------

    def fold(self, node: ast.expr) -> ast.expr:
        """The expression with parameters replaced and everything decided evaluated.

        A constant that arguments decided remembers the first of them as its ``origin``: it takes that one's place.
        """
        folded = self.folded(node)
        if isinstance(folded, ast.Constant) and not isinstance(node, (ast.Constant, ast.Name)):
            given = self.bound.arguments
            orders = [given[n.id].order for n in walk(node) if isinstance(n, ast.Name) and n.id in given]
            if orders:
                folded = ast.Constant(folded.value)
                folded.origin = min(orders)  # type: ignore[attr-defined]
        return folded

    def folded(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Name):
            return self.name(node)
        if isinstance(node, ast.Constant):
            return node
        if isinstance(node, ast.IfExp):
            return self.choice(node)
        if isinstance(node, ast.BoolOp):
            return self.boolean(node)
        if isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            truth = self.truth(node)
            if truth is not UNDECIDED:
                return ast.Constant(truth)
        if isinstance(node, ast.BinOp):
            return self.arithmetic(node)
        if isinstance(node, LATE):
            if any(isinstance(part, ast.Name) and self.is_parameter(part.id) for part in walk(node)):
                raise Refusal(Obstacle.LATE_BINDING, type(node).__name__)
            return self.numbered(copy.deepcopy(node))
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.Subscript):
            return self.subscript(node)
        if isinstance(node, ast.Attribute) and node.attr == "ndim" and (ndim := self.ndim(node.value)) is not None:
            return ast.Constant(ndim)
        if isinstance(node, (ast.List, ast.Tuple)) and any(isinstance(part, ast.Starred) for part in node.elts):
            return self.numbered(type(node)(self.spread(node.elts, self.fold), ast.Load()))
        return self.rebuild(node)

    def answer(self, node: ast.expr) -> ast.expr:
        """What a rule gives. The number of axes itself is asked for by the program (``if x.dim() == 2``), which others
        may call with other tensors than the project does: it is read when it runs.
        """
        asked = isinstance(node, ast.Attribute) and node.attr == "ndim"
        return self.rebuild(node) if asked else self.fold(node)

    def ndim(self, node: ast.expr) -> int | None:
        """The number of axes of an argument, where it is known."""
        argument = self.bound.arguments.get(node.id) if isinstance(node, ast.Name) else None
        value = argument.value if argument is not None and effect_of(argument.node) < Effect.EFFECT else None
        return value.ndim if isinstance(value, Tensor) and not value.assumed else None

    def is_parameter(self, name: str) -> bool:
        bound = self.bound
        spec = bound.rule.parameters
        rest = spec.kwarg is not None and name == spec.kwarg.arg
        return rest or any(name in table for table in (bound.arguments, bound.variadic, bound.defaults, self.locals))

    def name(self, node: ast.Name) -> ast.expr:
        bound = self.bound
        if node.id in self.locals:
            return copy.copy(self.locals[node.id])
        if node.id in bound.arguments:
            return hole(bound.arguments[node.id])
        if node.id in bound.variadic:
            found = ast.Tuple([hole(argument) for argument in bound.variadic[node.id]], ast.Load())
            found.variadic = True  # type: ignore[attr-defined]
            return found
        if node.id in bound.defaults:
            default = bound.defaults[node.id]
            return ast.Constant(default.value) if isinstance(default, ast.Constant) else copy.deepcopy(default)
        if self.is_parameter(node.id):
            raise Refusal(Obstacle.EXTRA_KEYWORDS, node.id)
        return copy.copy(node)

    def choice(self, node: ast.IfExp) -> ast.expr:
        truth = self.truth(node.test)
        if truth is not UNDECIDED:
            return self.fold(node.body if truth else node.orelse)
        test = self.fold(node.test)
        with self.condition():
            return ast.IfExp(test, self.fold(node.body), self.fold(node.orelse))

    def boolean(self, node: ast.BoolOp) -> ast.expr:
        """``a or b``: what is decided and not the value goes, what comes after the deciding part goes too."""
        deciding = isinstance(node.op, ast.Or)
        kept: list[ast.expr] = []
        for part in node.values:
            with self.condition(bool(kept)):
                folded = self.fold(part)
            truth = truth_of(folded)
            if truth is UNDECIDED or truth is deciding or part is node.values[-1]:
                kept.append(folded)
            if truth is deciding:
                break
        return kept[0] if len(kept) == 1 else ast.BoolOp(node.op, kept)

    def call(self, node: ast.Call) -> ast.expr:
        name = dotted(node.func)
        if name == "len" and len(node.args) == 1:
            size = known_length(self.fold(node.args[0]))
            if size is not None:
                return ast.Constant(size)
        if name == "tuple" and len(node.args) == 1 and (elements := elements_of(self.fold(node.args[0]))) is not None:
            return ast.Tuple(elements, ast.Load())
        if name == "bool" and len(node.args) == 1:
            inner = self.fold(node.args[0])
            if isinstance(inner, (Hole, ast.Constant)) and (value := constant(inner)) is not UNDECIDED:
                return inner if isinstance(value, bool) else ast.Constant(bool(value))
        if name == "isinstance" and node is not self.asked:
            truth = self.truth(node)
            if truth is not UNDECIDED:
                return ast.Constant(truth)
        function = self.fold(node.func)
        arguments = self.spread(node.args, lambda argument: as_list(self.fold(argument)))
        keywords: list[ast.keyword] = []
        rest = self.bound.rule.parameters.kwarg
        for word in node.keywords:
            if word.arg is None and rest is not None and dotted(word.value) == rest.arg:
                keywords += [ast.keyword(key, hole(argument)) for key, argument in self.bound.extra.items()]
                continue
            keywords.append(ast.keyword(word.arg, as_list(self.fold(word.value))))
        return self.numbered(ast.Call(function, arguments, keywords))

    def spread(self, parts: list[ast.expr], fold: Callable[[ast.expr], ast.expr]) -> list[ast.expr]:
        """``a, *(b, c)`` as ``a, b, c``."""
        found: list[ast.expr] = []
        for part in parts:
            inner = self.fold(part.value) if isinstance(part, ast.Starred) else None
            whole = fold(part) if inner is None else ast.Starred(inner, ast.Load())
            inside = elements_of(inner) if isinstance(inner, Hole) else None
            found += inner.elts if isinstance(inner, (ast.List, ast.Tuple)) else inside or [whole]
        return found

    def subscript(self, node: ast.Subscript) -> ast.expr:
        """``betas[0]`` of a tuple that stands in the call is its first element."""
        container, index = self.fold(node.value), self.fold(node.slice)
        number = constant(index)
        if isinstance(container, (ast.Tuple, ast.List)) and not acts(container) and is_index(number, container.elts):
            element: ast.expr = container.elts[number]
            return element
        item = item_of(container.argument, number) if isinstance(container, Hole) else None
        if item is not None:
            return item
        return self.numbered(ast.Subscript(container, index, ast.Load()))

    def arithmetic(self, node: ast.BinOp) -> ast.expr:
        left, right = self.fold(node.left), self.fold(node.right)
        a, b = constant(left), constant(right)
        if isinstance(a, (int, float)) and isinstance(b, (int, float)) and type(node.op) in ARITHMETIC:
            value = reckoned(node.op, a, b)
            if value is not UNDECIDED:  # 1 / 3 reads better than its value
                return ast.Constant(value)
        return self.numbered(ast.BinOp(left, node.op, right))

    def rebuild(self, node: ast.expr) -> ast.expr:
        new = copy.copy(node)
        if isinstance(node, ast.Dict):
            pairs = [
                (self.fold(k) if k is not None else None, self.fold(v))
                for k, v in zip(node.keys, node.values, strict=True)
            ]
            return self.numbered(ast.Dict([key for key, _ in pairs], [value for _, value in pairs]))
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(new, name, self.fold(value))
            elif isinstance(value, list):
                setattr(new, name, [self.fold(v) if isinstance(v, ast.expr) else v for v in value])
        return self.numbered(new)

    # -- tests ------------------------------------------------------------------------------------------------------

    def truth(self, test: ast.expr) -> Any:
        """True, False or UNDECIDED."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = self.truth(test.operand)
            return inner if inner is UNDECIDED else not inner
        if isinstance(test, ast.BoolOp):
            return self.truth_of_boolean(test)
        if isinstance(test, ast.Compare):
            return self.compare(test) if len(test.ops) == 1 else UNDECIDED
        if isinstance(test, ast.Call) and dotted(test.func) == "isinstance":
            return self.is_instance(test)
        if isinstance(test, ast.IfExp):
            chosen = self.truth(test.test)
            return UNDECIDED if chosen is UNDECIDED else self.truth(test.body if chosen else test.orelse)
        return truth_of(self.fold(test))

    def truth_of_boolean(self, test: ast.BoolOp) -> Any:
        deciding = isinstance(test.op, ast.Or)
        undecided = False
        for part in test.values:
            truth = self.truth(part)
            if truth is deciding:
                return deciding
            if truth is UNDECIDED:
                undecided = True
                if any(isinstance(n, ast.Call) and dotted(n.func) not in {"isinstance", "len"} for n in walk(part)):
                    return UNDECIDED  # it may do something
        return UNDECIDED if undecided else not deciding

    def is_instance(self, test: ast.Call) -> Any:
        inner = self.fold(test.args[0])
        if isinstance(inner, Hole):
            answer = is_of(inner.argument, test.args[1])
            return UNDECIDED if answer is None else answer
        names = {part.id for part in walk(test.args[1]) if isinstance(part, ast.Name)}
        if isinstance(inner, ast.Constant):
            return any(klass.__name__ in names for klass in type(inner.value).__mro__[:-1])
        if isinstance(inner, (ast.List, ast.Tuple)):
            return ("list" if isinstance(inner, ast.List) else "tuple") in names
        return UNDECIDED

    def compare(self, test: ast.Compare) -> Any:
        left, right = self.fold(test.left), self.fold(test.comparators[0])
        op = type(test.ops[0])
        if acts(left) or acts(right):
            return UNDECIDED
        if op in (ast.Is, ast.IsNot):
            if isinstance(right, ast.Constant) and isinstance(right.value, bool):
                value = constant(left)
                return UNDECIDED if value is UNDECIDED else (value is right.value) == (op is ast.Is)
            if not (isinstance(right, ast.Constant) and right.value is None):
                return UNDECIDED
            answer = is_none(left.argument.node) if isinstance(left, Hole) else is_none(left)
            if answer is None:
                return UNDECIDED
            return answer if op is ast.Is else not answer
        if op in (ast.Eq, ast.NotEq) and (one := dtype_of(left)) and (other := dtype_of(right)):
            return (one == other) == (op is ast.Eq)
        a, b = constant(left), constant(right)
        if a is UNDECIDED or b is UNDECIDED or op not in COMPARE:
            return UNDECIDED
        try:
            return bool(COMPARE[op](a, b))
        except TypeError:
            return UNDECIDED
