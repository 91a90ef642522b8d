"""Inlined code against the call of its helper, over random rules and calls: same value, same effects, same order."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

PARAMETERS = ["a", "b", "c", "d"]


class World:
    """What rules and calls act on: everything that happens is written down."""

    def __init__(self) -> None:
        self.log: list[Any] = []
        self.ticks = 0
        world = self

        class Number(int):
            """An int with a method that is an effect, and an attribute that sees the effects of arguments."""

            @property
            def n(self) -> int:
                return world.ticks

            def m(self, *values: Any) -> Number:
                world.log.append(("m", int(self), values))
                return Number(self + len(values))

        def effect(name: str) -> Number:
            world.log.append(("effect", name))
            world.ticks += 1
            return Number(len(name) + world.ticks)

        def function(name: str) -> Callable[..., Number]:
            def call(*values: Any, **named: Any) -> Number:
                world.log.append((name, values, sorted(named.items())))
                numbers = [v for v in [*values, *named.values()] if isinstance(v, int)]
                return Number(sum(numbers) + len(name))

            return call

        self.toy = {name: function(name) for name in ("f", "gg", "hhh")}
        self.names = {"t": effect, "x": Number(5), "y": Number(7)}


def expression(pick: Random, names: list[str], depth: int = 3) -> str:
    """An expression over the names, as source."""
    if not depth or pick.random() < 0.2:
        return pick.choice([*names, *names, "0", "1", "None"])

    def part() -> str:
        return expression(pick, names, depth - 1)

    name, function = pick.choice(names), pick.choice(["toy.f", "toy.gg", "toy.hhh"])
    test = pick.choice([f"{name} is None", f"{name} == {pick.choice('01')}", f"not {name}", name, part()])
    forms = [
        lambda: f"{function}({part()})",
        lambda: f"{function}({part()}, {part()})",
        lambda: f"{function}({part()}, k={part()})",
        lambda: f"{name}.m({part()})",
        lambda: f"{name}.n",
        lambda: f"({part()} + {part()})",
        lambda: f"({part()} - {part()} * {part()})",
        lambda: f"-{name}",
        lambda: f"({part()} if {test} else {part()})",
        lambda: f"({part()} or {part()})",
        lambda: f"({part()} and {part()})",
        lambda: f"[{part()}, {part()}]",
        lambda: f"({part()}, {part()})[1]",
        lambda: f"{{'k': {part()}, **{{'l': {part()}}}}}",
    ]
    return pick.choice(forms)()


def rule(pick: Random) -> tuple[str, list[str]]:
    """A function of one to four parameters, the last of which may have defaults, and its parameters."""
    names = PARAMETERS[: pick.randint(1, 4)]
    defaults = pick.randint(0, len(names) - 1)
    plain = len(names) - defaults
    spec = [name if i < plain else f"{name}={pick.choice(['0', '1', 'None'])}" for i, name in enumerate(names)]
    head = f"def made({', '.join(spec)}):\n"
    if pick.random() < 0.6:
        return f"{head}    return {plain_call(pick, names)}\n", spec
    body = []
    known = list(names)
    for number in range(pick.randint(0, 2)):
        kind = pick.choice(["local", "local", "branch", "statement"])
        if kind == "local":
            body.append(f"v{number} = {expression(pick, known)}")
            known.append(f"v{number}")
        elif kind == "branch":
            test = pick.choice(["{} is None", "{} == 1", "{}"]).format(pick.choice(names))
            body.append(f"if {test}:\n        return {expression(pick, known)}")
        else:
            body.append(f"toy.f({expression(pick, known)})")
    body.append(f"return {expression(pick, known)}")
    return head + "".join(f"    {line}\n" for line in body), spec


def plain_call(pick: Random, names: list[str]) -> str:
    """What most rules are: one call with each parameter once, mostly in order."""
    order = list(names)
    if pick.random() < 0.3:
        pick.shuffle(order)
    wraps = [
        "{}",
        "{}",
        "{}",
        "{}",
        "[{}, 1]",
        "toy.gg({})",
        "{} or 2",
        "{}.n",
        "({} + 1)",
        "k={}",
        "0 if {} is None else 1",
    ]
    parts = [pick.choice(wraps).format(name) for name in order]
    words = [part for part in parts if part.startswith("k=")][:1]
    return f"toy.f({', '.join([*(part for part in parts if not part.startswith('k=')), *words])})"


def call(pick: Random, spec: list[str]) -> str:
    """Arguments for the parameters: literals, names, attributes, effects; some by keyword, in any order."""
    counter = itertools.count()

    def argument() -> str:
        if pick.random() < 0.25:
            return f't("e{next(counter)}")'
        return pick.choice(["0", "1", "2", "None", "True", "x", "y", "x.n", "y.n", "x + 1", "y - x", "len([1, 2])"])

    wanted = [part for part in spec if "=" not in part or pick.random() < 0.5]
    split = pick.randint(0, len(wanted))
    while wanted[:split] != spec[:split]:
        split -= 1
    words = [part.split("=")[0] for part in wanted[split:]]
    pick.shuffle(words)
    return ", ".join([*(argument() for _ in wanted[:split]), *(f"{word}={argument()}" for word in words)])


FORMS = ["result = {}\n", "result = [{}]\n", "def go():\n    return {}\nresult = go()\n", "if True:\n    result = {}\n"]


@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(pick=st.randoms(use_true_random=False))
def test_inlined_is_the_helper_call(
    pick: Random, toy_target: Callable[..., Any], conversion: Callable[..., Any], execute: Callable[..., Any]
) -> None:
    text, spec = rule(pick)
    arguments, form = call(pick, spec), pick.choice(FORMS)
    asked = World()
    scope: dict[str, Any] = {"toy": SimpleNamespace(**asked.toy), **asked.names}
    try:
        exec(text + form.format(f"made({arguments})"), scope)  # noqa: S102
    except (TypeError, AttributeError):
        return  # None + 1 and the like: what has happened until then may differ
    target = toy_target(f'@rule("torch.made")\n{text}')
    source = "import torch\nfrom world import t, x, y\n" + form.format(f"torch.made({arguments})")
    done = conversion(source, target)
    got = World()
    out = execute(done, modules={"world": got.names}, **got.toy)
    shown = f"{text}\n{source}\n---- became\n{next(iter(done.files.values())).decode()}"
    assert (out["result"], got.log) == (scope["result"], asked.log), shown
