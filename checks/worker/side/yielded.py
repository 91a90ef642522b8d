"""Calls of the model that a callable of the project yields: a data loader, a generator, a list."""

from __future__ import annotations

import itertools
from typing import Any, Iterator

from .. import arrays
from .subject import Failed

STAGE = "calibration"


def write(subject: Any, job: dict[str, Any]) -> int:
    """Write the tensors of the arguments as arrays ``NUMBER:PATH`` to ``folder``; the number of calls.

    entry:  MODULE:CALLABLE of the project, called without arguments or with those that it is written with. What it
            yields is the model's argument, a tuple or list of its arguments in order (of which it may have more than
            the model takes, such as labels), or a dict of them by name.
    most:   calls that are taken.
    """
    subject.enter(STAGE)
    calls = iterated(subject, job["entry"])
    found = []
    for number, value in enumerate(itertools.islice(calls, job["most"])):
        for path, array in named(subject, job, value).items():
            found.append((f"{number}:{path}", array))
    arrays.write(job["folder"], found)
    return len({name.partition(":")[0] for name, _ in found})


def iterated(subject: Any, entry: str) -> Iterator[Any]:
    """What the callable gives."""
    given = subject.named(entry)()
    try:
        return iter(given)
    except TypeError:
        raise Failed(f"{entry} returns a {type(given).__name__}, which yields no calls") from None


def named(subject: Any, job: dict[str, Any], value: Any) -> dict[str, Any]:
    """Path -> array of one call's tensors."""
    runtime = subject.runtime
    found: dict[str, Any] = {}

    def walk(item: Any, path: str) -> None:
        if runtime.is_tensor(item):
            found[path] = runtime.array(item)
        elif hasattr(item, "shape"):
            found[path] = item
        elif isinstance(item, dict):
            for key, inner in item.items():
                walk(inner, f"{path}[{key!r}]")
        elif isinstance(item, (list, tuple)):
            for number, inner in enumerate(item):
                walk(inner, f"{path}[{number}]")

    positional, keywords = job["positional"], job["keywords"]
    first = positional[0] if positional else {}
    if isinstance(value, dict) and "dict" not in first:
        for key, item in value.items():
            walk(item, key)
        return found
    whole = len(positional) == 1 and not keywords and ("list" in first or "tuple" in first)
    args: list[Any] = list(value) if isinstance(value, (list, tuple)) and not whole else [value]
    for path, item in zip([*map(str, range(len(positional))), *keywords], args):
        walk(item, path)
    return found
