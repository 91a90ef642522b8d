"""Converting one component: files that import each other and no others."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath

from rewriters.homes import Homes, graph_stem, helper_stem, module_name
from rewriters.hooks import passes, planner
from rewriters.infer import Project
from rewriters.infer.import_names import absolute_module
from rewriters.infer.values import ModuleInfo
from rewriters.places import Places
from rewriters.places.calls import shares
from rewriters.places.layers import LayersInPlace
from rewriters.regions import Plan
from rewriters.report import FileReport, Outcome, Site, Status
from rewriters.rewrite import FileRewriter
from rewriters.rewrite.class_uses import travel
from rewriters.rewrite.helper_module import HelperModule
from rewriters.rewrite.known import Known, Shared
from rewriters.rules.rulebook import RuleError, load_rulebook
from rewriters.target import Target
from rewriters.text.parsing import check
from rewriters.text.source_text import Source, UnreadableSource

MENTIONS_TORCH = re.compile(rb"\btorch(vision)?\b")

# What a fault of the engine raises.
FAULTS = (AttributeError, AssertionError, IndexError, KeyError, RecursionError, TypeError, ValueError)


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


@cache
def copies(folder: Path) -> frozenset[str]:
    """Torch's names whose results share memory with what they are given in torch, and not in the target (generated)."""
    path = folder / "copies.json"
    names = json.loads(path.read_text(encoding="utf-8"))["copies"] if path.is_file() else {}
    return frozenset(name for name in names if shares(name))


def convert_part(
    sources: Mapping[PurePosixPath, bytes],
    target: Target,
    package: str,
    extra_rules: tuple[Path, ...],
    folders: frozenset[PurePosixPath],
    static: bool = False,
) -> Part:
    """Convert one component. ``folders``: those of the whole project that are packages.

    Where the engine fails on what it knows of all files together, the file that it was at stays as it was, and the
    others are converted without it.
    """
    try:
        return convert_together(sources, target, package, extra_rules, folders, static)
    except RuleError:
        raise
    except FAULTS as error:
        place = file_at(error, sources)
        failed = set(sources) if place is None else {place}
        rest = {path: data for path, data in sources.items() if path not in failed}
        done = convert_part(rest, target, package, extra_rules, folders, static) if rest else Part()
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
    return f"{path}: {type(error).__name__} in the converter: {error}; left as it was. Please report this."


@dataclass
class Files:
    """The files of a component that could be read.

    failed: the rows of those that could not.
    """

    sources: dict[PurePosixPath, Source] = field(default_factory=dict)
    modules: dict[PurePosixPath, ModuleInfo] = field(default_factory=dict)
    failed: list[FileReport] = field(default_factory=list)

    @staticmethod
    def read(sources: Mapping[PurePosixPath, bytes], package: str) -> Files:
        files = Files()
        for path, data in sorted(sources.items()):
            try:
                source = Source(data)
            except UnreadableSource as error:
                where = f"{path}:{error.line}" if error.line else str(path)
                files.failed.append(FileReport(str(path), Status.FAILED, f"{where}: {error}"))
                continue
            name, is_package = module_name(path, package)
            files.sources[path] = source
            files.modules[path] = ModuleInfo(Path(path), name, source.tree, source.nodes, is_package)
        return files

    def mention_torch(self) -> bool:
        return any(MENTIONS_TORCH.search(source.buffer) for source in self.sources.values())

    def inferred(self) -> Project:
        project = Project(self.modules.values())
        project.infer()
        return project


def convert_together(
    sources: Mapping[PurePosixPath, bytes],
    target: Target,
    package: str,
    extra_rules: tuple[Path, ...],
    folders: frozenset[PurePosixPath],
    static: bool,
) -> Part:
    """As ``convert_part``; a fault of the engine at all files together is raised."""
    book = load_rulebook(target.folder, extra_rules)
    files = Files.read(sources, package)
    done = Part(reports=files.failed)
    if not files.mention_torch():
        done.files = dict.fromkeys(files.sources)
        done.reports += [FileReport(str(path)) for path in files.sources]
        return done
    project, modules = files.inferred(), files.modules
    helpers: dict[PurePosixPath, HelperModule] = {}
    homes = Homes(modules, package, folders)
    handed_on = names_handed_on(modules.values())
    special = keys_of(project, modules, target)
    places = Places(copies(target.folder), modules.values())
    layers = LayersInPlace(project, places)
    plans = static_plans(project, modules.values(), target) if static else {}
    variants = frozenset(key for keys in special.values() for key in keys.values()) | bases_of(project)
    travels = travel(modules.values(), project.classes.values())
    shared = Shared(target, book, variants, travels, places, layers)
    for path, source in files.sources.items():
        module = modules[path]
        home = homes.of(path)
        helper = helpers.setdefault(home, HelperModule(target, book))
        names = frozenset(handed_on.get(module.name, ()))
        try:
            relative = homes.relative(path, home)
            stem, graphs = helper_stem(target), f"{relative or ''}{graph_stem(target)}"
            statement = f"import {stem}" if relative is None else f"from {relative} import {stem}"
            plan = plans.get(module)
            known = Known(source, module, shared, special[path], names, stem, statement, plan, graphs)
            result, report = convert_one(known, helper)
            if plan is not None and plan.uses and result is not None:
                done.graphs.add(home)
        except FAULTS as error:
            # This file stays as it was, the others are converted.
            result, report = None, FileReport(str(path), Status.FAILED, fault(path, error))
        report.path = str(path)
        done.reports.append(report)
        done.files[path] = result
    done.helpers = {home: helper.wanted for home, helper in helpers.items() if helper.wanted}
    done.stand_ins = {home for home, helper in helpers.items() if helper.stand_in}
    return done


def special_keys(
    sources: Mapping[PurePosixPath, bytes], target: Target, package: str
) -> Mapping[PurePosixPath, Mapping[ast.AST, str]]:
    """Per file of a component: the uses for which the target's passes choose a special rule, with its key."""
    if passes(target.folder) is None:
        return {}
    files = Files.read(sources, package)
    return keys_of(files.inferred(), files.modules, target)


def keys_of(
    project: Project, modules: Mapping[PurePosixPath, ModuleInfo], target: Target
) -> dict[PurePosixPath, Mapping[ast.AST, str]]:
    own = passes(target.folder)
    return {path: own.keys(project, module) if own else {} for path, module in modules.items()}


def static_plans(project: Project, modules: Iterable[ModuleInfo], target: Target) -> dict[ModuleInfo, Plan]:
    """What the target makes static of each file."""
    own = planner(target.folder)
    modules = list(modules)
    try:
        return dict(own.plan(project, modules)) if own else {}
    except FAULTS as error:
        # These files are converted as without --static.
        plans = {module: Plan() for module in modules}
        why = f"nothing here is static: {type(error).__name__} in the converter: {error}. Please report this."
        for plan in plans.values():
            plan.sites.append(Site(1, 1, "STATIC", Outcome.EAGER, why))
        return plans


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
        why = f"{path}: the converted text does not parse (line {error.lineno}: {error.msg}); left as it was. "
        return None, FileReport(str(path), Status.FAILED, f"{why}Please report this.")
    return result, report


def bases_of(project: Project) -> frozenset[str]:
    """The torch classes that classes of the project derive from, as keys of the rules for that."""
    owners = [info.linear() for info in project.classes.values()]
    return frozenset(f"{base}:base" for found in owners for base in found if isinstance(base, str))


def names_handed_on(modules: Iterable[ModuleInfo]) -> dict[str, set[str]]:
    """Per module: the names that other modules of the project import from it."""
    found: dict[str, set[str]] = {}
    for module in modules:
        for node in module.nodes.of(ast.ImportFrom):
            source = absolute_module(node.module or "", node.level, module.name, module.package)
            names = {item.name for item in node.names}
            # A script sees the modules beside it first.
            beside = f"{module.name.rpartition('.')[0]}.{source}"
            for name in (source, beside):
                found.setdefault(name, set()).update(names)
    return found
