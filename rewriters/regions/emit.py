"""Text of converted statements inside a graph's ``build``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rewriters.infer.syntax import path_of
from rewriters.infer.values import Ref
from rewriters.regions.tracing import value_of
from rewriters.text.source_text import Source
from rewriters.text.tree import walk

NO_GRAD = {"torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad", "torch.autograd.grad_mode.no_grad"}


@dataclass(frozen=True)
class Member:
    """A module as the source writes it, and the attribute of the graph that holds it."""

    path: str
    name: str


def rename(text: str, members: Sequence[Member]) -> str:
    """Statements with the modules read from ``self``."""
    return rename_paths(text, {member.path: f"self.{member.name}" for member in members})


def rename_paths(text: str, names: Mapping[str, str]) -> str:
    """Code in which what is read under a path, ``self.net``, is read under its new name."""
    source = Source(text.encode())
    for node in walk(source.tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            new = names.get(path_of(node) or "")
            if new:
                source.edit(source.start(node), source.end(node), new)
    return source.result().decode()


def under_no_grad(around: Iterable[ast.AST]) -> bool:
    """Whether a node whose surroundings are given runs without gradients."""
    for node in around:
        if isinstance(node, ast.With):
            wanted = [item.context_expr for item in node.items]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            wanted = node.decorator_list
        else:
            continue
        for part in wanted:
            value = value_of(part.func if isinstance(part, ast.Call) else part)
            if isinstance(value, Ref) and value.name in NO_GRAD:
                return True
    return False
