"""``--with`` and ``--entry``: the part of a package that is reached, under a name of its own in the output."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TypeVar

import migrate
from migrate.convert import notebook
from migrate.convert.installed import Package, find_package
from migrate.convert.run import read_notebooks, source_of
from migrate.convert.walk import Patterns, Project, find_files
from migrate.errors import Unusable
from rewriters.homes import module_name
from rewriters.reach.following import Reach
from rewriters.reach.library import File, Library
from rewriters.reach.reduce import reduced
from rewriters.reach.registered import follow_registered
from rewriters.reach.renaming import renamed
from rewriters.reach.units import Module
from rewriters.target import Target
from rewriters.text.parsing import module_of
from rewriters.text.source_text import UnreadableSource
from rewriters.torch.table import ROOTS

T = TypeVar("T")
NOTE = "VENDORED.md"
ENTRY = re.compile(r"([\w.]+):(\w+)(?:\.(\w+))?")


@dataclass
class Vendored:
    """What is laid into the output.

    files:  path from the output's folder -> text, in torch; still to be converted.
    notes:  path -> what says where they are from.
    copies: path -> licences, to be copied.
    names:  package -> its name in the output.
    told:   a line for each package.
    """

    files: dict[PurePosixPath, bytes] = field(default_factory=dict)
    notes: dict[PurePosixPath, bytes] = field(default_factory=dict)
    copies: dict[PurePosixPath, Path] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)


def with_packages(project: Project, names: Iterable[str], target: Target) -> Project:
    """The project with the parts of packages that it reaches, its imports pointed to them.

    Raises Unusable.
    """
    sources = {name: source_of(project, name) for name in project.sources}
    packages = [find_package(name, project.root) for name in names]
    books = read_notebooks(project, [package.name for package in packages])[0]
    sources |= {name: notebook.to_source(data) for name, data in books.items()}
    found = vendor(packages, sources, project.package, target)
    taken = sorted(str(name) for name in found.files if name in sources)
    if taken:
        raise Unusable(f"{project.root / taken[0]}: the output needs this name for a package's part", "rename it")
    texts = {name: pointed(data, found.names) for name, data in sources.items()}
    texts = {name: text for name, text in texts.items() if text != sources[name]}
    return replace(
        project,
        sources=sorted([*project.sources, *found.files]),
        texts={**texts, **found.files},
        notes=found.notes,
        copies=found.copies,
        vendors=True,
        told=[*project.told, *found.told],
    )


def only_entries(
    path: Path,
    entries: Sequence[str],
    names: Sequence[str],
    target: Target,
    exclude: Sequence[Patterns],
    destination: Path,
) -> Project:
    """The part of a package, or of a project, that entries reach, and what that reaches of the packages of these names.

    Raises Unusable.
    """
    if not path.exists() or (path / "__init__.py").is_file():
        package = find_package(str(path))
        brought = [find_package(name, beside=package.folder.parent) for name in names]
        found = vendor_entries(package, entries, brought, target)
        # One alone is a package by itself; several lie beside each other.
        new = "" if brought else found.names[package.name]

        def inside(files: dict[PurePosixPath, T]) -> dict[PurePosixPath, T]:
            return {name.relative_to(new): value for name, value in files.items()}

        texts = inside(found.files)
        return Project(
            package.folder.parent if brought else package.folder, new, sorted(texts), texts=texts,
            notes=inside(found.notes), copies=inside(found.copies), vendors=True, inside=new, told=found.told,
            renamed=found.names,
        )  # fmt: skip
    project = of_project(find_files(path, exclude, destination), entries)
    return with_packages(project, names, target) if names else project


def of_project(project: Project, entries: Sequence[str]) -> Project:
    """The project's sources that entries reach, without the rest."""
    files = {}
    for path in project.sources:
        name, is_package = module_name(path, "")
        files[name] = File(path, is_package, source_of(project, path))
    for path in project.sources:  # folders without an __init__ are packages too
        for parent in list(path.parents)[:-1]:
            files.setdefault(".".join(parent.parts), File(parent / "__init__.py", True, b""))
    reach = Reach(Library({name.partition(".")[0] for name in files}, files.get))
    for entry in entries:
        follow_entry(reach, entry)
    reach.complete()
    modules = [reach.library.module(name) for name in sorted(reach.modules)]
    texts = {module.path: reduced(reach, module) for module in modules if module.path in project.sources}
    lines = sum(text.count(b"\n") for text in texts.values())
    whole = sum(module.data.count(b"\n") for module in modules)
    told = f"{len(texts)} of {len(project.sources)} modules, {lines} of their {whole} lines"
    return replace(project, sources=sorted(texts), others=[], texts=texts, vendors=True, told=[told])


def pointed(data: bytes, names: Mapping[str, str]) -> bytes:
    """The file with its imports of the packages pointed to their parts; as it is where it is not Python."""
    try:
        return renamed(data, names)
    except UnreadableSource:
        return data  # the conversion tells


def name_in_output(package: str, texts: Mapping[str, bytes], target: Target) -> str:
    """A name of its own; the package's where its code says that one, in more than imports."""
    quoted = re.compile(rf"[\"']{package}\b".encode())
    mine = [text for name, text in texts.items() if name.partition(".")[0] == package and quoted.search(text)]
    new = f"{package}_{target.name}"
    return package if any(says(renamed(text, {package: new}), package) for text in mine) else new


def says(text: bytes, package: str) -> bool:
    """Whether a file has the package's name as a text."""
    return any(
        isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.partition(".")[0] == package
        for node in ast.walk(module_of(text))
    )


def vendor(packages: list[Package], sources: Mapping[PurePosixPath, bytes], package: str, target: Target) -> Vendored:
    """The parts of packages that a project's sources reach.

    package: the project's own, where its root is one. Raises Unusable.
    """
    reach = Reach(library_of(packages))
    for path, data in sources.items():
        name, is_package = module_name(path, package)
        try:
            module = Module(name, path, is_package, data)
        except UnreadableSource:
            continue  # the conversion tells
        with readable():
            reach.code(module)
    follow_packages(reach, packages, "the project")
    return laid_out(reach, packages, target)


def vendor_entries(package: Package, entries: Iterable[str], brought: list[Package], target: Target) -> Vendored:
    """The part of a package that entries reach: MODULE:CALLABLE, or MODULE:CLASS.METHOD; and of those that are brought
    along.

    Raises Unusable.
    """
    reach = Reach(library_of([package, *brought]))
    for entry in entries:
        follow_entry(reach, entry)
    follow_packages(reach, brought, "what the entry reaches")
    return laid_out(reach, [package, *brought], target)


def follow_packages(reach: Reach, packages: list[Package], by: str) -> None:
    """What is said by name of packages that come along. Raises Unusable where one is reached by nothing."""
    for one in packages:
        with readable():
            follow_registered(reach, one.modules(), set(reach.strings))
        if one.name not in reach.modules:
            raise Unusable(f"--with {one.name}: nothing in {by} imports it", f"leave --with {one.name} away")


def made_by(entry: str, renamed: Mapping[str, str]) -> str:
    """MODULE:CALLABLE(...) in the output, for ``--entry`` and ``--model``; of a method, its class.

    renamed: packages -> their names in the output.
    """
    match = ENTRY.fullmatch(entry)
    assert match is not None
    root, dot, rest = match[1].partition(".")
    return f"{renamed.get(root, root)}{dot}{rest}:{match[2]}(...)"


def follow_entry(reach: Reach, entry: str) -> None:
    match = ENTRY.fullmatch(entry)
    if match is None:
        raise Unusable(f"--entry {entry}: not MODULE:CALLABLE", "as in transformers.models.llama:LlamaForCausalLM")
    module, name, member = match.groups()
    if not reach.library.holds(module):
        raise Unusable(f"--entry {entry}: there is no module {module}", "give its whole name, from the package on")
    with readable():
        found = reach.name(module, name)
    if not found:
        raise Unusable(f"--entry {entry}: {module} has no {name}", "see what the module defines")
    if member:
        reach.member(member)


def library_of(packages: list[Package]) -> Library:
    by_name = {package.name: package for package in packages}
    return Library(by_name, lambda module: by_name[module.partition(".")[0]].find(module))


@contextmanager
def readable() -> Iterator[None]:
    """A package's file that is no Python, in words."""
    try:
        yield
    except UnreadableSource as error:
        raise Unusable(f"a file of the package is not Python: {error}", "install the package anew") from error


def laid_out(reach: Reach, packages: list[Package], target: Target) -> Vendored:
    """The reduced modules, under their new names, with licence and a note of where they are from."""
    reach.complete()
    texts = {name: reduced(reach, reach.library.module(name)) for name in sorted(reach.modules)}
    found = Vendored(names={package.name: name_in_output(package.name, texts, target) for package in packages})
    for package in packages:
        new = found.names[package.name]
        lines = whole = 0
        modules = sorted(name for name in reach.modules if name.partition(".")[0] == package.name)
        needs: set[str] = set()
        for name in modules:
            module = reach.library.module(name)
            text = texts[name]
            lines, whole = lines + text.count(b"\n"), whole + module.data.count(b"\n")
            needs |= outside(text, found.names)
            found.files[PurePosixPath(new, *module.path.parts[1:])] = renamed(text, found.names)
        for path in package.licence_files:
            found.copies[PurePosixPath(new, path.name)] = path
        found.notes[PurePosixPath(new, NOTE)] = note(package, new, modules, needs, target).encode()
        found.told.append(
            f"{new}: {len(modules)} modules, {lines} of their {whole} lines, of "
            f"{package.distribution or package.name} {package.version}".rstrip()
            + (f" ({package.licence})" if package.licence else "")
            + (f"; needs {', '.join(sorted(needs))}" if needs else "")
        )
    return found


def outside(text: bytes, names: Mapping[str, str]) -> set[str]:
    """Other packages without which a file does not import."""
    found: set[str] = set()
    for node in module_of(text).body:
        if isinstance(node, ast.Import):
            found |= {item.name.partition(".")[0] for item in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.partition(".")[0])
    return found - sys.stdlib_module_names - ROOTS - set(names)


def note(package: Package, new: str, modules: list[str], needs: set[str], target: Target) -> str:
    """What VENDORED.md says."""
    of = f"{package.distribution or package.name} {package.version}".rstrip()
    licence = f" Its licence: {package.licence}." if package.licence else ""
    rows = "".join(f"* `{new}{module.removeprefix(package.name)}`\n" for module in modules)
    beside = f"\nIt imports {', '.join(f'`{name}`' for name in sorted(needs))}.\n" if needs else ""
    return (
        f"# {new}\n\nThe part of {of} that is reached here, converted to {target.title} by migrate "
        f"{migrate.__version__}.{licence}\nWhat was not reached was left out, and fails by its name where it is "
        f"used all the same.\n{beside}\n{rows}"
    )
