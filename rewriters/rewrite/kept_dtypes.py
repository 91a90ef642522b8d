"""Dtypes that are looked up or told apart by identity: ``x.dtype in {torch.float16}``, ``x.dtype is torch.float16``.

A target whose names of dtypes equal what ``x.dtype`` gives, and have another hash (JAX), has a rule under
``torch.dtype:kept`` that makes the same of them. It answers wherever a dtype is kept, in a project that looks any up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rewriters.infer.joining import is_dtype
from rewriters.infer.values import Method, ModuleInfo, Ref
from rewriters.text.tree import Nodes, called_name

KEY = "torch.dtype:kept"
LOOKING = {"get", "setdefault", "pop", "add", "discard", "remove", "index", "count", "set", "frozenset", "fromkeys"}


def is_one(node: ast.AST | None) -> bool:
    """Whether it is a dtype, or is called one."""
    value = getattr(node, "v", None)
    return (isinstance(node, ast.Attribute) and node.attr == "dtype") or (value is not None and is_dtype(value))


def are_looked_up(modules: Iterable[ModuleInfo]) -> bool:
    """Whether any file looks a dtype up, or tells one apart by identity."""
    return any(looks_up(module.nodes) for module in modules)


def looks_up(nodes: Nodes) -> bool:
    displays = [part for node in nodes.of(ast.Set) for part in node.elts]
    displays += [part for node in nodes.of(ast.Dict) for part in node.keys if part is not None]
    displays += [node.elt for node in nodes.of(ast.SetComp)] + [node.key for node in nodes.of(ast.DictComp)]
    displays += [node.slice for node in nodes.of(ast.Subscript)]
    for call in nodes.of(ast.Call):
        for given in call.args[:1] if called_name(call) in LOOKING else ():
            displays.append(given.elt if isinstance(given, ast.GeneratorExp) else given)
    return any(map(is_one, displays)) or any(map(tells_apart, nodes.of(ast.Compare)))


def tells_apart(node: ast.Compare) -> bool:
    """By identity, or by what is in a set, as far as it is not written out otherwise."""
    for op, left, right in zip(node.ops, [node.left, *node.comparators], node.comparators, strict=False):
        none = any(isinstance(side, ast.Constant) for side in (left, right))
        if isinstance(op, (ast.Is, ast.IsNot)) and (is_one(left) or is_one(right)) and not none:
            return True
        listed = isinstance(right, (ast.Tuple, ast.List, ast.Name, ast.Attribute))
        if isinstance(op, (ast.In, ast.NotIn)) and is_one(left) and not listed:
            return True
    return False


def is_kept(node: ast.expr, nodes: Nodes) -> bool:
    """Whether a dtype that is named is more than given to a function of torch's, compared or asked for an attribute."""
    around = nodes.parents.get(node)
    if isinstance(around, ast.keyword):
        around = nodes.parents.get(around)
    if isinstance(around, ast.Call):
        called = getattr(around.func, "v", None)
        return not (isinstance(called, (Ref, Method)) and called.name.startswith("torch"))
    if isinstance(around, ast.Compare):
        return any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in around.ops)
    if isinstance(around, (ast.Tuple, ast.List)):
        return not isinstance(nodes.parents.get(around), ast.Compare)
    return not isinstance(around, (ast.Attribute, ast.FormattedValue, ast.arg, ast.AnnAssign))
