"""What came of a scan's program: all that differs, not the first of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from checks.programs.judge import difference, is_number
from checks.programs.side import Ran

SILENT, KNOWN, ANNOUNCED, LOUD, LAXER, AGREES, REFUSED = (
    "SILENT", "known", "announced", "unmarked error", "goes on", "agrees", "torch refuses",
)  # fmt: skip
COLUMNS = (AGREES, ANNOUNCED, LOUD, LAXER, KNOWN, SILENT, REFUSED)
"""Outcomes of a program.

SILENT:         differs, nothing says so, no page does.
known:          differs as the target's page says (``checks.scan.known``).
announced:      differs or stops, and the conversion says so at the line.
unmarked error: stops in the target.
goes on:        torch raises, the target does not.
agrees:         shows what torch shows.
torch refuses:  torch raises, and shows nothing before.
"""
RTOL, ATOL = 2e-3, 1e-6  # of numbers that are compared each by itself


def differences(torch: Ran, target: Ran, alone: bool) -> list[str]:
    """What differs of what both showed: each place, with the one and the other."""
    found: list[str] = []
    for call, (one, other) in enumerate(zip(torch.shown, target.shown, strict=False)):
        for place, (a, b) in enumerate(zip(one, other, strict=False)):
            where = f"show[{call}][{place}]"
            found += list(by_itself(a, b, where)) if alone else filter(None, [difference(a, b, where)])
    return found


def by_itself(one: Any, other: Any, where: str) -> Iterator[str]:
    """Differences of tensors number by number; what is no tensor as programs are compared elsewhere."""
    if isinstance(one, dict) and isinstance(other, dict) and "values" in one and "values" in other:
        for key in ("tensor", "array", "shape"):
            if one.get(key) != other.get(key):
                yield f"{where}: {key} {one.get(key)} against {other.get(key)}"
                return
        for number, (a, b) in enumerate(zip(one["values"], other["values"], strict=True)):
            if not same(a, b):
                yield f"{where}[{number}]: {a!r} against {b!r}"
        return
    if isinstance(one, dict) and isinstance(other, dict) and "items" in one and "items" in other:
        for number, (a, b) in enumerate(zip(one["items"], other["items"], strict=False)):
            yield from by_itself(a, b, f"{where}.items[{number}]")
        return
    found = difference(one, other, where)
    if found:
        yield found


def same(a: Any, b: Any) -> bool:
    if not (is_number(a) and is_number(b)) or isinstance(a, int):
        return type(a) is type(b) and a == b
    if a == b or (math.isnan(a) and math.isnan(b)):
        return True
    return math.isfinite(a) and math.isfinite(b) and abs(a - b) <= ATOL + RTOL * max(abs(a), abs(b))


def judged(torch: Ran, target: Ran, alone: bool, announced: bool, marked: bool) -> tuple[str, list[str]]:
    """(an outcome, what differs or the error).

    announced: whether the conversion says that something differs; marked: whether the target stopped at what it marked.
    """
    found = differences(torch, target, alone)
    if torch.crash or (torch.error is not None and not torch.shown):
        refuses = torch.crash or target.crash or target.error is not None or marked
        return (REFUSED if refuses else LAXER), found
    if found:
        return (ANNOUNCED if announced else SILENT), found
    if target.crash or target.error is not None:
        if torch.error is not None:
            return AGREES, []
        return (ANNOUNCED if announced or marked else LOUD), [target.crash or str((target.error or {}).get("message"))]
    if torch.error is None and len(torch.shown) != len(target.shown):
        return (ANNOUNCED if announced else SILENT), [f"{len(torch.shown)} against {len(target.shown)} shown"]
    return (LAXER if torch.error is not None else AGREES), []
