"""Modules that a project's conversion makes by a special rule, which may lay out their parameters otherwise.

The torch model tells by which call each of its modules was made (``rewriters/source/describe.py``); what that call
becomes is asked of the target's passes, as the conversion does.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from rewriters.convert import special_keys, split
from rewriters.rulebook import RuleError, load_rulebook
from rewriters.target import Target

Site = tuple[PurePosixPath, int]


def special_modules(described: Mapping[str, Any], project: Path, target: Target) -> dict[str, str]:
    """Path of a module -> key of the special rule by which the converted project makes it.

    described: what ``describe.py`` says of the torch model. project: the folder of the torch project.
    """
    classes = special_classes(target)
    made: dict[Site, list[tuple[str, str]]] = {}
    root = project.resolve()
    for path, module in described.get("modules", {}).items():
        cls, place = module["classes"][0], module.get("made")
        if cls in classes and place and Path(place[0]).resolve().is_relative_to(root):
            site = (PurePosixPath(Path(place[0]).resolve().relative_to(root)), place[1])
            made.setdefault(site, []).append((path, cls))
    if not made:
        return {}
    found: dict[str, str] = {}
    for (path, first, last), key in keys_of(project, {path for path, _ in made}, target).items():
        cls = key.partition(":")[0]
        for (file, line), modules in made.items():
            if file == path and first <= line <= last:
                found.update((module, key) for module, own in modules if own == cls)
    return found


def special_classes(target: Target) -> set[str]:
    """The torch classes for which a special rule has a layout of its own."""
    try:
        layouts = load_rulebook(target.folder).layouts
    except RuleError:
        return set()
    return {name.partition(":")[0] for name in layouts if ":" in name and not name.endswith(":base")}


def keys_of(project: Path, wanted: set[PurePosixPath], target: Target) -> dict[tuple[PurePosixPath, int, int], str]:
    """(file, first line, last line) -> the special rule of what is made there, in the components of the wanted files.

    A rule that stands for a whole file comes first.
    """
    from migrate.convert.walk import find_files

    files = find_files(project)
    sources = {path: (files.root / path).read_bytes() for path in files.sources}
    found: dict[tuple[PurePosixPath, int, int], str] = {}
    for group in split(sources, files.package):
        if wanted.isdisjoint(group):
            continue
        for path, keys in special_keys({path: sources[path] for path in group}, target, files.package).items():
            for node, key in sorted(keys.items(), key=lambda item: getattr(item[0], "lineno", 0)):
                line, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", sys.maxsize)
                if ":" in key and key in load_rulebook(target.folder).layouts:
                    found[path, line, last] = key
    return found
