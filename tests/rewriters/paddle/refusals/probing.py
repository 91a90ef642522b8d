"""What the probes of this folder are written with. They run in Paddle's interpreter, where pytest is not.

A probe belongs to one reason, by its whole text, and tries what it says: what is said to fail must fail in the way the
probe names, and what the reader is told to use must work. Beside that each reason is held against Paddle by `tried`.
"""

from __future__ import annotations

import pkgutil
import re
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import paddle

Probe = Callable[[list[str]], Any]


@dataclass(frozen=True)
class Registered:
    """namesakes: last parts of the names that Paddle has for something else, which the probe shows.
    elsewhere: what the reason names of other packages, or of Paddle on a GPU alone.
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


def has_no_kernel(call: Callable[[], Any]) -> None:
    """The call finds no kernel of an operator for its dtype."""
    fails(RuntimeError, call, "kernel")


def close(found: Any, expected: Any) -> None:
    """Both have one shape and nearly the same elements."""
    found, expected = paddle.to_tensor(found), paddle.to_tensor(expected)
    assert list(found.shape) == list(expected.shape), (found.shape, expected.shape)
    assert paddle.allclose(found, expected.astype(found.dtype), atol=1e-5).item(), (found, expected)


def wanting_gradient(*shape: int) -> Any:
    """A leaf of random numbers that takes a gradient."""
    found = paddle.rand(list(shape))
    found.stop_gradient = False
    return found


def nothing_more(names: list[str]) -> None:
    """For what torch has for itself alone, and needs nothing in its place: that Paddle has no such name is all there is
    to try, and `tried` does.
    """


def public(name: str) -> bool:
    return not any(part.startswith("_") for part in name.split("."))


@cache
def places() -> dict[str, list[str]]:
    """Where Paddle has a name: in its public modules, and in the classes that most methods are of."""
    found: dict[str, list[str]] = {}
    for _ in pkgutil.walk_packages(paddle.__path__, "paddle.", onerror=lambda name: None):
        pass  # which imports the packages
    # libpaddle's insides are named by their bindings, not for people
    modules = [n for n in sorted(sys.modules) if n.partition(".")[0] == "paddle" and public(n) and "libpaddle" not in n]
    owners: list[Any] = [sys.modules[name] for name in modules]
    for owner in [*owners, paddle.Tensor, paddle.nn.Layer, paddle.optimizer.Optimizer, paddle.Generator]:
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
    """What a reason tells to use: the last parts of Paddle's names in it, and what it calls."""
    return set(re.findall(r"\bpaddle(?:\.\w+)*\.(\w+)", reason)) | set(re.findall(r"(\w+)\(", reason))


def tried(reason: str, names: list[str]) -> None:
    """Run a reason's probe; what it did not look at is an error too."""
    registered = PROBES[reason]
    there = {last: places()[last] for last in (name.rpartition(".")[2] for name in names) if last in places()}
    assert there.keys() == registered.namesakes, f"Paddle has {there}, the probe knows of {set(registered.namesakes)}"
    used = set(words_of(registered.run.__code__))
    unused = advised(reason) - used - registered.elsewhere
    assert not unused, f"named in the reason and not tried: {sorted(unused)}"
    registered.run(names)
