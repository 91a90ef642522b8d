"""Converting one component: files that import each other and no others."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

from rewriters.files import Files, read_and_inferred
from rewriters.homes import Homes, graph_stem, helper_stem
from rewriters.hooks import FAULTS, Placed, at_nodes, by_place, passes, plans
from rewriters.infer import Project
from rewriters.infer.import_names import absolute_module
from rewriters.infer.values import ModuleInfo
from rewriters.members import Members, members_of
from rewriters.places import Places
from rewriters.places.alike import note_alike
from rewriters.places.calls import shares
from rewriters.places.findings import Found
from rewriters.places.layers import LayersInPlace, Uses
from rewriters.regions import Plan
from rewriters.report import OURS, FileReport, Status
from rewriters.rewrite import FileRewriter
from rewriters.rewrite.class_uses import Travel, travel
from rewriters.rewrite.filled import Filled
from rewriters.rewrite.helper_module import HelperModule
from rewriters.rewrite.known import Known, Shared
from rewriters.rewrite.layer_attributes import named_otherwise
from rewriters.rules.rulebook import RuleError, load_rulebook
from rewriters.target import Target
from rewriters.text.parsing import check
from rewriters.workers import Alone, Workers


@dataclass
class Part:
    """What came out of one component: files that import each other and no others.

    files:     path -> new bytes; None where the file stays as it is.
    helpers:   folder -> names of the helper functions that its files call.
    stand_ins: folders whose helper module needs the stand-in for torch.
    graphs:    folders whose files import the target's module for static graphs.
    """

    files: dict[PurePosixPath, bytes | None] = field(default_factory=dict)
    reports: list[FileReport] = field(default_factory=list)
    helpers: dict[PurePosixPath, set[str]] = field(default_factory=dict)
    stand_ins: set[PurePosixPath] = field(default_factory=set)
    graphs: set[PurePosixPath] = field(default_factory=set)

    def add(self, other: Part) -> None:
        """What came out of other files of the same component."""
        self.files.update(other.files)
        self.reports += other.reports
        for home, names in other.helpers.items():
            self.helpers.setdefault(home, set()).update(names)
        self.stand_ins |= other.stand_ins
        self.graphs |= other.graphs


# Under such keys are the rules for what lies in the memory of what it is of, in the target alone.
LENT = ":lent"
# For what is to be another tensor than the one that it is of, as in torch.
OWN = ":own"
# So many bytes of source are rewritten in one go; what was found out about places is forgotten after each, so that
# memory is bounded, and any number of processes writes the same.
PIECE = 1_000_000
# So many bytes of source, and more, are inferred in two halves; of so many no two processes have all trees at once.
HALVED = 4_000_000
OUTLINED = 32_000_000
ALONE = Alone()


@cache
def copies(folder: Path) -> frozenset[str]:
    """Torch's names whose results share memory with what they are given in torch, and not in the target (generated)."""
    return frozenset(filter(shares, shared_in(folder, "copies")))


@cache
def shared_in(folder: Path, kind: str) -> frozenset[str]:
    """Torch's names of one kind in the target's table of what shares memory (``migrate/sharing.py``)."""
    path = folder / "records" / "copies.json"
    return frozenset(json.loads(path.read_text(encoding="utf-8"))[kind]) if path.is_file() else frozenset()


def convert_part(
    sources: Mapping[PurePosixPath, bytes],
    target: Target,
    package: str,
    extra_rules: tuple[Path, ...],
    folders: frozenset[PurePosixPath],
    static: bool = False,
    workers: Workers = ALONE,
    assume: tuple[str, ...] = (),
) -> Part:
    """Convert one component. ``folders``: those of the whole project that are packages.

    workers: other processes, where it is very long.
    assume: what a person says of what the code leaves open, as ``Answer.of`` reads it.

    Where the engine fails on what it knows of all files together, the file that it was at stays as it was, and the
    others are converted without it.
    """
    try:
        return convert_together(sources, target, package, extra_rules, folders, static, workers, assume)
    except RuleError:
        raise
    except FAULTS as error:
        place = file_at(error, sources)
        failed = set(sources) if place is None else {place}
        rest = {path: data for path, data in sources.items() if path not in failed}
        done = convert_part(rest, target, package, extra_rules, folders, static, workers, assume) if rest else Part()
        done.reports += [FileReport(str(path), Status.FAILED, fault(path, error)) for path in sorted(failed)]
        done.files.update(dict.fromkeys(failed))
        return done


def file_at(error: BaseException, sources: Iterable[PurePosixPath]) -> PurePosixPath | None:
    """The file that the engine was looking at when it failed, as its innermost frame that knows one has it."""
    known = {Path(path): path for path in sources}
    found = None
    trace = error.__traceback__
    while trace is not None:
        names = trace.tb_frame.f_locals
        for holder in (names.get("module"), getattr(names.get("self"), "module", None)):
            if isinstance(holder, ModuleInfo) and holder.path in known:
                found = known[holder.path]
        trace = trace.tb_next
    return found


def fault(path: PurePosixPath, error: BaseException) -> str:
    return f"{path}: {type(error).__name__} in the converter: {error}; left as it was. {OURS}"


def for_halves(size: int, workers: Workers) -> Workers | None:
    """What starts the process that infers one half of so many bytes; None where they are inferred in one piece."""
    return workers if size > HALVED else None


def convert_together(
    sources: Mapping[PurePosixPath, bytes],
    target: Target,
    package: str,
    extra_rules: tuple[Path, ...],
    folders: frozenset[PurePosixPath],
    static: bool,
    workers: Workers,
    assume: tuple[str, ...],
) -> Part:
    """As ``convert_part``; a fault of the engine at all files together is raised."""
    size = sum(map(len, sources.values()))
    begun = read_and_inferred(sources, package, workers) if size > OUTLINED and not assume else None
    files = begun[0] if begun else Files.read(sources, package)
    done = Part(reports=files.unread)
    if not files.mention_torch():
        done.files = dict.fromkeys(files.sources)
        done.reports += [FileReport(str(path)) for path in files.sources]
        return done
    pieces = in_pieces({path: sources[path] for path in files.sources})
    project = begun[1] if begun else files.inferred(for_halves(size, workers), assume)
    component = Component(files, project, target, package, extra_rules, folders, static)
    if len(pieces) > 1:
        component.prepare(ALONE if begun else workers)
    else:
        component.choose(keys_of(component.project, files.modules, target))
    for part in workers.spread(lambda turn: component.rewrite(pieces[turn], workers), len(pieces)):
        done.add(part)
    return done


def in_pieces(sources: Mapping[PurePosixPath, bytes]) -> list[list[PurePosixPath]]:
    """The files, as many together as are rewritten in one go."""
    pieces: list[list[PurePosixPath]] = [[]]
    size = 0
    for path, data in sources.items():
        if size > PIECE:
            pieces.append([])
            size = 0
        pieces[-1].append(path)
        size += len(data)
    return pieces


class Component:
    """Files that import each other, and what is known of them together.

    found, uses, filled: of all files, as ``Places``, ``LayersInPlace`` and ``fill`` have them; None until they have
                         been looked for.
    """

    def __init__(
        self,
        files: Files,
        project: Project,
        target: Target,
        package: str,
        extra_rules: tuple[Path, ...],
        folders: frozenset[PurePosixPath],
        static: bool,
    ) -> None:
        self.files, self.project, self.target = files, project, target
        self.book = load_rulebook(target.folder, extra_rules)
        modules = files.modules
        self.homes = Homes(modules, package, folders, project.roots)
        texts = (source.buffer for source in files.sources.values())
        self.named_otherwise = named_otherwise(self.book, texts)
        self.handed_on = names_handed_on(modules.values())
        self.special: Mapping[PurePosixPath, Mapping[ast.AST, str]] = {}
        self.variants: frozenset[str] = frozenset()
        self.plans = plans(project, list(modules.values()), target.folder, static)
        if copies(target.folder):
            note_alike(modules.values())
        self.found: Found | None = None
        self.uses: Uses | None = None
        self.filled: Filled | None = None

    @cached_property
    def travel(self) -> Travel:
        """What is handed on between the files."""
        return travel(self.files.modules.values(), self.project.classes.values())

    def places(self) -> Places:
        lends = frozenset(key.removesuffix(LENT) for key in self.book.rules if key.endswith(LENT))
        owned = frozenset(key.removesuffix(OWN) for key in self.book.rules if key.endswith(OWN))
        itself, another, its_shape = (
            owned & shared_in(self.target.folder, kind) for kind in ("itself", "another", "its shape")
        )
        itself |= another | owned & shared_in(self.target.folder, "copies")
        return Places(copies(self.target.folder), self.files.modules.values(), self.found, lends, itself, its_shape)

    def members(self) -> Members:
        return members_of(self.project.classes.values(), self.target.methods)

    def choose(self, special: Mapping[PurePosixPath, Mapping[ast.AST, str]]) -> None:
        """Where special rules answer."""
        self.special = special
        keys = (key for found in special.values() for key in found.values())
        self.variants = frozenset(keys) | bases_of(self.project)

    def prepare(self, workers: Workers) -> None:
        """Find out once what each piece of the files needs of all; in another process, where special rules answer."""
        modules = self.files.modules

        def work(turn: int) -> dict[PurePosixPath, list[Placed]]:
            # What passes remember of a project goes with it, and not all of that is small.
            return by_place(keys_of(copy(self.project), modules, self.target), modules) if turn else self.look()

        _, placed = workers.spread(work, 2)
        self.choose(at_nodes(placed, modules))

    def look(self) -> dict[PurePosixPath, list[Placed]]:
        """Look for what each piece of the files would look for in all of them; no keys."""
        places = self.places()
        places.look_at_all()
        self.uses = LayersInPlace(self.project, places).uses
        self.filled = self.fill(places, self.members())
        places.forget()
        self.found = places.found
        _ = self.travel
        return {}

    def fill(self, places: Places, members: Members) -> Filled:
        """By which parameters what holds an array comes to be written to, where the target has such."""
        found = Filled(places, members)
        return found.find(self.project.modules.values()) if self.target.held else found

    def rewrite(self, paths: Iterable[PurePosixPath], workers: Workers) -> Part:
        """What comes out of these files."""
        done = Part()
        helpers: dict[PurePosixPath, HelperModule] = {}
        places, members = self.places(), self.members()
        layers = LayersInPlace(self.project, places, self.uses)
        known = (self.target, self.book, self.variants, self.travel, places, layers, members)
        filled = self.filled or self.fill(places, members)
        shared = Shared(*known, named_otherwise=self.named_otherwise, handed=filled.handed, holders=filled.names)
        for path in paths:
            workers.look_after()
            home = self.homes.of(path)
            helper = helpers.setdefault(home, HelperModule(self.target, self.book))
            plan = self.plans.get(self.files.modules[path])
            try:
                result, report = convert_one(self.known(path, home, shared, plan), helper)
                if plan is not None and plan.uses and result is not None:
                    done.graphs.add(home)
            except FAULTS as error:
                # This file stays as it was, the others are converted.
                result, report = None, FileReport(str(path), Status.FAILED, fault(path, error))
            if result is None and path in self.files.renewed and report.status != Status.FAILED:
                result = self.files.sources[path].result()
            report.path = str(path)
            done.reports.append(report)
            done.files[path] = result
        places.forget()
        done.helpers = {home: helper.wanted for home, helper in helpers.items() if helper.wanted}
        done.stand_ins = {home for home, helper in helpers.items() if helper.stand_in}
        return done

    def known(self, path: PurePosixPath, home: PurePosixPath, shared: Shared, plan: Plan | None) -> Known:
        module = self.files.modules[path]
        relative = self.homes.relative(path, home)
        stem, graphs = helper_stem(self.target), f"{relative or ''}{graph_stem(self.target)}"
        statement = f"import {stem}" if relative is None else f"from {relative} import {stem}"
        names, imported = frozenset(self.handed_on.get(module.name, ())), module.name in self.handed_on
        here = self.files.sources[path], module, shared, self.special[path]
        return Known(*here, names, stem, statement, plan, graphs, imported)


def special_keys(
    sources: Mapping[PurePosixPath, bytes], target: Target, package: str, workers: Workers = ALONE
) -> Mapping[PurePosixPath, Mapping[ast.AST, str]]:
    """Per file of a component: the uses for which the target's passes choose a special rule, with its key.

    workers: as of ``convert_part``, which has inferred the same with them.
    """
    if passes(target.folder) is None:
        return {}
    files = Files.read(sources, package)
    halves = for_halves(sum(map(len, sources.values())), workers)
    return keys_of(files.inferred(halves), files.modules, target)


def keys_of(
    project: Project, modules: Mapping[PurePosixPath, ModuleInfo], target: Target
) -> dict[PurePosixPath, Mapping[ast.AST, str]]:
    own = passes(target.folder)
    return {path: own.keys(project, module) if own else {} for path, module in modules.items()}


def convert_one(known: Known, helper: HelperModule) -> tuple[bytes | None, FileReport]:
    """One file's new bytes, None when nothing changes."""
    rewriter = FileRewriter(known, helper)
    result, report = rewriter.run()
    if report.status == Status.UNCHANGED:
        return None, report
    try:
        check(result)
    except SyntaxError as error:
        path = known.module.path
        line = (error.text or "").strip()
        why = f"{path}: the converted text does not parse (line {error.lineno}: {error.msg}: {line}); left as it was."
        return None, FileReport(str(path), Status.FAILED, f"{why} {OURS}")
    return result, report


def bases_of(project: Project) -> frozenset[str]:
    """The torch classes that classes of the project derive from, as keys of the rules for that."""
    owners = [info.linear() for info in project.classes.values()]
    return frozenset(f"{base}:base" for found in owners for base in found if isinstance(base, str))


def names_handed_on(modules: Iterable[ModuleInfo]) -> dict[str, set[str]]:
    """Per module that others of the project import: the names that they import from it."""
    found: dict[str, set[str]] = {}
    for module in modules:
        for plain in module.nodes.of(ast.Import):
            found |= {item.name: set() for item in plain.names if item.name not in found}
        for node in module.nodes.of(ast.ImportFrom):
            source = absolute_module(node.module or "", node.level, module.name, module.package)
            names = {item.name for item in node.names}
            # A script sees the modules beside it first.
            beside = f"{module.name.rpartition('.')[0]}.{source}"
            for name in (source, beside):
                found.setdefault(name, set()).update(names)
                for inner in names:
                    found.setdefault(f"{name}.{inner}", set())
    return found
