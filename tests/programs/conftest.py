"""Whole programs: what they show in torch is what they show, converted, in the target.

    agrees("import torch\nshow(torch.ones(2).mul(3))", "paddle")

``show`` is a builtin there. Tensors are compared by dtype, shape and values, numbers by type and value, lists and
tuples alike by their items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from textwrap import dedent

import pytest

from migrate.environments import Interpreter
from migrate.programs import Outcome, Programs

Program = str | Mapping[str, str]


@pytest.fixture(scope="session")
def _paddle(torch_python: Interpreter, paddle_python: Interpreter) -> Iterator[Programs]:
    with Programs("paddle", torch_python, paddle_python) as programs:
        yield programs


@pytest.fixture(scope="session")
def _oneflow(torch_python: Interpreter, oneflow_python: Interpreter) -> Iterator[Programs]:
    with Programs("oneflow", torch_python, oneflow_python) as programs:
        yield programs


@pytest.fixture(scope="session")
def _oneflow_static(torch_python: Interpreter, oneflow_python: Interpreter) -> Iterator[Programs]:
    with Programs("oneflow", torch_python, oneflow_python, static=True) as programs:
        yield programs


@pytest.fixture(scope="session")
def _jax(torch_python: Interpreter, jax_python: Interpreter) -> Iterator[Programs]:
    with Programs("jax", torch_python, jax_python) as programs:
        yield programs


@pytest.fixture(scope="session")
def _jax_static(torch_python: Interpreter, jax_python: Interpreter) -> Iterator[Programs]:
    with Programs("jax", torch_python, jax_python, static=True) as programs:
        yield programs


@pytest.fixture(scope="session")
def outcome(request: pytest.FixtureRequest) -> Callable[..., Outcome]:
    """``outcome(program, target)``: what came of it. The program is a text, or path -> text with ``program.py``."""

    def run(program: Program, target: str, seconds: float = 60.0) -> Outcome:
        programs: Programs = request.getfixturevalue(f"_{target}")
        texts = {path: dedent(text) for path, text in program.items()} if isinstance(program, Mapping) else None
        return programs.run(texts or dedent(str(program)), seconds)

    return run


@pytest.fixture(scope="session")
def agrees(outcome: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """``agrees(program, target)``: both show the same, all of it, and torch ran to its end."""

    def check(program: Program, target: str) -> Outcome:
        found = outcome(program, target)
        assert found.torch.error is None, found.torch.error
        assert found.torch.shown, "the program shows nothing"
        assert found.verdict == "agrees", str(found)
        return found

    return check


@pytest.fixture(scope="session")
def announced(outcome: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """``announced(program, target)``: it does not agree, and the conversion says so at a line (marked or differs)."""

    def check(program: Program, target: str) -> Outcome:
        found = outcome(program, target)
        assert found.torch.error is None, found.torch.error
        assert found.verdict in {"marked", "warned"}, str(found)
        assert [site for site in found.sites if site.outcome in {"marked", "differs"}], str(found)
        return found

    return check
