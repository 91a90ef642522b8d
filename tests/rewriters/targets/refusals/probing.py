"""What probes are written with. They run in the target's interpreter, where pytest is not.

How a reason was tried stands beside it in the target's `refusals.toml`, as a list of these:

    exists: paddle.optimizer.lr.LRScheduler
    holds: paddle.ones([2]).layout == 'NCHW'        an expression that is true
    close: oneflow.ones(2), [1, 1]                  two that have nearly the same elements
    raises: paddle.set_device('x') -> ValueError: part of the message, or nothing
    optimizing.lobpcg                               a probe, a function here in the target's folder
    absent                                          what torch has for itself alone, and needs nothing in its place

It tries what the reason says: what is said to fail must fail in the way it names, and what the reader is told to use
must work. Beside that each reason is held against the framework by `tried`: it has nothing of the refused names, which
is all that `absent` tries. Expressions see `framework.py` of the folder, numpy and inspect.
"""

from __future__ import annotations

import importlib
import inspect
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
"""By module and name: ``optimizing.lobpcg``."""


def probe(namesakes: tuple[str, ...] = (), elsewhere: tuple[str, ...] = ()) -> Callable[[Probe], Probe]:
    """The function tries what a reason says; it gets the names that are refused with it."""

    def register(run: Probe) -> Probe:
        name = f"{run.__module__}.{run.__name__}"
        assert name not in PROBES, f"two probes of one name: {name}"
        PROBES[name] = Registered(run, frozenset(namesakes), frozenset(elsewhere))
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


def written(text: str) -> Probe:
    """The probe that a line of the table writes out: ``holds: ...`` and the like."""
    scope = {**vars(importlib.import_module("framework")), "numpy": numpy, "inspect": inspect}
    kind, _, said = text.partition(": ")
    if kind == "raises":
        said, _, expected = said.rpartition(" -> ")
        raised, _, says = expected.partition(": ")
        error = eval(raised, scope)  # noqa: S307
        return probe_of(said, scope, lambda call: fails(error, call, says))
    if kind == "close":
        return probe_of(f"({said})", scope, lambda call: close(*call()))
    if kind == "exists":
        return probe_of(said, scope, lambda call: call())
    assert kind == "holds", f"neither a probe nor what one can write: {text}"
    return probe_of(said, scope, lambda call: holds(call, said))


def probe_of(expression: str, scope: dict[str, Any], judge: Callable[[Callable[[], Any]], Any]) -> Probe:
    """A probe whose code is the expression's: what it looks at is seen by `words_of`."""
    run = eval(f"lambda: {expression}", scope)  # noqa: S307

    def judged(names: list[str]) -> Any:
        return judge(run)

    judged.__dict__["looks_at"] = run.__code__
    return judged


def holds(call: Callable[[], Any], expression: str) -> None:
    found = call()
    assert found is True, f"{expression} gives {found!r}"


def probes_of(lines: list[str]) -> list[Registered]:
    """What a table's ``tried`` names and writes out."""
    those = [line for line in lines if line != "absent"]
    return [PROBES[line] if ": " not in line else Registered(written(line), frozenset(), frozenset()) for line in those]


def tried(reason: str, names: list[str], lines: list[str]) -> None:
    """Run what a reason was tried by; what that did not look at is an error too."""
    assert lines, "nothing says how it was tried"
    probes = probes_of(lines)
    package = framework().package
    there = {last: places()[last] for last in (name.rpartition(".")[2] for name in names) if last in places()}
    namesakes = {name for each in probes for name in each.namesakes}
    assert there.keys() == namesakes, f"{package} has {there}; known are {namesakes}"
    codes = [getattr(each.run, "looks_at", each.run.__code__) for each in probes]
    used = {word for code in codes for word in words_of(code)} | {word for each in probes for word in each.elsewhere}
    assert not advised(reason) - used, f"named in the reason and not tried: {sorted(advised(reason) - used)}"
    for each in probes:
        each.run(names)
