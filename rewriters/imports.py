"""Import statements: what the source binds of torch, how target names are spelled with it, and the new statements."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from rewriters.source.table import is_module
from rewriters.source_text import Source
from rewriters.target import Target


@dataclass(eq=False)
class Binding:
    """One name that an import statement binds to something of torch.

    name:   the local name.
    source: canonical torch name.
    scope:  the function it is bound in, None for the module.
    """

    name: str
    source: str
    statement: ast.Import | ast.ImportFrom | None
    item: ast.alias | None
    scope: ast.AST | None
    loads: int = 0
    kept: bool = False

    @property
    def is_module(self) -> bool:
        return is_module(self.source)


@dataclass(eq=False)
class ImportTable:
    """All import statements of a file that concern torch, and what the output needs of the target."""

    target: Target
    source: Source
    bindings: list[Binding] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    # Names the output uses bare: local name -> (target's dotted name, binding that asked for it).
    bare: dict[str, tuple[str, Binding]] = field(default_factory=dict)
    root_needed: bool = False
    extra: list[str] = field(default_factory=list)

    def find(self, name: str, scopes: Iterable[ast.AST]) -> Binding | None:
        """The binding that a name refers to inside these functions (innermost last)."""
        inside = set(scopes)
        found = None
        for binding in self.bindings:
            if binding.name == name and (binding.scope is None or binding.scope in inside):
                found = binding
        return found

    def mapped(self, module: str) -> str | None:
        """The target's module for one of torch's."""
        return self.target.modules.get(module)

    def spell(self, dotted: str, scopes: list[ast.AST], shadowed: set[str], style: Binding | None = None) -> str:
        """How a target's dotted name is written at a site.

        style: the binding by which the source wrote it: a bare name (``from torch.optim import SGD``) stays one, and a
        module's alias is preferred to others.
        """
        if style is not None and not style.is_module:
            last = dotted.rpartition(".")[2]
            free = last == style.name or last not in self.taken
            if free and last not in shadowed and self.bare.get(last, (dotted,))[0] == dotted:
                self.bare[last] = (dotted, style)
                return last
        best: tuple[int, Binding] | None = None
        for binding in self.bindings:
            if binding.scope is not None and binding.scope not in scopes:
                continue
            module = self.mapped(binding.source) if binding.is_module else None
            if module is None or binding.name in shadowed or not (dotted + ".").startswith(module + "."):
                continue
            if (
                binding.item is not None
                and binding.item.asname is None
                and "." in binding.item.name
                and not self.target.keeps_alias
            ):
                module = self.target.package
            if best is None or binding is style or (len(module) > best[0] and best[1] is not style):
                best = (len(module), binding)
        if best is None:
            self.root_needed = True
            return dotted
        length, binding = best
        binding.kept = True
        return self.local(binding) + dotted[length:]

    def local(self, binding: Binding) -> str:
        """The name that the rewritten import binds."""
        if binding.source == "torch" and not self.target.keeps_alias:
            return self.target.package
        return binding.name

    # -- rewriting ------------------------------------------------------------------------------------------------

    def rewrite(self) -> None:
        """Edit every import statement of torch in place; what is still missing goes after the last import."""
        statements: dict[int, list[Binding]] = {}
        for binding in self.bindings:
            if binding.statement is not None:
                statements.setdefault(id(binding.statement), []).append(binding)
        bound: set[tuple[str, ast.AST | None]] = set()
        for bindings in statements.values():
            self.rewrite_statement(bindings, bound)
        lines = []
        if self.root_needed and (self.target.package, None) not in bound:
            lines.append(f"import {self.target.package}")
        lines += self.extra
        if lines:
            self.insert(lines)

    def rewrite_statement(self, bindings: list[Binding], bound: set[tuple[str, ast.AST | None]]) -> None:
        statement = bindings[0].statement
        scope = bindings[0].scope
        assert statement is not None
        mine = {id(b.item): b for b in bindings}
        new: list[str] = []  # `import x` items and `from a import b` statements, in order
        froms: dict[str, list[str]] = {}
        others: list[str] = []
        for item in statement.names:
            binding = mine.get(id(item))
            if binding is None:
                others.append(item.name + (f" as {item.asname}" if item.asname else ""))
                continue
            if binding.is_module:
                module = self.mapped(binding.source)
                if module is None or (binding.loads and not binding.kept):
                    continue
                line = self.module_import(statement, binding, module, froms)
                if line and line not in new:
                    new.append(line)
                    bound.add((self.local(binding), scope))
                continue
            for local, (dotted, style) in self.bare.items():
                if style is binding:
                    owner, _, name = dotted.rpartition(".")
                    entry = name if name == local else f"{name} as {local}"
                    if entry not in froms.setdefault(owner, []):
                        froms[owner].append(entry)
        lines = ([f"import {', '.join(others)}"] if others else []) + new
        lines += [f"from {module} import {', '.join(names)}" for module, names in froms.items()]
        self.replace(statement, lines, froms, bool(others))

    def module_import(
        self, statement: ast.stmt, binding: Binding, module: str, froms: dict[str, list[str]]
    ) -> str | None:
        """The import that binds a module alias; ``from`` imports are gathered in ``froms``."""
        local = self.local(binding)
        if isinstance(statement, ast.ImportFrom) and "." in module:
            owner, _, name = module.rpartition(".")
            froms.setdefault(owner, []).append(name if name == local else f"{name} as {local}")
            return None
        assert binding.item is not None
        if binding.source != "torch" and binding.item.asname is None and isinstance(statement, ast.Import):
            # `import torch.nn` binds torch
            root = binding.name
            return (
                f"import {self.target.package} as {root}"
                if self.target.keeps_alias
                else f"import {self.target.package}"
            )
        return f"import {module}" if local == module else f"import {module} as {local}"

    def replace(
        self, statement: ast.Import | ast.ImportFrom, lines: list[str], froms: dict[str, list[str]], others: bool
    ) -> None:
        source = self.source
        start, end = source.start(statement), source.end(statement)
        old = source.original(start, end)
        if len(lines) == 1 and not others and isinstance(statement, ast.ImportFrom) and len(froms) == 1:
            module, names = next(iter(froms.items()))
            same = [i.name + (f" as {i.asname}" if i.asname else "") for i in statement.names]
            if names == same and statement.module and old.startswith(f"from {statement.module} "):
                source.edit(start + 5, start + 5 + len(statement.module.encode()), module)
                return
            if "(" in old and ("\n" in old):
                lines = [f"from {module} import (\n    " + ",\n    ".join(names) + ",\n)"]
        if lines:
            indent = source.indentation(statement.lineno)
            source.edit(start, end, (source.newline + indent).join(lines))
            return
        self.delete(statement)

    def delete(self, statement: ast.stmt) -> None:
        """Remove the statement with its line; a block must keep at least one."""
        source = self.source
        start, end = source.start(statement), source.end(statement)
        line_start = source.line_start(statement.lineno)
        assert statement.end_lineno is not None
        line_end = (
            source.starts[statement.end_lineno] if statement.end_lineno < len(source.starts) else len(source.buffer)
        )
        alone = not source.original(line_start, start).strip() and not source.original(end, line_end).strip()
        if alone and not only_statement(source.tree, statement):
            source.edit(line_start, line_end, "")
        else:
            source.edit(start, end, "pass")

    def insert(self, lines: list[str]) -> None:
        """New imports after the last import at the top of the module."""
        source = self.source
        after: ast.stmt | None = None
        body = source.tree.body
        for index, statement in enumerate(body):
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
        if at == len(source.buffer) and not source.buffer.endswith((b"\n", b"\r")):
            source.edit(at, at, source.newline + text)
            return
        gap = source.newline if isinstance(after, ast.Expr) else ""
        source.edit(at, at, gap + text + source.newline)


def is_docstring(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def only_statement(tree: ast.AST, statement: ast.stmt) -> bool:
    """Whether the statement is the only one of its block."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and statement in block:
                return len(block) == 1 and not isinstance(node, ast.Module)
    return False


def collect(source: Source, target: Target) -> ImportTable:
    """The file's bindings of torch names."""
    table = ImportTable(target, source)
    for node in source.tree.body:
        walk(node, None, table)
    for part in ast.walk(source.tree):
        if isinstance(part, ast.Name):
            table.taken.add(part.id)
        elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            table.taken.add(part.name)
        elif isinstance(part, ast.arg):
            table.taken.add(part.arg)
    return table


def walk(node: ast.AST, scope: ast.AST | None, table: ImportTable) -> None:
    if isinstance(node, ast.Import):
        for item in node.names:
            if item.name.split(".")[0] == "torch":
                name = item.asname or "torch"
                source = item.name if item.asname else "torch"
                table.bindings.append(Binding(name, source, node, item, scope))
    elif isinstance(node, ast.ImportFrom):
        if not node.level and (node.module or "").split(".")[0] == "torch":
            from rewriters.source.table import canonical

            for item in node.names:
                if item.name != "*":
                    full = canonical(f"{node.module}.{item.name}")
                    table.bindings.append(Binding(item.asname or item.name, full, node, item, scope))
    else:
        inner = node if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else scope
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                walk(child, inner, table)
