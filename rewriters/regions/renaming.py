"""Code with the modules read from names of their own."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rewriters.infer.syntax import path_of
from rewriters.regions.emit import Member
from rewriters.text.source_text import Source
from rewriters.text.tree import walk


def rename(text: str, members: Iterable[Member]) -> str:
    """Code with the modules read from names of their own."""
    names = {member.path: member.name for member in members if member.path != member.name}
    if not names:
        return text
    source = Source(text.encode())
    for node in walk(source.tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            new = names.get(path_of(node) or "")
            if new:
                source.edit(source.start(node), source.end(node), new)
    return source.result().decode()


def renamed(lines: list[str], members: Iterable[Member]) -> list[str]:
    return rename("\n".join(lines), members).split("\n") if lines else []
