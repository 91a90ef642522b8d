"""The files that are analysed together, and the fixpoint over them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from rewriters.infer.answers import Answer, find
from rewriters.infer.import_names import absolute_module
from rewriters.infer.lanes import ROUNDS, halves_of, in_halves, infer_in_lanes, read
from rewriters.infer.others import Others, imports_like_torch, reached
from rewriters.infer.own_operators import own_methods, own_special_methods
from rewriters.infer.settings import names_of_settings
from rewriters.infer.shown import Showing
from rewriters.infer.statements import Interpreter
from rewriters.infer.summaries import Summaries
from rewriters.infer.torch_calls import OF_ANY_MODULE
from rewriters.infer.values import ModuleInfo
from rewriters.workers import Workers

NO_SIZES: Mapping[str, int] = MappingProxyType({})


class Project(Summaries):
    """The modules that are analysed together."""

    def __init__(
        self, modules: Iterable[ModuleInfo], answers: Iterable[Answer] = (), added: Iterable[str] = ()
    ) -> None:
        """added: folders that programs put on the path of imports, by dotted names."""
        super().__init__(modules, added)
        self.told = find(answers, self.modules.values())
        self.others = Others(module.nodes for module in self.modules.values())
        self.showing = Showing(self.others)
        like = [name for name, module in self.modules.items() if imports_like_torch(module.nodes)]
        if like:
            imports = {name: self.imported(module) for name, module in self.modules.items()}
            self.others.within = reached(like, imports)
        self.own_methods = own_special_methods(self.modules.values())
        self.settings = names_of_settings(self.modules.values())
        methods = own_methods(self.modules.values())
        self.own_parameters = bool(methods & set(OF_ANY_MODULE))
        self.own_states = "get_extra_state" in methods

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

    def infer(self, workers: Workers | None = None, sizes: Mapping[str, int] = NO_SIZES) -> None:
        """To a fixpoint, twice: first parameters that no call has filled stay open, then they are unknown.

        After ROUNDS passes what still moves is left where it is: a join never turns unknown back into a tensor.

        workers: where halves of the files are to be interpreted by two processes, what starts the other one; sizes:
                 of the modules by their names, which say what half of them is.
        """
        modules = self.in_order()
        if workers is not None and infer_in_lanes(self, modules, workers, halves_of(modules, in_halves(sizes))):
            return
        read(self, modules)
        for self.open in (True, False):
            self.touch(self.openness)
            for self.round in range(ROUNDS):
                self.changed = False
                self.touch(self.rounds)
                for module in modules:
                    Interpreter(self, module).run()
                if not self.changed:
                    break
        self.settled()
