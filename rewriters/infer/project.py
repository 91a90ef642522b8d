"""The files that are analysed together, and the fixpoint over them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from rewriters.infer.statements import Interpreter
from rewriters.values import BOTTOM, ClassInfo, FunctionInfo, ModuleInfo, Value, join

ROUNDS = 5


class Project:
    """The modules that are analysed together."""

    def __init__(self, modules: Iterable[ModuleInfo]) -> None:
        self.modules = {module.name: module for module in modules}
        self.functions: dict[ast.AST, FunctionInfo] = {}
        self.classes: dict[ast.AST, ClassInfo] = {}
        self.changed = False
        self.open = True

    def find(self, name: str, near: str = "") -> ModuleInfo | None:
        """The module of that absolute name, or the one beside ``near``: a script sees its own folder first."""
        found = self.modules.get(name)
        if found is None and "." in near:
            found = self.modules.get(f"{near.rpartition('.')[0]}.{name}")
        return found

    def infer(self) -> None:
        """To a fixpoint, twice: first parameters that no call has filled stay open, then they are unknown.

        After ROUNDS passes what still moves is left where it is: a join never turns unknown back into a tensor.
        """
        for self.open in (True, False):
            for _ in range(ROUNDS):
                self.changed = False
                for module in self.modules.values():
                    Interpreter(self, module).run()
                if not self.changed:
                    break

    def merge(self, table: dict[str, Value], name: str, value: Value) -> None:
        """Join ``value`` into a summary; a change asks for another round."""
        old = table.get(name, BOTTOM)
        new = join(old, value)
        if new != old:
            table[name] = new
            self.changed = True
