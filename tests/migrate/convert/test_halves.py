"""One component whose halves two processes infer."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

import rewriters.component
from migrate.convert import cache, parallel
from migrate.convert.forks import Forks
from migrate.errors import Unusable
from rewriters.component import Part, convert_part
from rewriters.infer import found, lanes
from rewriters.infer.statements import Interpreter
from rewriters.report import Status
from rewriters.target import load_target

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")

# The first half is what comes first by name: both ask each other.
SOURCES = {
    "first.py": """
import torch
from second import Count, Net, Pair, apart, handed, named


class Own:
    def __add__(self, other):
        return torch.ones(3)


def made():
    return torch.zeros(4)


def asked(net: "Net", pair: Pair, x):
    y = net(torch.ones(2, 8)).view(4, -1)
    z = pair.left.permute(1, 0) + named().point.view(-1, 1)
    return (Own() + x).view(3, 1), y, z, apart(lambda t: t.view(1, -1)), handed(Own()), Count.total.view(1)
""",
    "second.py": """
import torch
import torch.nn as nn
from collections import namedtuple
from first import Own, made

Point = namedtuple("Point", "point")


class Pair:
    def __init__(self):
        self.left = made().view(2, 2)


class Count:
    total = torch.zeros(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = made()

    def forward(self, x):
        return self.kept.view(1, 4) + x


def handed(own):
    return (own + 1).view(3, 1)


def apart(function):
    return function(made())


def named():
    return Point(made())
""",
}


@pytest.fixture(autouse=True, params=[0, 1 << 30], ids=["read in outline", "read whole"])
def halves(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Each process reads whole what it infers alone, or both read all."""
    monkeypatch.setattr(rewriters.component, "HALVED", 0)
    monkeypatch.setattr(rewriters.component, "OUTLINED", request.param)


def in_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HALVED", "OUTLINED"):
        monkeypatch.setattr(rewriters.component, name, 1 << 30)


def sources() -> dict[PurePosixPath, bytes]:
    return {PurePosixPath(name): text.encode() for name, text in SOURCES.items()}


def converted(jobs: int) -> Part:
    return convert_part(sources(), load_target("paddle"), "", (), frozenset(), workers=Forks(jobs))


def text_of(part: Part, name: str) -> str:
    data = part.files[PurePosixPath(name)]
    assert data is not None
    return data.decode()


def in_second(monkeypatch: pytest.MonkeyPatch, do: Callable[[Interpreter], None]) -> None:
    """Before a body in the second half is interpreted."""
    plain: Any = Interpreter.body_of

    def body_of(self: Interpreter, *arguments: Any) -> None:
        if self.module.name == "second":
            do(self)
        plain(self, *arguments)

    monkeypatch.setattr(Interpreter, "body_of", body_of)


def test_both_halves_learn_of_each_other_whether_at_once_or_in_turn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def note(interpreter: Interpreter) -> None:
        (tmp_path / str(os.getpid())).touch()

    in_second(monkeypatch, note)
    together, in_turn = converted(2), converted(1)
    assert (together.files, together.helpers, together.reports) == (in_turn.files, in_turn.helpers, in_turn.reports)
    assert len(list(tmp_path.iterdir())) == 2
    assert not (tmp_path / str(os.getpid())).exists()
    in_one_process(monkeypatch)
    assert converted(2).files == together.files
    first, second = text_of(together, "first.py"), text_of(together, "second.py")
    for words in ("(Own() + x).reshape([3, 1])", "reshape([4, -1])", "left.transpose([1, 0])"):
        assert words in first
    assert "point.reshape([-1, 1])" in first
    assert "t.reshape([1, -1])" in first
    assert "Count.total.reshape([1])" in first
    for words in ("(own + 1).reshape([3, 1])", "self.kept.reshape([1, 4])", "made().reshape([2, 2])"):
        assert words in second


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fault_in_the_second_half_is_one_row(monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    def fail(interpreter: Interpreter) -> None:
        raise RecursionError("too deep")

    in_second(monkeypatch, fail)
    halved = converted(jobs)
    in_one_process(monkeypatch)
    alone = converted(jobs)
    assert (halved.files, halved.reports) == (alone.files, alone.reports)
    (row,) = [report for report in halved.reports if report.status == Status.FAILED]
    assert row.path == "second.py"
    assert "RecursionError in the converter: too deep" in row.error


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_process_that_is_ended_is_said(monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    in_second(monkeypatch, lambda interpreter: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(lanes.Ended, match="half of the files"):
        converted(jobs)


def test_and_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    in_second(monkeypatch, lambda interpreter: os.kill(os.getpid(), signal.SIGKILL))
    monkeypatch.setattr(parallel, "WORTH_SHARING", 0)
    monkeypatch.setattr(cache, "load", lambda key: None)
    with pytest.raises(Unusable, match="half of the files") as caught:
        parallel.convert_all(sources(), load_target("paddle"), "", (), 2, lambda path: None)
    assert "memory" in caught.value.mend


def test_what_the_other_half_has_yet_to_tell_contradicts_no_annotation() -> None:
    """Before it has told what ``read`` gives, ``video`` looks like the list that was given."""
    first = b"""
import torch
from second import Reader


class Pipe:
    def __init__(self):
        self.reader = Reader()

    def prepare(self, video: torch.Tensor | None = None):
        return video.size(2)

    def __call__(self, video: list[str], known: torch.Tensor | None = None):
        if known is None:
            video = self.reader.read(video)
        return self.prepare(video)
"""
    second = b"""
from elsewhere import load
from first import Pipe


class Reader:
    def read(self, videos):
        return load(videos)
"""
    files = {PurePosixPath("first.py"): first, PurePosixPath("second.py"): second}
    part = convert_part(files, load_target("paddle"), "", (), frozenset(), workers=Forks(1))
    assert "return video.shape[2]" in text_of(part, "first.py")


def test_what_is_found_is_told_some_files_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"""
import torch
from part%d import following as other

def following(x):
    return other(x.chunk(2)[0]).view(1, -1)

kept = torch.zeros(%d).view(-1, 1) + torch.ones(3).view(3, 1)
"""
    files = {PurePosixPath(f"part{n}.py"): text % ((n + 1) % 8, n) for n in range(8)}
    parts = []
    for batch in (1, 3, 32):
        monkeypatch.setattr(found, "BATCH", batch)
        parts.append(convert_part(files, load_target("paddle"), "", (), frozenset(), workers=Forks(2)))
    assert parts[0] == parts[1] == parts[2]
    assert all(b"reshape([3, 1])" in (data or b"") for data in parts[0].files.values())
