"""Look-ups in the generated table of what torch's functions do besides giving a value (``effects.json``).

A function that is not in the table may do anything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rewriters.torch.table import entry

NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True)
class Schema:
    """What a call of one of torch's functions does besides giving a value, or what reading a property does.

    writes:  parameter -> "always" or "maybe": the tensor given for it (or tensors in what is given) changes.
             ``"p.grad"`` is the gradient of what is given for ``p``. A method's receiver is ``self``.
    aliases: parameter -> "always", "maybe" or "alone": the result, or a part of it, lies in the memory of what is given
             for it; "alone": at times, where that is one tensor, never where it is several (``torch.einsum``).
    draws:   whether a random generator may move.
    inplace: None, or what is written where the parameter ``inplace`` is true, and lies in the result's memory then.

    Not said here, since it is so for all: what is given for ``out`` is written and is the result.
    """

    writes: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    draws: bool = False
    inplace: Mapping[str, str] | None = None

    @property
    def pure(self) -> bool:
        """Whether nothing but the result tells that it was called, ``inplace`` and ``out`` left alone."""
        return not self.writes and not self.draws


PURE = Schema()


@cache
def effects_of(name: str) -> Schema | None:
    """By canonical name: ``torch.add``, ``torch.Tensor.add_``, ``torch.Tensor.data``; None where nothing is known."""
    said = table().get(name)
    if said is None:
        return None
    return Schema(
        said.get("writes", NOTHING), said.get("aliases", NOTHING), said.get("draws", False), said.get("inplace")
    ) if said else PURE  # fmt: skip


@cache
def parameter_of(name: str, place: int | str) -> str:
    """The table's name for an argument of a function: by position (a method's receiver is 0) or by keyword."""
    words: list[str] = (entry(name) or {}).get("parameters") or ["self"]
    known = [word.partition("=")[0] for word in words if word not in {"*", "/"}]
    if isinstance(place, int):
        starred = next((index for index, word in enumerate(known) if word.startswith("*")), len(known) - 1)
        return known[min(place, starred)].lstrip("*")
    return known[0] if place == "input" and "input" not in known and known[:1] == ["self"] else place


@cache
def table() -> dict[str, dict[str, Any]]:
    loaded: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("effects.json").read_text(encoding="utf-8"))
    return loaded
