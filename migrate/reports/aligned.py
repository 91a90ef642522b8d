"""Which lines of two texts belong together, in about the time it takes to read them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

NEWLINE = re.compile(r"\r\n|\n|\r")  # as Python counts lines
WORTH_MATCHING = 250_000  # pairs of lines; difflib's time grows with them

Hunk = tuple[int, int, int, int]
"""Lines [start, end) of the one text that became lines [start, end) of the other, counted from 0."""


def lines_of(text: str) -> list[str]:
    """Without their ends; a last line that has one is followed by no other."""
    lines = NEWLINE.split(text)
    return lines if lines[-1] else lines[:-1]


def hunks(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """What differs, in order; all other lines are equal, one for one.

    Lines that occur once in both texts are anchors: difflib, whose time is quadratic, sees only what lies between two.
    """
    found: list[Hunk] = []
    i = j = 0
    for at, there in [*anchors(old, new), (len(old), len(new))]:
        for hunk in between(old, new, (i, at, j, there)):
            if found and found[-1][1] == hunk[0] and found[-1][3] == hunk[2]:
                found[-1] = (found[-1][0], hunk[1], found[-1][2], hunk[3])
            else:
                found.append(hunk)
        i, j = at, there
    return found


def anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that occur once in both, as many as are in the same order in both."""
    once, there = singles(old), singles(new)
    pairs = [(i, there[line]) for line, i in once.items() if line in there]
    # The longest increasing subsequence of the second numbers: for each length the least end, and who was before.
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, j) in enumerate(pairs):
        at = bisect_left(ends, j)
        before.append(last[at - 1] if at else -1)
        ends[at : at + 1], last[at : at + 1] = [j], [index]
    chain = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def singles(lines: Sequence[str]) -> dict[str, int]:
    """Lines that occur once, and where."""
    counts = Counter(lines)
    return {line: i for i, line in enumerate(lines) if counts[line] == 1}


def between(old: Sequence[str], new: Sequence[str], span: Hunk) -> Iterator[Hunk]:
    """The hunks within these lines."""
    i, end, j, last = span
    while i < end and j < last and old[i] == new[j]:
        i, j = i + 1, j + 1
    while i < end and j < last and old[end - 1] == new[last - 1]:
        end, last = end - 1, last - 1
    if i == end and j == last:
        return
    if i == end or j == last or (end - i) * (last - j) > WORTH_MATCHING:
        yield (i, end, j, last)
        return
    matcher = SequenceMatcher(None, old[i:end], new[j:last], autojunk=False)
    for tag, first, past, there, beyond in matcher.get_opcodes():
        if tag != "equal":
            yield (i + first, i + past, j + there, j + beyond)
