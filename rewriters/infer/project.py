"""The files that are analysed together, and the fixpoint over them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rewriters.infer.import_names import absolute_module
from rewriters.infer.own_operators import own_special_methods
from rewriters.infer.statements import Interpreter
from rewriters.infer.values import BOTTOM, Cell, ClassInfo, FunctionInfo, ModuleInfo, Tensor, Value, join, reading

ROUNDS = 5
# From this round on, a tensor whose dtype or rank still moves may be of any: that ends chains through many functions.
WIDENED = 3


class Project:
    """The modules that are analysed together."""

    def __init__(self, modules: Iterable[ModuleInfo]) -> None:
        self.modules = {module.name: module for module in modules}
        # Names of which something dotted has been narrowed, anywhere.
        self.narrowed: set[str] = set()
        self.functions: dict[ast.AST, FunctionInfo] = {}
        self.classes: dict[ast.AST, ClassInfo] = {}
        # Functions behind decorators that may change what they give, by name.
        self.decorated: dict[str, list[FunctionInfo]] = {}
        self.own_methods = own_special_methods(self.modules.values())
        # What is stored to attributes of objects that are not known; whether under names that are not known.
        self.stray: dict[str, Value] = {}
        self.scattered = False
        self.changed = False
        self.open = True
        self.round = 0
        # Counts the changes of what is kept from round to round. Of stray attributes, by name; of `scattered`; of
        # whether parameters are open.
        self.clock = 0
        self.stray_cells: dict[str, Cell] = {}
        self.scattering = Cell()
        self.openness = Cell()

    def find(self, name: str, near: str = "") -> ModuleInfo | None:
        """The module of that absolute name, or the one beside ``near``: a script sees its own folder first."""
        found = self.modules.get(name)
        if found is None and "." in near:
            found = self.modules.get(f"{near.rpartition('.')[0]}.{name}")
        return found

    def in_order(self) -> list[ModuleInfo]:
        """The modules, each after those it imports where that is possible: fewer rounds to the fixpoint."""
        done: dict[str, ModuleInfo] = {}
        started: set[str] = set()
        for name in self.modules:
            stack = [(name, iter(self.imported(self.modules[name])))]
            started.add(name)
            while stack:
                current, rest = stack[-1]
                following = next((n for n in rest if n not in started), None)
                if following is None:
                    done[current] = self.modules[current]
                    stack.pop()
                else:
                    started.add(following)
                    stack.append((following, iter(self.imported(self.modules[following]))))
        return list(done.values())

    def imported(self, module: ModuleInfo) -> list[str]:
        """Names of the project's modules that a module's import statements name."""
        wanted: list[str] = []
        for node in module.nodes.of(ast.Import):
            wanted += [item.name for item in node.names]
        for node in module.nodes.of(ast.ImportFrom):
            source = absolute_module(node.module or "", node.level, module.name, module.package)
            wanted += [source, *(f"{source}.{item.name}" for item in node.names)]
        found = [self.find(name, module.name) for name in wanted]
        return [info.name for info in found if info is not None]

    def infer(self) -> None:
        """To a fixpoint, twice: first parameters that no call has filled stay open, then they are unknown.

        After ROUNDS passes what still moves is left where it is: a join never turns unknown back into a tensor.
        """
        modules = self.in_order()
        for self.open in (True, False):
            self.touch(self.openness)
            for self.round in range(ROUNDS):
                self.changed = False
                for module in modules:
                    Interpreter(self, module).run()
                if not self.changed:
                    break
        reading.cells = set()
        for info in self.functions.values():
            info.last = None
        for module in modules:
            module.last = None

    def is_open(self) -> bool:
        """Whether parameters that no call has filled stay open."""
        reading.cells.add(self.openness)
        return self.open

    def stray_cell(self, name: str) -> Cell:
        """Of what is stored under that name to objects that are not known."""
        found = self.stray_cells.get(name)
        if found is None:
            found = self.stray_cells[name] = Cell()
        return found

    def touch(self, cell: Cell) -> None:
        """It is not what it was: what has read it is to be interpreted again."""
        self.clock += 1
        cell.at = self.clock

    def moved(self, cell: Cell) -> None:
        """The same, and another round is needed."""
        self.changed = True
        self.touch(cell)

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

    def joined(self, old: Value, value: Value) -> Value:
        """What a summary that held ``old`` holds now."""
        new = join(old, value)
        moved = self.round >= WIDENED and isinstance(old, Tensor) and isinstance(new, Tensor) and new != old
        return Tensor(new.assumed) if moved and isinstance(new, Tensor) else new
