"""Converting a project's sources: parse, infer over all of them, rewrite each.

Works on texts, not on the disk: what is read and where results go is the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from rewriters.component import Part, convert_part
from rewriters.homes import graph_stem, helper_stem, module_name, package_folders
from rewriters.hooks import graph_module
from rewriters.infer.components import components
from rewriters.report import FileReport
from rewriters.rewrite.helper_module import helper_text
from rewriters.rules.rulebook import load_rulebook
from rewriters.target import Target


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


def convert_sources(
    sources: Mapping[PurePosixPath, bytes],
    target: Target,
    package: str = "",
    extra_rules: tuple[Path, ...] = (),
    progress: Callable[[str], None] = lambda path: None,
    static: bool = False,
    assume: tuple[str, ...] = (),
) -> Conversion:
    """Convert a project's Python files.

    sources:     path relative to the project's root -> content.
    package:     the root folder's name when it is itself a package.
    extra_rules: the project's own rule files; they answer before the target's.
    progress:    called with each path once it is done.
    static:      whether training loops and models become static graphs, where that is known to be right.
    assume:      what a person says of what the code leaves open, as ``Answer.of`` reads it.

    A file that cannot be read is one failed report; the others are converted. Raises RuleError.
    """
    load_rulebook(target.folder, extra_rules)
    folders = package_folders(sources)
    parts = []
    for group in split(sources, package):
        files = {path: sources[path] for path in group}
        parts.append(convert_part(files, target, package, extra_rules, folders, static, assume=assume))
        for path in group:
            progress(str(path))
    book = load_rulebook(target.folder, extra_rules)
    return assemble(parts, sources, target, lambda names, stand_in: helper_text(target, book, names, stand_in))


def split(sources: Mapping[PurePosixPath, bytes], package: str) -> list[list[PurePosixPath]]:
    """The components, each to be converted by ``convert_part``."""
    return components(sources, {path: module_name(path, package) for path in sources})


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
