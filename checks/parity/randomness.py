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
