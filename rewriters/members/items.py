"""Names of loops over a module's parameters or buffers, comprehensions among them: each stands for what holds one, not
for its array."""

from __future__ import annotations

import ast

from rewriters.text.tree import Nodes, walk

SINGLE, NAMED = {"parameters", "buffers"}, {"named_parameters", "named_buffers"}
SAME = {"list", "tuple", "reversed"}
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def is_item(node: ast.AST, nodes: Nodes) -> bool:
    """Whether it is the name of such a loop around, which nothing in there binds anew."""
    if not isinstance(node, ast.Name):
        return False
    inside: ast.AST = node
    for around in nodes.all_around(node, ast.AST):
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            return False
        if isinstance(around, ast.For) and node.id in bound_by(around.target):
            within = inside in around.body
            return within and node.id in items_of(around.target, around.iter) and not is_bound_in(around, node.id)
        if isinstance(around, COMPREHENSIONS):
            for one in around.generators:
                if node.id in bound_by(one.target):
                    return node.id in items_of(one.target, one.iter) and node not in walk(one.iter)
        inside = around
    return False


def bound_by(target: ast.expr) -> set[str]:
    return {part.id for part in walk(target) if isinstance(part, ast.Name)}


def is_bound_in(loop: ast.For, name: str) -> bool:
    """Whether a statement in the loop makes the name stand for something else."""
    parts = [part for statement in loop.body for part in walk(statement)]
    augmented = {part.target for part in parts if isinstance(part, ast.AugAssign)}
    named = (part for part in parts if isinstance(part, ast.Name) and part.id == name)
    return any(isinstance(part.ctx, ast.Store) and part not in augmented for part in named)


def items_of(target: ast.expr, given: ast.expr) -> set[str]:
    """The names in the target of a loop that stand for parameters or buffers."""
    if not isinstance(given, ast.Call):
        return set()
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    if isinstance(given.func, ast.Attribute):
        if given.func.attr in SINGLE:
            return {target.id} if isinstance(target, ast.Name) else set()
        if given.func.attr in NAMED and len(parts) == 2:
            return bound_by(parts[1])
        return set()
    name = given.func.id if isinstance(given.func, ast.Name) else ""
    if name in SAME and given.args:
        return items_of(target, given.args[0])
    if name == "enumerate" and len(parts) == 2 and given.args:
        return items_of(parts[1], given.args[0])
    if name == "zip" and len(parts) == len(given.args):
        return set().union(*(items_of(part, one) for part, one in zip(parts, given.args, strict=True)))
    return set()
