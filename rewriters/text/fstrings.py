"""Positions of expressions inside f-strings.

Before Python 3.12 the parser gives them wrong; libcst knows where they are.
"""

from __future__ import annotations

import ast
import re
import sys
from typing import TYPE_CHECKING

from rewriters.text.parsing import expression_of
from rewriters.text.source_text import Edit, Source

if TYPE_CHECKING:
    import libcst as cst


def place_fstring(node: ast.JoinedStr, source: Source) -> None:
    """Give every node inside the f-string its true position."""
    if sys.version_info >= (3, 12) or getattr(node, "placed", False):
        return
    # Imported here: it takes longer than converting most files, and few f-strings need it.
    import libcst as cst
    from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

    for inner in ast.walk(node):
        if isinstance(inner, ast.JoinedStr):
            inner.placed = True  # type: ignore[attr-defined]
    holes = formatted(node)
    if not holes:
        return
    start = source.start(node)
    # In parentheses: an implicit concatenation may run over several lines.
    text = "(" + source.text(node) + "\n)"
    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    spans = wrapper.resolve(ByteSpanPositionProvider)
    found = [n for n in walk(wrapper.module) if isinstance(n, cst.FormattedStringExpression)]
    if len(found) != len(holes):
        raise ValueError(f"line {node.lineno}: an f-string that is not understood")
    for value, expression in zip(holes, found, strict=True):
        span = spans[expression.expression]
        begin = start + span.start - 1
        piece = source.original(begin, begin + span.length)
        relocate(value.value, expression_of(f"({piece}\n)"), begin, source)


def outside_fields(node: ast.JoinedStr, source: Source) -> str:
    """The f-string's text without its replacement fields."""
    fields = [part.value for part in ast.walk(node) if isinstance(part, ast.FormattedValue)]
    text, position = "", source.start(node)
    for field in sorted(fields, key=source.start):
        if source.start(field) >= position:
            text += source.original(position, source.start(field))
            position = source.end(field)
    return text + source.original(position, source.end(node))


def with_names_kept(node: ast.JoinedStr, edits: list[Edit], source: Source) -> list[Edit]:
    """The edits inside of an f-string, and those that keep the text which ``{x.numel()=}`` shows beside the value."""
    kept = list(edits)
    for field in formatted(node) if edits else ():
        start, end = source.start(field.value), source.end(field.value)
        asked = re.compile(rb"[\s)]*(=\s*)(?=([!:}]))").match(source.buffer, end)
        if asked is None or not any(start <= edit.start and edit.end <= end for edit in edits):
            continue
        opened = source.buffer.rindex(b"{", 0, start)
        label = source.original(opened + 1, asked.end()).replace("{", "{{").replace("}", "}}")
        kept.append(Edit(opened, opened, label))
        kept.append(Edit(asked.start(1), asked.end(), "!r" if asked.group(2) == b"}" else ""))
    return kept


def formatted(node: ast.JoinedStr) -> list[ast.FormattedValue]:
    """The replacement fields in source order, those in format specs after their own."""
    found: list[ast.FormattedValue] = []
    for value in node.values:
        if isinstance(value, ast.FormattedValue):
            found.append(value)
            found += formatted_within(value.value)
            if isinstance(value.format_spec, ast.JoinedStr):
                found += formatted(value.format_spec)
    return found


def formatted_within(node: ast.AST) -> list[ast.FormattedValue]:
    """Fields of f-strings nested in an expression."""
    found: list[ast.FormattedValue] = []
    if isinstance(node, ast.JoinedStr):
        return formatted(node)
    for child in ast.iter_child_nodes(node):
        found += formatted_within(child)
    return found


def walk(node: cst.CSTNode) -> list[cst.CSTNode]:
    found = [node]
    for child in node.children:
        found += walk(child)
    return found


def relocate(old: ast.AST, new: ast.AST, begin: int, source: Source) -> None:
    """Copy positions from a tree parsed on its own (behind one parenthesis) to the file's tree."""
    if "lineno" in new._attributes and hasattr(old, "lineno"):
        for name, column, end in (("lineno", "col_offset", False), ("end_lineno", "end_col_offset", True)):
            line, offset = getattr(new, name), getattr(new, column)
            # Lines of the piece: the first begins one byte late, behind the parenthesis.
            base_line = line_of(begin, source)
            absolute = begin + offset - 1 if line == 1 else source.starts[base_line - 1 + line - 1] + offset
            place_line = line_of(absolute - (1 if end else 0), source)
            setattr(old, name, place_line)
            setattr(old, column, absolute - source.starts[place_line - 1])
    for first, second in zip(ast.iter_child_nodes(old), ast.iter_child_nodes(new), strict=False):
        relocate(first, second, begin, source)


def line_of(offset: int, source: Source) -> int:
    from bisect import bisect_right

    return bisect_right(source.starts, offset)
