"""What each layer adds to the error of an int8 artefact, as a level of a report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from checks.parity.report import Level

NAME = "sensitivity"
NAMED = 3
"""Layers that are named first."""

LESS = 0.9
"""Times the error that it was before: what lowers it by less is not named."""


def level(found: Mapping[str, Any], told: Mapping[str, Any]) -> Level:
    """The level, those layers first that add most.

    found: what torch's side measured (``checks.worker.side.lowered.Sensitivity``). told: the manifest's precision.
    """
    whole = found["whole"]
    done = Level(NAME, figures=dict(found["alone"]))
    first = ", ".join(f"{name or 'the model itself'} {error:.2g}" for name, error in found["alone"][:NAMED])
    done.lines.append(f"outputs err by {whole:.2g} of their size with all layers in int8; with one alone: {first}")
    known, best = set(told["layers"].values()), whole
    for layers, error in found["kept"]:
        if error >= LESS * best:
            continue
        best = error
        options = " ".join(f"--keep-float {name}" for name in layers if name in known)
        others = [name or "the model itself" for name in layers if name not in known]
        if others:
            options += f" and {', '.join(others)} in float, for which the artefact's own names of nodes are needed"
        done.lines.append(f"{error:.2g} with {options.strip()}")
    if best == whole:
        done.lines.append("no layer stands out: none that is left in float lowers it by much")
    return done
