"""What is a part of another tensor by the way it is written, also where a call or a loop hands it on."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import Any

from rewriters.infer.values import Tensor
from rewriters.targets.paddle.passes.weight_flow import Flow
from rewriters.targets.paddle.passes.weight_makers import value_of
from rewriters.text.tree import walk

VIEWS = {
    *("view", "reshape", "t", "transpose", "permute", "detach", "narrow", "select", "squeeze", "unsqueeze"),
    "flatten",
}
PARTS = {"chunk", "split", "unbind", "tensor_split"}
Key = tuple[Any, str]  # a name and the scope that binds it


class Views:
    """Of the files of a flow.

    whole: names of which it is known that no part comes by them.
    """

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.whole: set[Key] = set()

    def is_view(self, node: ast.expr) -> bool:
        """Whether a tensor is, or may be, a part of another by the way it is written."""
        asked: set[Key] = set()
        found = self.reaches(node, asked)
        if not found:
            self.whole |= asked
        return found

    def reaches(self, node: ast.expr, asked: set[Key]) -> bool:
        """asked: names that were followed on the way here, or before it to no avail: not once more."""
        if isinstance(node, ast.Subscript):
            return is_tensor(node) and is_tensor(node.value)
        if isinstance(node, ast.Attribute):
            return node.attr in {"T", "mT", "data"} and is_tensor(node.value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return node.func.attr in VIEWS and is_tensor(node.func.value)
        if not isinstance(node, ast.Name):
            return False
        bound = self.flow.bound
        values = [value for scope in self.flow.outwards(node) for value in bound.get((scope, node.id), ())]
        if any(one is not None and not isinstance(one, ast.Name) and self.reaches(one, asked) for one in values):
            return True
        if None not in values:
            return False
        key = next((scope, node.id) for scope in self.flow.outwards(node) if (scope, node.id) in bound)
        if key in asked or key in self.whole:
            return False
        asked.add(key)
        return key in self.parts or any(self.reaches(one, asked) for one in self.given.get(key[0], ()))

    @cached_property
    def parts(self) -> set[Key]:
        """Names under which loops go through the parts of a tensor."""
        found: set[Key] = set()
        for module in self.flow.modules:
            for loop in module.nodes.of(ast.For, ast.comprehension):
                parts = loop.iter.func if isinstance(loop.iter, ast.Call) else None
                if isinstance(parts, ast.Attribute) and parts.attr in PARTS:
                    scope = self.flow.scope_of(loop.target)
                    found |= {(scope, part.id) for part in walk(loop.target) if isinstance(part, ast.Name)}
        return found

    @cached_property
    def given(self) -> dict[ast.AST, list[ast.expr]]:
        """What calls give the project's functions."""
        found: dict[ast.AST, list[ast.expr]] = {}
        for module in self.flow.modules:
            for call in module.nodes.of(ast.Call):
                info, _ = self.flow.function_of(value_of(call.func))
                if info is not None:
                    given = [*call.args, *(word.value for word in call.keywords)]
                    found.setdefault(info.node, []).extend(given)
        return found


def is_tensor(node: ast.expr) -> bool:
    return isinstance(getattr(node, "v", None), Tensor)
