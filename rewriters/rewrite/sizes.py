"""Sizes, which are tuples in torch, where a target's are lists: ``isinstance(s, tuple)``, ``x.shape == [2, 3]``."""

from __future__ import annotations

import ast
import re

from rewriters.infer.syntax import all_arguments
from rewriters.infer.values import SIZE, Bottom, Choice, Items, Series, Unknown, Value
from rewriters.report import Outcome
from rewriters.rewrite.resolving import value_at
from rewriters.rewrite.rewriting import Rewriting
from rewriters.text.tree import last_name

TESTED = "torch.Size:tested"
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


def is_size(value: Value) -> bool:
    return value == SIZE


def is_list(value: Value) -> bool:
    return isinstance(value, (Series, Items)) and value.kind == "list"
