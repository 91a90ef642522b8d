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
    import tomli as tomllib

DEFAULT_TARGET = "paddle"
KNOWN = {"target", "rules", "exclude"}


@dataclass(frozen=True)
class Settings:
    """What a project says of its own conversion; paths are absolute."""

    target: str = DEFAULT_TARGET
    rules: tuple[Path, ...] = ()
    exclude: tuple[str, ...] = ()


def read_settings(folder: Path) -> Settings:
    """The settings in ``folder/pyproject.toml``; the defaults where there are none."""
    path = folder / "pyproject.toml"
    if not path.is_file():
        return Settings()
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {}).get("migrate", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Unusable(f"{path}: {error}") from error
    unknown = sorted(set(table) - KNOWN)
    if unknown:
        raise Unusable(f"{path}: [tool.migrate] has no {', '.join(unknown)}", f"known: {', '.join(sorted(KNOWN))}")
    return Settings(
        target=str(table.get("target", DEFAULT_TARGET)),
        rules=tuple(folder / name for name in table.get("rules", ())),
        exclude=tuple(table.get("exclude", ())),
    )
