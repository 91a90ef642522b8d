"""Tensors that are trained by themselves: losses of them, and what holds them (``rewriters/infer/leaves.py``)."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rewriters.infer.leaves import asks, gathered, is_leaf, is_leaf_attribute, leaves_in, making
from rewriters.infer.syntax import path_of
from rewriters.infer.values import FunctionInfo, FunctionOf, Method, ModuleInfo, Ref
from rewriters.regions.gradients.words import Words
from rewriters.regions.hazards import short
from rewriters.regions.plan import Plan
from rewriters.regions.step import NotUnderstood
from rewriters.regions.tracing import functions_in, value_of
from rewriters.text.tree import Nodes, walk

LEAF = "torch.nn.Parameter:leaf"
# Functions that take what holds a parameter as it is.
WHOLE = {"list", "tuple", "zip", "enumerate", "reversed", "id", "isinstance", "len", "type"}


def leaves_of(parts: Iterable[ast.AST], nodes: Nodes) -> dict[str, ast.expr]:
    """Those that a loss is computed from, by their names. Raises NotUnderstood where it comes to some otherwise."""
    found = [node for part in parts for node in walk(part)]
    attributes = [node for node in found if isinstance(node, ast.Attribute) and is_leaf_attribute(node)]
    held: dict[str, ast.expr] = {path_of(node) or "": node for node in attributes}
    if "" in held:
        raise NotUnderstood(f"`{short(held[''])}` is trained by itself: give the object that has it a name")
    for call in (node for node in found if isinstance(node, ast.Call)):
        for info in functions_in(value_of(call.func)):
            if name := read_inside(info):
                raise NotUnderstood(
                    f"`{info.name}` reads `{name}` by itself: hand it on as an argument, so that gradients are taken "
                    "with respect to it"
                )
    if not leaves_in(nodes):
        return held
    names = [node for node in found if isinstance(node, ast.Name)]
    for node in names:
        if gathered(node, nodes):
            raise NotUnderstood(f"`{node.id}` holds what is trained: write its items where the loss is computed")
    leaves = sorted((n for n in names if is_leaf(n, nodes)), key=lambda node: (node.lineno, node.col_offset))
    return {**{node.id: node for node in leaves}, **held}


def read_inside(info: FunctionInfo) -> str:
    """A tensor that is trained by itself and that a function, or one that it calls, reads from its file."""
    seen, stack = {info.node}, [info]
    while stack:
        one = stack.pop()
        for node in walk(one.node):
            if isinstance(node, ast.Name) and (is_leaf(node, one.module.nodes) or gathered(node, one.module.nodes)):
                return node.id
            if isinstance(node, ast.Attribute) and is_leaf_attribute(node):
                return path_of(node) or node.attr
            for inner in functions_in(value_of(node.func)) if isinstance(node, ast.Call) else ():
                if inner.node not in seen:
                    seen.add(inner.node)
                    stack.append(inner)
    return ""


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


def hold_leaves(module: ModuleInfo, plan: Plan, words: Words) -> None:
    """Have tensors that are trained by themselves be parameters, and hand their arrays to functions."""
    for value in making(module.nodes):
        plan.given[value] = LEAF
    for name in module.nodes.of(ast.Name) if leaves_in(module.nodes) else ():
        call = module.nodes.parents.get(name)
        if not isinstance(call, ast.Call) or name not in call.args or not is_leaf(name, module.nodes):
            continue
        function = value_of(call.func)
        whole = isinstance(function, (Ref, Method)) or getattr(call.func, "id", "") in WHOLE
        if not whole and not (isinstance(function, FunctionOf) and asks(function.info.node)):
            plan.wraps[name] = ("", words.held)
