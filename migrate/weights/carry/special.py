"""Modules that a project's conversion makes by a special rule, which may lay out their parameters otherwise.

The torch model tells by which call each of its modules was made (rewriters/torch/worker/describe.py), or which class of
the project's it is of; what that call, or that class's base, becomes is asked of the target's passes, as the conversion
does.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from rewriters.component import special_keys
from rewriters.convert import split
from rewriters.homes import module_name
from rewriters.rules.rulebook import RuleError, load_rulebook
from rewriters.target import Target
from rewriters.text.parsing import module_of
from rewriters.text.slots import class_of
from rewriters.text.tree import called_name

Site = tuple[PurePosixPath, int]


class Use(NamedTuple):
    """A use for which the target's passes choose a special rule with a layout of its own; node: the syntax node's kind.

    last: its last line. place: where an expression begins, [line, column]; nothing of what is none.
    """

    line: int
    last: int
    place: list[int]
    node: str
    key: str


def special_modules(described: Mapping[str, Any], project: Path, target: Target) -> dict[str, str]:
    """Path of a module -> key of the special rule by which the converted project makes it, or the class it is of.

    described: what ``describe.py`` says of the torch model. project: the folder of the torch project.
    """
    classes = special_classes(target)
    made: dict[Site, list[tuple[str, str]]] = {}
    derived: dict[str, list[tuple[str, str]]] = {}  # a class of the project's -> modules that are of it, torch's class
    root = project.resolve()
    for path, module in described.get("modules", {}).items():
        cls, place = module["classes"][0], module.get("made")
        if cls in classes and place and Path(place[0]).resolve().is_relative_to(root):
            site = (PurePosixPath(Path(place[0]).resolve().relative_to(root)), place[1])
            made.setdefault(site, []).append((path, cls))
        elif base := next((one for one in module["classes"] if one in classes), ""):
            for own in module["classes"][: module["classes"].index(base)]:
                derived.setdefault(own, []).append((path, base))
    if not made and not derived:
        return {}
    found: dict[str, str] = {}
    calls, bases, handed = keys_of(project, {path for path, _ in made}, set(derived), target)
    for (path, first, last), key in calls.items():
        cls = key.partition(":")[0]
        for (file, line), modules in made.items():
            if file == path and first <= line <= last:
                found.update((module, key) for module, own in modules if own == cls)
    called = {file: calls_in(root / file) for file in {file for file, _ in made if handed.get(file)}}
    for (file, line), modules in made.items():
        for module, cls in modules:
            one = handed.get(file, {}).get(cls)
            if one and module not in found and not is_named_there(called[file], line, cls):
                found[module] = one
    for own, key in bases.items():
        found.update((module, key) for module, base in derived[own] if base == key.partition(":")[0])
    return found


def is_named_there(calls: Iterable[ast.Call], line: int, cls: str) -> bool:
    """Whether a call on the line names the class itself: another may be of a variable to which it was handed on."""
    return any(
        node.lineno <= line <= (node.end_lineno or 0) and called_name(node) == cls.rpartition(".")[2] for node in calls
    )


def calls_in(file: Path) -> list[ast.Call]:
    return [node for node in ast.walk(module_of(file.read_bytes())) if isinstance(node, ast.Call)]


def special_classes(target: Target) -> set[str]:
    """The torch classes for which a special rule has a layout of its own."""
    try:
        layouts = load_rulebook(target.folder).layouts
    except RuleError:
        return set()
    return {name.partition(":")[0] for name in layouts if ":" in name and not name.endswith(":base")}


def keys_of(
    project: Path, wanted: set[PurePosixPath], derived: Collection[str], target: Target
) -> tuple[dict[tuple[PurePosixPath, int, int], str], dict[str, str], dict[PurePosixPath, dict[str, str]]]:
    """(file, first line, last line) -> the special rule of what is made there, in the components of the wanted files;
    class, of those in ``derived`` -> the special rule of a class that it derives from; and file -> torch's classes that
    its component hands on by one special rule, with that.

    A rule that stands for a whole file comes first.
    """
    from migrate.convert.walk import find_files

    files = find_files(project)
    sources = {path: (files.root / path).read_bytes() for path in files.sources}
    names = {path: module_name(path, "")[0] for path in sources}
    modules = {".".join(parts[:end]) for name in derived if (parts := name.split(".")) for end in range(len(parts))}
    define = {path for path, name in names.items() if name in modules}
    found: dict[tuple[PurePosixPath, int, int], str] = {}
    bases: dict[str, str] = {}
    handed: dict[PurePosixPath, dict[str, str]] = {}
    for group in split(sources, files.package):
        if (wanted | define).isdisjoint(group):
            continue
        handed_here: dict[str, set[str]] = {}
        for path, uses in uses_in({path: sources[path] for path in group}, target, files.package).items():
            for use in uses:
                if use.node in ("Name", "Attribute"):
                    handed_here.setdefault(use.key.partition(":")[0], set()).add(use.key)
            chosen = [use for use in uses if ":" in use.key]
            for use in sorted(chosen, key=lambda use: use.line):
                found[path, use.line, use.last] = use.key
            if path in define and chosen:
                places = {(use.place[0], use.place[1]): use.key for use in chosen if use.place}
                of_file = _bases(module_of(sources[path]), names[path], places)
                bases.update((name, key) for name, key in of_file if name in derived)
        single = {cls: next(iter(found_here)) for cls, found_here in handed_here.items() if len(found_here) == 1}
        handed.update(dict.fromkeys(group, single))
    return found, bases, handed


def uses_in(group: Mapping[PurePosixPath, bytes], target: Target, package: str) -> dict[PurePosixPath, list[Use]]:
    """Of each file of a component. Kept in the user's cache: to tell, the whole component is inferred."""
    from migrate.convert import cache
    from migrate.convert.forks import Forks

    entry = "uses-" + cache.key_of(group, target, package, (), frozenset())
    kept = cache.load_text(entry)
    if kept is not None:
        return {PurePosixPath(path): [Use(*use) for use in uses] for path, uses in json.loads(kept).items()}
    special = load_rulebook(target.folder).layouts
    found = {
        path: [use_of(node, key) for node, key in keys.items() if key in special]
        for path, keys in special_keys(group, target, package, Forks(1)).items()
    }
    cache.save_text(entry, json.dumps({str(path): uses for path, uses in found.items() if uses}))
    return found


def use_of(node: ast.AST, key: str) -> Use:
    place = [node.lineno, node.col_offset] if isinstance(node, ast.expr) else []
    last = getattr(node, "end_lineno", sys.maxsize)
    return Use(getattr(node, "lineno", 0), last, place, class_of(node).__name__, key)


def _bases(within: ast.AST, name: str, places: Mapping[tuple[int, int], str]) -> Iterator[tuple[str, str]]:
    """Each class defined in there, as Python names it, with the special rule of one of its bases."""
    for node in ast.iter_child_nodes(within):
        if isinstance(node, ast.ClassDef):
            at = [places.get((base.lineno, base.col_offset)) for base in node.bases]
            yield from ((f"{name}.{node.name}", key) for key in at if key)
            yield from _bases(node, f"{name}.{node.name}", places)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _bases(node, f"{name}.{node.name}.<locals>", places)
        else:
            yield from _bases(node, name, places)
