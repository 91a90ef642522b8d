"""Conditions of what is no tensor, by what is done where they hold: ``if self.vae: self.vae.config.scale``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.syntax import path_of
from rewriters.rewrite.beside import SIMPLE, SOMETIMES, is_first, lacking, reads_of, statement_of
from rewriters.text.tree import Nodes, text_of, walk


def guards_another(node: ast.expr, nodes: Nodes) -> bool:
    """Whether, where a condition holds, what it asks is surely asked for an attribute next that tensors lack.

    If it were a tensor, torch would raise there.
    """
    text = text_asked(node)
    if not text:
        return False
    given = reads_of(nodes).given
    for region in regions(node, text, nodes):
        for part in walk(region):
            asked = part.attr if isinstance(part, ast.Attribute) and path_of(part.value) == text else ""
            if asked and asked not in given and lacking(asked) and is_sure(part, region, nodes):
                return True
    return False


def text_asked(node: ast.expr) -> str:
    """``self.vae``; of ``getattr(self, "vae", None)`` the same."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "getattr" and len(node.args) == 3:
        of, name = path_of(node.args[0]), text_of(node.args[1])
        return f"{of}.{name}" if of and name else ""
    return path_of(node) or ""


def regions(node: ast.expr, text: str, nodes: Nodes) -> Iterator[ast.AST]:
    """What is evaluated next where it holds, until what the text names may be another."""
    part: ast.AST = node
    around = nodes.parents.get(part)
    while isinstance(around, ast.BoolOp) and isinstance(around.op, ast.And):
        yield from around.values[around.values.index(part) + 1 :]  # type: ignore[arg-type]
        part, around = around, nodes.parents.get(around)
    if isinstance(around, ast.IfExp) and around.test is part:
        yield around.body
    elif isinstance(around, ast.If) and around.test is part:
        for statement in around.body:
            if stores(statement, text):
                return
            yield statement
            if not isinstance(statement, SIMPLE):
                return  # what follows may not be reached


def stores(statement: ast.AST, text: str) -> bool:
    """Whether a statement may bind what a text names to something else."""
    bound = (one for one in walk(statement) if isinstance(getattr(one, "ctx", None), (ast.Store, ast.Del)))
    return any(text == path or text.startswith(f"{path}.") for one in bound if (path := path_of(one)))  # type: ignore[arg-type]


def is_sure(part: ast.AST, region: ast.AST, nodes: Nodes) -> bool:
    """Whether a part of a statement or an expression is evaluated whenever that is."""
    if isinstance(region, ast.stmt) and statement_of(part, nodes) is not region:
        return False
    while part is not region:
        around = nodes.parents[part]
        if isinstance(around, SOMETIMES) and not is_first(part, around):
            return False
        part = around
    return True
