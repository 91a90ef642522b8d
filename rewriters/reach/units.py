"""A module, taken apart into what can be kept or left out by itself."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import PurePosixPath

from rewriters.infer.import_names import absolute_module
from rewriters.reach.documenting import documenting
from rewriters.reach.mentions import Mentions, mentions_of
from rewriters.text.source_text import Source
from rewriters.text.tree import FUNCTIONS, children, walk

Import = ast.Import | ast.ImportFrom


class Kind(Enum):
    """
    EFFECT:  happens when the module is imported.
    CONTROL: raises or passes; nothing without what stands beside it.
    LISTED:  ``__all__``, made of texts.
    """

    IMPORT = "import"
    DEFINITION = "definition"
    ASSIGNMENT = "assignment"
    EFFECT = "effect"
    CONTROL = "control"
    LISTED = "listed"
    TEXT = "text"


@dataclass(eq=False)
class Unit:
    """A statement of a module or a method of a class; of an import, one item.

    item:     of an import.
    about:    of an effect: the names whose values it changes, none where more may change; of a function's call with
              ``__name__``, which tells of the module's own by their names, these.
    part:     of an effect that assigns to an attribute of one name: the attribute.
    owner:    of a method, its class.
    guards:   the conditions that it stands under.
    together: units that are only right with each other: those of one ``try``.
    checking: below ``if TYPE_CHECKING``, so never run.
    wanted:   of ``from x import *``: the names that are looked up through it.
    """

    module: Module
    node: ast.stmt
    kind: Kind
    binds: frozenset[str] = frozenset()
    item: ast.alias | None = None
    about: frozenset[str] = frozenset()
    part: str = ""
    owner: Unit | None = None
    guards: tuple[ast.AST, ...] = ()
    together: list[Unit] = field(default_factory=list)
    checking: bool = False
    wanted: set[str] = field(default_factory=set)

    @cached_property
    def members(self) -> list[Unit]:
        """Of a class: its methods."""
        return [
            Unit(self.module, statement, Kind.DEFINITION, frozenset({statement.name}), owner=self)
            for statement in getattr(self.node, "body", ())
            if isinstance(self.node, ast.ClassDef) and isinstance(statement, FUNCTIONS)
        ]

    @cached_property
    def mentions(self) -> Mentions:
        node = self.node
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return mentions_of(self.guards)
        left_out = documenting(node, self.module.name)
        if isinstance(node, ast.ClassDef):
            methods = {id(member.node) for member in self.members}
            shell = [statement for statement in node.body if id(statement) not in methods]
            decorators = [decorator for decorator in node.decorator_list if decorator not in left_out]
            return mentions_of([*decorators, *node.bases, *node.keywords, *shell, *self.guards])
        return mentions_of([node, *self.guards], left_out)

    @property
    def name(self) -> str:
        """Of an imported item, as its module has it."""
        return self.item.name if self.item else ""


class Module:
    """A module's units.

    bound:     name -> the units that bind it.
    stars:     ``from x import *``.
    followers: name -> the effects that change its value.
    lazy:      the statement by which a package names what it imports when asked, for type checkers alone.
    """

    def __init__(self, name: str, path: PurePosixPath, is_package: bool, data: bytes) -> None:
        self.name, self.path, self.is_package, self.data = name, path, is_package, data
        self.source = Source(data)
        self.units: list[Unit] = []
        self.lazy: ast.If | None = None
        Taking(self).block(self.source.tree.body, ())
        self.bound: dict[str, list[Unit]] = {}
        self.stars: list[Unit] = []
        self.followers: dict[str, list[Unit]] = {}
        for unit in self.units:
            if unit.kind is Kind.IMPORT and unit.name == "*":
                self.stars.append(unit)
            for name in unit.about:
                self.followers.setdefault(name, []).append(unit)
            for bound in unit.binds:
                self.bound.setdefault(bound, []).append(unit)

    @cached_property
    def public(self) -> frozenset[str] | None:
        """What ``__all__`` lists, None where there is no plain one."""
        listed = [unit.node for unit in self.units if unit.kind is Kind.LISTED]
        if not listed or any("__all__" in unit.binds for unit in self.units):
            return None
        texts = (node.value for statement in listed for node in walk(statement) if isinstance(node, ast.Constant))
        return frozenset(text for text in texts if isinstance(text, str))

    @cached_property
    def said(self) -> frozenset[str]:
        """The names that its code says, but for what binds them."""
        found = mentions_of([self.source.tree])
        return frozenset(found.names | {root for root, _ in found.chains})

    def exports(self, name: str) -> bool:
        """Whether ``from module import *`` may bind it."""
        return name in self.public if self.public is not None else not name.startswith("_")

    def imported(self, node: ast.ImportFrom) -> str:
        """The module that a ``from`` statement of this module means."""
        return absolute_module(node.module or "", node.level, self.name, self.is_package)


TRY = (ast.Try, getattr(ast, "TryStar", ast.Try))
CHECKING = re.compile(r"\bTYPE_CHECKING\b")


class Taking:
    """Takes a module's statements apart."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.together: list[Unit] | None = None
        self.checking = False

    def block(self, statements: list[ast.stmt], guards: tuple[ast.AST, ...]) -> None:
        """Statements on one line stay together, as those of a ``try`` do."""
        outer = self.together
        for before, statement, after in zip([None, *statements], statements, [*statements[1:], None], strict=False):
            if outer is None and not shares_line(before, statement):
                self.together = [] if shares_line(statement, after) else None
            self.statement(statement, guards)
        self.together = outer

    def statement(self, statement: ast.stmt, guards: tuple[ast.AST, ...]) -> None:
        body = getattr(statement, "body", None)
        if isinstance(statement, (ast.If, ast.Try)) and body and body[0].lineno == statement.lineno:
            self.simple(statement, guards)
        elif isinstance(statement, ast.If):
            self.condition(statement, guards)
        elif isinstance(statement, TRY):
            assert isinstance(statement, ast.Try)
            outer, self.together = self.together, self.together if self.together is not None else []
            types = tuple(handler.type for handler in statement.handlers if handler.type)
            for block in (statement.body, *(h.body for h in statement.handlers), statement.orelse, statement.finalbody):
                self.block(block, (*guards, *types))
            self.together = outer
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            for item in statement.names:
                bound = item.asname or item.name.partition(".")[0]
                self.add(statement, Kind.IMPORT, guards, {bound} - {"*"}, item=item)
        elif isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
            self.add(statement, Kind.DEFINITION, guards, {statement.name})
        else:
            self.simple(statement, guards)

    def condition(self, statement: ast.If, guards: tuple[ast.AST, ...]) -> None:
        test = self.module.source.text(statement.test)
        checking = bool(CHECKING.search(test)) and not test.startswith("not ")
        lazy = checking and self.module.is_package and any(map(replaces_itself, statement.orelse))
        if lazy:
            self.module.lazy = statement
            outer, self.together = self.together, None
            for node in (below for inner in statement.body for below in walk(inner)):
                if isinstance(node, ast.ImportFrom):
                    self.statement(node, ())
            self.together = outer
            return
        outer_checking, self.checking = self.checking, self.checking or checking
        self.block(statement.body, (*guards, statement.test))
        self.checking = outer_checking
        self.block(statement.orelse, (*guards, statement.test))

    def simple(self, statement: ast.stmt, guards: tuple[ast.AST, ...]) -> None:
        if isinstance(statement, (ast.Pass, ast.Raise)):
            self.add(statement, Kind.CONTROL, guards)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            self.add(statement, Kind.TEXT, guards)
        elif is_listed(statement):
            self.add(statement, Kind.LISTED, guards)
        else:
            names = bound_in(statement)
            plain = isinstance(statement, (ast.Assign, ast.AnnAssign)) and names
            kind = Kind.ASSIGNMENT if plain else Kind.EFFECT
            about = frozenset() if plain else frozenset(changed(statement) or ())
            self.add(statement, kind, guards, names, about=about)

    def add(
        self,
        statement: ast.stmt,
        kind: Kind,
        guards: tuple[ast.AST, ...],
        binds: set[str] | None = None,
        item: ast.alias | None = None,
        about: frozenset[str] = frozenset(),
    ) -> None:
        unit = Unit(
            self.module, statement, kind, frozenset(binds or ()), item, about, attribute_of(statement), None, guards
        )
        unit.checking = self.checking
        if self.together is not None:
            self.together.append(unit)
            unit.together = self.together
        self.module.units.append(unit)


def replaces_itself(statement: ast.stmt) -> bool:
    """``sys.modules[__name__] = ...``"""
    return isinstance(statement, ast.Assign) and any(
        isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Name) and target.slice.id == "__name__"
        for target in statement.targets
    )


def shares_line(first: ast.stmt | None, second: ast.stmt | None) -> bool:
    return first is not None and second is not None and first.end_lineno == second.lineno


def root_name(node: ast.AST) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def bound_in(statement: ast.stmt) -> set[str]:
    """The names of the module that a statement binds, but for what functions inside bind."""
    found: set[str] = set()
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {item.asname or item.name.partition(".")[0] for item in node.names}
        elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            found.add(node.name)
            continue
        waiting += children(node)
    return found - {"*"}


def changed(statement: ast.stmt) -> set[str] | None:
    """The names whose values a statement changes, as far as it shows: by assigning to a part, by calling a method.

    None where more may change.
    """
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return named({root_name(target) for target in targets})
    if isinstance(statement, ast.Delete):
        return named({root_name(target) for target in statement.targets})
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        function = statement.value.func
        if any(isinstance(value, ast.Name) and value.id == "__name__" for value in statement.value.args):
            return texts_in(statement) or None
        return named({root_name(function)}) if isinstance(function, ast.Attribute) else None
    if isinstance(statement, (ast.For, ast.While, ast.If)):
        below = [changed(inner) for inner in (*statement.body, *statement.orelse)]
        known = [names for names in below if names is not None]
        return set().union(*known) if len(known) == len(below) else None
    return set() if isinstance(statement, (ast.Pass, ast.Continue, ast.Break)) else None


def attribute_of(statement: ast.stmt) -> str:
    """The name of b in ``a.b = ...`` and ``a.b.c = ...``."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return ""
    target: ast.expr = statement.targets[0]
    while isinstance(target, ast.Attribute) and isinstance(target.value, ast.Attribute):
        target = target.value
    return target.attr if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) else ""


def texts_in(node: ast.AST) -> set[str]:
    """Texts that could be names."""
    return {text.partition(".")[0] for text in mentions_of([node]).strings}


def named(names: set[str]) -> set[str] | None:
    return None if "" in names else names


def is_listed(statement: ast.stmt) -> bool:
    """``__all__ = ["a", "b"]``"""
    if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)) or bound_in(statement) != {"__all__"}:
        return False
    value = statement.value
    return isinstance(value, (ast.List, ast.Tuple)) and all(isinstance(item, ast.Constant) for item in value.elts)
