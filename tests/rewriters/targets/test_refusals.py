"""Each reason that a documented name of torch's families is refused with holds in the framework that is installed.

The probes are in refusals/ of the target's folder; they run in one process of its interpreter.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.proof.coverage import Coverage
from rewriters.target import load_target

pytestmark = pytest.mark.framework

HERE = Path(__file__).parent

# A name that the target has, and one that is refused with a reason that the name would contradict.
CONTRADICTIONS = {
    "paddle": {"torch.eye": "torch.lobpcg", "torch.float64": "torch.int4"},
    "oneflow": {"torch.eye": "torch.lobpcg", "torch.float64": "torch.int4"},
}


@pytest.fixture(scope="module", params=sorted(CONTRADICTIONS))
def target(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def refused(target: str) -> dict[str, str]:
    """The names and their reasons, as the rule files have them."""
    return Coverage(load_target(target)).refused().missing


@pytest.fixture(scope="module")
def probed(
    target: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., dict[str, str]]:
    """``probed({name: reason})``: reason -> what its probe found wrong, of all reasons that have a probe."""
    interpreter = request.getfixturevalue(f"{target}_python")

    def run(asked: dict[str, str]) -> dict[str, str]:
        ran = subprocess.run(
            [interpreter.python, "-W", "ignore", HERE / "refusals" / "run.py", HERE / target / "refusals"],
            input=json.dumps(asked), capture_output=True, text=True, check=False, timeout=300,
            env=interpreter.environ(), cwd=tmp_path_factory.mktemp("refusals"),
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        found: dict[str, str] = json.loads(ran.stdout)
        return found

    return run


@pytest.fixture(scope="module")
def tried(refused: dict[str, str], probed: Callable[..., dict[str, str]]) -> dict[str, str]:
    return probed(refused)


def test_every_reason_has_a_probe(refused: dict[str, str], tried: dict[str, str]) -> None:
    assert set(refused.values()) - tried.keys() == set(), "no probe in refusals/: write one that tries what it says"
    assert tried.keys() - set(refused.values()) == set(), "a probe of what no rule file says any more"


def test_every_reason_holds(tried: dict[str, str]) -> None:
    wrong = {reason: trouble for reason, trouble in tried.items() if trouble}
    assert not wrong, "\n\n".join(f"{reason}\n{trouble}" for reason, trouble in wrong.items())


def test_reasons_are_one_line_and_say_what_to_do(refused: dict[str, str]) -> None:
    unclear = [r for r in set(refused.values()) if "\n" in r or not (";" in r or ":" in r)]
    assert unclear == []


def test_what_the_target_has_is_not_refused_in_silence(
    target: str, refused: dict[str, str], probed: Callable[..., dict[str, str]]
) -> None:
    contradicted = CONTRADICTIONS[target]
    found = probed({name: refused[other] for name, other in contradicted.items()})
    for name, other in contradicted.items():
        last = name.rpartition(".")[2]
        assert f"{target} has {{'{last}': ['{target}'" in found[refused[other]]
