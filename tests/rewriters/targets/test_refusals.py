"""Each reason that a documented name of torch's families is refused with holds in the framework that is installed.

How each was tried stands in the target's refusals.toml; the probes that it names are in refusals/ of the target's
folder here. They run in one process of its interpreter.
"""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from migrate.environments import Interpreter
from migrate.proof.coverage import Coverage
from rewriters.rules.rulebook import refusal_table, rule_files
from rewriters.target import load_target

HERE = Path(__file__).parent

# A name that the target has, and one that is refused with a reason that the name would contradict.
CONTRADICTIONS = {
    "paddle": {"torch.eye": "torch.lobpcg", "torch.float64": "torch.int4"},
    "oneflow": {"torch.eye": "torch.lobpcg", "torch.float64": "torch.int4"},
    "jax": {"torch.eye": "torch.qint8", "torch.float64": "torch.int3"},
}
# What probes call the module that has torch's functions, where that is not the package.
FUNCTIONS = {"jax": "jnp"}
# A line of a table, and what is wrong with it.
UNTRUE = {
    "exists: {0}.no_such_name": "AttributeError",
    "holds: {0}.ones([2]).ndim == 2": "gives False",
    "close: {0}.ones([2]), [1, 2]": "AssertionError",
    "raises: {0}.ones([2]) -> TypeError": "no TypeError",
    "raises: {0}.no_such_name -> AttributeError: never said": "'never said' is not said by",
    "no.such_probe": "KeyError",
}

Reasons = Mapping[str, tuple[list[str], list[str]]]


@pytest.fixture(scope="module", params=sorted(CONTRADICTIONS))
def target(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def how_tried(target: str) -> dict[str, list[str]]:
    table = refusal_table(load_target(target).folder)
    assert table
    return {entry.reason: list(entry.tried) for entry in table.entries()}


@pytest.fixture(scope="module")
def refused(target: str) -> Reasons:
    """The reasons of documented names: the names, and how they were tried."""
    names: dict[str, list[str]] = defaultdict(list)
    for name, reason in Coverage(load_target(target)).refused().missing.items():
        names[reason].append(name)
    tried = how_tried(target)
    return {reason: (those, tried[reason]) for reason, those in names.items()}


@pytest.fixture(scope="module")
def probed(
    target: str, python_of: Callable[[str], Interpreter], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Reasons], dict[str, Any]]:
    """``probed({reason: (names, how it is tried)})``: what was found wrong with each, and the probes that there are."""
    interpreter = python_of(target)

    def run(asked: Reasons) -> dict[str, Any]:
        ran = subprocess.run(
            [interpreter.python, "-W", "ignore", HERE / "refusals" / "run.py", HERE / target / "refusals"],
            input=json.dumps(asked), capture_output=True, text=True, check=False, timeout=300,
            env=interpreter.environ(), cwd=tmp_path_factory.mktemp("refusals"),
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        found: dict[str, Any] = json.loads(ran.stdout)
        return found

    return run


@pytest.fixture(scope="module")
def tried(refused: Reasons, probed: Callable[[Reasons], dict[str, Any]]) -> dict[str, Any]:
    return probed(refused)


def test_targets_say_what_they_refuse_in_their_table_alone(target: str) -> None:
    said = [
        f"{file.name}: {declared[1]}"
        for file in rule_files(load_target(target).folder)
        for declared in file.declarations()
        if declared[0] == "refuse"
    ]
    assert said == [], "refuse(...) is for the rule files of users' projects: put these into refusals.toml"


def test_each_reason_stands_once(target: str) -> None:
    table = refusal_table(load_target(target).folder)
    assert table
    assert len(table.entries()) == len(how_tried(target))


def test_every_reason_of_a_documented_name_was_tried(refused: Reasons) -> None:
    untried = [reason for reason, (_, tried) in refused.items() if not tried]
    assert untried == [], "nothing says how these were tried: write it into refusals.toml"


def test_reasons_are_one_line_and_say_what_to_do(refused: Reasons) -> None:
    unclear = [reason for reason in refused if "\n" in reason or not (";" in reason or ":" in reason)]
    assert unclear == []


@pytest.mark.framework
def test_every_probe_is_named(target: str, tried: dict[str, Any]) -> None:
    named = {line for lines in how_tried(target).values() for line in lines}
    assert [name for name in tried["probes"] if name not in named] == [], "refusals.toml says nothing of these"


@pytest.mark.framework
def test_every_reason_holds(tried: dict[str, Any]) -> None:
    wrong = {reason: trouble for reason, trouble in tried["found"].items() if trouble}
    assert not wrong, "\n\n".join(f"{reason}\n{trouble}" for reason, trouble in wrong.items())


@pytest.mark.framework
def test_what_the_target_has_is_not_refused_in_silence(
    target: str, refused: Reasons, probed: Callable[[Reasons], dict[str, Any]]
) -> None:
    reasons = {name: reason for reason, (names, _) in refused.items() for name in names}
    contradicted = {reasons[other]: name for name, other in CONTRADICTIONS[target].items()}
    found = probed({reason: ([name], refused[reason][1]) for reason, name in contradicted.items()})["found"]
    for reason, name in contradicted.items():
        last = name.rpartition(".")[2]
        assert f"{target} has {{'{last}': ['{target}" in found[reason]


@pytest.mark.framework
def test_what_is_untrue_is_found(target: str, probed: Callable[[Reasons], dict[str, Any]]) -> None:
    lines = {line.format(FUNCTIONS.get(target, target)): says for line, says in UNTRUE.items()}
    found = probed({f"a reason: {line}": ([], [line]) for line in lines})["found"]
    for line, says in lines.items():
        assert says in found[f"a reason: {line}"]
