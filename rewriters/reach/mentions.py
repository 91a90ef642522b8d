"""What a piece of code mentions: names, attributes, texts, imports inside functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rewriters.text.tree import FUNCTIONS, called_name, children

WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass
class Mentions:
    """Of one unit.

    names:      loaded by themselves.
    chains:     ``a.b.c`` as ("a", ("b", "c")), as far as it is read.
    attributes: of what is not a plain name.
    strings:    texts that could be names, dotted ones as well.
    patterns:   f-strings that make up a name: what they could be.
    probed:     names of which an attribute is asked for by a text: getattr, hasattr.
    of_modules: attributes asked of some module that runs: ``mod = sys.modules[f.__module__]``, ``mod.table``.
    local:      names that functions inside bind: parameters, assigned ones.
    imports:    statements inside functions.
    """

    names: set[str] = field(default_factory=set)
    chains: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    strings: set[str] = field(default_factory=set)
    patterns: set[str] = field(default_factory=set)
    probed: set[str] = field(default_factory=set)
    of_modules: set[str] = field(default_factory=set)
    local: set[str] = field(default_factory=set)
    imports: list[ast.Import | ast.ImportFrom] = field(default_factory=list)


def mentions_of(nodes: Iterable[ast.AST], left_out: Sequence[ast.AST] = ()) -> Mentions:
    """All that these nodes, and what stands in them, mention, but for what is left out."""
    found = Mentions()
    running: set[str] = set()  # names of modules that run
    asked: set[tuple[str, str]] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node in left_out:
            continue
        if isinstance(node, ast.Attribute):
            waiting += attribute(node, found)
            continue
        if isinstance(node, ast.Name):
            (found.names if isinstance(node.ctx, ast.Load) else found.local).add(node.id)
        elif isinstance(node, ast.arg):
            found.local.add(node.arg)
        elif isinstance(node, ast.Constant):
            text(node, found)
        elif isinstance(node, ast.JoinedStr):
            pattern(node, found)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.imports.append(node)
        elif isinstance(node, ast.Call) and called_name(node) in ("getattr", "hasattr") and node.args:
            found.probed.update({node.args[0].id} if isinstance(node.args[0], ast.Name) else ())
            asked.update((ast.unparse(node.args[0]), value) for value in texts(node.args[1:]))
        elif isinstance(node, ast.Assign) and is_running_module(node.value):
            running.update(target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            found.local.add(node.name)
        waiting += without_docstring(node)
    asked.update((root, attributes[0]) for root, attributes in found.chains if attributes)
    found.of_modules = {name for root, name in asked if root in running and not name.startswith("__")}
    return found


def is_running_module(node: ast.expr) -> bool:
    """``sys.modules[f.__module__]``: a module that only the run tells."""
    if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Constant):
        return False
    return ast.unparse(node.value) == "sys.modules"


def texts(nodes: Iterable[ast.expr]) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def without_docstring(node: ast.AST) -> list[ast.AST]:
    """The nodes below, without a text that stands as a statement."""
    return [
        child for child in children(node) if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant))
    ]


def attribute(node: ast.Attribute, found: Mentions) -> list[ast.AST]:
    """Counts a chain of attributes; hands out the expression that it starts from, where that is no name."""
    attributes: list[str] = []
    value: ast.expr = node
    while isinstance(value, ast.Attribute):
        if isinstance(value.ctx, ast.Load):
            attributes.insert(0, value.attr)
        value = value.value
    if isinstance(value, ast.Name):
        found.chains.add((value.id, tuple(attributes)))
        return []
    found.attributes.update(attributes)
    return [value]


def text(node: ast.Constant, found: Mentions) -> None:
    value = node.value
    if isinstance(value, str) and 1 < len(value) < 200 and all(map(WORD.fullmatch, value.split("."))):
        found.strings.add(value)


def pattern(node: ast.JoinedStr, found: Mentions) -> None:
    parts = [
        re.escape(part.value) if isinstance(part, ast.Constant) and isinstance(part.value, str) else r"\w+"
        for part in node.values
    ]
    fixed = "".join(part for part in parts if part != r"\w+")
    if len(fixed) > 2 and re.fullmatch(r"\w+", fixed):
        found.patterns.add("".join(parts))
