"""Sizes, which are tuples in torch, where a target's are lists: ``isinstance(s, tuple)``, ``x.shape == [2, 3]``,
``masks[x.shape]``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from rewriters.infer.joining import element
from rewriters.infer.syntax import all_arguments
from rewriters.infer.values import SIZE, Bottom, Choice, Items, Series, Tensor, Unknown, Value
from rewriters.report import Outcome
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.text.tree import Nodes, called_name, last_name

TESTED, KEY = "torch.Size:tested", "torch.Size:key"
ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
ONE_BY_ONE = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
COLLECTING = {"set", "frozenset", "Counter", "fromkeys"}
CACHED = {"cache", "lru_cache"}
SHAPES = re.compile(r"(?:^|_)shapes?$")
NAMED_SO = re.compile(r"(?:^|_)(?:size|shape)s?$")


class Sizes(Rewriting):
    """Rewrites tests and comparisons, where there is a rule under ``torch.Size:tested``."""

    def tested(self, node: ast.Call) -> bool:
        """Whether it tests what may be a size for one of list and tuple alone; written by the rule then."""
        if not isinstance(node.func, ast.Name) or node.func.id != "isinstance" or len(node.args) != 2 or node.keywords:
            return False
        of, classes = node.args
        names = {last_name(one) for one in (classes.elts if isinstance(classes, ast.Tuple) else [classes])}
        if len(names & {"list", "tuple"}) != 1 or TESTED not in self.book.rules or not self.may_be_size(of):
            return False
        rules = self.book.rules[TESTED]
        self.draft.record(node, TESTED, Outcome.HELPER, rules[0].where)
        self.source.edit(self.source.start(node.func), self.source.end(node.func), self.draft.helper_text(rules))
        self.walk.visit(of)
        with self.draft.within(in_class_test=True):
            self.walk.visit(classes, as_class=True)
        return True

    def may_be_size(self, node: ast.expr) -> bool:
        """Whether it is one, or may be: of what is not known, whether it is called one, or is a parameter of a function
        that is somewhere given one.
        """
        value = value_at(node)
        if isinstance(value, Choice):
            return any(map(is_size, value.values))
        if not isinstance(value, (Unknown, Bottom)):
            return is_size(value)
        if not isinstance(node, ast.Name) or not self.here.functions:
            return bool(NAMED_SO.search(last_name(node)))
        function = self.here.functions[-1]
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return bool(NAMED_SO.search(node.id))
        around = self.source.nodes.around(function, ast.ClassDef, ast.FunctionDef)
        name = around.name if function.name == "__init__" and isinstance(around, ast.ClassDef) else function.name
        is_parameter = node.id in {one.arg for one in all_arguments(function.args)}
        return bool(NAMED_SO.search(node.id)) or (is_parameter and name in self.shared.travel.sized)

    def compared(self, node: ast.Compare) -> bool:
        """Whether it compares a size with a list, to which torch's are not equal; the size is made a tuple then."""
        sides = [node.left, *node.comparators]
        if len(sides) != 2 or not isinstance(node.ops[0], (ast.Eq, ast.NotEq)) or TESTED not in self.book.rules:
            return False
        sizes = [one for one in sides if is_size(value_at(one))]
        if len(sizes) != 1 or not any(is_list(value_at(one)) for one in sides):
            return False
        for one in sides:
            self.walk.visit(one)
        self.draft.record(sizes[0], TESTED, Outcome.INLINED, "a tuple in torch")
        self.source.edit(self.source.start(sizes[0]), self.source.start(sizes[0]), "tuple(")
        self.source.edit(self.source.end(sizes[0]), self.source.end(sizes[0]), ")")
        return True

    def visited(self, node: ast.expr) -> None:
        """What has been visited, where it is a key of a dict or an item of a set."""
        if node not in self.keys:
            return
        around = self.source.nodes.parents.get(node)
        if is_collected(node, around) or (is_size(value_at(node)) and is_taken(node)):
            self.draft.record(node, KEY, Outcome.INLINED, "a tuple in torch")
            before = "map(tuple, " if is_collected(node, around) else "tuple("
        elif self.may_be_key(node):
            rules = self.book.rules[KEY]
            self.draft.record(node, KEY, Outcome.HELPER, rules[0].where)
            before = f"{self.draft.helper_text(rules)}("
        else:
            return
        self.source.edit(self.source.start(node), self.source.start(node), before)
        self.source.edit(self.source.end(node), self.source.end(node), ")")

    @cached_property
    def keys(self) -> frozenset[ast.expr]:
        """What may have to be hashed, or to be ordered."""
        if KEY not in self.book.rules:
            return frozenset()
        nodes = self.source.nodes
        taken = [node for node in self.known.hashed if isinstance(node, ast.expr) and not is_place(node, nodes)]
        return frozenset(part for node in (*taken, *keyed(nodes)) for part in parts_of(node))

    def may_be_key(self, node: ast.expr) -> bool:
        """Whether it may be a size, or a tuple that has one."""
        value = value_at(node)
        if is_size(value):
            return True  # a name may be None at times
        if isinstance(value, Items):
            return value.kind == "tuple" and any(map(is_size, value.values))
        if isinstance(value, Choice):
            return any(map(is_size, value.values))
        return isinstance(value, (Unknown, Bottom)) and bool(SHAPES.search(last_name(node)))


def is_place(node: ast.expr, nodes: Nodes) -> bool:
    """Whether it picks from a tensor."""
    around = nodes.parents.get(node)
    return isinstance(around, ast.Subscript) and (isinstance(value_at(around.value), Tensor) or is_range(node))


def is_range(node: ast.expr) -> bool:
    return isinstance(node, (ast.Slice, ast.Constant, ast.UnaryOp))


def keyed(nodes: Nodes) -> Iterator[ast.expr]:
    """What is hashed beside keys that are written out: what is looked for, is computed, is an argument that is kept."""
    for test in nodes.of(ast.Compare):
        if isinstance(test.ops[0], (ast.In, ast.NotIn)):
            yield test.left
        elif isinstance(test.ops[0], ORDERED):
            yield from (side for side in (test.left, *test.comparators) if is_size(value_at(side)))
    for made in nodes.of(ast.DictComp, ast.SetComp):
        yield made.key if isinstance(made, ast.DictComp) else made.elt
    functions = nodes.of(ast.FunctionDef)
    kept = {one.name for one in functions if any(decorator_name(by) in CACHED for by in one.decorator_list)}
    for call in nodes.of(ast.Call):
        if called_name(call) in kept or called_name(call) == "hash":
            yield from (*call.args, *(word.value for word in call.keywords))
        if called_name(call) in COLLECTING:
            yield from (given.elt if isinstance(given, ONE_BY_ONE) else given for given in call.args[:1])


def is_collected(node: ast.expr, around: ast.AST | None) -> bool:
    """Whether a set is made of it, and it holds sizes."""
    collects = isinstance(around, ast.Call) and called_name(around) in COLLECTING and around.args[:1] == [node]
    return collects and not isinstance(node, ONE_BY_ONE) and is_size(element(value_at(node)))


def is_taken(node: ast.expr) -> bool:
    """Whether it is taken from a tensor there: no name of what may be something else at times."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return not isinstance(node, (ast.Name, ast.Attribute)) or last_name(node) == "shape"


def decorator_name(node: ast.expr) -> str:
    return called_name(node) if isinstance(node, ast.Call) else last_name(node)


def parts_of(node: ast.expr) -> Iterator[ast.expr]:
    """The items of a tuple that is written out, or it itself."""
    if isinstance(node, ast.Tuple):
        for item in node.elts:
            yield from parts_of(item)
    elif not isinstance(node, ast.Starred):
        yield node


def is_size(value: Value) -> bool:
    return value == SIZE


def is_list(value: Value) -> bool:
    return isinstance(value, (Series, Items)) and value.kind == "list"
