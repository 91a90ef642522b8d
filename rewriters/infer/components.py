"""Groups of files that import each other: nothing is inferred across groups, so each can be converted by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from rewriters.infer.connected import connected
from rewriters.infer.import_names import absolute_module, prefixes
from rewriters.infer.import_roots import ImportRoots, added_folders

IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|[^\r\n#;]*)|import[ \t]+([^\r\n#;]+))", re.MULTILINE
)
WORD = re.compile(r"[\w.]+")


def import_statements(data: bytes) -> Iterator[re.Match[bytes]]:
    """As ``IMPORT`` finds them: looked for at the lines alone that have the word, which are one in twenty."""
    end, at = 0, data.find(b"import")
    while at >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        match = IMPORT.match(data, start) if start >= end else None
        if match is not None:
            yield match
            end = match.end()
        at = data.find(b"import", max(at + 1, end))


def imported_names(data: bytes, module: str, is_package: bool) -> set[str]:
    """Dotted names that the file may import, relative ones made absolute. Too many rather than too few."""
    found: set[str] = set()
    for match in import_statements(data):
        source, names, plain = ((part or b"").decode("utf-8", "replace") for part in match.groups())
        if plain:
            found.update(word for word in WORD.findall(plain) if word != "as")
            continue
        dots = len(source) - len(source.lstrip("."))
        base = absolute_module(source[dots:], dots, module, is_package)
        found.add(base)
        found.update(f"{base}.{word}" if base else word for word in WORD.findall(names) if word != "as")
    return found


def components(
    sources: Mapping[PurePosixPath, bytes], names: Mapping[PurePosixPath, tuple[str, bool]]
) -> list[list[PurePosixPath]]:
    """Files in groups that do not import each other, each in order of path.

    names: per file its module name and whether it is a package's ``__init__``.
    """
    paths = list(sources)
    by_name = {names[path][0]: number for number, path in enumerate(paths)}
    roots = ImportRoots(by_name, {name for name, is_package in names.values() if is_package}, added_folders(sources))

    def imported(path: PurePosixPath) -> set[int]:
        module, is_package = names[path]
        wanted = {prefix for name in imported_names(sources[path], module, is_package) for prefix in prefixes(name)}
        return {by_name[meant.name] for prefix in wanted for meant in roots.meant(prefix, module)}

    groups = connected((number, *imported(path)) for number, path in enumerate(paths))
    return sorted(sorted(paths[number] for number in group) for group in groups)
