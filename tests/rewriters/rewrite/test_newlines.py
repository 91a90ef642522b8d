"""Files whose lines end as Windows has it: what is written ends so too, and nothing else differs."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from rewriters.convert import convert_sources
from rewriters.target import load_target

FIXTURES = Path(__file__).parents[3] / "fixtures"


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
@pytest.mark.parametrize("name", ["gpt", "resnet"])
def test_lines_end_as_the_files_do(name: str, target: str) -> None:
    folder = FIXTURES / name
    plain = {PurePosixPath(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.py"))}
    ours = convert_sources(plain, load_target(target)).files
    theirs = convert_sources({path: ended(data) for path, data in plain.items()}, load_target(target)).files
    assert theirs == {path: data and ended(data) for path, data in ours.items()}


def ended(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def test_a_line_as_wide_as_may_be_is_broken_when_it_grows() -> None:
    line = "    bounds = (values - upper_bound).mul(-1).add(lower_bound) if enforced else values"
    line += " + " + "x" * (117 - len(line))
    assert len(line) == 120
    data = f"import torch\n\n\ndef f(values, upper_bound, lower_bound, enforced):\n{line}\n    return bounds\n".encode()
    made = [
        convert_sources({PurePosixPath("a.py"): one}, load_target("oneflow")).files[PurePosixPath("a.py")]
        for one in (data, ended(data))
    ]
    assert made[1] == ended(made[0] or b"")
    assert max(map(len, (made[0] or b"").splitlines())) <= 120
