"""Families: one rule's text that stands for several, of which others differ in a few words.

``@family("2d 1d 3d")`` above a rule: it is written for ``2d`` and stands for ``1d`` and ``3d`` as well. The words are
exchanged wherever they stand in the text, by themselves or as a part of a name (``max_pool2d``, ``MaxPool2D``). Where
more than one piece differs, each has its words, in the same order: ``@family("2d 1d 3d", "Rank[3] Rank[2] Rank[4]")``;
pieces with spaces are strings in a tuple, and what a member lacks is an empty one.
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
    if not columns or call.keywords or not all(isinstance(word, str) for words in columns for word in words):
        raise ValueError("family takes words")
    if {len(words) for words in columns} != {len(columns[0])} or len(columns[0]) < 2:
        raise ValueError("family takes two or more words, and as many of each piece")
    if not all(words[0] for words in columns):
        raise ValueError("family takes words of the text that is there")
    return list(zip(*columns, strict=True))


def varied(text: str, rows: Sequence[Row]) -> list[str]:
    """The text of each member, all of its words exchanged at once; a dimension's in capitals too (2d, 2D).

    Raises ValueError where a word of the first is not in the text, but within another of them.
    """
    places = pattern([*rows[0], *map(str.upper, dimensions(rows[0]))])
    there = {found.lower() if found[0].isdigit() else found for found in places.findall(text)}
    missing = [word for word in rows[0] if word not in there]
    if missing:
        raise ValueError(f"{missing[0]!r} is not in the rule")

    def member(row: Row) -> str:
        words = dict(zip(rows[0], row, strict=True))
        words.update({word.upper(): words[word].upper() for word in dimensions(rows[0])})
        return places.sub(lambda found: words[found[0]], text)

    return [text, *map(member, rows[1:])]


def dimensions(row: Row) -> list[str]:
    return [word for word in row if word[0].isdigit() and word != word.upper()]


def pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Where one of the words stands, the longest of them: not within a longer word of the text."""
    longest = sorted(words, key=len, reverse=True)
    return re.compile("|".join(f"{before(word)}{re.escape(word)}{behind(word)}" for word in longest))


def before(word: str) -> str:
    return "(?<![A-Za-z])" if word[0].isalpha() else ""


def behind(word: str) -> str:
    if word[-1].islower():
        return "(?![a-z0-9])"  # a capital begins another word: Conv2dNormActivation
    return "(?![A-Za-z0-9])" if word[-1].isalnum() else ""
