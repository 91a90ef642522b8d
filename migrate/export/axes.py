"""Sizes that an exported model leaves free: ``float32[batch,3,224,224]``, where names stand for sizes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from checks.parity.inputs import DTYPES, WrongSpec, draw, parse_all
from migrate.errors import Unusable

_TENSOR = re.compile(rf"\b({'|'.join(DTYPES)})\[([^\[\]]*)\]")
DEFAULT = 2
"""The size of a free axis in the example: exporters take 0 and 1 for constants."""


@dataclass(frozen=True)
class Inputs:
    """Specs of an export.

    given:  as they were written, with names of axes.
    sizes:  name -> size in the example.
    axes:   path of a tensor (``checks.parity.inputs.Drawn``) -> axis -> name.
    """

    given: tuple[str, ...]
    sizes: Mapping[str, int]
    axes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def specs(self, sizes: Mapping[str, int] | None = None) -> list[str]:
        """As ``migrate check`` reads them; ``sizes``: others than those of the example."""
        return [with_sizes(text, {**self.sizes, **(sizes or {})}) for text in self.given]


def read(given: Sequence[str], sizes: Sequence[str]) -> Inputs:
    """The inputs; ``sizes``: NAME=N. Raises Unusable."""
    named = {name: None for text in given for name in names_in(text)}
    known = {**dict.fromkeys(named, DEFAULT), **sizes_of(sizes, list(named))}
    found = Inputs(tuple(given), known)
    try:
        drawn = draw(parse_all(found.specs()), 0)
        each = [
            axes
            for text in given
            for axes in (axes_in(text) or [{} for _ in draw(parse_all([with_sizes(text, known)]), 0).arrays])
        ]
    except WrongSpec as error:
        raise Unusable(
            str(error),
            "--input is as for `migrate check`, with names in place of sizes that stay free: float32[batch,3,224,224]",
        ) from None
    return Inputs(found.given, known, {path: axes for path, axes in zip(drawn.arrays, each, strict=True) if axes})


def sizes_of(given: Sequence[str], names: Sequence[str]) -> dict[str, int]:
    """NAME=N of the axes. Raises Unusable."""
    found = {}
    for text in given:
        name, _, size = text.partition("=")
        if name.strip() not in names:
            known = f"the inputs name {', '.join(names)}" if names else "the inputs name no axes"
            raise Unusable(f"--size {text}: no axis is called {name.strip()!r}; {known}", "--size NAME=N")
        if not size.strip().isdecimal() or int(size) < 1:
            raise Unusable(f"--size {text}: no size", "--size NAME=N, N at least 1")
        found[name.strip()] = int(size)
    return found


def names_in(text: str) -> list[str]:
    """Of the free axes of a spec."""
    return [name for axes in axes_in(text) for name in axes.values()]


def axes_in(text: str) -> list[dict[str, str]]:
    """Of each tensor of a spec: axis, as text, -> name."""
    if text.strip().endswith(".npz"):
        return []
    return [
        {str(axis): part.strip() for axis, part in enumerate(found[2].split(",")) if part.strip().isidentifier()}
        for found in _TENSOR.finditer(text)
    ]


def with_sizes(text: str, sizes: Mapping[str, int]) -> str:
    """The spec with sizes in place of names."""
    if text.strip().endswith(".npz"):
        return text

    def sized(found: re.Match[str]) -> str:
        parts = [part.strip() for part in found[2].split(",")]
        return f"{found[1]}[{','.join(str(sizes.get(part, part)) for part in parts)}]"

    return _TENSOR.sub(sized, text)
