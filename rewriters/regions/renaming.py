"""Names that are free, and code with the modules read from names of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rewriters.regions.emit import Member, rename_paths


def free(name: str, taken: Collection[str]) -> str:
    """The name, with a number where it is taken."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}{number}"
    return found


def rename(text: str, members: Iterable[Member]) -> str:
    """Code with the modules read from names of their own."""
    names = {member.path: member.name for member in members if member.path != member.name}
    return rename_paths(text, names) if names else text


def renamed(lines: list[str], members: Iterable[Member]) -> list[str]:
    return rename("\n".join(lines), members).split("\n") if lines else []
