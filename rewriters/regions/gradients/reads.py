"""What reads a module's parameters without calling it: penalties of weights, which are part of a loss."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.leaves import is_leaf_attribute
from rewriters.infer.syntax import path_of
from rewriters.infer.values import Tensor, Unknown
from rewriters.regions.tracing import is_module, value_of
from rewriters.text.tree import children

DETACHED = {"detach", "data", "item", "shape", "size", "dtype", "device", "ndim", "dim", "numel"}
# Methods of a module that give its parameters, or parts that have some.
GIVING = {
    "parameters", "named_parameters", "get_parameter", "modules", "named_modules", "children", "named_children",
    "get_submodule",
}  # fmt: skip
# Calls that ask about the elements of what they go through, and hand none on.
COUNTING = {"len", "any", "all", "id", "isinstance", "type", "print", "hasattr"}


def reads_parameters(node: ast.AST) -> bool:
    """Whether a statement or an expression takes parameters of a module that is known to be one."""
    return next(parameters_in(node), None) is not None


def parameters_in(node: ast.AST) -> Iterator[ast.expr]:
    """Each ``net.parameters()`` and ``net.head.weight`` in it, less those of which no gradient passes."""
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Attribute) and part.attr in {*DETACHED, "requires_grad", "grad"}:
            continue
        if isinstance(part, ast.Call):
            if isinstance(part.func, ast.Name) and part.func.id in COUNTING:
                continue
            if isinstance(part.func, ast.Attribute):
                if part.func.attr in GIVING and is_module(value_of(part.func.value)):
                    yield part
                stack += [part.func.value, *part.args, *(word.value for word in part.keywords)]
                continue
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Load) and is_parameter(part):
            yield part
            continue
        stack += children(part)


def is_parameter(node: ast.Attribute) -> bool:
    """``net.head.weight``, and ``self.log_alpha`` of an object that trains it by itself"""
    if is_leaf_attribute(node):
        return path_of(node) is not None
    if not is_module(value_of(node.value)) or path_of(node) is None:
        return False
    value = value_of(node)
    return isinstance(value, (Tensor, Unknown)) and not is_module(value) and node.attr != "training"


def kept_parameters(names: set[str], home: ast.AST, inside: set[int]) -> Iterator[tuple[str, ast.expr]]:
    """Of these names, those that are bound to parameters elsewhere in a function, with what gives them."""
    stack: list[ast.AST] = list(children(home))
    while stack:
        part = stack.pop()
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)) or id(part) in inside:
            continue
        if isinstance(part, ast.Assign):
            bound = {target.id for target in part.targets if isinstance(target, ast.Name)} & names
            if bound and reads_parameters(part.value) and not copied(part.value):
                yield min(bound), part.value
        stack += children(part)


def copied(node: ast.expr) -> bool:
    """Whether what it gives is new: a copy, or something computed, of which the parameters are no part."""
    if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
        return copied(node.elt)
    if isinstance(node, ast.DictComp):
        return copied(node.value)
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(map(copied, node.elts))
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return name not in {*GIVING, "list", "tuple", "dict", "filter", "reversed", "sorted", "zip", "enumerate"}
    return isinstance(node, (ast.Constant, ast.Compare, ast.BinOp))
