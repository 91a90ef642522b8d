"""A module's syntax tree with each expression that a claim is made of wrapped in ``__claim__(number, ...)``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from checks.claims.holding import is_claim
from rewriters.infer.values import UNKNOWN, ModuleInfo, Value

NAME = "__claim__"
UNTOUCHED = (ast.Constant, ast.Starred, ast.Slice, ast.FormattedValue, ast.JoinedStr)
# What looks at the frame it is called from.
FRAMES = {"super", "locals", "vars", "dir", "eval", "exec", "globals"}


@dataclass(frozen=True)
class Claim:
    """What is claimed, and of what."""

    path: str
    line: int
    text: str
    value: Value

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


class Wrapping(ast.NodeTransformer):
    """Wraps in place; the order of evaluation, scopes and what names mean stay."""

    def __init__(self, add: Callable[[ast.expr], int]) -> None:
        self.add = add

    def generic_visit(self, node: ast.AST) -> ast.AST:
        wrapped = isinstance(node, ast.expr) and self.is_wrapped(node)
        number = self.add(node) if wrapped and isinstance(node, ast.expr) else 0
        super().generic_visit(node)
        if not wrapped or not isinstance(node, ast.expr):
            return node
        call = ast.Call(ast.Name(NAME, ast.Load()), [ast.Constant(number), node], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def is_wrapped(self, node: ast.expr) -> bool:
        if isinstance(node, UNTOUCHED) or not is_claim(getattr(node, "v", UNKNOWN)):
            return False
        if not isinstance(getattr(node, "ctx", None) or ast.Load(), ast.Load):
            return False
        return not (isinstance(node, ast.Tuple) and any(isinstance(part, ast.Slice) for part in node.elts))

    def left(self, node: ast.AST) -> ast.AST:
        """An annotation or a pattern: not evaluated for its value."""
        return node

    visit_arg = visit_MatchValue = visit_MatchMapping = visit_MatchClass = left

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        if not isinstance(node.target, ast.Name):
            node.target = self.visit(node.target)
        return node

    def visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        returns, node.returns = node.returns, None
        super().generic_visit(node)
        node.returns = returns
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_function

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in FRAMES:
            node.args = [self.visit(part) for part in node.args]
            return node
        return self.generic_visit(node)


def instrument(module: ModuleInfo, claims: list[Claim], path: str, lines: list[str]) -> ast.Module:
    """The module's own tree, changed, to be compiled; claims made of it are appended. Call it after inference."""

    def add(node: ast.expr) -> int:
        claims.append(Claim(path, node.lineno, text_of(node, lines), node.v))  # type: ignore[attr-defined]
        return len(claims) - 1

    tree = Wrapping(add).visit(module.tree)
    assert isinstance(tree, ast.Module)
    return tree


def text_of(node: ast.expr, lines: list[str]) -> str:
    """The expression as it is written, shortened."""
    line = lines[node.lineno - 1].encode()
    end = node.end_col_offset if node.end_lineno == node.lineno else None
    return " ".join(line[node.col_offset : end].decode("utf-8", "replace").split())[:60]
