"""Runs source programs in torch with every claim of the inference held against the value that is computed."""

from __future__ import annotations

import builtins
import importlib
import importlib.abc
import importlib.machinery
import linecache
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from types import CodeType, ModuleType
from typing import Any

from checks.claims.holding import wrong
from checks.claims.instrument import NAME, Claim, instrument
from rewriters.convert import split
from rewriters.files import MENTIONS_TORCH
from rewriters.homes import module_name
from rewriters.infer import Project
from rewriters.infer.values import ModuleInfo
from rewriters.text.source_text import Source, UnreadableSource
from rewriters.workers import Workers

# An expression in a loop is looked at so often; what it is later is what it was.
ENOUGH = 200


@dataclass
class Observed:
    """What came of it.

    claims:    all that were made.
    times:     number of a claim -> how often its expression was evaluated and looked at.
    false:     number of a claim -> what was wrong when it first was.
    evaluated: expressions that were evaluated, each time counted.
    """

    claims: list[Claim] = field(default_factory=list)
    times: Counter[int] = field(default_factory=Counter)
    false: dict[int, str] = field(default_factory=dict)
    evaluated: int = 0

    def __call__(self, number: int, value: Any) -> Any:
        """``__claim__`` of the instrumented programs."""
        self.evaluated += 1
        count = self.times[number]
        if count < ENOUGH:
            self.times[number] = count + 1
            if number not in self.false:
                said = wrong(self.claims[number].value, value)
                if said is not None:
                    self.false[number] = said
        return value

    @property
    def looked_at(self) -> int:
        return sum(self.times.values())

    def lines(self) -> list[str]:
        """The false claims, in order of place."""
        found = sorted((self.claims[n].path, self.claims[n].line, n) for n in self.false)
        return [f"{self.claims[n]}\n    claimed {shown(self.claims[n].value)}; {self.false[n]}" for _, _, n in found]


def shown(value: Any) -> str:
    """An abstract value without the syntax trees that it may refer to."""
    name = type(value).__name__
    info = getattr(value, "info", None)
    if info is not None:
        node = getattr(info, "node", None)
        return f"{name}({getattr(node, 'name', getattr(info, 'name', '<lambda>'))})"
    parts = [getattr(value, slot) for slot in getattr(value, "__dataclass_fields__", {})]
    texts = [shown(p) if hasattr(p, "__dataclass_fields__") else sequence(p) for p in parts if p is not None]
    return f"{name}({', '.join(texts)})"


def sequence(part: Any) -> str:
    if isinstance(part, tuple):
        return "(" + ", ".join(shown(p) if hasattr(p, "__dataclass_fields__") else sequence(p) for p in part) + ")"
    return repr(part)


class Instrumented(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the modules of one project instrumented."""

    def __init__(self, root: Path, codes: Mapping[str, tuple[Path, bool, CodeType]]) -> None:
        self.root = root
        self.codes = codes

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        found = self.codes.get(fullname)
        if found is None:
            return None
        where, is_package, _ = found
        spec = importlib.machinery.ModuleSpec(fullname, self, origin=str(where), is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [str(where.parent)]
        return spec

    def exec_module(self, module: ModuleType) -> None:
        exec(self.codes[module.__name__][2], module.__dict__)  # noqa: S102


def infer(
    sources: Mapping[PurePosixPath, bytes], package: str = "", workers: Workers | None = None
) -> list[tuple[PurePosixPath, ModuleInfo, Source]]:
    """What a conversion infers of these files, component by component.

    workers: where two processes are to infer half of the files each, as of a large component, what starts the other.
    """
    found: list[tuple[PurePosixPath, ModuleInfo, Source]] = []
    for group in split(sources, package):
        read: list[tuple[PurePosixPath, ModuleInfo, Source]] = []
        for path in group:
            try:
                source = Source(sources[path])
            except UnreadableSource:
                continue
            name, is_package = module_name(path, package)
            read.append((path, ModuleInfo(Path(path), name, source.tree, source.nodes, is_package), source))
        if any(MENTIONS_TORCH.search(source.buffer) for _, _, source in read):
            sizes = {module.name: len(source.buffer) for _, module, source in read}
            Project(module for _, module, _ in read).infer(workers, sizes)
            found += read
    return found


def instrumented(
    root: Path, observed: Observed, package: str = "", inside: str = "", workers: Workers | None = None
) -> Instrumented:
    """The project's modules, each under the name by which it is imported from ``root / inside``.

    workers: as of ``infer``.
    """
    sources = {
        PurePosixPath(path.relative_to(root).as_posix()): path.read_bytes()
        for path in sorted(root.rglob("*.py"))
        if not any(part.startswith(".") for part in path.relative_to(root).parts)
    }
    codes: dict[str, tuple[Path, bool, CodeType]] = {}
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20_000))
    try:
        for path, module, source in infer(sources, package, workers):
            text = source.buffer.decode("utf-8")
            where = root / path
            tree = instrument(module, observed.claims, str(path), text.splitlines() or [""])
            name = module.name
            if inside:
                prefix = inside.replace("/", ".") + "."
                name = name.removeprefix(prefix)
            codes[name] = (where, module.package, compile(tree, str(where), "exec", dont_inherit=True))
    finally:
        sys.setrecursionlimit(limit)
    return Instrumented(root, codes)


@contextmanager
def observing(observed: Observed, finder: Instrumented | None = None) -> Iterator[None]:
    """Within it, ``__claim__`` is there and the project's modules are imported instrumented."""
    before = dict(sys.modules)
    setattr(builtins, NAME, observed)
    if finder is not None:
        sys.meta_path.insert(0, finder)
        for name in finder.codes:
            for loaded in [n for n in sys.modules if n == name or n.startswith(name + ".")]:
                del sys.modules[loaded]
    try:
        yield
    finally:
        if finder is not None:
            sys.meta_path.remove(finder)
            for name in list(sys.modules):
                if name in finder.codes:
                    del sys.modules[name]
            sys.modules.update({name: module for name, module in before.items() if name in finder.codes})
        delattr(builtins, NAME)
        linecache.checkcache()


def observe_program(text: str, observed: Observed, name: str = "program") -> dict[str, Any]:
    """Run a program of one file; its namespace."""
    for path, module, source in infer({PurePosixPath(f"{name}.py"): text.encode()}):
        tree = instrument(module, observed.claims, str(path), source.buffer.decode("utf-8").splitlines() or [""])
        code = compile(tree, str(path), "exec", dont_inherit=True)
        holder = ModuleType(name)
        namespace = holder.__dict__
        with observing(observed):
            sys.modules[name] = holder
            try:
                exec(code, namespace)  # noqa: S102
            finally:
                del sys.modules[name]
        return namespace
    return {}
