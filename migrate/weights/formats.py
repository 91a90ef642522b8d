"""The formats that weights are written in: the neutral ones, and each target's own."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Protocol

import numpy as np

from migrate.errors import Unusable
from migrate.weights import npz, safetensors_file
from migrate.weights.carry import Entry
from rewriters.target import Target, UnknownTarget, known_targets, load_target

DEFAULT = "safetensors"
NEUTRAL: dict[str, ModuleType] = {"npz": npz, "safetensors": safetensors_file}


class Writer(Protocol):
    """Writes one checkpoint; a context manager. Arrays may come in any order, each of the entries once."""

    def __init__(self, path: Path, entries: Sequence[Entry]) -> None: ...

    def add(self, name: str, array: np.ndarray) -> None: ...

    def __enter__(self) -> Writer: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


@dataclass(frozen=True)
class Format:
    """A format of checkpoints.

    name:   as ``--to`` takes it.
    module: a file with SUFFIX, FOLDER, Writer, ``refuses(entry)`` (why it cannot hold it, or "") and, where FOLDER,
            ``ours(path)`` (whether a folder was written by it).
    target: the framework whose layouts it has; None when it keeps torch's.
    """

    name: str
    module: Any
    target: Target | None = None

    @property
    def suffix(self) -> str:
        """With its dot."""
        return str(self.module.SUFFIX)

    def check(self, entries: Sequence[Entry]) -> None:
        """Raises Unusable for an entry that the format cannot hold."""
        for entry in entries:
            if reason := self.module.refuses(entry):
                raise Unusable(
                    f"{entry.name} cannot be written as {self.name}: {reason}",
                    "convert it in torch before saving, e.g. .float(), or write --to safetensors",
                )


def known_formats() -> list[str]:
    """Names that ``--to`` takes."""
    return [*NEUTRAL, *(name for name in known_targets() if load_target(name).formats.is_file())]


def format_named(name: str) -> Format:
    """The format, or the target's in the folder of that path. Raises Unusable, listing the known names."""
    if name in NEUTRAL:
        return Format(name, NEUTRAL[name])
    unknown = Unusable(f"unknown format {name!r}", f"known: {', '.join(known_formats())}")
    try:
        target = load_target(name)
    except UnknownTarget:
        raise unknown from None
    if not target.formats.is_file():
        raise Unusable(f"{target.title} has no format of its own here", f"known: {', '.join(known_formats())}")
    # By path, not by package: a target's folder may lie anywhere.
    spec = importlib.util.spec_from_file_location(f"migrate_formats_{target.name}", target.formats)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Format(target.name, module, target)


def format_of(output: Path | None) -> Format:
    """The format that the output's suffix says; the default without an output. Raises Unusable."""
    if output is None:
        return format_named(DEFAULT)
    formats = [format_named(name) for name in known_formats()]
    for found in formats:
        if output.suffix == found.suffix:
            return found
    raise Unusable(
        f"{output}: its suffix is of no known format", f"give --to, or one of {', '.join(f.suffix for f in formats)}"
    )
