"""What is known of several files together, and kept from round to round."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from typing import Any

from rewriters.infer.answers import NO_ANSWERS
from rewriters.infer.cells import COMPUTED, Cell, NamedCell, Remembered, reading
from rewriters.infer.import_roots import ImportRoots
from rewriters.infer.joining import join
from rewriters.infer.others import Others
from rewriters.infer.shown import Showing
from rewriters.infer.values import BOTTOM, ClassInfo, FunctionInfo, ModuleInfo, Tensor, Value
from rewriters.torch.table import own_packages

# From this round on, a tensor whose dtype or rank still moves may be of any: that ends chains through many functions.
WIDENED = 3


class Summaries:
    """What the functions, classes and files know of each other."""

    def __init__(self, modules: Iterable[ModuleInfo], added: Iterable[str] = ()) -> None:
        """added: folders that programs put on the path of imports, by dotted names."""
        self.modules = {module.name: module for module in modules}
        packages = {module.name for module in self.modules.values() if module.package}
        self.roots = ImportRoots(self.modules, packages, added)
        own = own_packages(self.modules)
        for module in self.modules.values():
            module.own = own
        # Names of which something dotted has been narrowed, anywhere.
        self.narrowed: set[str] = set()
        self.functions: dict[ast.AST, FunctionInfo] = {}
        self.classes: dict[ast.AST, ClassInfo] = {}
        # Functions behind decorators that may change what they give, by name.
        self.decorated: dict[str, list[FunctionInfo]] = {}
        # What look-ups have found last, by what was asked.
        self.looked_up: dict[tuple[Any, Value | ClassInfo, str], Remembered] = {}
        # The methods of operators that the classes define.
        self.own_methods: frozenset[str] = frozenset()
        # What may be used as tensors are.
        self.others = Others(())
        self.showing = Showing(self.others)
        # Whether one has a method by whose name modules give their parameters.
        self.own_parameters = False
        # Whether what is no tensor lies in what ``state_dict()`` gives.
        self.own_states = False
        self.told = NO_ANSWERS
        # What is stored to attributes of objects that are not known; whether under names that are not known.
        self.stray: dict[str, Value] = {}
        self.scattered = False
        # Names that the project writes out as settings: nobody stores a tensor under them by computing them.
        self.settings: frozenset[str] = frozenset()
        self.changed = False
        self.open = True
        self.round = 0
        # Counts the changes of what is kept from round to round. Of stray attributes, by name; of `scattered`; of
        # whether parameters are open.
        self.clock = 0
        self.stray_cells: dict[str, Cell] = {}
        # Of what lies under a name of any class; the classes that have it, as of when that changed last.
        self.named_cells: dict[str, Cell] = {}
        self.having: dict[str, dict[ClassInfo, None]] = {}
        # Those that may have something under a name since that was found, or no longer.
        self.moving: dict[str, set[ClassInfo]] = {}
        self.scattering = Cell()
        self.openness = Cell()
        # Of each round: who reads whatever there is reads it again.
        self.rounds = Cell()
        # Whether it is too early to say whose attributes are stored to under names that are not known; of that.
        self.early = False
        self.earliness = Cell()

    def find(self, name: str, near: str = "") -> ModuleInfo | None:
        """The module that an import of that name means in ``near``; of a name in full, where there is no such."""
        found = self.roots.find(name, near)
        return self.modules[found.name] if found is not None else None

    def is_open(self) -> bool:
        """Whether parameters that no call has filled stay open."""
        reading.cells.add(self.openness)
        return self.open

    def is_early(self) -> bool:
        """Whether most of what others tell is still to come: an object that is one of many may seem to be the only."""
        if self.early:
            reading.cells.add(self.earliness)
        return self.early

    def stray_cell(self, name: str) -> Cell:
        """Of what is stored under that name to objects that are not known."""
        found = self.stray_cells.get(name)
        if found is None:
            found = self.stray_cells[name] = Cell()
        return found

    def named_cell(self, name: str) -> Cell:
        """Of what lies under that name of any class: for who asks so many that to note each would take too long."""
        found = self.named_cells.get(name)
        if found is None:
            found = self.named_cells[name] = Cell()
        return found

    def classes_with(self, name: str) -> Collection[ClassInfo]:
        """Those that have something under that name; COMPUTED of what is stored under names that are computed."""
        known = self.having.get(name)
        if known is None:
            self.named_cell(name)
            known = self.having[name] = {one: None for one in self.classes.values() if has(one, name)}
        for one in self.moving.pop(name, ()):
            if has(one, name):
                known[one] = None
            else:
                known.pop(one, None)
        return known

    def touch(self, cell: Cell) -> None:
        """It is not what it was: what has read it is to be interpreted again."""
        self.clock += 1
        cell.at = self.clock
        if isinstance(cell, NamedCell) and cell.name in self.named_cells:
            self.named_cells[cell.name].at = self.clock
            self.moving.setdefault(cell.name, set()).add(cell.owner)
        if cell.absent is not None:
            cell.absent.at = self.clock
            cell.absent = None

    def moved(self, cell: Cell) -> None:
        """The same, and another round is needed."""
        self.changed = True
        self.touch(cell)

    def settled(self) -> None:
        """Nothing moves any more: what was noted of what reads what is not needed."""
        reading.forget()
        self.looked_up.clear()
        self.having.clear()
        self.moving.clear()
        for info in self.functions.values():
            info.last = None
        for module in self.modules.values():
            module.last = None
            module.named.clear()
        for one in self.classes.values():
            one.cells.clear()

    def narrow(self, name: str) -> None:
        """Something is known of what begins with the name and a dot, or a test has said what an outer name holds."""
        if name not in self.narrowed:
            self.narrowed.add(name)

    def scatter(self) -> None:
        """Something is stored under a name that is not known, to what is not known."""
        if not self.scattered:
            self.scattered = True
            self.moved(self.scattering)

    def merge(self, cell: Cell, table: dict[str, Value], name: str, value: Value) -> None:
        """Join ``value`` into a summary; a change asks for another round."""
        old = table.get(name, BOTTOM)
        new = self.joined(old, value)
        if new is not old and new != old:
            table[name] = new
            self.moved(cell)
        elif name not in table:  # there, though nothing is known yet of what it holds
            table[name] = new
            self.touch(cell)

    def joined(self, old: Value, value: Value) -> Value:
        """What a summary that held ``old`` holds now."""
        new = join(old, value)
        if self.round < WIDENED or not isinstance(old, Tensor) or not isinstance(new, Tensor):
            return new
        moved = (new.kinds, new.ndim, new.assumed) != (old.kinds, old.ndim, old.assumed)
        return Tensor(new.assumed, hints=new.hints) if moved else new  # hints only become more: that ends by itself


def has(info: ClassInfo, name: str) -> bool:
    return bool(info.computed) if name == COMPUTED else name in info.functions or name in info.attributes
