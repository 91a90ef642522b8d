"""What torch's callables take, overload by overload, as the generated table of the converter has it. Runs in torch's
interpreter, where that is not imported.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

POSITIONAL, KEYWORD, VARIADIC = "positional", "keyword", "variadic"
TABLE = Path(__file__).parents[3] / "rewriters" / "torch" / "overloads.json"


class Parameter:
    """One parameter of an overload.

    kind:    positional (by keyword too), keyword (by nothing else), variadic.
    default: as source text, ``...`` where nothing tells it; None where an argument must be given.
    types:   words: int, float, bool, Tensor, None, ...
    """

    def __init__(self, name: str, kind: str, default: str | None, types: list[str]) -> None:
        self.name = name
        self.kind = kind
        self.default = default
        self.types = types

    @property
    def is_flag(self) -> bool:
        return self.default in {"True", "False"} or "bool" in self.types


@functools.cache
def table() -> dict[str, list[list[str]]]:
    loaded: dict[str, list[list[str]]] = json.loads(TABLE.read_text(encoding="utf-8"))
    return loaded


def overloads(key: str) -> list[list[Parameter]]:
    """The ways in which a callable may be called, without the receiver of a method; empty where nothing tells."""
    return [parameters(words) for words in table().get(key, [])]


def parameters(words: list[str]) -> list[Parameter]:
    found = []
    kind = POSITIONAL
    for word in words:
        if word == "*":
            kind = KEYWORD
            continue
        name, _, rest = word.partition(":")
        types, given, default = rest.partition("=")
        own = VARIADIC if name.startswith("*") else kind
        found.append(Parameter(name.lstrip("*"), own, default if given else None, types.split()))
        kind = KEYWORD if own == VARIADIC else kind
    return found
