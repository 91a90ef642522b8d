"""What a test's outcome says of the names in it."""

from __future__ import annotations

import ast

from rewriters.infer.joining import join
from rewriters.infer.names import OUTER, Names
from rewriters.infer.other_libraries import is_tensorless
from rewriters.infer.syntax import path_of
from rewriters.infer.values import (
    BOTTOM,
    TENSOR,
    UNKNOWN,
    ClassOf,
    External,
    Instance,
    Items,
    Mapping,
    ObjectOf,
    Plain,
    Ref,
    Series,
    Value,
)
from rewriters.infer.words import CONTAINERS, MAPPINGS
from rewriters.torch.table import is_tensor_class


class Narrowing(Names):
    """``isinstance`` and ``torch.is_tensor`` in tests."""

    def narrow(self, test: ast.expr, truth: bool) -> None:
        """What the test's outcome says of the names in it."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.narrow(test.operand, not truth)
        elif isinstance(test, ast.BoolOp):
            if isinstance(test.op, ast.And) == truth:
                for part in test.values:
                    self.narrow(part, truth)
        elif isinstance(test, ast.Call) and truth and len(test.args) >= 1:
            path = path_of(test.args[0])
            if not path:
                return
            if "." not in path and path not in self.scope:
                self.project.narrow(path)
                path = OUTER + path  # not this function's: it is narrowed here alone
            if isinstance(test.func, ast.Name) and test.func.id == "isinstance" and len(test.args) == 2:
                value = self.instance_of(test.args[1], self.ev(test.args[0]))
                if value is not None:
                    self.set_path(path, value)
            elif getattr(test.func, "v", None) == Ref("torch.is_tensor"):
                self.set_path(path, TENSOR)

    def instance_of(self, classes: ast.expr, current: Value) -> Value | None:
        nodes = classes.elts if isinstance(classes, ast.Tuple) else [classes]
        found: Value = BOTTOM
        for node in nodes:
            value = self.quiet(node)
            if isinstance(value, Ref):
                narrowed: Value = TENSOR if is_tensor_class(value.name) else Instance(value.name)
            elif isinstance(value, ClassOf):
                narrowed = ObjectOf(value.info)
            elif isinstance(node, ast.Name) and node.id in {"list", "tuple", "set"}:
                narrowed = current if isinstance(current, (Items, Series)) else Series(UNKNOWN, node.id)
            elif isinstance(node, ast.Name) and node.id == "dict":
                narrowed = current if isinstance(current, Mapping) else Mapping(UNKNOWN)
            elif isinstance(node, ast.Name) and node.id in {"int", "float", "str", "bool", "bytes", "complex"}:
                narrowed = Plain(node.id)
            elif isinstance(value, External) and value.name.rpartition(".")[2] in MAPPINGS:
                narrowed = current if isinstance(current, Mapping) else Mapping(UNKNOWN)
            elif isinstance(value, External) and value.name.rpartition(".")[2] in CONTAINERS:
                narrowed = current if isinstance(current, (Items, Series)) else Series(UNKNOWN, "sequence")
            elif isinstance(value, External) and is_tensorless(value.name):
                narrowed = Plain(value.name)
            else:
                return None
            found = join(found, narrowed)
        return found
