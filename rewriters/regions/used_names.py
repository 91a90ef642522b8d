"""Names that statements bind and read, and what stands behind them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rewriters.infer.values import ClassOf, FunctionOf, Instance, Items, Mapping, Method, Ref, Series, Tensor, Value
from rewriters.regions.hazards import short
from rewriters.regions.step import SIMPLE, Function, NotUnderstood
from rewriters.regions.tracing import is_module, path_of, value_of
from rewriters.text.tree import children, walk
from rewriters.torch.table import mro


def targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    return [statement.target] if isinstance(statement, (ast.AnnAssign, ast.AugAssign)) else []


def bound(statement: ast.AST) -> set[str]:
    """Names that a statement binds."""
    return {node.id for node in walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def read(statement: ast.AST) -> set[str]:
    """Names that a statement reads."""
    found = {node.id for node in walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    if isinstance(statement, ast.AugAssign):
        found |= bound(statement)
    return found


def names_bound(function: Function) -> set[str]:
    """A function's own names."""
    arguments = {node.arg for node in walk(function.args) if isinstance(node, ast.arg)}
    return arguments | bound(function)


def is_data(value: Value | None) -> bool:
    """A tensor, or a container of tensors alone."""
    if isinstance(value, Items):
        return bool(value.values) and all(is_data(item) for item in value.values)
    if isinstance(value, (Series, Mapping)):
        return is_data(value.element)
    return isinstance(value, Tensor)


def loads(statement: ast.stmt, function: Function | None) -> Iterable[ast.expr]:
    """The names that a statement reads; of attributes of ``self`` the whole chain up to what is known."""
    stack: list[ast.AST] = [statement.value] if isinstance(statement, SIMPLE) and statement.value else [statement]
    if isinstance(statement, ast.AugAssign):
        yield statement.target
    while stack:
        node = stack.pop(0)
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load) and path_of(node):
            yield prefix(node)
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and path_of(node.func):
            inner = node.func if is_member(node.func) else node.func.value
            if inner is not node.func and is_module(value_of(inner)):
                raise NotUnderstood(f"`{short(node)}` calls a method of the model; a graph calls the model itself")
            stack = [inner, *node.args, *node.keywords, *stack]
            continue
        stack += children(node)


def is_member(node: ast.Attribute) -> bool:
    """``self.model`` itself, not a method of something."""
    return is_module(value_of(node)) or not isinstance(value_of(node), (Method, FunctionOf))


def prefix(node: ast.expr) -> ast.expr:
    """The shortest chain that is a tensor or a Module: of ``x.shape`` it is ``x``."""
    chain = [node]
    while isinstance(chain[-1], ast.Attribute):
        chain.append(chain[-1].value)
    for part in reversed(chain):
        if is_data(value_of(part)) or is_module(value_of(part)):
            return part
    root = chain[-1]
    return root if isinstance(value_of(root), (Ref, FunctionOf, ClassOf)) or value_of(root) is None else node


def instance_of(node: ast.expr | None) -> str:
    """The torch class of an expression, ""."""
    value = value_of(node) if node is not None else None
    return value.name if isinstance(value, Instance) else ""


def is_a(name: str, base: str) -> bool:
    """Whether a torch class derives from another."""
    return base in mro(name)
