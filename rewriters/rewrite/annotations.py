"""What says what something is: names of torch's classes there stand for classes, also in quotes."""

from __future__ import annotations

import ast
import re

from rewriters.rewrite.rewriting import Rewriting
from rewriters.rewrite.torch_class import made_classes
from rewriters.rules.rulebook import dotted
from rewriters.text.tree import children, walk

# Between two lines of code, comments with it; names in quotes are passed whole.
LINE_ENDS = re.compile(r"""'[^'\n]*'|(?P<end>(?:[ \t]*(?:\#[^\n]*)?\r?\n[ \t]*)+)""")


class Annotations(Rewriting):
    """Rewrites annotations."""

    def visit(self, node: ast.expr, in_quotes: bool = False) -> None:
        if isinstance(node, ast.Constant):
            quoted = self.quoted(node)
            if quoted is not None:
                self.visit(quoted, in_quotes=True)
            return
        if isinstance(node, ast.Subscript) and (dotted(node.value) or "").rpartition(".")[2] == "Literal":
            self.visit(node.value)
            return
        if isinstance(node, (ast.Name, ast.Attribute)):
            with self.draft.within(in_annotation=True):
                self.walk.visit(node, as_class=True)
            return
        start, end = self.source.start(node), self.source.end(node)
        quoting = (
            not in_quotes
            and any(map(self.is_made_by_function, united(node)))
            and '"' not in self.source.segment(start, end)
        )
        if quoting:  # functions do not unite
            self.source.edit(start, start, '"')
            self.join_lines(start, end)
        for child in children(node):
            if isinstance(child, ast.expr):
                self.visit(child, in_quotes or quoting)
        if quoting:
            self.source.edit(end, end, '"')

    def join_lines(self, start: int, end: int) -> None:
        """Of what comes into quotes: on one line, or where a comment stands between them each in its own quotes."""
        for found in LINE_ENDS.finditer(self.source.segment(start, end)):
            if "#" in found[0] and found["end"]:
                self.source.edit(start + found.start(), start + found.start(), ' "')
                self.source.edit(start + found.end(), start + found.end(), '"')
            elif found["end"]:
                self.source.edit(start + found.start(), start + found.end(), " ")

    def is_made_by_function(self, node: ast.expr) -> bool:
        """Whether a class of torch's is made by a function here, which stands for it where types are named."""
        callee = self.names.resolve(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
        key = "" if callee is None else self.names.key_of(callee)
        rules = self.book.rules.get(key, [])
        return bool(rules) and f"{key}:test" not in self.book.rules and not made_classes(self.book, key)

    def quoted(self, node: ast.Constant) -> ast.expr | None:
        """The expression inside a quoted annotation, with positions in the file; None where the text is not plain."""
        inner: ast.expr | None = getattr(node, "quoted", None)
        text = self.source.text(node)
        if inner is None or text[1:-1] != node.value or node.lineno != node.end_lineno:
            return None
        for part in walk(inner):
            if isinstance(part, ast.expr):
                part.lineno = part.end_lineno = node.lineno
                part.col_offset += node.col_offset + 1
                part.end_col_offset = (part.end_col_offset or 0) + node.col_offset + 1
            for child in children(part):
                child.parent = part  # type: ignore[attr-defined]  # as all nodes of the file know
        inner.parent = node  # type: ignore[attr-defined]
        return inner


def united(node: ast.expr) -> list[ast.expr]:
    """What ``int | str`` unites."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*(united(node.left) or [node.left]), *(united(node.right) or [node.right])]
    return []
