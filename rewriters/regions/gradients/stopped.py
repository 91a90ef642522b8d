"""Why a function's gradients cannot be written, once all else of it is."""

from __future__ import annotations

import ast

from rewriters.regions.gradients.find import Region
from rewriters.regions.plan import Draft, marked_line


def stopped(region: Region, draft: Draft, spans: dict[ast.stmt, tuple[int, int] | None]) -> str:
    """Why nothing can be written, after all."""
    if None in spans.values():
        return "several statements share a line"
    for loss in region.losses.values():
        for part in [*loss.inside, loss.event.statement]:
            line = marked_line(draft, part.lineno, part.end_lineno or part.lineno)
            if line is not None:
                return f"line {line} has no equivalent"
    return ""
