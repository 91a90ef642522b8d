"""Why a function's gradients cannot be written, once all else of it is."""

from __future__ import annotations

import ast

from rewriters.regions.gradients.find import Region
from rewriters.regions.plan import Draft


def stopped(region: Region, draft: Draft, spans: dict[ast.stmt, tuple[int, int] | None]) -> str:
    """Why nothing can be written, after all."""
    if None in spans.values():
        return "several statements share a line"
    for loss in region.losses.values():
        for part in [*loss.inside, loss.event.statement]:
            last = part.end_lineno or part.lineno
            for line in range(part.lineno, last + 1):
                marks = [text for text in draft.above.get(line, {}).values() if "# migrate:" in text]
                if marks and "[differs]" not in marks[0]:
                    return f"line {line} has no equivalent"
    return ""
