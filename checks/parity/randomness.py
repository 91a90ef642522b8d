"""Whether both sides drew the same (``checks.worker.side.randomness``)."""

from __future__ import annotations

from typing import Any


def differing(torch: dict[str, Any], target: dict[str, Any]) -> str:
    """How the target's dropouts differ from torch's, "" when they do not."""
    for one, other in zip(torch.get("masks", []), target.get("masks", []), strict=False):
        if len(one) != len(other):
            return f"torch drops out {len(one)} times, the target {len(other)} times"
        for number, (mine, theirs) in enumerate(zip(one, other, strict=True), start=1):
            if mine != theirs:
                return (
                    f"dropout {number}: torch p={mine[1]:g} over {mine[0]}, the target p={theirs[1]:g} over {theirs[0]}"
                )
    return ""


def drawn_otherwise(torch: dict[str, Any], target: dict[str, Any]) -> str:
    """How the random numbers that the target draws differ from torch's in kind, shape or order, "" when they do not.

    What draws the same distribution from other numbers cannot be compared, and is not wrong.
    """
    theirs_of = list(target.get("draws", []))
    for run, one in enumerate(torch.get("draws", [])):
        other = theirs_of[run] if run < len(theirs_of) else []  # an artefact draws by itself
        for number in range(max(len(one), len(other)) if one else 0):
            mine, theirs = (side[number] if number < len(side) else None for side in (one, other))
            if mine != theirs:
                return f"draw {number + 1}: torch {_said(mine)}, the target {_said(theirs)}"
    return ""


def _said(draw: Any) -> str:
    return "none" if draw is None else f"{draw[0]} over {draw[1]}"
