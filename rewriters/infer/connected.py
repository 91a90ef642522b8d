"""What belongs together since it shares something."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def connected(together: Iterable[Iterable[T]]) -> list[list[T]]:
    """Collections that share a member made one, in the order of their first members, which stay in theirs."""
    owner: dict[T, T] = {}

    def root(one: T) -> T:
        while owner[one] != one:
            owner[one] = owner[owner[one]]
            one = owner[one]
        return one

    for some in together:
        first: T | None = None
        for one in some:
            owner.setdefault(one, one)
            if first is None:
                first = one
            else:
                owner[root(one)] = root(first)
    groups: dict[T, list[T]] = {}
    for one in owner:
        groups.setdefault(root(one), []).append(one)
    return list(groups.values())
