"""``--smoke``: each converted module is imported with the target, and what fails there with torch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from checks.parity.candidates import training_loop
from migrate.convert.record import TORCH
from migrate.convert.requirements import TORCH_FAMILY
from migrate.convert.walk import Project
from migrate.environments import Interpreter
from migrate.importing import Failure, import_all
from rewriters.homes import module_name
from rewriters.report import FileReport, Status
from rewriters.text.parsing import module_of

MISSING = "ModuleNotFoundError: No module named"
# So many folders around a module may hold what it imports.
DEEPEST = 4


@dataclass
class Smoke:
    """What came of importing.

    modules: how many were tried.
    failed:  failure -> the modules that import with torch and not with the target.
    lacks:   those of them for which the target's interpreter alone lacks a package: no failure of the conversion.
    neither: failure -> those that do not import with torch either.
    training: those that were not tried, since importing one trains.
    """

    modules: int
    failed: dict[Failure, list[str]] = field(default_factory=dict)
    lacks: dict[Failure, list[str]] = field(default_factory=dict)
    neither: dict[Failure, list[str]] = field(default_factory=dict)
    training: list[str] = field(default_factory=list)

    def lines(self, title: str) -> Iterator[str]:
        """In words, the most frequent cause first. title: of the target."""
        every = (self.failed, self.lacks, self.neither)
        good = self.modules - sum(len(names) for found in every for names in found.values())
        yield f"imported {good} of {self.modules} converted modules with {title}"
        for name in self.training:
            yield f"not imported: {name}: it runs a training loop when it is imported"
        for kind, found in (("fails", self.failed), ("", self.lacks), ("fails with torch too", self.neither)):
            for failure, names in sorted(by_cause(found).items(), key=lambda item: -len(item[1])):
                more = f" and {len(names) - 1} more" if len(names) > 1 else ""
                if not kind:
                    yield f"lacks {lacked(failure)}, which torch's interpreter has: {names[0]}{more}"
                    continue
                yield f"{kind}: {names[0]}{more}: {failure.place + ': ' if failure.place else ''}{failure.why}"


def by_cause(found: Mapping[Failure, list[str]]) -> dict[Failure, list[str]]:
    """Failures, those together that lack the same module wherever it is imported; with the place of the first."""
    first: dict[str, Failure] = {}
    together: defaultdict[Failure, list[str]] = defaultdict(list)
    for failure, names in found.items():
        same = first.setdefault(failure.why, failure) if failure.why.startswith(MISSING) else failure
        together[same] += names
    return together


def lacked(failure: Failure) -> str:
    """The module that is missing; "" where it is not for one that a module does not import."""
    return failure.why.removeprefix(MISSING).strip(" '") if failure.why.startswith(MISSING) else ""


def lacking(failures: Iterable[Failure], project: Path) -> tuple[list[str], list[str]]:
    """The packages that are missing, by their first names, and the project's own modules that are: extensions that a
    setup.py builds, say. Both in alphabetical order.
    """
    wanted = {lacks for failure in failures if (lacks := lacked(failure))}
    own = {
        name
        for name in wanted
        if "." in name and (name.startswith(f"{project.name}.") or (project / name.partition(".")[0]).is_dir())
    }
    return sorted({name.partition(".")[0] for name in wanted - own}), sorted(own)


def lacks_package(failure: Failure, project: Project, destination: Path) -> bool:
    """Whether a module that imports with torch lacks only what can be installed beside the target: not a file of the
    project's, nor what stands on torch, nor what only the conversion imports.
    """
    lacks = lacked(failure)
    if not lacks or "." in lacks or lacks.replace("_", "-") in TORCH_FAMILY:
        return False
    if any(lacks in path.parts or path.name.startswith(f"{lacks}.") for path in (*project.sources, *project.others)):
        return False
    file = Path(failure.place.rpartition(":")[0])
    if not file.resolve().is_relative_to(destination.resolve()):
        return True  # a package's
    sources = (project.root / name for name in project.sources)
    return any(lacks.encode() in source.read_bytes() for source in sources if source.is_file())


def smoke(
    project: Project, destination: Path, reports: Iterable[FileReport], torch: Interpreter | None, target: Interpreter
) -> Smoke:
    """Import what was converted: what a module does when it is imported, happens.

    torch: None where there is no interpreter with it: then each failure counts. Raises Unusable.
    """
    inside = f"{project.inside}/" if project.inside else ""
    paths = [PurePosixPath(one.path) for one in reports if one.status is Status.CONVERTED and one.path.endswith(".py")]
    package = project.package if not inside else ""
    named = {module_name(path, package)[0]: path for path in paths if path.name != "setup.py"}
    wanted = sorted(name for name in named if all(part.isidentifier() for part in name.split(".")))
    training = [name for name in wanted if trains(destination if project.single else destination / named[name])]
    wanted = [name for name in wanted if name not in training]
    if not wanted:
        return Smoke(0, training=training)
    with found_as(wanted[0] + ".py" if project.single else package, destination) as folders:
        found = imported(target, wanted, folders)
    there = Smoke(len(wanted), training=training)
    broken = sorted(name for name, failure in found.items() if failure)
    with_torch: dict[str, Failure | None] = {}
    if broken and torch is not None:
        source = destination / TORCH if project.vendors else project.root
        with found_as(package, source) as folders:
            with_torch = imported(torch, broken, folders)
    groups: defaultdict[tuple[bool, Failure], list[str]] = defaultdict(list)
    for name in broken:
        failure = found[name]
        assert failure is not None
        groups[with_torch.get(name) is not None, failure].append(name)
    alone = {failure: those for (both, failure), those in groups.items() if not both}
    if torch is not None:
        there.lacks = {one: those for one, those in alone.items() if lacks_package(one, project, destination)}
    there.failed = {failure: those for failure, those in alone.items() if failure not in there.lacks}
    there.neither = {failure: those for (both, failure), those in groups.items() if both}
    return there


def imported(interpreter: Interpreter, names: Sequence[str], folders: Sequence[Path]) -> dict[str, Failure | None]:
    """What came of importing each module; what lacks a module of the project is tried again as scripts find that.

    Raises Unusable.
    """
    found = import_all(interpreter.python, names, folders, environ=interpreter.env)
    beside: dict[str, tuple[Path, ...]] = {}
    for _ in range(DEEPEST):
        again: defaultdict[tuple[Path, ...], list[str]] = defaultdict(list)
        for name, failure in found.items():
            known = beside.get(name, ())
            folder = holding(folders[0], name, failure) if failure is not None else None
            if folder is not None and folder not in known:
                beside[name] = (*known, folder)
                again[beside[name]].append(name)
        if not again:
            break
        for more, those in again.items():
            found |= import_all(interpreter.python, those, [*folders, *more], environ=interpreter.env)
    return found


def holding(root: Path, name: str, failure: Failure) -> Path | None:
    """The nearest folder around a module that holds what it lacks; else the one that the project puts on the path."""
    lacks = lacked(failure).partition(".")[0]
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1) if lacks else ():
        wanted = root.joinpath(*parts[:length], lacks)
        if wanted.is_dir() or wanted.with_suffix(".py").is_file():
            return wanted.parent
    below = (
        [path.parent for path in root.glob("*/*") if path.stem == lacks and (path.is_dir() or path.suffix == ".py")]
        if lacks
        else []
    )
    own = Path(failure.place.rpartition(":")[0])
    # As ``sys.path.append("utils")`` has it, from where scripts are started.
    added = own.is_file() and b"sys.path" in own.read_bytes()
    return below[0] if added and len(set(below)) == 1 else None


def trains(path: Path) -> bool:
    """Whether importing a converted file would run a training loop."""
    return path.is_file() and training_loop(module_of(path.read_bytes())) is not None


@contextmanager
def found_as(name: str, path: Path) -> Iterator[list[Path]]:
    """Where imports start from: the path; for a package or a single file, a folder in which it has that name."""
    if not name:
        yield [path]
        return
    with TemporaryDirectory() as above:
        Path(above, name).symlink_to(path.resolve())
        yield [Path(above), path.parent]
