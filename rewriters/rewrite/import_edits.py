"""Rewriting import statements: the output's imports are what it uses."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from rewriters.rewrite.imports import Binding, ImportTable
from rewriters.text.removal import Removal
from rewriters.text.source_text import Source, comments

Import = ast.Import | ast.ImportFrom


@dataclass
class New:
    """What an import statement becomes.

    others: items that are not torch's, as they stand.
    lines:  whole statements.
    froms:  module -> its items, for ``from`` statements.
    notes:  comments that belong to an item.
    ending: the statement that ends it, where one of its names has no counterpart.
    """

    others: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    froms: dict[str, list[str]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    ending: str = ""

    def item(self, module: str, text: str) -> None:
        items = self.froms.setdefault(module, [])
        if text not in items:
            items.append(text)


class ImportEditor:
    """Edits every import statement of torch in place; what is still missing goes after the last import.

    stand_in: statements that bind a name to what raises when used, for a name whose uses could not all be rewritten.
    """

    def __init__(self, table: ImportTable, helper_import: str, helper_call: str, removal: Removal) -> None:
        self.table = table
        self.source: Source = table.source
        self.helper_import = helper_import
        self.helper_call = helper_call
        self.removal = removal
        # Statements already written: text -> the blocks it stands in.
        self.written: dict[str, list[int]] = {}
        # The bindings of the statement in whose place the target's imports are written.
        self.place: list[Binding] | None = None

    def rewrite(self) -> None:
        table = self.table
        statements: dict[int, list[Binding]] = {}
        for binding in table.bindings:
            if binding.statement is not None:
                statements.setdefault(id(binding.statement), []).append(binding)
        self.place = next(filter(self.is_first, statements.values()), None)
        for bindings in statements.values():
            self.statement(bindings)
        lines = [] if self.place else self.of_framework()
        package = table.target.package
        root = f"import {package}" + (f" as {table.root}" if table.root != package else "")
        if table.root_needed and (not self.repeated(root, None) or table.early):
            lines.append(root)
        own = {ast.unparse(statement) for statement in self.source.tree.body if isinstance(statement, ast.Import)}
        lines += [line for line in table.extra if line not in own and not self.repeated(line, None)]
        if lines:
            self.insert(lines)

    def of_framework(self) -> list[str]:
        """The statements by which a target's names are reached, in the order of isort."""
        return sorted(self.table.framework, key=lambda line: (line.startswith("from"), line.lower()))

    def is_first(self, bindings: list[Binding]) -> bool:
        """Whether a statement of torch's is at the top of the file, where the target's imports take its place."""
        one = bindings[0]
        return one.certain and one.scope is None and not one.project and bool(self.table.framework)

    def statement(self, bindings: list[Binding]) -> None:
        statement = bindings[0].statement
        assert statement is not None
        mine: dict[int, list[Binding]] = {}
        for binding in bindings:
            mine.setdefault(id(binding.item), []).append(binding)
        new = New(lines=self.of_framework() if bindings is self.place else [])
        lacking = next((binding for binding in bindings if binding.lacking), None)
        if lacking is not None:
            for item in statement.names[: statement.names.index(lacking.item)] if lacking.item else []:
                for binding in mine.get(id(item), []):
                    self.binding(statement, binding, new)
            bare = isinstance(statement, ast.Import) and lacking.item is not None
            what = f"{lacking.item.name if bare and lacking.item else lacking.source} has no counterpart here"
            new.ending = f'raise ModuleNotFoundError("{what}")'
            self.replace(statement, new)
            return
        for item in statement.names:
            if id(item) not in mine:
                name = self.table.target.companion(item.name)
                new.others.append(name + (f" as {item.asname}" if item.asname else ""))
            for binding in mine.get(id(item), []):
                self.binding(statement, binding, new)
        self.replace(statement, new)

    def binding(self, statement: Import, binding: Binding, new: New) -> None:
        """What the output needs in the binding's place."""
        table = self.table
        stays = binding.is_module and binding.kept and table.mapped(binding.source) is not None
        if binding.leftover and not (stays and table.local(binding) == binding.name):
            for line in (self.helper_import, f"{binding.name} = {self.helper_call}.{binding.source}"):
                if line not in new.lines:
                    new.lines.append(line)
        if binding.project and not binding.text:
            self.handed_on(statement, binding, new)
            return
        if binding.text and binding.text != binding.name:
            if binding.text.startswith(f"{self.helper_call}.") and self.helper_import not in new.lines:
                new.lines.append(self.helper_import)
            new.lines.append(f"{binding.name} = {binding.text}")
            return
        if binding.is_module:
            module = table.mapped(binding.source)
            if table.target.imports and binding.certain:
                return
            if module is not None and (binding.kept or not (binding.loads or binding.leftover)):
                self.module(statement, binding, module, new)
            return
        for local, (dotted, styles) in table.bare.items():
            if binding in styles:
                owner, _, name = dotted.rpartition(".")
                text = name if name == local else f"{name} as {local}"
                new.item(owner, text)
                self.keep_comment(statement, binding, text, new)

    def handed_on(self, statement: Import, binding: Binding, new: New) -> None:
        """``from common import nn``: that module still has it, under the name that its own import binds."""
        assert isinstance(statement, ast.ImportFrom)
        assert binding.item is not None
        if self.table.target.imports:
            return
        if not binding.is_module or self.table.mapped(binding.source) is None:
            return
        if not binding.kept and (binding.loads or binding.leftover):
            return
        local = self.table.local(binding)
        name = binding.item.name if binding.source != "torch" or self.table.target.keeps_alias else local
        new.item("." * statement.level + (statement.module or ""), name if name == local else f"{name} as {local}")

    def module(self, statement: Import, binding: Binding, module: str, new: New) -> None:
        """The import that binds a module alias."""
        local = self.table.local(binding)
        package = self.table.target.package
        if isinstance(statement, ast.ImportFrom) and "." in module:
            owner, _, name = module.rpartition(".")
            text = name if name == local else f"{name} as {local}"
            new.item(owner, text)
            self.keep_comment(statement, binding, text, new)
            return
        if binding.source == "torch" or self.table.is_bare_root(binding):
            # `import torch.nn` binds torch
            module = package if self.table.target.imports else self.table.module_of(binding) or package
        line = f"import {module}" if local == module else f"import {module} as {local}"
        if line not in new.lines:
            new.lines.append(line)

    def keep_comment(self, statement: Import, binding: Binding, text: str, new: New) -> None:
        """The comment behind the item on its line."""
        if binding.item is None or binding.is_star:
            return
        end = self.source.end(binding.item)
        rest = self.source.original(end, self.source.end(statement)).split("\n")[0].strip()
        if rest.lstrip(", ").startswith("#"):
            new.notes[text] = rest.lstrip(", ")

    # -- putting it into the file -----------------------------------------------------------------------------------

    def replace(self, statement: Import, new: New) -> None:
        source = self.source
        start, end = source.start(statement), source.end(statement)
        old = source.original(start, end)
        lines = self.lines(statement, new)
        block = self.removal.blocks[statement]
        lines = [line for line in lines if not self.repeated(line, block)]
        if len(lines) == 1 and isinstance(statement, ast.ImportFrom) and len(new.froms) == 1 and not new.others:
            module, names = next(iter(new.froms.items()))
            same = [i.name + (f" as {i.asname}" if i.asname else "") for i in statement.names]
            if names == same and statement.module and old.startswith(f"from {statement.module} "):
                source.edit(start + 5, start + 5 + len(statement.module.encode()), module)
                return
        if not lines:
            self.removal.remove(statement)
            return
        indent = source.indentation(statement.lineno)
        alone = source.original(source.line_start(statement.lineno), start).strip("\ufeff \t\f") == ""
        if alone:
            lost = [text for text in comments(old) if not any(text in line for line in lines)]
            text = f"\n{indent}".join([*lost, *lines])
        else:
            text = "; ".join(lines)  # a block on one line: `if x: import torch`
        source.edit(start, end, text)

    def lines(self, statement: Import, new: New) -> list[str]:
        """The statements as text."""
        old = self.source.original(self.source.start(statement), self.source.end(statement))
        lines = []
        if new.others and isinstance(statement, ast.Import):
            lines.append(f"import {', '.join(new.others)}")
        elif new.others:
            assert isinstance(statement, ast.ImportFrom)
            module = "." * statement.level + (statement.module or "")
            new.froms[module] = [*new.others, *new.froms.get(module, [])]
        lines += new.lines
        indent = self.source.indentation(statement.lineno)
        for module, names in new.froms.items():
            if "(" in old and "\n" in old:
                items = "".join(
                    f"{indent}    {name},{'  ' + new.notes[name] if name in new.notes else ''}\n" for name in names
                )
                lines.append(f"from {module} import (\n{items}{indent})")
            else:
                lines.append(f"from {module} import {', '.join(names)}")
        return [*lines, new.ending] if new.ending else lines

    def repeated(self, line: str, block: int | None) -> bool:
        """Whether the same statement stands in this block, or at the top of the module, already."""
        blocks = self.written.setdefault(line, [])
        if id(self.source.tree) in blocks or block in blocks:
            return True
        if block is not None:
            blocks.append(block)
        return False

    def insert(self, lines: list[str]) -> None:
        """New imports after the last import at the top of the module."""
        source = self.source
        after: ast.stmt | None = None
        body = source.tree.body
        used = [f"{line.split()[-1].split('.')[0]}." for line in lines]
        first_use = min((e.start for e in source.edits if any(word in e.text for word in used)), default=None)
        for index, statement in enumerate(body):
            if first_use is not None and source.start(statement) > first_use:
                break  # an import that stands late
            if isinstance(statement, (ast.Import, ast.ImportFrom)) or (index == 0 and is_docstring(statement)):
                after = statement
            elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                break
        text = source.newline.join(lines)
        if after is None:
            first = source.start(body[0]) if body else len(source.buffer)
            if body and getattr(body[0], "decorator_list", None):
                first = source.line_start(body[0].decorator_list[0].lineno)  # type: ignore[attr-defined]
            source.edit(first, first, text + source.newline * 2)
            return
        assert after.end_lineno is not None
        at = source.starts[after.end_lineno] if after.end_lineno < len(source.starts) else len(source.buffer)
        following = body[body.index(after) + 1] if after is not body[-1] else None
        if following is not None and source.start(following) < at:  # `import torch; x = 1`
            at = source.start(following)
            source.edit(at, at, "; ".join(lines) + "; ")
            return
        if at == len(source.buffer) and not source.buffer.endswith((b"\n", b"\r")):
            source.edit(at, at, source.newline + text)
            return
        gap = source.newline if isinstance(after, ast.Expr) else ""
        source.edit(at, at, gap + text + source.newline)


def is_docstring(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
