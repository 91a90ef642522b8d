"""Which names are local to each function of a file."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from rewriters.rewrite.known import Context
from rewriters.rules.effects import is_docstring
from rewriters.text.tree import COMPREHENSIONS, Nodes, walk
from rewriters.torch.table import of_source

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
SCOPES = (*DEFINITIONS, ast.Lambda, *COMPREHENSIONS)


def local_names(nodes: Nodes, own: Collection[str]) -> dict[ast.AST, set[str]]:
    """By function; torch's imports are not counted, they are bindings of their own.

    own: packages that the project has itself, whose imports are.

    Starts from what binds names, which is little, and not from the functions, which hold each other.
    """
    functions = nodes.of(ast.FunctionDef, ast.AsyncFunctionDef)
    found: dict[ast.AST, set[str]] = {
        function: {argument.arg for argument in walk(function.args) if isinstance(argument, ast.arg)}
        for function in functions
    }

    def home(node: ast.AST) -> set[str]:
        """Where a name bound here is local: in nothing where no function's body is what it stands in."""
        below, scope = node, nodes.parents[node]
        while not isinstance(scope, (*SCOPES, ast.Module)):
            below, scope = scope, nodes.parents[scope]
        return found.get(scope, set()) if isinstance(below, ast.stmt) else set()

    for node in nodes.of(*DEFINITIONS, ast.ExceptHandler, ast.MatchAs, ast.MatchStar):
        if node.name:
            home(node).add(node.name)
    for node in nodes.of(ast.Name):
        if not isinstance(node.ctx, ast.Load):
            home(node).add(node.id)
    for node in nodes.of(ast.MatchMapping):
        if node.rest:
            home(node).add(node.rest)
    for node in nodes.of(ast.Import, ast.ImportFrom):
        if not of_source(root_of(node), own):
            home(node).update(imported(node.names))
    for node in nodes.of(ast.Global, ast.Nonlocal):
        home(node).difference_update(node.names)
    return found


def imported(items: Iterable[ast.alias]) -> set[str]:
    return {item.asname or item.name.split(".")[0] for item in items}


def root_of(node: ast.Import | ast.ImportFrom) -> str:
    name = node.names[0].name if isinstance(node, ast.Import) else node.module or ""
    return name.split(".")[0]


def first_of_closure(node: ast.expr, here: Context) -> ast.stmt | None:
    """The first statement of the function here, where a name is of one around it and not declared ``nonlocal``."""
    around = here.functions[-1] if here.functions else None
    if not isinstance(node, ast.Name) or not isinstance(around, DEFINITIONS[:2]):
        return None
    if node.id in here.own or node.id not in here.shadowed:
        return None
    if any(node.id in one.names for one in walk(around) if isinstance(one, (ast.Global, ast.Nonlocal))):
        return None
    begins = around.body[0]
    return around.body[1] if is_docstring(begins) and len(around.body) > 1 else begins


def is_shut(node: ast.Name, here: Context) -> bool:
    """Whether nothing can be declared in such a function, which stands on one line."""
    first = first_of_closure(node, here)
    around = here.functions[-1] if first is not None else None
    return first is not None and first.lineno == getattr(around, "lineno", 0)
