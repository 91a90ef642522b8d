"""``[tool.migrate]`` in the project's pyproject.toml."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from migrate.errors import Unusable

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

DEFAULT_TARGET = "paddle"
KNOWN = {
    "target": "a string",
    "rules": "a list of strings",
    "exclude": "a list of strings",
    "assume": "a list of strings",
}


@dataclass(frozen=True)
class Settings:
    """What a project says of its own conversion.

    rules:   paths that are good from the current folder.
    exclude: patterns as .gitignore has them, relative to ``folder``.
    assume:  answers to what the code leaves open, as --assume takes them.
    folder:  where the pyproject.toml is.
    """

    folder: Path
    target: str = DEFAULT_TARGET
    rules: tuple[Path, ...] = ()
    exclude: tuple[str, ...] = ()
    assume: tuple[str, ...] = ()


def find_settings(folder: Path) -> Settings:
    """The settings of the nearest pyproject.toml with a [tool.migrate], looking upwards to the repository's root.

    The defaults where there are none. Raises Unusable.
    """
    here = folder.resolve()
    for level, place in enumerate([here, *here.parents]):
        table = read_table(place / "pyproject.toml")
        if table is not None:
            return read_settings(place / "pyproject.toml", table, folder if level == 0 else place)
        if (place / ".git").exists():
            break
    return Settings(folder)


def read_table(path: Path) -> Any:
    """What the file has under [tool.migrate], None when it has none."""
    if not path.is_file():
        return None
    try:
        tool = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Unusable(f"{path}: {error}", "correct the file") from error
    return tool.get("migrate") if isinstance(tool, dict) else None


def read_settings(path: Path, table: Any, folder: Path) -> Settings:
    """Checks what a person wrote. Raises Unusable."""
    known = "; ".join(f"{key}: {kind}" for key, kind in KNOWN.items())
    if not isinstance(table, dict):
        raise Unusable(f"{path}: tool.migrate is not a table", f"write [tool.migrate], with {known}")
    unknown = sorted(set(table) - set(KNOWN))
    if unknown:
        raise Unusable(f"{path}: [tool.migrate] has no {', '.join(unknown)}", f"known: {known}")
    for key, value in table.items():
        strings = value if KNOWN[key] == "a list of strings" else [value]
        if not isinstance(strings, list) or not all(isinstance(item, str) for item in strings):
            raise Unusable(f"{path}: [tool.migrate] {key} is not {KNOWN[key]}", f"known: {known}")
    return Settings(
        folder=folder,
        target=table.get("target", DEFAULT_TARGET),
        rules=tuple(folder / name for name in table.get("rules", ())),
        exclude=tuple(table.get("exclude", ())),
        assume=tuple(table.get("assume", ())),
    )
