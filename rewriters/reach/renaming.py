"""Imports of a package, said to mean a package of another name."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from rewriters.text.source_text import Source


def renamed(data: bytes, names: Mapping[str, str]) -> bytes:
    """The file with absolute imports of the packages pointed to their new names.

    What the file binds stays: ``import timm`` becomes ``import timm_paddle as timm``. Raises UnreadableSource.
    """
    if not any(name.encode() in data for name in names):
        return data
    source = Source(data)
    for node in source.nodes.of(ast.ImportFrom):
        new = other(node.module or "", names)
        if not node.level and new:
            put(source, node, node.module, new, source.start(node))
    for node in source.nodes.of(ast.Import):
        items = [item_text(item, names) for item in node.names]
        if any(new for _, new in items):
            text = ", ".join(text for text, _ in items)
            source.edit(source.start(node), source.end(node), f"import {text}")
    for node in source.nodes.of(ast.Call):
        # importlib.import_module("timm.layers"), _import_module("timm")
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called in ("import_module", "__import__", "find_spec") and node.args:
            put_text(source, node.args[0], names)
    for node in source.nodes.of(ast.Subscript):  # sys.modules["timm.layers"]
        if isinstance(node.value, ast.Attribute) and node.value.attr == "modules":
            put_text(source, node.slice, names)
    return source.result()


def other(module: str, names: Mapping[str, str]) -> str:
    """The new name of a module, "" for one of another package."""
    root, dot, rest = module.partition(".")
    return f"{names[root]}{dot}{rest}" if root in names else ""


def item_text(item: ast.alias, names: Mapping[str, str]) -> tuple[str, str]:
    """An item of ``import``, and the new name of its module, "" where that stays."""
    new = other(item.name, names)
    if not new:
        return item.name + (f" as {item.asname}" if item.asname else ""), ""
    if item.asname:
        return f"{new} as {item.asname}", new
    root = item.name.partition(".")[0]
    if "." not in item.name:
        return f"{new} as {root}", new
    return f"{new}, {names[root]} as {root}", new


def put(source: Source, node: ast.AST, old: str, new: str, start: int) -> None:
    text = source.original(start, source.end(node)).encode()
    at = start + text.index(old.encode())
    source.edit(at, at + len(old.encode()), new)


def put_text(source: Source, node: ast.AST, names: Mapping[str, str]) -> None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and other(node.value, names):
        put(source, node, node.value, other(node.value, names), source.start(node))
