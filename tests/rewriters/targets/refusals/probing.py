"""What probes are written with. They run in the target's interpreter, where pytest is not.

A probe belongs to one reason, by its whole text, and tries what it says: what is said to fail must fail in the way the
probe names, and what the reader is told to use must work. Beside that each reason is held against the framework by
`tried`.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy

Probe = Callable[[list[str]], Any]


@dataclass(frozen=True)
class Framework:
    """What is tried: `framework.py` in a target's folder of probes has one.

    package: its name; aliases: what converted sources call it beside that, so reasons may.
    classes: those that most methods are of.
    inside: parts of the names of modules that are not for people.
    reset: what is called before each probe.
    """

    package: str
    classes: tuple[type, ...]
    inside: tuple[str, ...]
    reset: Callable[[], Any]
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Registered:
    """namesakes: last parts of the names that the framework has for something else, which the probe shows.
    elsewhere: what the reason names of other packages, or of the framework on a GPU alone.
    """

    run: Probe
    namesakes: frozenset[str]
    elsewhere: frozenset[str]


PROBES: dict[str, Registered] = {}


def probe(reason: str, namesakes: tuple[str, ...] = (), elsewhere: tuple[str, ...] = ()) -> Callable[[Probe], Probe]:
    """The function tries what a reason says; it gets the names that are refused with it."""

    def register(run: Probe) -> Probe:
        assert reason not in PROBES, f"two probes of one reason: {reason}"
        PROBES[reason] = Registered(run, frozenset(namesakes), frozenset(elsewhere))
        return run

    return register


def fails(kind: type[BaseException], call: Callable[[], Any], says: str = "") -> None:
    """The call raises just this kind of exception, with this in its message."""
    try:
        given = call()
    except kind as error:
        raised: BaseException = error
    else:
        raise AssertionError(f"no {kind.__name__}, but {given!r}")
    assert type(raised) is kind, f"raised {type(raised).__name__}: {raised}"
    assert says in str(raised), f"{says!r} is not said by: {raised}"


def close(found: Any, expected: Any) -> None:
    """Both have one shape and nearly the same elements."""
    found, expected = (
        numpy.asarray(part.detach().numpy() if hasattr(part, "detach") else part) for part in (found, expected)
    )
    assert found.shape == expected.shape, (found.shape, expected.shape)
    assert numpy.allclose(found, expected, atol=1e-5), (found, expected)


def nothing_more(names: list[str]) -> None:
    """For what torch has for itself alone, and needs nothing in its place: that the framework has no such name is all
    there is to try, and `tried` does.
    """


def framework() -> Framework:
    found: Framework = importlib.import_module("framework").FRAMEWORK
    return found


@cache
def places() -> dict[str, list[str]]:
    """Where the framework has a name: in its public modules, and in the classes that most methods are of."""
    tried = framework()
    found: dict[str, list[str]] = {}
    for _ in pkgutil.walk_packages(sys.modules[tried.package].__path__, f"{tried.package}.", onerror=lambda name: None):
        pass  # which imports the packages

    def for_people(name: str) -> bool:
        parts = name.split(".")
        hidden = any(part.startswith("_") for part in parts) or any(part in name for part in tried.inside)
        return parts[0] == tried.package and not hidden

    owners: list[Any] = [sys.modules[name] for name in sorted(sys.modules) if for_people(name)]
    for owner in [*owners, *tried.classes]:
        label = owner.__name__ if isinstance(owner, types.ModuleType) else f"{owner.__name__}."
        for name in dir(owner):
            found.setdefault(name, []).append(label)
    return found


def words_of(code: types.CodeType) -> Iterator[str]:
    """The names in a function's code, and in that of the functions inside it; texts that are a name count."""
    texts = [text for text in code.co_consts if isinstance(text, str) and re.fullmatch(r"[\w.]+", text)]
    for name in (*code.co_names, *texts):
        yield from name.split(".")
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from words_of(constant)


def advised(reason: str) -> set[str]:
    """What a reason tells to use: the last parts of the framework's names in it, and what it calls."""
    packages = "|".join([framework().package, *framework().aliases])
    return set(re.findall(rf"\b(?:{packages})(?:\.\w+)*\.(\w+)", reason)) | set(re.findall(r"(\w+)\(", reason))


def tried(reason: str, names: list[str]) -> None:
    """Run a reason's probe; what it did not look at is an error too."""
    registered = PROBES[reason]
    package = framework().package
    there = {last: places()[last] for last in (name.rpartition(".")[2] for name in names) if last in places()}
    assert there.keys() == registered.namesakes, f"{package} has {there}; known are {set(registered.namesakes)}"
    used = set(words_of(registered.run.__code__))
    unused = advised(reason) - used - registered.elsewhere
    assert not unused, f"named in the reason and not tried: {sorted(unused)}"
    registered.run(names)
