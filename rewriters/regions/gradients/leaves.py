"""Tensors that are trained by themselves: losses of them, and what holds them (``rewriters/infer/leaves.py``)."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rewriters.infer.held_leaves import all_made, has_leaves, holds_leaves
from rewriters.infer.leaves import asks, is_leaf, is_leaf_attribute, leaves_in
from rewriters.infer.syntax import path_of
from rewriters.infer.values import FunctionInfo, FunctionOf, Method, ModuleInfo, ObjectOf, Ref
from rewriters.regions.gradients.reads import DETACHED
from rewriters.regions.gradients.sharing import below, is_sharing
from rewriters.regions.gradients.words import Words
from rewriters.regions.plan import Plan
from rewriters.regions.tracing import functions_in, parts_of, value_of
from rewriters.text.tree import Nodes, walk

LEAF = "torch.nn.Parameter:leaf"
ALL = "leaves()"
"""The path of all tensors that are trained by themselves."""
# Functions that take what holds a parameter as it is.
WHOLE = {"list", "tuple", "zip", "enumerate", "reversed", "id", "isinstance", "len", "type"}


def leaves_of(parts: Iterable[ast.AST], nodes: Nodes) -> dict[str, ast.expr]:
    """Those that a loss is computed from, by their names; under ``ALL`` one of those to which it comes otherwise."""
    found = [node for part in parts for node in walk(part)]
    held: dict[str, ast.expr] = {}
    for node in found:
        if isinstance(node, ast.Attribute) and is_leaf_attribute(node):
            held.setdefault(path_of(node) or ALL, node)
        for info in called_in(node) if isinstance(node, ast.Call) else ():
            if (inner := read_inside(info)) is not None:
                held.setdefault(ALL, inner)
    if not has_leaves(nodes):
        return held
    names = [node for node in found if isinstance(node, ast.Name)]
    if lists := [node for node in names if holds_leaves(node, nodes)]:
        held.setdefault(ALL, lists[0])
    leaves = sorted((n for n in names if is_leaf(n, nodes)), key=lambda node: (node.lineno, node.col_offset))
    return {**{node.id: node for node in leaves}, **held}


def called_in(call: ast.Call) -> list[FunctionInfo]:
    """The project's functions that a call runs, those of its objects among them."""
    found = functions_in(value_of(call.func))
    for part in parts_of(value_of(call.func)):
        one = part.info.functions.get("__call__") if isinstance(part, ObjectOf) and not part.info.is_module else None
        found += [one] if one is not None else []
    return found


def computes_alone(statement: ast.AST) -> bool:
    """Whether it calls code that comes to tensors that are trained by themselves, or reads some of an object."""
    return any(
        any(read_inside(info) is not None for info in called_in(node))
        if isinstance(node, ast.Call)
        else isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and is_leaf_attribute(node)
        for node in walk(statement)
    )


def read_inside(info: FunctionInfo) -> ast.expr | None:
    """What is trained by itself and a function, or one that it calls, reads from its file or an object."""
    seen, stack = {info.node}, [info]
    while stack:
        one = stack.pop()
        for node in walk(one.node):
            if isinstance(node, ast.Name) and (is_leaf(node, one.module.nodes) or holds_leaves(node, one.module.nodes)):
                return node
            if isinstance(node, ast.Attribute) and is_leaf_attribute(node) and is_used(node, one.module.nodes):
                return node
            for inner in called_in(node) if isinstance(node, ast.Call) else ():
                if inner.node not in seen:
                    seen.add(inner.node)
                    stack.append(inner)
    return None


def is_used(node: ast.Attribute, nodes: Nodes) -> bool:
    """Whether the tensor itself is read: neither stored, nor given out, nor asked for what no gradient passes."""
    around = nodes.parents.get(node)
    if not isinstance(node.ctx, ast.Load) or isinstance(around, (ast.Return, ast.List, ast.Tuple, ast.Compare)):
        return False
    return not (isinstance(around, ast.Attribute) and around.attr in {*DETACHED, "grad", "requires_grad"})


def trained_in_parts(nodes: Nodes) -> int:
    """The line that asks for gradients of tensors that have no name of their own, 0 where none does:
    ``for p in parameters: p.requires_grad = True``, ``[torch.zeros(3, requires_grad=True)]``."""
    for node in nodes.of(ast.Assign):
        target = node.targets[0]
        yes = isinstance(node.value, ast.Constant) and node.value.value is True
        if yes and isinstance(target, ast.Attribute) and target.attr == "requires_grad":
            return int(node.lineno)
    for call in nodes.of(ast.Call):
        asked = any(
            word.arg == "requires_grad" and getattr(word.value, "value", None) is True for word in call.keywords
        )
        asked |= isinstance(call.func, ast.Attribute) and call.func.attr == "requires_grad_" and not call.args
        if asked and isinstance(nodes.parents.get(call), (ast.List, ast.Tuple, ast.Dict)):
            return int(call.lineno)
    return 0


def lies_in(final: ast.expr, inside: list[ast.stmt], nodes: Nodes) -> ast.expr | None:
    """What is trained by itself, of which a loss is a part, or is it: it would change with it.

    inside: the statements that compute it.
    """
    node = final
    for statement in reversed(inside):
        if not isinstance(node, ast.Name):
            break
        if isinstance(statement, ast.Assign) and [getattr(one, "id", "") for one in statement.targets] == [node.id]:
            node = statement.value
    while is_sharing(node):
        node = below(node)
    return node if is_leaf(node, nodes) or holds_leaves(node, nodes) else None


def hold_leaves(module: ModuleInfo, plan: Plan, words: Words, every: bool) -> None:
    """Have tensors that are trained by themselves be parameters, and hand their arrays to functions.

    every: a loss comes to all of them, those that are made as parameters among them.
    """
    for value in all_made(module.nodes, every):
        plan.given[value] = LEAF
    for name in module.nodes.of(ast.Name) if leaves_in(module.nodes) else ():
        call = module.nodes.parents.get(name)
        if not isinstance(call, ast.Call) or name not in call.args or not is_leaf(name, module.nodes):
            continue
        function = value_of(call.func)
        whole = isinstance(function, (Ref, Method)) or getattr(call.func, "id", "") in WHOLE
        if not whole and not (isinstance(function, FunctionOf) and asks(function.info.node)):
            plan.wraps[name] = ("", words.held)
