"""Whether requests may be put together: tried with the artefact itself, not concluded from its shapes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from checks.parity.inputs import draw, parse_all
from migrate.errors import Unusable
from migrate.export import axes
from migrate.export.check import Against
from migrate.export.making import step
from migrate.export.manifest import Manifest

TRY = Path(__file__).parent / "worker" / "try_rows.py"


@dataclass(frozen=True)
class Tried:
    """``why``: why the model is not served in batches, "" where it may be. inputs, outputs: of an example, by name."""

    why: str
    inputs: dict[str, Any]
    outputs: dict[str, Any]


def batch_axis(manifest: Manifest) -> tuple[str, str]:
    """(the name of the axis that every input begins with, ""), or ("", why there is none)."""
    first = {item["name"]: item["shape"][0] if item["shape"] else None for item in manifest.inputs}
    named = {size for size in first.values() if isinstance(size, str)}
    for name, size in first.items():
        if not isinstance(size, str):
            return "", f"the first axis of the input {name} is not free"
    if len(named) != 1:
        return "", f"the inputs begin with different axes: {', '.join(sorted(named))}"
    return named.pop(), ""


def drawn(manifest: Manifest, sizes: dict[str, int], seed: int) -> dict[str, Any]:
    """Arrays for the inputs by their names."""
    inputs = axes.read(manifest.specs, [f"{name}={size}" for name, size in manifest.sizes.items()])
    found = draw(parse_all(inputs.specs(sizes)), seed).arrays
    return {item["name"]: np.asarray(found[item["path"]]) for item in manifest.inputs}


def try_rows(found: Against, threads: int, folder: Path, timeout: float) -> Tried:
    """Run the artefact for an example; where it has an axis of batches, on two parts alone and together.

    Raises Unusable where the engine does not run it.
    """
    manifest = found.manifest
    axis, why = batch_axis(manifest)
    folder.mkdir(parents=True, exist_ok=True)
    seeds = [manifest.seed, manifest.seed + 1] if axis else [manifest.seed]
    parts = []
    for number, seed in enumerate(seeds):
        # Two rows, then one: batches of one size would hide what depends on it.
        arrays = drawn(manifest, {axis: 2 - number} if axis else {}, seed)
        parts.append(folder / f"part-{number}.npz")
        np.savez(parts[-1], **arrays)
    returned = folder / "outputs.npz"
    job = {
        "tools": str(found.tools), "folder": str(found.folder.resolve()), "manifest": dataclasses.asdict(manifest),
        "threads": threads, "parts": [str(part) for part in parts], "outputs": str(returned),
    }  # fmt: skip
    answer = step(found.other.interpreter, TRY, job, folder / "try", timeout)
    if "error" in answer:
        raise Unusable(
            f"{found.folder}: {found.other.title} does not run it: {answer['error']}", "export the model again"
        )
    with np.load(parts[0]) as given, np.load(returned) as outputs:
        return Tried(why or str(answer["why"]), dict(given), dict(outputs))
