"""``parity.toml``: what of a project is checked, and with which inputs.

source = "."                    # the torch project; relative to this file, as every path in it
converted = "../resnet-paddle"
paths = ["../shared", "torch:../src"]   # folders beside them that modules are imported from, as --path takes them
target = "paddle"

[[check]]
entry = "models.resnet:resnet50(num_classes=10)"
inputs = ["float32[2,3,224,224]"]
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from migrate.errors import Unusable

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # type: ignore[import-not-found, unused-ignore]

NAME = "parity.toml"


@dataclass(frozen=True)
class Kind:
    """What a value must be: ``words`` for messages, ``fits`` the test."""

    words: str
    fits: Callable[[Any], bool]


def _is_strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def _is_count(value: Any) -> bool:
    return _is_number(value) and isinstance(value, int)


TEXT = Kind("a string", lambda value: isinstance(value, str))
TEXTS = Kind("a list of strings", _is_strings)
NUMBER = Kind("a number of at least 0", _is_number)
COUNT = Kind("a whole number of at least 0", _is_count)

TOP = {"source": TEXT, "converted": TEXT, "target": TEXT, "paths": TEXTS}
CHECK = {
    "name": TEXT,
    "entry": TEXT,
    "inputs": TEXTS,
    "weights": TEXT,
    "seed": COUNT,
    "levels": TEXTS,
    "train": COUNT,
    "loss": TEXT,
    "optimizer": TEXT,
    "scheduler": TEXT,
    "rtol": NUMBER,
    "atol": NUMBER,
    "timeout": NUMBER,
}


@dataclass(frozen=True)
class Check:
    """One ``[[check]]``.

    name:    how reports call it; the entry when none was given.
    where:   file:line of its table.
    values:  the other keys of ``CHECK`` that were given; ``weights`` is a Path.
    """

    name: str
    entry: str
    where: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ParityFile:
    """A whole file; the folders are None where it does not name them. paths: as --path takes them."""

    path: Path
    source: Path | None
    converted: Path | None
    target: str | None
    checks: tuple[Check, ...]
    paths: tuple[str, ...] = ()


def read_parity_file(path: Path) -> ParityFile:
    """Raises Unusable, naming file and line: no TOML, an unknown key, a wrong type, a check without an entry."""
    try:
        text = path.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}", "migrate check --init SOURCE writes one") from None
    except UnicodeDecodeError as error:
        raise Unusable(f"{path}: {error}", "save the file as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        raise Unusable(f"{path}{':' + line[1] if line else ''}: {error}", "correct the TOML there") from None
    lines = _Lines(path, text)
    tables = document.pop("check", [])
    _fit(document, TOP, lines, None, "parity.toml")
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        if "\n# [[check]]" in text:
            raise Unusable(
                f"{path}: every [[check]] is commented out: no inputs were found, and what stands above each says why",
                "mend that and write the file anew with --init, or fill in entry and inputs of one and take its # away",
            )
        raise Unusable(f"{path}: there is no [[check]]", 'write [[check]], and below it entry = "MODULE:CALLABLE"')
    checks = []
    for number, table in enumerate(tables):
        where = lines.of(number, None)
        _fit(table, CHECK, lines, number, "[[check]]")
        if "entry" not in table:
            raise Unusable(f"{where}: this [[check]] has no entry", 'write entry = "MODULE:CALLABLE" below it')
        values = {key: value for key, value in table.items() if key not in ("name", "entry")}
        if "weights" in values:
            values["weights"] = path.parent / values["weights"]
        checks.append(Check(table.get("name", table["entry"]), table["entry"], where, values))
    names = [check.name for check in checks]
    for check in checks:
        if names.count(check.name) > 1:
            raise Unusable(f"{check.where}: {check.name!r} is checked twice", "give each [[check]] a name of its own")
    source, converted = (path.parent / document[key] if key in document else None for key in ("source", "converted"))
    paths = tuple(_beside(path.parent, text) for text in document.get("paths", []))
    return ParityFile(path, source, converted, document.get("target"), tuple(checks), paths)


def _beside(folder: Path, text: str) -> str:
    """``DIR`` or ``SIDE:DIR`` with the folder before DIR."""
    side, colon, rest = text.rpartition(":")
    return f"{side}{colon}{folder / rest}"


def _fit(table: Mapping[str, Any], known: Mapping[str, Kind], lines: _Lines, number: int | None, title: str) -> None:
    described = "; ".join(f"{key}: {kind.words}" for key, kind in known.items())
    for key, value in table.items():
        if key not in known:
            raise Unusable(f"{lines.of(number, key)}: {title} has no {key!r}", f"known: {described}")
        if not known[key].fits(value):
            raise Unusable(f"{lines.of(number, key)}: {key} is not {known[key].words}", f"known: {described}")


class _Lines:
    """Where keys stand: a TOML reader keeps no positions, and a message should name the line."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.lines = text.splitlines()
        self.headers = [i for i, line in enumerate(self.lines) if re.match(r"\s*\[\[\s*check\s*\]\]", line)]

    def of(self, number: int | None, key: str | None) -> str:
        """file:line of the key in the numbered [[check]], or above all of them; just the file where it is not found."""
        if number is None:
            first, last = 0, self.headers[0] if self.headers else len(self.lines)
        elif number < len(self.headers):
            first = self.headers[number]
            last = [*self.headers, len(self.lines)][number + 1]
        else:
            return str(self.path)  # written as check = [{...}]
        if key is None:
            return f"{self.path}:{first + 1}"
        pattern = re.compile(rf"""\s*\[?\s*["']?{re.escape(key)}\b""")
        for i in range(first, last):
            if pattern.match(self.lines[i]):
                return f"{self.path}:{i + 1}"
        return str(self.path)
