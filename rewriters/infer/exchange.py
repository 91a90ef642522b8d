"""What two processes that interpret halves of the same files tell each other: what has changed in the summaries.

Functions, classes and files are told by their places in the trees, which both have.
"""

from __future__ import annotations

import ast
import io
import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rewriters.infer.cells import BASES, COMPUTED, DERIVED, Cell, reading
from rewriters.infer.named_tuples import named_tuple
from rewriters.infer.summaries import Summaries
from rewriters.infer.values import ClassInfo, FunctionInfo, ModuleInfo, Value

DONE = b"+"
DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
# Of a file by its number: a node by the name of its class and its number among those of the class; of a call, which may
# be missing where a file was read in outline, the line, too.
Place = tuple[int, str, int] | tuple[int, str, int, int]
Named = ModuleInfo | ClassInfo | FunctionInfo


@dataclass
class Learned:
    """What has changed during one round.

    changed:   whether another round is needed.
    given:     of functions, what callers tell: what is given to parameters, which are doubted, which are unclear.
    functions: of those in the files of who tells it, what they are and what they give.
    classes:   what they derive from, what derives from them, and what lies under names that have changed.
    modules:   names, by those in whose files they are, and what functions bind in files.
    """

    changed: bool
    scattered: bool
    stray: dict[str, Value]
    given: list[tuple[FunctionInfo, dict[str, Value], frozenset[str], frozenset[str]]] = field(default_factory=list)
    functions: list[tuple[FunctionInfo, dict[str, Any]]] = field(default_factory=list)
    classes: list[tuple[ClassInfo, dict[str, Any]]] = field(default_factory=list)
    modules: list[tuple[ModuleInfo, dict[str, Value], dict[str, Value]]] = field(default_factory=list)

    @property
    def nothing(self) -> bool:
        return not (self.changed or self.given or self.functions or self.classes or self.modules or self.stray)


OWN = ("owner", "kind", "opaque", "returns", "yields", "changes", "promises", "remakes")
"""What only the body of a function, or its definition, changes."""


class Exchange:
    """Of one project.

    own:   the files that this process interprets.
    at:    the one of them that it is at.
    first: whether what it says comes first in joins.
    """

    def __init__(self, project: Summaries) -> None:
        self.project = project
        self.modules = list(project.modules.values())
        self.numbers = {module: number for number, module in enumerate(self.modules)}
        self.places: dict[ast.AST, Place] = {
            node: (number, kind.__name__, place)
            for number, module in enumerate(self.modules)
            for kind in DEFINING
            for place, node in enumerate(module.nodes.of(kind))
        }
        self.own: frozenset[ModuleInfo] = frozenset()
        self.at = self.modules[0]
        self.first = True

    # -- names --------------------------------------------------------------------------------------------------

    def place_of(self, info: ClassInfo | FunctionInfo) -> Place:
        found = self.places.get(info.node)
        if found is None:  # a named tuple, whose class is made up
            call = next(node for node, one in self.project.classes.items() if one is info)
            assert isinstance(call, ast.Call)
            found = self.numbers[info.module], "Call", info.module.nodes.of(ast.Call).index(call), call.lineno
            self.places[info.node] = found
        return found

    def function_at(self, place: Place) -> FunctionInfo:
        node = self.node_at(place)
        found = self.project.functions.get(node)
        if found is None:
            assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            found = self.project.functions[node] = FunctionInfo(node, self.modules[place[0]])
        return found

    def class_at(self, place: Place) -> ClassInfo:
        node = self.node_at(place)
        found = self.project.classes.get(node)
        if found is None:
            module = self.modules[place[0]]
            found = ClassInfo(node, module) if isinstance(node, ast.ClassDef) else named_tuple(node, module)
            assert found is not None
            self.project.classes[node] = found
        return found

    def node_at(self, place: Place) -> Any:
        number, kind, index = place[:3]
        found = self.modules[number].nodes.of(getattr(ast, kind))[index]
        assert place[3:] in ((), (found.lineno,)), "a call that makes a class is not where it was"
        return found

    def pack(self, what: object) -> bytes:
        """With DONE before it; it is long, and written once."""
        stream = io.BytesIO()
        stream.write(DONE)
        Packing(stream, self).dump(what)
        return stream.getvalue()

    def unpack(self, data: bytes) -> Any:
        stream = io.BytesIO(data)
        stream.seek(len(DONE))
        return Unpacking(stream, self).load()

    # -- telling ------------------------------------------------------------------------------------------------

    def learned(self, since: int) -> Learned:
        """What has changed here since then, by the count of changes."""
        project = self.project
        stray = {name: project.stray[name] for name, cell in project.stray_cells.items() if cell.at > since}
        found = Learned(project.changed, project.scattered, stray)
        for info in project.functions.values():
            if info.asked.at > since:
                found.given.append((info, info.arguments, info.doubted, info.unclear))
            if info.answers.at > since and info.module in self.own:
                found.functions.append((info, {name: getattr(info, name) for name in OWN}))
        for one in project.classes.values():
            names = [name for name, cell in one.cells.items() if cell.at > since]
            if names:
                found.classes.append((one, self.of_class(one, names)))
        for module in self.modules:
            names = [name for name, cell in module.named.items() if cell.at > since and name in module.scope]
            rebound = module.rebound if module.bound.at > since else {}
            if names or rebound:
                found.modules.append((module, {name: module.scope[name] for name in names}, rebound))
        return found

    @staticmethod
    def of_class(info: ClassInfo, names: Sequence[str]) -> dict[str, Any]:
        """What lies under these names of a class, and what else of it has changed."""
        found: dict[str, Any] = {"filled": info.filled}
        if BASES in names:
            found["bases"] = info.bases
        if DERIVED in names:
            found["derived"] = info.derived
        if COMPUTED in names:
            found["computed"] = info.computed
        found["attributes"] = {name: info.attributes[name] for name in names if name in info.attributes}
        found["functions"] = {name: info.functions[name] for name in names if name in info.functions}
        return found

    # -- learning -----------------------------------------------------------------------------------------------

    def learn(self, told: Learned, since: int) -> None:
        """What the other has found in the round that began then."""
        project = self.project
        if told.scattered and not project.scattered:
            project.scattered = True
            project.touch(project.scattering)
        for name, value in told.stray.items():
            self.put(project.stray_cell(name), project.stray, {name: value}, since)
        for function, arguments, doubted, unclear in told.given:
            more = not (doubted <= function.doubted and unclear <= function.unclear)
            function.doubted |= doubted
            function.unclear |= unclear
            self.put(function.asked, function.arguments, arguments, since)
            if more:
                project.touch(function.asked)
        for function, own in told.functions:
            if own["opaque"] and not function.opaque:
                project.decorated.setdefault(function.name, []).append(function)
            for name, value in own.items():
                setattr(function, name, value)
            project.touch(function.answers)
        for info, parts in told.classes:
            self.learn_class(info, parts, since)
        for module, names, rebound in told.modules:
            module.scope.update(names)
            for name in names:
                project.touch(module.named[name])
            if names:
                project.touch(module.named[""])
            self.put(module.bound, module.rebound, rebound, since)

    def learn_class(self, info: ClassInfo, parts: dict[str, Any], since: int) -> None:
        info.filled |= parts["filled"]
        if "bases" in parts and info.module not in self.own and parts["bases"] != info.bases:
            info.bases = parts["bases"]
            reading.bases += 1
            self.project.touch(info.cells[BASES])
        more = [one for one in parts.get("derived", ()) if one not in info.derived]
        if more:
            info.derived += more
            reading.derived += 1
            self.project.touch(info.cells[DERIVED])
        self.put(info.cells[COMPUTED], info.computed, parts.get("computed", {}), since)
        for name, function in parts["functions"].items():
            if info.functions.get(name) is not function and info.module not in self.own:
                info.functions[name] = function
                self.project.touch(info.cells[name])
        for name, value in parts["attributes"].items():
            self.put(info.cells[name], info.attributes, {name: value}, since)

    def put(self, cell: Cell, table: dict[str, Value], told: dict[str, Value], since: int) -> None:
        """Into a table that both may have changed: joined in one order, whoever learns it."""
        here = cell.at > since
        moved = False
        for name, theirs in told.items():
            mine = table.get(name)
            if mine == theirs:
                continue
            if mine is None or not here:
                table[name] = theirs
            else:
                table[name] = self.project.joined(*((mine, theirs) if self.first else (theirs, mine)))
            moved = True
        if moved:
            self.project.touch(cell)


class Packing(pickle.Pickler):
    def __init__(self, stream: io.BytesIO, exchange: Exchange) -> None:
        super().__init__(stream, pickle.HIGHEST_PROTOCOL)
        self.exchange = exchange

    def persistent_id(self, one: object) -> tuple[str, Any] | None:
        kind = one.__class__
        if kind is FunctionInfo:
            return "function", self.exchange.place_of(one)  # type: ignore[arg-type]
        if kind is ClassInfo:
            return "class", self.exchange.place_of(one)  # type: ignore[arg-type]
        if kind is ModuleInfo:
            return "module", self.exchange.numbers[one]  # type: ignore[index]
        return None


class Unpacking(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, exchange: Exchange) -> None:
        super().__init__(stream)
        self.exchange = exchange

    def persistent_load(self, name: tuple[str, Any]) -> Named:
        kind, place = name
        if kind == "module":
            return self.exchange.modules[int(place)]
        return self.exchange.function_at(place) if kind == "function" else self.exchange.class_at(place)
