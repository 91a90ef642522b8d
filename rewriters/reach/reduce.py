"""A module without what was not reached; what stays, stays as it was written."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass, field

from rewriters.reach.documenting import documenting
from rewriters.reach.following import Reach
from rewriters.reach.units import Import, Kind, Module, Unit

WIDTH = 100
COMPOUND = (ast.If, ast.Try, getattr(ast, "TryStar", ast.Try))


def reduced(reach: Reach, module: Module) -> bytes:
    """The module's text with the units that were reached."""
    return Reducing(reach, module).result()


@dataclass
class Lines:
    """A file's lines, some of which go or become others. Counted from 1."""

    lines: list[str]
    gone: set[int] = field(default_factory=set)
    new: dict[int, list[str]] = field(default_factory=dict)

    def remove(self, first: int, last: int) -> None:
        """Also the comment right above, unless it is the file's head."""
        above = first
        while above > 1 and self.lines[above - 2].lstrip().startswith("#"):
            above -= 1
        self.gone.update(range(first if above == 1 else above, last + 1))

    def replace(self, first: int, last: int, new: list[str]) -> None:
        self.gone.update(range(first, last + 1))
        self.new[first] = new

    def text(self) -> str:
        """Where lines go, the larger of the gaps around them stays."""
        result: list[str] = []
        number, count = 1, len(self.lines)
        while number <= count:
            if number in self.new:
                result += self.new[number]
                number += 1
                while number in self.gone and number not in self.new:
                    number += 1
                continue
            if number not in self.gone:
                result.append(self.lines[number - 1])
                number += 1
                continue
            before = blanks_at_end(result)
            after = 0
            while number <= count and number not in self.new and (number in self.gone or self.is_blank(number)):
                after = 0 if number in self.gone else after + 1
                number += 1
            del result[len(result) - before :]
            result += [""] * (max(before, after) if number <= count and result else 0)
        while result and not result[-1].strip():
            result.pop()
        return "\n".join(result) + "\n" if result else ""

    def is_blank(self, number: int) -> bool:
        return not self.lines[number - 1].strip()


def blanks_at_end(lines: list[str]) -> int:
    count = 0
    while count < len(lines) and not lines[-1 - count].strip():
        count += 1
    return count


class Reducing:
    def __init__(self, reach: Reach, module: Module) -> None:
        self.reach, self.module, self.source = reach, module, module.source
        self.units: dict[int, list[Unit]] = {}
        for unit in module.units:
            self.units.setdefault(id(unit.node), []).append(unit)
        text = self.source.buffer.decode()
        self.lines = Lines(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
        self.names = {name for unit in module.units if unit in reach.units for name in (*unit.binds, *unit.wanted)}

    def result(self) -> bytes:
        self.block(self.source.tree.body, 0)
        if not self.lines.gone and not self.lines.new:
            return self.module.data
        return self.lines.text().replace("\n", self.source.newline).encode(self.source.encoding)

    def block(self, statements: list[ast.stmt], needs: int) -> None:
        """Take out what is not kept. needs: the line of the block's head, that may not stand alone; 0 for a module."""
        kept = [statement for statement in statements if self.is_kept(statement)]
        for statement in statements:
            if statement not in kept:
                self.lines.remove(first_line(statement), last_line(statement))
            elif statement is self.module.lazy:
                self.lines.replace(first_line(statement), last_line(statement), self.lazy())
            elif isinstance(statement, COMPOUND) and id(statement) not in self.units:
                self.compound(statement)
            elif isinstance(statement, (ast.Import, ast.ImportFrom)):
                self.imports(statement)
            elif isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
                self.definition(statement)
            elif self.units[id(statement)][0].kind is Kind.LISTED:
                self.listed(statement)
        if not kept and needs and statements:
            at = first_line(statements[0])
            self.lines.new[at] = [f"{self.source.indentation(at)}pass"]

    def compound(self, statement: ast.If | ast.Try) -> None:
        self.block(statement.body, statement.lineno)
        if isinstance(statement, ast.If):
            self.block(statement.orelse, statement.lineno)
            return
        for handler in statement.handlers:
            self.block(handler.body, handler.lineno)
        self.block(statement.orelse, statement.lineno)
        self.block(statement.finalbody, statement.lineno)

    def definition(self, statement: ast.ClassDef | ast.FunctionDef) -> None:
        for decorator in documenting(statement, self.module.name):
            self.lines.remove(decorator.lineno, decorator.end_lineno or decorator.lineno)
        if not isinstance(statement, ast.ClassDef):
            return
        unit, *_ = self.units[id(statement)]
        gone = {id(member.node) for member in unit.members if member not in self.reach.units}
        for below in statement.body:
            if id(below) in gone:
                self.lines.remove(first_line(below), last_line(below))
            elif isinstance(below, ast.FunctionDef):
                self.definition(below)
        if len(gone) == len(statement.body):
            at = first_line(statement.body[0])
            self.lines.new[at] = [f"{self.source.indentation(at)}pass"]

    # -- what is kept -------------------------------------------------------------------------------------------

    def is_kept(self, statement: ast.stmt) -> bool:
        if statement is self.module.lazy:
            return bool(self.lazy())
        units = self.units.get(id(statement))
        if units is None:
            blocks = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
            blocks += [handler.body for handler in getattr(statement, "handlers", ())]
            return any(self.is_kept(below) and not self.is_beside(below) for block in blocks for below in block)
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            return bool(self.items(statement))
        kind = units[0].kind
        if kind is Kind.LISTED:
            return any(text in self.names for text in texts(statement))
        return kind in (Kind.TEXT, Kind.CONTROL) or units[0] in self.reach.units

    def is_beside(self, statement: ast.stmt) -> bool:
        """Whether a statement is no reason to keep what it stands in."""
        units = self.units.get(id(statement))
        return units is not None and units[0].kind in (Kind.TEXT, Kind.CONTROL)

    def items(self, statement: Import) -> list[str]:
        """The items of an import that stay."""
        found: list[str] = []
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            return [item.name for item in statement.names]
        for unit in self.units[id(statement)]:
            assert unit.item is not None
            if unit.checking:
                if not self.reach.for_checkers(unit):
                    continue
            elif unit not in self.reach.units:
                continue
            if unit.name == "*" and self.reach.library.source(unit)[1]:
                found += sorted(unit.wanted) or ["*"]  # imported for what happens then
            else:
                found.append(unit.name + (f" as {unit.item.asname}" if unit.item.asname else ""))
        return found

    # -- texts --------------------------------------------------------------------------------------------------

    def imports(self, statement: Import) -> None:
        items = self.items(statement)
        if len(items) == len(statement.names) and not any(item.name == "*" for item in statement.names):
            return
        if [item.name for item in statement.names] == items == ["*"]:
            return
        indent = self.source.indentation(statement.lineno)
        new = import_lines(statement, items, indent)
        self.lines.replace(first_line(statement), last_line(statement), new)

    def lazy(self) -> list[str]:
        """The package hands out what was reached when asked, as it did."""
        rows: dict[str, list[str]] = {}
        for unit in self.module.units:
            if unit in self.reach.units and self.in_lazy(unit):
                assert isinstance(unit.node, ast.ImportFrom)
                assert unit.item is not None
                row = rows.setdefault("." * unit.node.level + (unit.node.module or ""), [])
                row += [item for item in (sorted(unit.wanted) or [unit.name]) if item not in row]
        for name in sorted(self.reach.handed_out.get(self.module.name, ())):
            rows.setdefault(".", []).append(name)
        if not rows:
            return []
        imports = [line for source in sorted(rows) for line in from_lines(source, sorted(rows[source]), "    ")]
        table = [f'"{name}": "{source}",' for source in sorted(rows) for name in sorted(rows[source])]
        return [
            "if TYPE_CHECKING:",
            *imports,
            "else:",
            "    import importlib",
            "",
            "    _SOURCES = {",
            *(f"        {row}" for row in table),
            "    }",
            "",
            "    def __getattr__(name):",
            "        source = _SOURCES.get(name)",
            "        if source is None:",
            '            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")',
            '        if source == ".":',
            '            return importlib.import_module(f".{name}", __name__)',
            "        return getattr(importlib.import_module(source, __name__), name)",
        ]

    def in_lazy(self, unit: Unit) -> bool:
        lazy = self.module.lazy
        return lazy is not None and lazy.lineno <= unit.node.lineno <= (lazy.end_lineno or 0)

    def listed(self, statement: ast.stmt) -> None:
        kept = [text for text in texts(statement) if text in self.names]
        if len(kept) == len(texts(statement)):
            return
        items = ", ".join(f'"{text}"' for text in kept)
        line = f"__all__ {'+=' if isinstance(statement, ast.AugAssign) else '='} [{items}]"
        if len(line) > WIDTH:
            line = "\n".join([line.partition("[")[0] + "[", *wrapped(items, "    "), "]"])
        indent = self.source.indentation(statement.lineno)
        self.lines.replace(first_line(statement), last_line(statement), [indent + row for row in line.split("\n")])


def texts(statement: ast.stmt) -> list[str]:
    value = getattr(statement, "value", None)
    return [item.value for item in getattr(value, "elts", ()) if isinstance(getattr(item, "value", None), str)]


def first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def last_line(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def import_lines(statement: Import, items: list[str], indent: str) -> list[str]:
    if isinstance(statement, ast.Import):
        return [f"{indent}import {', '.join(items)}"]
    return from_lines("." * statement.level + (statement.module or ""), items, indent)


def from_lines(source: str, items: list[str], indent: str) -> list[str]:
    line = f"{indent}from {source} import {', '.join(items)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"{indent}from {source} import (", *wrapped(", ".join(items) + ",", indent + "    "), f"{indent})"]


def wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False)
