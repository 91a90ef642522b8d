"""What a file binds of torch by its import statements, and how names of the target are spelled with these bindings."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rewriters.infer.values import Ref, Value
from rewriters.target import Target
from rewriters.text.source_text import Source
from rewriters.text.tree import Nodes, children
from rewriters.torch.table import canonical, is_module, of_source, star_names

IMPORTS = (ast.Import, ast.ImportFrom)


@dataclass(eq=False)
class Binding:
    """One name that an import statement binds to something of torch.

    name:      the local name.
    source:    canonical torch name.
    statement: the statement, and ``item``, its part; None for a name that a module of the project hands on by ``*``.
    scope:     the function it is bound in, None for the module.
    certain:   whether it is bound whenever the module has run: not in a branch.
    project:   whether it comes from a module of the project instead of torch.
    loads:     uses that were rewritten.
    kept:      whether the output uses it, so that the import stays.
    leftover:  whether a use stays as it was.
    guarded:   the ``try`` that it stands in and that goes on without what cannot be imported.
    fallback:  whether it is bound then as well.
    lacking:   whether the target has nothing for it, so that the program's own way without it is the right one.
    overtaken: whether that is so of another one in the same ``try``, so that the name may be bound by that way.
    text:      what the name is bound to in the output, where a guarded import binds no module.
    """

    name: str
    source: str
    statement: ast.Import | ast.ImportFrom | None
    item: ast.alias | None
    scope: ast.AST | None
    certain: bool = True
    project: bool = False
    loads: int = 0
    kept: bool = False
    leftover: bool = False
    guarded: ast.Try | None = None
    fallback: bool = False
    lacking: bool = False
    overtaken: bool = False
    text: str = ""

    @property
    def is_module(self) -> bool:
        return is_module(self.source)

    @property
    def is_star(self) -> bool:
        return self.item is None or self.item.name == "*"


@dataclass(eq=False)
class ImportTable:
    """All bindings of torch names in a file, and what the output needs of the target.

    taken:  every name that the file mentions.
    stored: names that it binds by other means than imports of torch.
    bare:   names that the output uses bare: local name -> (the target's dotted name, bindings that asked for it).
    early:  whether the target's package is needed above an import of the file's own.
    framework: statements by which the target's modules are reached, where it says how (``Target.imports``).
    extra:  further import statements that the output needs.
    own:    packages that the project has itself, though torch's tables tell of them.
    """

    target: Target
    source: Source
    own: Collection[str] = ()
    bindings: list[Binding] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)
    bare: dict[str, tuple[str, set[Binding]]] = field(default_factory=dict)
    framework: list[str] = field(default_factory=list)
    root_needed: bool = False
    early: bool = False
    extra: list[str] = field(default_factory=list)

    def find(self, name: str, scopes: Iterable[ast.AST]) -> Binding | None:
        """The binding that a name refers to inside these functions (innermost last)."""
        named = self.by_name.get(name)
        if named is None:
            return None
        inside = set(scopes)
        found = None
        for binding in named:
            if binding.scope is not None and binding.scope not in inside:
                continue
            if found is None or found.scope is None or binding.scope is not None:
                found = binding
        return found

    @cached_property
    def by_name(self) -> dict[str, list[Binding]]:
        """The bindings of each name; none are added once the table is collected."""
        found: dict[str, list[Binding]] = {}
        for binding in self.bindings:
            found.setdefault(binding.name, []).append(binding)
        return found

    def mapped(self, module: str) -> str | None:
        """The target's module for one of torch's."""
        return self.target.modules.get(module)

    @property
    def root(self) -> str:
        """The name under which the target's package is imported: its own, unless the file uses that otherwise."""
        return self.target.package + ("_" if self.target.package in self.stored else "")

    def spell(
        self,
        dotted: str,
        scopes: Collection[ast.AST],
        shadowed: Collection[str],
        style: Binding | None = None,
        row: int = 0,
    ) -> str:
        """How a target's dotted name is written at a site.

        style: the binding by which the source wrote it: a bare name (``from torch.optim import SGD``) stays one, and a
        module's alias is preferred to others.
        row:   the site's: what is imported further down may not be bound yet when it runs.
        """
        if self.target.imports and dotted.partition(".")[0] in self.target.packages:
            text, statement = self.target.imported(dotted, {*self.stored, *shadowed})
            if statement not in self.framework:
                self.framework.append(statement)
            return text
        if style is not None and not style.is_module and not style.project:
            owner, _, last = dotted.rpartition(".")
            if owner.rpartition(".")[2][:1].isupper():  # a class's member, `ReduceOp.SUM`: the class is imported
                return f"{self.spell(owner, scopes, shadowed, style, row)}.{last}"
            if style.item is not None and style.item.asname:
                last = style.name
            free = last == style.name or last not in self.taken
            if free and last not in shadowed and self.bare.setdefault(last, (dotted, set()))[0] == dotted:
                self.bare[last][1].add(style)
                return last
        best: tuple[int, Binding] | None = None
        for binding in self.bindings:
            if binding.scope is not None and binding.scope not in scopes:
                continue
            if binding is not style and (not binding.certain or binding.leftover or is_below(binding, row)):
                continue
            module = self.module_of(binding)
            if module is None or not (dotted + ".").startswith(module + "."):
                continue
            if self.local(binding) in shadowed:
                continue
            if best is None or binding is style or (len(module) > best[0] and best[1] is not style):
                best = (len(module), binding)
        if best is None:
            package = dotted.partition(".")[0]
            if package != self.target.package:
                used = package in self.stored or package in shadowed
                line = f"import {package} as {package}_" if used else f"import {package}"
                if line not in self.extra:
                    self.extra.append(line)
                return dotted.replace(package, f"{package}_", 1) if used else dotted
            self.root_needed = True
            self.early |= any(is_below(binding, row) for binding in self.bindings)
            return self.root + dotted[len(package) :]
        length, binding = best
        binding.kept = True
        return self.local(binding) + dotted[length:]

    def module_of(self, binding: Binding) -> str | None:
        """The target's module for what a binding names: its package for ``import torchvision``, as for ``torch``."""
        module = self.mapped(binding.source) if binding.is_module else None
        return module.partition(".")[0] if module is not None and self.is_bare_root(binding) else module

    def is_bare_root(self, binding: Binding) -> bool:
        """Whether it is ``import torchvision``, or ``import torchvision.transforms``, without an alias."""
        item = binding.item
        return isinstance(binding.statement, ast.Import) and item is not None and item.asname is None

    def local(self, binding: Binding) -> str:
        """The name that the rewritten import binds."""
        if binding.source == "torch" and not self.target.keeps_alias:
            return self.target.package if binding.project else self.root
        if binding.source != "torch" and self.is_bare_root(binding):
            package = self.module_of(binding)
            return self.root if package in (None, self.target.package) else package or ""
        return binding.name


def is_below(binding: Binding, row: int) -> bool:
    return row > 0 and binding.statement is not None and binding.statement.lineno > row


def collect(
    source: Source, target: Target, values: Mapping[str, Value], own: Collection[str] = frozenset()
) -> ImportTable:
    """The file's bindings of torch names.

    values: the module's scope as inferred. own: packages that the project has itself.
    """
    table = ImportTable(target, source, own)
    table.taken |= {part.id for part in source.nodes.of(ast.Name)}
    table.stored = stored_names(source.nodes)
    table.taken |= table.stored
    around = {part for node in source.nodes.of(*IMPORTS) for part in (node, *source.nodes.all_around(node, ast.AST))}
    for statement in source.tree.body:
        if statement in around:
            walk(statement, None, True, table, values, around)
    return table


def stored_names(nodes: Nodes) -> set[str]:
    """Names that are bound by other means than import statements."""
    found: set[str] = {node.id for node in nodes.of(ast.Name) if isinstance(node.ctx, ast.Store)}
    found |= {node.name for node in nodes.of(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)}
    found |= {node.arg for node in nodes.of(ast.arg)}
    found |= {node.name for node in nodes.of(ast.ExceptHandler, ast.MatchAs, ast.MatchStar) if node.name}
    found |= {node.rest for node in nodes.of(ast.MatchMapping) if node.rest}
    return found


def walk(
    node: ast.AST,
    scope: ast.AST | None,
    certain: bool,
    table: ImportTable,
    values: Mapping[str, Value],
    around: set[ast.AST],
) -> None:
    """Find the import statements below ``node``; ``around``: these, and what they stand in."""
    if isinstance(node, ast.Import):
        for item in node.names:
            if of_source(item.name, table.own):
                root = item.name.partition(".")[0]
                name = item.asname or root
                source = canonical(item.name) if item.asname else root
                table.bindings.append(Binding(name, source, node, item, scope, certain))
    elif isinstance(node, ast.ImportFrom):
        of_torch = not node.level and of_source(node.module or "", table.own)
        for item in node.names:
            if of_torch:
                of_item(node, item, scope, certain, table)
            elif scope is None:
                of_project(node, item, certain, table, values)
    else:
        first = len(table.bindings)
        function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        branch = isinstance(node, (ast.If, ast.Try, ast.For, ast.While, ast.Match))
        for child in children(node):
            if child in around:
                walk(child, node if function else scope, certain and not branch, table, values, around)
        if isinstance(node, ast.Try):
            guard(node, table.bindings[first:])


def guard(node: ast.Try, bindings: list[Binding]) -> None:
    """Note for which imports a ``try`` has another way."""
    if not any(catches_import(handler.type) for handler in node.handlers):
        return
    held: list[ast.AST] = list(node.body)
    inside = {part for statement in held for part in everything_in(statement)}
    bound: set[str] = set()
    for part in (part for handler in node.handlers for part in everything_in(handler)):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            bound.add(part.id)
        elif isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            bound.add(part.name)
        elif isinstance(part, ast.alias):
            bound.add(part.asname or part.name.partition(".")[0])
    for binding in bindings:
        if binding.statement in inside and not binding.guarded and not binding.project and not binding.is_star:
            binding.guarded, binding.fallback = node, binding.name in bound


def catches_import(caught: ast.expr | None) -> bool:
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    known = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
    return any(name is None or (isinstance(name, ast.Name) and name.id in known) for name in names)


def everything_in(node: ast.AST) -> list[ast.AST]:
    found = [node]
    for child in children(node):
        found += everything_in(child)
    return found


def of_item(node: ast.ImportFrom, item: ast.alias, scope: ast.AST | None, certain: bool, table: ImportTable) -> None:
    """``from torch import item``."""
    if item.name != "*":
        full = canonical(f"{node.module}.{item.name}")
        table.bindings.append(Binding(item.asname or item.name, full, node, item, scope, certain))
        return
    for name in star_names(node.module or ""):
        if name in table.taken:
            full = canonical(f"{node.module}.{name}")
            table.bindings.append(Binding(name, full, node, item, scope, certain))


def of_project(
    node: ast.ImportFrom, item: ast.alias, certain: bool, table: ImportTable, values: Mapping[str, Value]
) -> None:
    """``from common import nn``: the name may be torch's, handed on."""
    if item.name != "*":
        name = item.asname or item.name
        value = values.get(name)
        if isinstance(value, Ref):
            table.bindings.append(Binding(name, value.name, node, item, None, certain, project=True))
        return
    bound = {binding.name for binding in table.bindings if binding.scope is None} | table.stored
    for name, value in values.items():
        if isinstance(value, Ref) and name not in bound:
            table.bindings.append(Binding(name, value.name, None, None, None, certain, project=True))
