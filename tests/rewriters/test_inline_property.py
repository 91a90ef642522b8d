"""Inlined code against the call of its helper, over random rules and calls: the same value, the same effects in order."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
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


def expressions(names: list[str]) -> st.SearchStrategy[str]:
    atoms = st.sampled_from([*names, *names, "0", "1", "None"])

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        function = st.sampled_from(["toy.f", "toy.gg", "toy.hhh"])
        name = st.sampled_from(names)
        test = st.one_of(
            st.builds("{} is None".format, name),
            st.builds("{} == {}".format, name, st.sampled_from(["0", "1"])),
            st.builds("not {}".format, name),
            name,
            inner,
        )
        return st.one_of(
            st.builds("{}({})".format, function, inner),
            st.builds("{}({}, {})".format, function, inner, inner),
            st.builds("{}({}, k={})".format, function, inner, inner),
            st.builds("{}.m({})".format, name, inner),
            st.builds("{}.n".format, name),
            st.builds("({} + {})".format, inner, inner),
            st.builds("({} - {} * {})".format, inner, inner, inner),
            st.builds("-{}".format, name),
            st.builds("({} if {} else {})".format, inner, test, inner),
            st.builds("({} or {})".format, inner, inner),
            st.builds("({} and {})".format, inner, inner),
            st.builds("[{}, {}]".format, inner, inner),
            st.builds("({}, {})[1]".format, inner, inner),
            st.builds("{{'k': {}, **{{'l': {}}}}}".format, inner, inner),
        )

    return st.recursive(atoms, larger, max_leaves=7)


@st.composite
def rules(draw: Any) -> tuple[str, list[str]]:
    """A function of one to four parameters, the last of which may have defaults."""
    names = PARAMETERS[: draw(st.integers(1, 4))]
    defaults = draw(st.integers(0, len(names) - 1))
    spec = [
        f"{name}={draw(st.sampled_from(['0', '1', 'None']))}" if i >= len(names) - defaults else name
        for i, name in enumerate(names)
    ]
    body = []
    known = list(names)
    for number in range(draw(st.integers(0, 2))):
        kind = draw(st.sampled_from(["local", "local", "branch", "statement"]))
        if kind == "local":
            body.append(f"v{number} = {draw(expressions(known))}")
            known.append(f"v{number}")
        elif kind == "branch":
            test = draw(st.sampled_from(["{} is None", "{} == 1", "{}"])).format(draw(st.sampled_from(names)))
            body.append(f"if {test}:\n        return {draw(expressions(known))}")
        else:
            body.append(f"toy.f({draw(expressions(known))})")
    body.append(f"return {draw(expressions(known))}")
    text = f"def made({', '.join(spec)}):\n" + "".join(f"    {line}\n" for line in body)
    return text, spec


@st.composite
def calls(draw: Any, spec: list[str]) -> str:
    """Arguments for the parameters: literals, names, attributes, effects; some by keyword, in any order."""
    counter = itertools.count()

    def argument() -> str:
        kind = draw(st.sampled_from(["literal", "name", "attribute", "effect", "effect", "sum", "pure"]))
        if kind == "effect":
            return f't("e{next(counter)}")'
        texts = {"literal": ["0", "1", "2", "None", "True"], "name": ["x", "y"], "attribute": ["x.n", "y.n"]}
        return draw(
            st.sampled_from(texts.get(kind) or {"sum": ["x + 1", "y - x"], "pure": ["len([1, 2])", "abs(-3)"]}[kind])
        )

    wanted = [part for part in spec if "=" not in part or draw(st.booleans())]
    split = draw(st.integers(0, len(wanted)))
    while split and wanted[:split] != spec[:split]:
        split -= 1
    words = draw(st.permutations([part.split("=")[0] for part in wanted[split:]]))
    return ", ".join([*(argument() for _ in wanted[:split]), *(f"{word}={argument()}" for word in words)])


FORMS = ["result = {}\n", "result = [{}]\n", "def go():\n    return {}\nresult = go()\n", "if True:\n    result = {}\n"]


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(data=st.data(), rule=rules(), form=st.sampled_from(FORMS))
def test_inlined_is_the_helper_call(
    data: Any, rule: tuple[str, list[str]], form: str, toy_target, conversion, execute
) -> None:
    text, spec = rule
    arguments = data.draw(calls(spec))
    asked = World()
    scope: dict[str, Any] = {"toy": type("toy", (), {k: staticmethod(v) for k, v in asked.toy.items()}), **asked.names}
    try:
        exec(text + form.format(f"made({arguments})"), scope)  # noqa: S102
    except (TypeError, AttributeError):
        assume(False)
    target = toy_target(f'@rule("torch.made")\n{text}')
    source = "import torch\nfrom world import t, x, y\n" + form.format(f"torch.made({arguments})")
    done = conversion(source, target)
    got = World()
    out = execute(done, modules={"world": got.names}, **got.toy)
    shown = f"{text}\n{source}\n---- became\n{next(iter(done.files.values())).decode()}"
    assert (out["result"], got.log) == (scope["result"], asked.log), shown
