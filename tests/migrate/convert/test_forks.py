"""One component that several processes rewrite."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path, PurePosixPath

import pytest

import rewriters.component
from migrate.convert.forks import Forks
from rewriters.component import Part, convert_part
from rewriters.target import load_target

FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")


def ring(count: int) -> dict[PurePosixPath, bytes]:
    """Files of which each imports the next, the last one the first; each calls the next one's function."""
    files = {}
    for number in range(count):
        following = (number + 1) % count
        files[PurePosixPath(f"part{number}.py")] = f"""
import torch
import torch.nn as nn
from part{following} import step{following}


class Layer{number}(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = torch.zeros({number + 1})
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        y = x.view(1, -1)
        self.kept += step{following}(y)
        return self.relu(y.max(1)[0])


def step{number}(x, depth=0):
    x.add_({number})
    if depth > {number}:
        return step{following}(x.split(2)[0], depth - 1)
    return x.permute(0, 1)
""".encode()
    return files


def converted(jobs: int) -> Part:
    sources = ring(9)
    return convert_part(sources, load_target("paddle"), "", (), frozenset(), workers=Forks(jobs))


@FORKS
def test_any_number_of_processes_writes_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    together = converted(1)
    monkeypatch.setattr(rewriters.component, "PIECE", 1000)
    alone, three = converted(1), converted(3)
    assert together == alone == three
    assert [report.path for report in three.reports] == [f"part{number}.py" for number in range(9)]
    assert all(b"reshape([1, -1])" in (three.files[path] or b"") for path in three.files)


@FORKS
def test_a_turn_is_taken_once_and_in_order(tmp_path: Path) -> None:
    log = tmp_path / "log"

    def work(turn: int) -> int:
        with log.open("a") as stream:
            stream.write(f"{turn}\n")
        return -turn

    assert list(Forks(3).spread(work, 60)) == [-turn for turn in range(60)]
    assert sorted(map(int, log.read_text().split())) == list(range(60))  # none was left to be done again


@FORKS
def test_others_go_on_while_this_process_is_at_a_turn(tmp_path: Path) -> None:
    forks = Forks(2)

    def work(turn: int) -> int:
        until = time.monotonic() + 60
        while not turn and not all((tmp_path / str(other)).exists() for other in range(1, 9)):
            assert time.monotonic() < until
            forks.look_after()
            time.sleep(0.01)
        (tmp_path / str(turn)).touch()
        return os.getpid()

    first, *others = forks.spread(work, 9)
    assert first == os.getpid()
    assert first not in others


@FORKS
def test_this_process_works_too() -> None:
    def work(turn: int) -> int:
        time.sleep(0.02)
        return os.getpid()

    done = list(Forks(2).spread(work, 40))
    assert done.count(os.getpid()) > 10
    assert list(Forks(1).spread(work, 5)).count(os.getpid()) == 1  # one works at a time: what it reads goes with it


@FORKS
def test_a_process_that_is_done_ends_before_it_is_asked_what_it_found() -> None:
    """It would keep its memory, while the first is at work of its own."""
    found = b"x" * 1_000_000  # more than a pipe holds

    def work(turn: int) -> bytes:
        until = time.monotonic() + 60
        while not turn and not os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT | os.WNOHANG):
            assert time.monotonic() < until
            time.sleep(0.05)
        return found

    assert list(Forks(2).spread(work, 2)) == [found, found]


@FORKS
def test_what_a_process_does_not_finish_is_done_by_the_first() -> None:
    own = os.getpid()

    def work(turn: int) -> int:
        if os.getpid() != own and turn % 3 == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return turn * turn

    assert list(Forks(3).spread(work, 50)) == [turn * turn for turn in range(50)]


@FORKS
def test_results_longer_than_a_pipe_holds() -> None:
    assert list(Forks(4).spread(lambda turn: bytes(turn * 100_000), 9)) == [bytes(turn * 100_000) for turn in range(9)]


@FORKS
def test_a_fault_is_raised_here() -> None:
    def work(turn: int) -> int:
        if turn == 7:
            raise KeyError(turn)
        return turn

    with pytest.raises(KeyError):
        list(Forks(2).spread(work, 20))


@FORKS
def test_a_fault_here_leaves_no_process_behind(tmp_path: Path) -> None:
    """And nothing of theirs: what is spread then, is spread as if nothing had been before."""
    forks = Forks(3)

    def work(turn: int) -> int:
        (tmp_path / f"{os.getpid()}").touch()
        until = time.monotonic() + 60
        while not turn and len(list(tmp_path.iterdir())) < 3:
            assert time.monotonic() < until
            time.sleep(0.01)
        if turn == 0:
            raise KeyError(turn)
        signal.pause()
        return turn

    with pytest.raises(KeyError):
        list(forks.spread(work, 20))
    others = {int(path.name) for path in tmp_path.iterdir()} - {os.getpid()}
    assert len(others) == 2
    for other in others:
        with pytest.raises(ProcessLookupError):
            os.kill(other, 0)

    def again(turn: int) -> int:
        forks.look_after()
        return turn

    assert list(forks.spread(again, 20)) == list(range(20))
