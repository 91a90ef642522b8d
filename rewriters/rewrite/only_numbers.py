"""Of a size, where its numbers alone are asked for: whether it is a tuple or a list makes no difference there."""

from __future__ import annotations

import ast
import re
from collections.abc import Container

from rewriters.infer.values import INT, Ref
from rewriters.rewrite.resolving import Resolving, value_at
from rewriters.text.tree import Nodes

CONVOLVING = re.compile(r"torch\.(?:nn\.functional\.)?conv(?:_transpose)?[123]d")
# Python's own functions that go through what they are given, or count it.
GOING_THROUGH = {"len", "all", "any", "enumerate", "iter", "list", "map", "max", "min", "reversed", "set", "sorted",
                 "sum", "tuple", "zip"}  # fmt: skip
# Those of them that give one of several arguments back.
CHOOSING = {"max", "min"}


def are_looked_at(node: ast.expr, nodes: Nodes, shadowed: Container[str]) -> bool:
    """Whether the parts of a size are taken, or gone through, where it stands: ``h, w = conv.stride``."""
    around = nodes.parents.get(node)
    if isinstance(around, ast.Subscript):
        picked = around.value is node and isinstance(around.ctx, ast.Load)
        return picked and value_at(around.slice) == INT
    if isinstance(around, ast.Call) and isinstance(around.func, ast.Name) and node in around.args:
        name = around.func.id
        alone = len(around.args) == 1 and not around.keywords
        return name in GOING_THROUGH and name not in shadowed and (alone or name not in CHOOSING)
    if isinstance(around, ast.Assign):
        return around.value is node and all(isinstance(one, (ast.Tuple, ast.List)) for one in around.targets)
    if isinstance(around, (ast.For, ast.comprehension)):
        return around.iter is node
    return isinstance(around, ast.Starred) and not isinstance(nodes.parents.get(around), ast.Subscript)


def variant_of(node: ast.Attribute, key: str, names: Resolving) -> str:
    """The key of the rule for a setting that is convolved with, ``F.conv2d(x, w, b, conv.stride, conv.padding)``, or
    that becomes such a setting again; "" where there is none.
    """
    rules, nodes = names.book.rules, names.source.nodes
    if f"{key}:convolved" in rules and is_convolved_with(node, nodes):
        return f"{key}:convolved"
    if f"{key}:kept" not in rules:
        return ""
    target = kept_by(node, nodes)
    callee = names.resolve(target) if target is not None and target.attr == node.attr else None
    again = callee is not None and callee.receiver is not None and names.key_of(callee) == key
    return f"{key}:kept" if again and f"{key}=" in rules else ""


def is_convolved_with(node: ast.expr, nodes: Nodes) -> bool:
    """Whether it is given to one of torch's convolutions."""
    around = nodes.parents.get(node)
    call = nodes.parents.get(around) if isinstance(around, ast.keyword) else around
    called = value_at(call.func) if isinstance(call, ast.Call) and node is not call.func else None
    return isinstance(called, Ref) and CONVOLVING.fullmatch(called.name) is not None


def kept_by(node: ast.AST, nodes: Nodes) -> ast.Attribute | None:
    """The attribute that it is stored to, as one of the branches of an expression too; else None."""
    around = nodes.parents.get(node)
    while isinstance(around, ast.IfExp) and node is not around.test:
        node, around = around, nodes.parents.get(around)
    if not isinstance(around, ast.Assign) or around.value is not node or len(around.targets) != 1:
        return None
    target = around.targets[0]
    return target if isinstance(target, ast.Attribute) else None
