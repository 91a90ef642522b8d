"""Following names from unit to unit, from roots to all that they reach."""

from __future__ import annotations

import ast
import re
from collections import deque

from rewriters.reach.bases import BUILTIN, called_by_torch, called_from_outside
from rewriters.reach.library import Library
from rewriters.reach.mentions import Mentions, mentions_of
from rewriters.reach.units import Import, Kind, Module, Unit


class Reach:
    """What is reached so far.

    units, modules: of the library.
    handed_out:     lazy package -> its modules that are reached through it.
    mentioned:      names of attributes. strings, patterns: texts that could be names. waiting: what they would reach.
    opened:         modules in which names are looked up by texts.
    of_modules:     names that are asked of a module that only the run tells: of any that is reached.
    """

    def __init__(self, library: Library) -> None:
        self.library = library
        self.units: set[Unit] = set()
        self.modules: set[str] = set()
        self.mentioned: set[str] = set()
        self.strings: set[str] = set()
        self.handed_out: dict[str, set[str]] = {}
        self.opened: set[str] = set()
        self.of_modules: set[str] = set()
        self.patterns: list[re.Pattern[str]] = []
        self.waiting: dict[str, list[Unit]] = {}
        self.looked_up: set[tuple[str, str]] = set()
        self.queue: deque[Unit] = deque()

    # -- roots --------------------------------------------------------------------------------------------------

    def code(self, module: Module) -> None:
        """All that a module outside of the library mentions."""
        for unit in module.units:
            self.mentions(module, unit.mentions)
            for member in unit.members:
                self.mentions(module, member.mentions)
            if isinstance(unit.node, (ast.Import, ast.ImportFrom)):
                self.imported(module, unit.node, unit.item)
        self.run()

    def name(self, module: str, name: str) -> bool:
        """``module.name``; whether there is such a thing."""
        found = self.of_module(module, name)
        self.run()
        return found

    def member(self, name: str) -> None:
        """Methods of this name, of whatever class is reached."""
        self.mention(name)
        self.run()

    def has_imported(self, package: str, module: str) -> None:
        """Have a package import its module, for what happens then, where it does so in the whole library."""
        of = self.library.module(package)
        for unit in sorted(of.units, key=lambda unit: unit.name != "*"):
            if isinstance(unit.node, ast.ImportFrom) and not unit.checking and of.imported(unit.node) == module:
                self.reach(unit)
                self.run()
                return

    def complete(self) -> None:
        """What is imported for type checkers alone stays where it is there: so do its conditions."""
        for name in sorted(self.modules):
            module = self.library.module(name)
            if module.lazy:
                self.local(module, "TYPE_CHECKING")
            for unit in module.units:
                if unit.checking and unit.kind is Kind.IMPORT and self.for_checkers(unit):
                    self.mentions(module, mentions_of(unit.guards))
        self.run()

    def for_checkers(self, unit: Unit) -> bool:
        """Whether what is imported for type checkers is there."""
        source, inside = self.library.source(unit)
        if not inside:
            return True
        if isinstance(unit.node, ast.Import) or source not in self.modules:
            return source in self.modules
        bound = self.library.module(source).bound.get(unit.name, ())
        return any(found in self.units for found in bound) or f"{source}.{unit.name}" in self.modules

    # -- units --------------------------------------------------------------------------------------------------

    def run(self) -> None:
        while self.queue:
            unit = self.queue.popleft()
            self.mentions(unit.module, unit.mentions)
            for name in unit.about:
                self.local(unit.module, name)
            if isinstance(unit.node, (ast.Import, ast.ImportFrom)):
                self.imported(unit.module, unit.node, unit.item)
            whole = isinstance(unit.node, ast.ClassDef) and called_from_outside(self.library, unit)
            for member in unit.members:
                (name,) = member.binds
                self.reach_when_said(member, name, at_once=whole)

    def reach(self, unit: Unit) -> None:
        if unit in self.units or unit.checking:
            return
        self.units.add(unit)
        self.queue.append(unit)
        for other in unit.together:
            self.reach(other)
        for name in unit.binds if unit.owner is None else ():
            for follower in unit.module.followers.get(name, ()):
                self.reach_when_said(follower, follower.part, at_once=not follower.part)

    def reach_when_said(self, unit: Unit, name: str, at_once: bool) -> None:
        """Reach what a class, or an object, has by that name, once something asks for it."""
        if at_once or self.is_called(name):
            self.reach(unit)
        else:
            self.waiting.setdefault(name, []).append(unit)

    def is_called(self, name: str) -> bool:
        dunder = name.startswith("__") and name.endswith("__")
        return dunder or name in self.mentioned or name in called_by_torch() or self.made_up(name)

    def made_up(self, name: str) -> bool:
        return any(pattern.fullmatch(name) for pattern in self.patterns)

    # -- names --------------------------------------------------------------------------------------------------

    def mentions(self, module: Module, found: Mentions) -> None:
        for name in found.names:
            self.local(module, name)
        for root, attributes in found.chains:
            self.local(module, root)
            if root in found.local or not self.chain(module, root, attributes):
                for attribute in attributes:
                    self.mention(attribute)
        for attribute in found.attributes:
            self.mention(attribute)
        for text in found.strings:
            self.text(text)
        for text in found.patterns:
            self.pattern(text)
        for statement in found.imports:
            for item in statement.names:
                self.imported(module, statement, item)
        if "globals" in found.names and module.name in self.modules and not module.is_package:
            self.open(module.name)
        for name in found.of_modules - self.of_modules:
            self.of_modules.add(name)
            for of in sorted(self.modules):
                self.of_running(self.library.module(of), name)
        for name in found.probed:
            for opened in self.modules_called(module, name, found.imports):
                self.open(opened)

    def of_running(self, module: Module, name: str) -> None:
        for unit in module.bound.get(name, ()):
            if unit.kind is not Kind.IMPORT:
                self.reach(unit)

    def modules_called(self, module: Module, name: str, statements: list[Import]) -> list[str]:
        """The library's modules that a name may be, by imports of the module or by those of a function."""
        items = [(unit.node, unit.item) for unit in module.bound.get(name, ()) if unit.item is not None]
        items += [(statement, item) for statement in statements for item in statement.names]
        found = []
        for node, item in items:
            if (item.asname or item.name) == name:
                source = f"{module.imported(node)}.{item.name}" if isinstance(node, ast.ImportFrom) else item.name
                found += [source] if self.library.holds(source) else []
        return found

    def open(self, name: str) -> None:
        """A module in which names are looked up by texts: each text in what is reached may be one."""
        if name not in self.opened:
            self.opened.add(name)
            self.of_import(name)
            for text in sorted(self.strings):
                self.of_opened(name, text)

    def of_opened(self, module: str, text: str) -> None:
        if not text.isidentifier():  # nor is any of the thousands of sentences a module's name
            return
        inside = self.library.holds(f"{module}.{text}")
        if inside or text in self.library.module(module).bound:
            self.of_module(module, text)
        if inside:
            self.open(f"{module}.{text}")

    def mention(self, name: str) -> None:
        if name not in self.mentioned:
            self.mentioned.add(name)
            for unit in self.waiting.pop(name, ()):
                self.reach(unit)

    def text(self, text: str) -> None:
        if text in self.strings:
            return
        self.strings.add(text)
        self.mention(text.rpartition(".")[2])
        for module in sorted(self.opened):
            self.of_opened(module, text)
        if "." in text and text.partition(".")[0] in self.library.names:
            module, _, name = text.rpartition(".")
            if self.library.holds(text):
                self.of_import(text)
            elif self.library.holds(module):
                self.of_module(module, name)

    def pattern(self, text: str) -> None:
        pattern = re.compile(text)
        if pattern not in self.patterns:
            self.patterns.append(pattern)
            for name in [name for name in self.waiting if pattern.fullmatch(name)]:
                self.mention(name)

    def local(self, module: Module, name: str) -> None:
        """A name that code of a module says: what the module binds to it."""
        if (module.name, name) in self.looked_up:
            return
        self.looked_up.add((module.name, name))
        if name in module.bound:
            if module.name in self.modules:
                for unit in module.bound[name]:
                    self.reach(unit)
        elif name not in BUILTIN:
            self.starred(module, name)

    def chain(self, module: Module, root: str, attributes: tuple[str, ...]) -> bool:
        """``root.a.b``, where root is a module; whether that says all of it."""
        units = module.bound.get(root, [])
        if not units or any(unit.kind is not Kind.IMPORT for unit in units):
            return False
        done = True
        for unit in units:
            source, inside = self.library.source(unit)
            if not inside:
                continue  # another library's: nothing of ours is looked up there
            assert unit.item is not None
            if isinstance(unit.node, ast.ImportFrom):
                source = f"{source}.{unit.name}"
            elif unit.item.asname is None:
                source = root
            done = self.library.holds(source) and self.inside(source, attributes) and done
        return done

    def inside(self, module: str, attributes: tuple[str, ...]) -> bool:
        while attributes and self.library.holds(f"{module}.{attributes[0]}"):
            module, attributes = f"{module}.{attributes[0]}", attributes[1:]
        self.of_import(module)
        if attributes:
            found = self.of_module(module, attributes[0])
            for attribute in attributes[1:]:
                self.mention(attribute)
            return found
        return True

    def imported(self, module: Module, node: Import, item: ast.alias | None) -> None:
        assert item is not None
        if isinstance(node, ast.Import):
            if self.library.holds(item.name):
                self.of_import(item.name)
            return
        source = module.imported(node)
        if not self.library.holds(source):
            return
        self.of_import(source)
        if item.name != "*":
            self.of_module(source, item.name)
        elif module.name not in self.modules:
            of = self.library.module(source)
            for name in [*of.bound, *(of.public or ())]:
                if of.exports(name):
                    self.of_module(source, name)

    def of_import(self, name: str) -> None:
        """A module and the packages above it are imported: what happens then."""
        parts = name.split(".")
        for length in range(1, len(parts) + 1):
            name = ".".join(parts[:length])
            if name in self.modules or not self.library.holds(name):
                continue
            self.modules.add(name)
            module = self.library.module(name)
            for asked in sorted(self.of_modules):
                self.of_running(module, asked)
            for unit in module.units:
                happens = unit.kind is Kind.EFFECT and self.happens(module, unit)
                if happens or (unit.kind is Kind.IMPORT and self.is_for_effect(module, unit)):
                    self.reach(unit)

    def happens(self, module: Module, unit: Unit) -> bool:
        """Whether an effect is not only about values of the library that may be left out."""

        def own(name: str) -> bool:
            units = module.bound.get(name, [])
            return bool(units) and not all(u.kind is Kind.IMPORT and not self.library.source(u)[1] for u in units)

        if "__name__" in unit.mentions.names:
            return not any(map(own, unit.about))
        return not (unit.about and all(map(own, unit.about)))

    def is_for_effect(self, module: Module, unit: Unit) -> bool:
        """Whether a module of the library is imported and not used: for what happens then."""
        if module.is_package or unit.checking:
            return False
        of = f"{module.imported(unit.node)}." if isinstance(unit.node, ast.ImportFrom) else ""
        source = f"{of}{unit.name}"
        if not self.library.holds(source):
            return False
        (bound,) = unit.binds
        return bound not in module.said

    def of_module(self, module: str, name: str) -> bool:
        """``module.name``; whether there is such a thing."""
        self.of_import(module)
        of = self.library.module(module)
        self.looked_up.add((module, name))
        if name in of.bound and not all(unit.checking for unit in of.bound[name]):
            for unit in of.bound[name]:
                self.reach(unit)
            return True
        if self.library.holds(f"{module}.{name}"):
            self.of_import(f"{module}.{name}")
            if of.lazy:
                self.handed_out.setdefault(module, set()).add(name)
            return True
        if self.starred(of, name):
            return True
        for unit in of.bound.get("__getattr__", ()):
            self.reach(unit)
        return False

    def starred(self, module: Module, name: str, seen: frozenset[str] = frozenset()) -> bool:
        """A name that a module has by ``from x import *``."""
        for unit in reversed(module.stars):
            assert isinstance(unit.node, ast.ImportFrom)
            source = module.imported(unit.node)
            if not self.library.holds(source):
                if source.partition(".")[0] not in self.library.names:
                    self.reach(unit)
                continue
            if source in seen:
                continue
            if self.has(source, name, seen | {module.name}):
                unit.wanted.add(name)
                self.reach(unit)
                return self.of_module(source, name)
        return False

    def has(self, module: str, name: str, seen: frozenset[str]) -> bool:
        """Whether ``from module import *`` binds a name, without reaching anything."""
        of = self.library.module(module)
        if not of.exports(name):
            return False
        if name in of.bound:
            return True
        sources = (of.imported(unit.node) for unit in of.stars if isinstance(unit.node, ast.ImportFrom))
        return any(
            self.library.holds(source) and source not in seen and self.has(source, name, seen | {module})
            for source in sources
        )
