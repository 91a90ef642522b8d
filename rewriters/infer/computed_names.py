"""What a name that is put together at run time looks like: ``f"layer_{i}"`` is ``layer_#``, not ``layer_norm``."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import cache

from rewriters.infer.cells import COMPUTED
from rewriters.infer.joining import either_way
from rewriters.infer.values import INT, UNKNOWN, Bottom, Value

TEXT, NUMBER = "*", "#"
# What ``%`` puts in, and what of it puts in an integer.
PUT_IN = re.compile(r"%[-+ #0]*[\d*]*(?:\.[\d*]+)?([a-zA-Z%])")


def pattern(word: ast.expr) -> str:
    """What a computed name looks like: ``*`` is any text, ``#`` an integer; empty where nothing of it is known.

    What its parts hold is to have been interpreted before.
    """
    found = re.sub(r"\*+", "*", parts(word))
    return "" if not found.strip(TEXT + NUMBER) else found


def has_beginning(likeness: str) -> bool:
    """Whether the names begin with a text that is known: few attributes are such, and others are not."""
    return likeness[:1] not in {"", TEXT, NUMBER}


def parts(word: ast.expr) -> str:
    if isinstance(word, ast.Constant):
        return word.value if isinstance(word.value, str) else TEXT
    if isinstance(word, ast.JoinedStr):
        return "".join(map(parts, word.values))
    if isinstance(word, ast.FormattedValue):
        plain = word.format_spec is None and word.conversion == -1
        return NUMBER if plain and is_integer(word.value) else TEXT
    if isinstance(word, ast.BinOp) and isinstance(word.op, ast.Add):
        return parts(word.left) + parts(word.right)
    if isinstance(word, ast.BinOp) and isinstance(word.op, ast.Mod):
        return PUT_IN.sub(lambda found: NUMBER if found[0] == "%d" else TEXT, parts(word.left))
    whole = isinstance(word, ast.Call) and isinstance(word.func, ast.Name) and word.func.id == "str"
    if whole and isinstance(word, ast.Call) and len(word.args) == 1 and not word.keywords:
        return NUMBER if is_integer(word.args[0]) else TEXT
    return TEXT


def is_integer(node: ast.expr) -> bool:
    """Whether it is one as far as is known yet."""
    value = getattr(node, "v", UNKNOWN)
    return value == INT or isinstance(value, Bottom)


@cache
def matcher(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text).replace(re.escape(TEXT), ".*").replace(re.escape(NUMBER), r"-?\d+"), re.DOTALL)


def fits(text: str, name: str) -> bool:
    """Whether a name may be what a pattern stands for; any is, where nothing is known of it."""
    return not text or matcher(text).fullmatch(name) is not None


def named_anyhow(held: Mapping[str, Value], name: str) -> Value:
    """A name that nothing binds: what a file's ``globals()`` is given under computed names that may be it."""
    return either_way(*(one for key, one in held.items() if key[:1] == COMPUTED and fits(key[1:], name)))
