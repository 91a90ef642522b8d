"""Programs of one call each: the same ones every time, taken by torch, and none of them silently wrong in a target."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from checks.calls.corpus import corpus, shown
from checks.calls.signatures import documented, signatures
from checks.programs.judge import DIFFERS, INVALID
from migrate.environments import Interpreter
from migrate.programs import Programs
from rewriters.report import Outcome

torch = pytest.importorskip("torch")

SLICE = r"^torch\.(sum|cat|Tensor\.(permute|tile|add_|clamp)|nn\.functional\.(mse_loss|gelu)|nn\.Linear|optim\.SGD)$"


def test_the_same_programs_come_every_time() -> None:
    first, again = (list(corpus(seed=3, each=4, only=SLICE)) for _ in range(2))
    assert first == again
    assert len({one.name for one in first}) == len(first) > 30


def test_torch_takes_every_program_and_shows_something() -> None:
    for one in corpus(seed=1, each=3, only=SLICE):
        assert shown(one.text, 0), one.text


def test_calls_are_written_in_many_ways() -> None:
    ways = {one.way for one in corpus(each=60, only=r"^torch\.(sum|Tensor\.sum)$")}
    assert {
        "position",
        "keyword",
        "given keepdim",
        "dtype dtype",
        "out= given",
        "out= None",
        "unbound",
        "held dim",
    } <= ways
    paths = "\n".join(one.text for one in corpus(each=60, only=r"^torch\.nn\.Linear$"))
    assert "torch.nn.modules.linear" in paths
    assert "torch.tensor(3)" in paths
    assert "np.int64(3)" in paths
    varied = "\n".join(one.text for one in corpus(each=40, only=r"^torch\.Tensor\.permute$"))
    assert "x.permute((" in varied
    assert "x.permute(1" in varied
    assert "x.permute(*(" in varied


def test_signatures_come_from_stubs_from_python_and_from_texts() -> None:
    overloads = signatures("torch", "max", torch.max)
    assert {tuple(one.name for one in each.required) for each in overloads} >= {("input",), ("input", "dim")}
    (gelu,) = documented("gelu", "gelu(input, approximate = 'none') -> Tensor")
    assert [(one.name, one.default) for one in gelu.parameters] == [("input", None), ("approximate", "'none'")]
    (linear,) = signatures("torch.nn", "Linear", torch.nn.Linear)
    assert [one.name for one in linear.required] == ["in_features", "out_features"]


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_no_call_of_a_slice_is_silently_wrong(
    python_of: Callable[[str], Interpreter], torch_python: Interpreter, target: str
) -> None:
    written = {f"{one.name}.py": one.text for one in corpus(each=4, only=SLICE)}
    with Programs(target, torch_python, python_of(target)) as programs:
        outcomes = dict(zip(written, programs.run_scripts(written), strict=True))
    for name, outcome in outcomes.items():
        marked = any(site.outcome in (Outcome.MARKED, Outcome.DIFFERS) for site in outcome.sites)
        assert outcome.verdict not in (DIFFERS, INVALID) or marked, f"{name}\n{written[name]}\n{outcome}"
