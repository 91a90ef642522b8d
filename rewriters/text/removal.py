"""Taking statements out of a file."""

from __future__ import annotations

import ast
import re

from rewriters.text.source_text import Source, comments

# Nodes that hold statements.
BLOCKS = (
    ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.AsyncFor, ast.While, ast.If, ast.With,
    ast.AsyncWith, ast.Try, getattr(ast, "TryStar", ast.Try), ast.ExceptHandler, ast.match_case,
)  # fmt: skip
SEMICOLON = re.compile(r"[ \t]*;[ \t]*(?=[^\s#])")


class Removal:
    """Removes statements of one file, and remembers which, since a block must keep one."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.blocks = blocks_of(source)
        self.deleted: set[ast.AST] = set()

    def remove(self, statement: ast.stmt) -> None:
        """Remove the statement with its line; a block must keep at least one."""
        source = self.source
        start, end = source.start(statement), source.end(statement)
        line_start = source.line_start(statement.lineno)
        assert statement.end_lineno is not None
        line_end = (
            source.starts[statement.end_lineno] if statement.end_lineno < len(source.starts) else len(source.buffer)
        )
        alone = not source.original(line_start, start).strip() and not source.original(end, line_end).strip()
        if alone and not self.only_statement(statement):
            indent = source.indentation(statement.lineno)
            kept = "".join(f"{indent}{text}{source.newline}" for text in comments(source.original(start, end)))
            source.edit(line_start, line_end, kept)
            return
        rest = source.original(end, line_end)
        leading = not source.original(line_start, start).strip()
        if leading and rest.lstrip(" \t").startswith("#") and not self.only_statement(statement):
            source.edit(start, end + len(rest) - len(rest.lstrip(" \t")), "")
            return
        behind = SEMICOLON.match(source.original(end, line_end))
        if behind and not self.only_statement(statement):
            source.edit(start, end + behind.end(), "")
        else:
            source.edit(start, end, "  ".join(["pass", *comments(source.original(start, end))]))

    def only_statement(self, statement: ast.stmt) -> bool:
        """Whether nothing else is left of the statement's block; the module itself may be empty."""
        block = self.blocks[statement]
        self.deleted.add(statement)
        others = [other for other, place in self.blocks.items() if place == block and other not in self.deleted]
        return not others and block != id(self.source.tree)


def blocks_of(source: Source) -> dict[ast.AST, int]:
    """Statement -> the block that it stands in; the module's own is the tree's id."""
    found: dict[ast.AST, int] = {}
    tree = source.tree
    for node in source.nodes.of(*BLOCKS):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, ())
            found.update(dict.fromkeys(block, id(tree) if node is tree else id(block)))
    return found
