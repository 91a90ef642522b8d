"""Whether a program did in the target what it did in torch."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from checks.programs.side import Ran

AGREES, MARKED, WARNED, RAISES, DIFFERS, INVALID = "agrees", "marked", "warned", "raises", "differs", "invalid"
"""Outcomes of a program.

agrees:  shows what torch shows, or fails where torch fails.
marked:  stopped at what the conversion had marked, having shown the same until there.
warned:  shows something else, and the conversion says at a line that it would.
raises:  an error that nothing announced, or a crash.
differs: shows something else, silently.
invalid: torch itself could not run it.
"""

RTOL, ATOL = 1e-4, 1e-5
COARSE = {"float16": 2.0, "bfloat16": 16.0}  # what numbers of these may be off, in thousandths: some two steps


def difference(one: Any, other: Any, where: str = "") -> str:
    """The first thing in which what was shown differs; "" for none."""
    if isinstance(one, dict) and isinstance(other, dict):
        if one.keys() != other.keys():
            return f"{where}: {kind(one)} against {kind(other)}"
        coarse = COARSE.get(str(one.get("tensor", one.get("array"))))
        if coarse is not None and one.keys() == other.keys() and "values" in one and one["values"] != other["values"]:
            near = all(map(partial(is_near, coarse / 1000), one["values"], other["values"]))
            other = {**other, "values": one["values"]} if near else other
        for key, value in one.items():
            if key in ("tensor", "array", "shape", "dtype") and value != other[key]:
                return f"{where}: {key} {value} against {other[key]}"
            found = difference(value, other[key], where if key in ("items", "values", "dict") else f"{where}.{key}")
            if found:
                return found
        return ""
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return f"{where}: {len(one)} against {len(other)} items"
        floats = [value for value in one if isinstance(value, float) and math.isfinite(value)]
        scale = max(map(abs, floats), default=0.0)
        for number, (a, b) in enumerate(zip(one, other, strict=True)):
            if is_number(a) and is_number(b):
                apart = difference_of_numbers(a, b, scale)
                found = f"{where}[{number}]: {apart}" if apart else ""
            else:
                found = difference(a, b, f"{where}[{number}]")
            if found:
                return found
        return ""
    if is_number(one) and is_number(other):
        found = difference_of_numbers(one, other, abs(one) if math.isfinite(one) else 0.0)
        return f"{where}: {found}" if found else ""
    return "" if type(one) is type(other) and one == other else f"{where}: {one!r} against {other!r}"


def is_near(share: float, one: Any, other: Any) -> bool:
    """Whether two numbers of few digits are as good as one."""
    return is_number(one) and is_number(other) and abs(one - other) <= share * max(abs(one), abs(other))


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def difference_of_numbers(one: float, other: float, scale: float) -> str:
    """ "" where they agree: integers exactly, floats within rounding of the largest beside them."""
    if type(one) is not type(other):
        return f"{one!r} against {other!r}"
    if one == other or (math.isnan(one) and math.isnan(other)):
        return ""
    close = isinstance(one, float) and abs(one - other) <= ATOL + RTOL * max(scale, abs(one))
    return "" if close and math.isfinite(one) and math.isfinite(other) else f"{one!r} against {other!r}"


def kind(value: dict[str, Any]) -> str:
    return next(iter(value), "nothing")


def is_announced(ran: Ran) -> bool:
    """Whether it stopped at what the conversion says it cannot do."""
    if ran.error is None:
        return False
    # Methods of helper classes raise torch's kind of error; one that the framework itself raises announces nothing.
    refused = "NotImplementedError" in ran.error["classes"] and "_helpers.py:" in ran.error["at"]
    return "NotConvertedError" in ran.error["classes"] or refused


def judge(torch: Ran, target: Ran, warned: bool) -> tuple[str, str]:
    """(outcome, what differs or what the error was); warned: whether the conversion says that something differs."""
    if torch.crash:
        return INVALID, torch.crash
    until = len(target.shown) if target.error or target.crash else max(len(torch.shown), len(target.shown))
    found = difference(torch.shown[:until], target.shown[:until], "show")
    if found:
        return (WARNED if warned else DIFFERS), found
    if target.crash:
        return RAISES, target.crash
    if target.error is not None:
        if is_announced(target):
            return MARKED, describe(target)
        same = torch.error is not None and len(torch.shown) == len(target.shown)
        return (AGREES if same else RAISES), describe(target)
    if torch.error is not None:
        return (WARNED if warned else DIFFERS), f"torch ends with {describe(torch)}, the target does not"
    return AGREES, ""


def describe(ran: Ran) -> str:
    assert ran.error is not None
    return f"{ran.error['type']}: {ran.error['message']} ({ran.error['at']})"
