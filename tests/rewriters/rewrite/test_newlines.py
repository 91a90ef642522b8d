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
