"""Tables of programs: the same ones each time, and a share of them, run: none differs otherwise than a page says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from benchmarks.scan import batches, outcome_of
from checks.programs.side import Ran
from checks.scan.case import Case, program
from checks.scan.case import shown as shown_lines
from checks.scan.groups import GROUPS, some
from checks.scan.hidden import hidden
from checks.scan.judging import AGREES, COLUMNS, SILENT, judged
from checks.scan.known import KNOWN, known
from migrate.environments import Interpreter
from migrate.programs import Programs

ROOT = Path(__file__).parents[3]
MOST = 120  # programs of a target
TARGETS = ("paddle", "oneflow")


@pytest.fixture(scope="module")
def drawn() -> list[Case]:
    cases = [case for group in GROUPS.values() for case in group()]
    found = some(cases, MOST / len(cases))
    return found + [case for case in map(hidden, found) if case is not None]


def test_programs_are_the_same_each_time(drawn: list[Case]) -> None:
    assert {case.group for case in drawn} == set(GROUPS)
    again = [case for group in GROUPS.values() for case in group()]
    assert some(again, MOST / len(again)) == drawn[:MOST]
    assert len({(case.group, case.what, case.where) for case in again}) > 0.99 * len(again)


@pytest.mark.parametrize("target", TARGETS)
def test_no_program_differs_silently(
    drawn: list[Case], target: str, python_of: Callable[[str], Interpreter], torch_python: Interpreter
) -> None:
    found, counts = [], Counter[str]()
    with Programs(target, torch_python, python_of(target)) as programs:
        for batch in batches(drawn):
            texts = {f"p{number}.py": case.text for number, case in enumerate(batch)}
            for case, outcome in zip(batch, programs.run_scripts(texts), strict=True):
                column, differs, _ = outcome_of(case, outcome, target)
                counts[column] += 1
                if column == SILENT:
                    found.append(f"{case.group}: {case.name}: {differs[:3]}\n{case.text}")
    assert not found, "\n".join(found)
    assert counts[AGREES] > MOST / 3, counts


@pytest.mark.parametrize("target", [name for name, table in KNOWN.items() if table])
def test_the_page_has_what_is_known(target: str) -> None:
    page = (ROOT / f"docs/{target}.md").read_text(encoding="utf-8")
    assert not [words for _, _, words in KNOWN[target] if words and words not in page]


def test_nothing_says_of_what_dtype_a_hidden_tensor_is() -> None:
    found = hidden(Case("ranks", "x.sum(0)", "vector", program(["x = torch.tensor([1.0])"], shown_lines("x.sum(0)"))))
    assert found is not None
    assert found.text.endswith(
        "def body(x: torch.Tensor):\n    y = x.sum(0)\n    show(y)\n\n\nx = torch.tensor([1.0])\n"
        'globals()["".join(["bo", "dy"])](x)\n'
    )
    assert hidden(Case("ranks", "torch.rand(2)", "", program([], shown_lines("torch.rand(2)")))) is None


def shown(*values: Any) -> Ran:
    return Ran(shown=[[{"tensor": "float32", "shape": [len(values)], "values": list(values)}]])


def test_numbers_are_compared_each_by_itself() -> None:
    far, near = shown(1e4, 1e-3), shown(1e4, 5e-3)
    assert judged(far, near, alone=False, announced=False, marked=False)[0] == AGREES
    assert judged(far, near, alone=True, announced=False, marked=False) == (
        SILENT,
        ["show[0][0][1]: 0.001 against 0.005"],
    )


@pytest.mark.parametrize(
    ("torch", "target", "announced", "column"),
    [
        (shown(1.0), shown(2.0), False, SILENT),
        (shown(1.0), shown(2.0), True, "announced"),
        (shown(1.0), Ran(error={"message": "no"}), False, "unmarked error"),
        (Ran(error={"message": "no"}), Ran(error={"message": "no"}), False, "torch refuses"),
        (Ran(error={"message": "no"}), shown(1.0), False, "goes on"),
        (shown(1.0), Ran(shown=[]), False, SILENT),
    ],
)
def test_what_comes_of_a_program(torch: Ran, target: Ran, announced: bool, column: str) -> None:
    assert judged(torch, target, alone=False, announced=announced, marked=False)[0] == column
    assert column in COLUMNS


def test_what_a_page_names_is_known_by_all_that_differs() -> None:
    name = "pairs: torch.clamp(a, min=b) @ two"
    assert known("paddle", name, ["show[0][1][3]: 1.0 against 0.5"]).startswith("Kinks")
    assert not known("paddle", name, ["show[0][1][3]: 1.0 against 0.5", "show[0][0][3]: 1.0 against 0.5"])
    assert known("paddle", "layers: nn.GroupNorm(3, 3) @ train", ["show[0][0][0]: 3.897 against 3.898"]) == "rounding"
    assert not known("paddle", "layers: nn.GroupNorm(3, 3) @ train", ["show[0][0][0]: 3.897 against 4.898"])
