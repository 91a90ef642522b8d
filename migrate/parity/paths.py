"""Folders that a project's modules are imported from, beside its own."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from migrate.errors import Unusable

TORCH, TARGET = "torch", "target"


def by_side(given: Sequence[str], target: str) -> dict[str, list[str]]:
    """Absolute paths, for TORCH and TARGET.

    given: ``DIR`` for both sides, ``torch:DIR`` or ``NAME:DIR`` for one, NAME the target's name or "target".

    Raises Unusable for what is no folder.
    """
    found: dict[str, list[str]] = {TORCH: [], TARGET: []}
    for text in given:
        side, colon, rest = text.partition(":")
        sides = {TORCH: [TORCH], TARGET: [TARGET], target: [TARGET]}.get(side, []) if colon else []
        folder = Path(rest if sides else text)
        if not folder.is_dir():
            raise Unusable(f"--path {text}: no such folder", f"give DIR, torch:DIR or {target}:DIR")
        for one in sides or (TORCH, TARGET):
            found[one].append(str(folder.resolve()))
    return found


def job(first: Sequence[str] = (), environ: Mapping[str, str] = os.environ) -> dict[str, list[str]]:
    """What a worker's ``open`` takes: ``first`` go before installed packages, PYTHONPATH's folders behind them.

    Behind them, since both sides inherit PYTHONPATH, and packages in there may be made for one interpreter alone.
    """
    inherited = (Path(one) for one in environ.get("PYTHONPATH", "").split(os.pathsep) if one)
    return {"first": list(first), "last": [str(one.resolve()) for one in inherited if one.is_dir()]}
