"""Converting a project's sources: parse, infer over all of them, rewrite each.

Works on texts, not on the disk: what is read and where results go is the caller's.
"""

from __future__ import annotations

import ast
import importlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from rewriters.infer import Project
from rewriters.infer.components import components
from rewriters.infer.import_names import absolute_module
from rewriters.infer.values import ModuleInfo
from rewriters.load_file import load_file
from rewriters.places import Places
from rewriters.places.calls import shares
from rewriters.places.layers import LayersInPlace
from rewriters.regions import Plan, graph_module
from rewriters.regions import planner as static_planner
from rewriters.report import FileReport, Outcome, Site, Status
from rewriters.rewrite import FileRewriter
from rewriters.rewrite.class_uses import Travel, travel
from rewriters.rewrite.helper_module import HelperModule, helper_text
from rewriters.rules.rulebook import Rulebook, RuleError, load_rulebook
from rewriters.rules.tidy import signatures
from rewriters.target import HERE, Target
from rewriters.text.parsing import check
from rewriters.text.source_text import Source, UnreadableSource
from rewriters.text.tree import Nodes

MENTIONS_TORCH = re.compile(rb"\btorch(vision)?\b")


@dataclass
class Conversion:
    """What came out.

    files:   path in the project -> new bytes, for every source that was understood (also unchanged ones).
    helpers: path in the project -> text of a helper module that the converted files import.
    reports: one per source file, in order of path.
    """

    files: dict[PurePosixPath, bytes] = field(default_factory=dict)
    helpers: dict[PurePosixPath, str] = field(default_factory=dict)
    reports: list[FileReport] = field(default_factory=list)


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
def passes(folder: Path) -> Any:
    """The target's hand-written passes, if it has any."""
    if folder.parent == HERE and (folder / "passes").is_dir():
        return importlib.import_module(f"rewriters.targets.{folder.name}.passes")
    places = (folder / "passes.py", folder / "passes" / "__init__.py")
    path = next((place for place in places if place.is_file()), None)
    return load_file(path) if path is not None else None


@cache
def copies(folder: Path) -> frozenset[str]:
    """Torch's names whose results share memory with what they are given in torch, and not in the target (generated)."""
    path = folder / "copies.json"
    names = json.loads(path.read_text(encoding="utf-8"))["copies"] if path.is_file() else {}
    return frozenset(name for name in names if shares(name))


def module_name(path: PurePosixPath, package: str) -> tuple[str, bool]:
    """Dotted name of a file and whether it is a package's ``__init__``.

    package: the name of the root when it is itself a package.
    """
    parts = list(path.with_suffix("").parts)
    is_package = parts[-1] == "__init__"
    if is_package:
        parts.pop()
    if package:
        parts.insert(0, package)
    return ".".join(parts) or "__init__", is_package


def convert_sources(
    sources: Mapping[PurePosixPath, bytes],
    target: Target,
    package: str = "",
    extra_rules: tuple[Path, ...] = (),
    progress: Callable[[str], None] = lambda path: None,
    static: bool = False,
) -> Conversion:
    """Convert a project's Python files.

    sources:     path relative to the project's root -> content.
    package:     the root folder's name when it is itself a package.
    extra_rules: the project's own rule files; they answer before the target's.
    progress:    called with each path once it is done.
    static:      whether training loops and models become static graphs, where that is known to be right.

    A file that cannot be read is one failed report; the others are converted. Raises RuleError.
    """
    load_rulebook(target.folder, extra_rules)
    folders = package_folders(sources)
    parts = []
    for group in split(sources, package):
        files = {path: sources[path] for path in group}
        parts.append(convert_part(files, target, package, extra_rules, folders, static))
        for path in group:
            progress(str(path))
    book = load_rulebook(target.folder, extra_rules)
    return assemble(parts, sources, target, lambda names, stand_in: helper_text(target, book, names, stand_in))


def split(sources: Mapping[PurePosixPath, bytes], package: str) -> list[list[PurePosixPath]]:
    """The components, each to be converted by ``convert_part``."""
    return components(sources, {path: module_name(path, package) for path in sources})


def package_folders(sources: Iterable[PurePosixPath]) -> frozenset[PurePosixPath]:
    """The folders that are packages."""
    return frozenset(path.parent for path in sources if path.name == "__init__.py")


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
    done = Part()
    read: dict[PurePosixPath, Source] = {}
    modules: dict[PurePosixPath, ModuleInfo] = {}
    for path, data in sorted(sources.items()):
        try:
            source = Source(data)
        except UnreadableSource as error:
            where = f"{path}:{error.line}" if error.line else str(path)
            done.reports.append(FileReport(str(path), Status.FAILED, f"{where}: {error}"))
            continue
        read[path] = source
        name, is_package = module_name(path, package)
        modules[path] = ModuleInfo(Path(path), name, source.tree, source.nodes, is_package)
    if not any(MENTIONS_TORCH.search(source.buffer) for source in read.values()):
        done.files = dict.fromkeys(read)
        done.reports += [FileReport(str(path)) for path in read]
        return done
    project = Project(modules.values())
    project.infer()
    helpers: dict[PurePosixPath, HelperModule] = {}
    homes = Homes(modules, package, folders)
    handed_on = names_handed_on(modules.values())
    own_passes = passes(target.folder)
    special = {path: own_passes.keys(project, module) if own_passes else {} for path, module in modules.items()}
    places = Places(copies(target.folder), modules.values())
    layers = LayersInPlace(project, places)
    plans = static_plans(project, modules.values(), target) if static else {}
    variants = frozenset(key for keys in special.values() for key in keys.values()) | bases_of(project)
    travels = travel(modules.values(), project.classes.values())
    for path, source in read.items():
        module = modules[path]
        home = homes.of(path)
        helper = helpers.setdefault(home, HelperModule(target, book))
        keys = special[path]
        names = handed_on.get(module.name, set())
        try:
            relative = homes.relative(path, home)
            plan = plans.get(module)
            result, report = convert_one(
                source, module, target, book, helper, relative, keys, names, variants, travels, plan, places, layers
            )
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
) -> dict[PurePosixPath, dict[ast.AST, str]]:
    """Per file of a component: the uses for which the target's passes choose a special rule, with its key."""
    own_passes = passes(target.folder)
    if own_passes is None:
        return {}
    modules: dict[PurePosixPath, ModuleInfo] = {}
    for path, data in sorted(sources.items()):
        try:
            source = Source(data)
        except UnreadableSource:
            continue
        name, is_package = module_name(path, package)
        modules[path] = ModuleInfo(Path(path), name, source.tree, source.nodes, is_package)
    project = Project(modules.values())
    project.infer()
    return {path: own_passes.keys(project, module) for path, module in modules.items()}


def static_plans(project: Project, modules: Iterable[ModuleInfo], target: Target) -> dict[ModuleInfo, Plan]:
    """What the target makes static of each file."""
    planner = static_planner(target.folder)
    modules = list(modules)
    try:
        return dict(planner.plan(project, modules)) if planner else {}
    except FAULTS as error:
        # These files are converted as without --static.
        plans = {module: Plan() for module in modules}
        why = f"nothing here is static: {type(error).__name__} in the converter: {error}. Please report this."
        for plan in plans.values():
            plan.sites.append(Site(1, 1, "STATIC", Outcome.EAGER, why))
        return plans


def assemble(
    parts: Iterable[Part],
    sources: Mapping[PurePosixPath, bytes],
    target: Target,
    text_of: Callable[[frozenset[str], bool], str],
) -> Conversion:
    """The whole project's conversion out of its components'.

    text_of: the text of a helper module with these helpers, with or without a stand-in for torch.
    """
    done = Conversion()
    helpers: dict[PurePosixPath, set[str]] = {}
    stand_ins: set[PurePosixPath] = set()
    graphs: set[PurePosixPath] = set()
    for part in parts:
        done.reports += part.reports
        done.files.update({path: sources[path] if data is None else data for path, data in part.files.items()})
        for home in {*part.helpers, *part.stand_ins}:
            helpers.setdefault(home, set()).update(part.helpers.get(home, ()))
        stand_ins |= part.stand_ins
        graphs |= part.graphs
    for home in graphs:
        done.helpers[home / f"{graph_stem(target)}.py"] = graph_module(target.folder)
    for home, names in helpers.items():
        done.helpers[home / f"{helper_stem(target)}.py"] = text_of(frozenset(names), home in stand_ins)
    done.reports.sort(key=lambda report: report.path)
    return done


def helper_stem(target: Target) -> str:
    return f"{target.name}_helpers"


def graph_stem(target: Target) -> str:
    return f"{target.name}_graphs"


def convert_one(
    source: Source,
    module: ModuleInfo,
    target: Target,
    book: Rulebook,
    helper: HelperModule,
    relative: str | None,
    keys: dict[ast.AST, str],
    handed_on: set[str],
    variants: frozenset[str],
    travels: Travel,
    plan: Plan | None = None,
    places: Places | None = None,
    layers: LayersInPlace | None = None,
) -> tuple[bytes | None, FileReport]:
    """One file's new bytes, None when nothing changes."""
    stem = helper_stem(target)
    statement = f"import {stem}" if relative is None else f"from {relative} import {stem}"
    rewriter = FileRewriter(
        source,
        module,
        target,
        book,
        signatures(target.folder),
        helper,
        statement,
        stem,
        keys,
        handed_on,
        variants,
        travels,
    )
    rewriter.places, rewriter.layers = places, layers
    graphs = graph_stem(target) if relative is None else f"{relative}{graph_stem(target)}"
    result = rewriter.run(plan, graphs)
    if rewriter.report.status == Status.UNCHANGED:
        return None, rewriter.report
    try:
        check(result)
    except SyntaxError as error:
        report = FileReport(
            str(module.path),
            Status.FAILED,
            f"{module.path}: the converted text does not parse (line {error.lineno}: {error.msg}); left as it was. "
            "Please report this.",
        )
        return None, report
    return result, rewriter.report


def bases_of(project: Project) -> frozenset[str]:
    """The torch classes that classes of the project derive from, as keys of the rules for that."""
    owners = [info.linear() for info in project.classes.values()]
    return frozenset(f"{base}:base" for found in owners for base in found if isinstance(base, str))


def names_handed_on(modules: Any) -> dict[str, set[str]]:
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


class Homes:
    """Which folder's helper module a file imports."""

    def __init__(
        self, modules: Mapping[PurePosixPath, ModuleInfo], package: str, folders: frozenset[PurePosixPath]
    ) -> None:
        self.package = package
        self.folders = folders
        names = {module.name for module in modules.values()}
        self.from_root: set[PurePosixPath] = set()
        imported: set[str] = set()
        for path, module in modules.items():
            for name in absolute_imports(module.nodes):
                hits = {n for n in names if n == name or name.startswith(n + ".")}
                if hits and "." in name:
                    imported |= hits
                    self.from_root.add(path)
        self.imported = {path for path, module in modules.items() if module.name in imported}

    def of(self, path: PurePosixPath) -> PurePosixPath:
        """The folder, relative to the project's root."""
        root = PurePosixPath(".")
        if self.package or path.parent == root or path in self.from_root or path in self.imported:
            return root
        folder = path.parent
        if folder not in self.folders:
            return folder
        while folder in self.folders:
            folder = folder.parent
        return folder

    def relative(self, path: PurePosixPath, home: PurePosixPath) -> str | None:
        """The dots of a relative import inside a package, None where the helper is imported by its name."""
        return "." * len(path.parts) if self.package else None


def absolute_imports(nodes: Nodes) -> set[str]:
    found = {item.name for node in nodes.of(ast.Import) for item in node.names}
    for node in nodes.of(ast.ImportFrom):
        if not node.level and node.module:
            found |= {node.module} | {f"{node.module}.{item.name}" for item in node.names}
    return found
