"""Statements between those that compute a loss: what is differentiated is computed in one place, behind them.

Those that change what has been read before are computed with it: ``y = net(x); x = x + 1; loss = (y - x).sum()``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from rewriters.infer.leaves import is_leaf
from rewriters.infer.syntax import path_of
from rewriters.regions.gradients.names import of_node
from rewriters.regions.gradients.trained import outermost
from rewriters.regions.step import NotUnderstood, Parents
from rewriters.regions.tracing import called_by, classes_in, functions_in, is_module, traced, value_of
from rewriters.text.tree import is_in_place, walk

LEAVING = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)
MODES = {"train", "eval", "requires_grad_"}


def in_order(inside: list[ast.stmt], parents: Parents) -> list[ast.stmt]:
    """These, and what between them changes what they have read or bound. Raises NotUnderstood."""
    if len(inside) < 2:
        return inside
    block, own = parents.block(inside[0]), set(inside)
    found: list[ast.stmt] = []
    held: set[str] = set()
    for statement in block[block.index(inside[0]) : block.index(inside[-1]) + 1]:
        names = of_node(statement)
        if statement not in own:
            check_attributes(statement, found)
            if not names.binds & held:
                continue
            check_joined(statement, parents)
        found.append(statement)
        held |= names.reads | names.binds
    return found


def check_joined(statement: ast.stmt, parents: Parents) -> None:
    """That a statement can be computed with the loss. Raises NotUnderstood."""
    for node in walk(statement):
        if isinstance(node, LEAVING):
            raise NotUnderstood(f"line {node.lineno} may leave while the loss is computed")
        if isinstance(node, ast.Name) and node.id in of_node(statement).changes and is_leaf(node, parents.nodes):
            raise NotUnderstood(
                f"line {node.lineno} changes `{node.id}`, of which the loss has been computed in part: write it in "
                "front of that, or behind backward"
            )


def check_attributes(statement: ast.stmt, before: Sequence[ast.stmt]) -> None:
    """That a statement stores no attribute that statements before it have read. Raises NotUnderstood."""
    for path, node in changed(statement):
        if any(has_read(one, path) for one in before):
            raise NotUnderstood(
                f"line {node.lineno} changes `{path}`, with which the loss has been computed in part: write it in "
                "front of that, or behind backward"
            )


def changed(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The attributes that a statement stores or changes in place, and modules whose mode it changes."""
    for node in walk(statement):
        target: ast.expr | None = None
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            target = node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            method, of = node.func.attr, node.func.value
            in_place = is_in_place(method) and not is_module(value_of(of))
            target = of if in_place or (method in MODES and is_module(value_of(of))) else None
        while isinstance(target, ast.Subscript) or (isinstance(target, ast.Attribute) and target.attr == "data"):
            target = target.value
        if target is None:
            continue
        path = path_of(target)
        if path is None and isinstance(target, ast.Attribute):  # ``net[0].bias``
            names = [part for part in walk(target) if isinstance(part, ast.Name)]
            yield from ((part.id, target) for part in names if is_module(value_of(part)))
        elif path and ("." in path or is_module(value_of(target))):
            yield path, target


def has_read(statement: ast.stmt, path: str) -> bool:
    """Whether what a statement computes may depend on what lies there."""
    last = path.rpartition(".")[2]
    for chain in outermost(statement):
        own = path_of(chain)
        if own is None:
            continue
        if f"{own}.".startswith(f"{path}."):
            return True
        around = path.startswith(f"{own}.")
        if around and is_module(value_of(chain)) and (not classes_in(value_of(chain)) or loads(chain, last)):
            return True
    calls = [node for node in walk(statement) if isinstance(node, ast.Call)]
    called = called_by(info for call in calls for info in functions_in(value_of(call.func)))
    return any(named(info.node, last) for info in called)


def loads(module: ast.expr, name: str) -> bool:
    """Whether what a module of the project runs reads an attribute of that name, or torch's layers have one."""
    if name in {"weight", "bias"}:
        return True
    return any(named(info.node, name) for one in classes_in(value_of(module)) for info in traced(one))


def named(code: ast.AST, name: str) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr == name for node in walk(code))
