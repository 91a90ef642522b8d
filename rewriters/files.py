"""The files of a component: their trees, and what is inferred of them together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from rewriters.homes import module_name
from rewriters.infer import Project
from rewriters.infer.answers import Answer
from rewriters.infer.import_roots import added_folders
from rewriters.infer.lanes import Halves, Modules, halves_of, in_halves, infer_from_outlines
from rewriters.infer.outlines import Completed
from rewriters.infer.summaries import Summaries
from rewriters.infer.values import ModuleInfo
from rewriters.report import FileReport, Status
from rewriters.text.former_calls import current
from rewriters.text.source_text import Source, UnreadableSource
from rewriters.workers import Workers

MENTIONS_TORCH = re.compile(rb"\btorch(vision)?\b")
Sources = Mapping[PurePosixPath, bytes]


@dataclass
class Files:
    """The files of a component that could be read.

    unread: the rows of those that could not.
    sizes:  of all, by the names of their modules.
    added:  folders that programs put on the path of imports, by dotted names.
    renewed: files of which some calls are read in torch's present form (``former_calls.py``).
    """

    sources: dict[PurePosixPath, Source] = field(default_factory=dict)
    modules: dict[PurePosixPath, ModuleInfo] = field(default_factory=dict)
    unread: list[FileReport] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)
    added: frozenset[str] = frozenset()
    renewed: set[PurePosixPath] = field(default_factory=set)

    @staticmethod
    def read(sources: Sources, package: str, whole: frozenset[str] | None = None) -> Files:
        """whole: names of the modules that are read whole, the others in outline; None: all are."""
        files = Files(sizes=sizes_of(sources, package), added=frozenset() if package else added_folders(sources))
        for path, data in sorted(sources.items()):
            name, is_package = module_name(path, package)
            try:
                source = Source(now := current(data), outlined=whole is not None and name not in whole)
            except UnreadableSource as error:
                where = f"{path}:{error.line}" if error.line else str(path)
                failed = FileReport(str(path), Status.FAILED, f"{where}: {error}")
                # Without torch there is nothing to convert in it: a script for Python 2, a template.
                files.unread.append(failed if MENTIONS_TORCH.search(data) else FileReport(str(path)))
                continue
            files.sources[path] = source
            files.renewed |= {path} if now != data else set()
            files.modules[path] = ModuleInfo(Path(path), name, source.tree, source.nodes, is_package)
        return files

    def mention_torch(self) -> bool:
        return any(MENTIONS_TORCH.search(source.buffer) for source in self.sources.values())

    def inferred(self, workers: Workers | None = None, assume: tuple[str, ...] = ()) -> Project:
        """workers: where two processes are to infer half of them each, what starts the other one."""
        project = Project(self.modules.values(), map(Answer.of, assume), self.added)
        project.infer(workers, self.sizes)
        return project


def sizes_of(sources: Sources, package: str) -> dict[str, int]:
    return {module_name(path, package)[0]: len(data) for path, data in sources.items()}


def read_and_inferred(sources: Sources, package: str, workers: Workers) -> tuple[Files, Project] | None:
    """The same, by two processes of which each reads half of the files whole: neither has all trees before the other
    has ended. None where there is no other process, or no file that mentions torch.
    """
    if not any(map(MENTIONS_TORCH.search, sources.values())):
        return None
    sizes = sizes_of(sources, package)
    first = in_halves(sizes)
    files: Files | None = None

    def begin(is_first: bool) -> tuple[Summaries, Modules, Halves]:
        nonlocal files
        files = Files.read(sources, package, first if is_first else frozenset(sizes) - first)
        project = Project(files.modules.values(), added=files.added)
        modules = project.in_order()
        return project, modules, halves_of(modules, first)

    def complete(project: Summaries, modules: Modules) -> None:
        assert files is not None
        completed = Completed(project, modules)
        for module in modules:
            path = PurePosixPath(module.path)
            files.sources[path] = source = Source(current(sources[path]))
            completed.take(module, source.tree, source.nodes)
        completed.done()

    project = infer_from_outlines(begin, complete, workers)
    if project is None:
        return None
    assert files is not None
    assert isinstance(project, Project)
    return files, project
