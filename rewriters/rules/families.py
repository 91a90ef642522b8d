"""Families: one rule's text that stands for several, of which others differ in a few words.

``@family("2d 1d 3d")`` above a rule: it is written for ``2d`` and stands for ``1d`` and ``3d`` as well. The words are
exchanged wherever they stand in the text, by themselves or as a part of a name (``max_pool2d``, ``MaxPool2D``). Where
more than one piece differs, each has its words, in the same order: ``@family("2d 1d 3d", "Rank[3] Rank[2] Rank[4]")``;
pieces with spaces are strings in a tuple.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

FAMILY = "@family("
Row = tuple[str, ...]


def rows_of(call: ast.Call) -> list[Row]:
    """The words of each member, the first being those of the text. Raises ValueError."""
    try:
        given = [ast.literal_eval(argument) for argument in call.args]
    except ValueError:
        raise ValueError("family takes words") from None
    columns = [tuple(words.split()) if isinstance(words, str) else words for words in given]
    if not columns or call.keywords or not all(isinstance(word, str) and word for words in columns for word in words):
        raise ValueError("family takes words")
    if {len(words) for words in columns} != {len(columns[0])} or len(columns[0]) < 2:
        raise ValueError("family takes two or more words, and as many of each piece")
    return list(zip(*columns, strict=True))


def varied(text: str, rows: Sequence[Row]) -> list[str]:
    """The text of each member. Raises ValueError where a word of the first is not in the text."""
    first = rows[0]
    missing = [word for word in first if not pattern([word]).search(text)]
    if missing:
        raise ValueError(f"{missing[0]!r} is not in the rule")
    return [text, *(exchanged(text, dict(zip(first, row, strict=True))) for row in rows[1:])]


def exchanged(text: str, words: dict[str, str]) -> str:
    """The text with all of the words exchanged at once; a dimension's in capitals too (2d, 2D)."""
    known = {**words, **{word.upper(): new.upper() for word, new in words.items() if word[0].isdigit()}}
    return pattern(sorted(known, key=len, reverse=True)).sub(lambda found: known[found[0]], text)


def pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Where one of the words stands: not within a longer word."""
    return re.compile("|".join(f"{before(word)}{re.escape(word)}{behind(word)}" for word in words))


def before(word: str) -> str:
    return "(?<![A-Za-z])" if word[0].isalpha() else ""


def behind(word: str) -> str:
    if word[-1].islower():
        return "(?![a-z0-9])"  # a capital begins another word: Conv2dNormActivation
    return "(?![A-Za-z0-9])" if word[-1].isalnum() else ""
