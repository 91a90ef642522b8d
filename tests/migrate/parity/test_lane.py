"""One side of a session, with numpy as its framework."""

from __future__ import annotations

import os
import signal
import sys
import time
from concurrent.futures import CancelledError
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from checks.parity.process import Interpreter, SideFailed
from migrate.bench import session
from migrate.parity.lane import Lane
from migrate.parity.paths import TARGET

JOB = {"runtime": str(Path(__file__).parents[2] / "checks" / "numpy_runtime.py"), "threads": 1}


def test_work_that_goes_on_when_it_is_closed_starts_no_process_anew(tmp_path: Path) -> None:
    lane = Lane(Interpreter("numpy", Path(sys.executable)), JOB, tmp_path, 60.0, lambda _: None)
    begun = Event()

    def work() -> None:
        lane.call("hello")
        begun.set()
        while lane.process.alive:
            time.sleep(0.01)
        lane.call("hello")

    done = lane.submit(work)
    assert begun.wait(60)
    process = lane.process
    lane.close()
    with pytest.raises(CancelledError):
        done.result(60)
    assert lane.process is process
    assert not process.alive


def test_a_process_that_hangs_is_ended_in_time_and_started_anew(tmp_path: Path) -> None:
    lane = Lane(Interpreter("numpy", Path(sys.executable)), JOB, tmp_path, 60.0, lambda _: None)
    try:
        lane.call("hello")
        os.kill(lane.process._process.pid, signal.SIGSTOP)
        with pytest.raises(SideFailed, match=r"did not end within 0\.5 s") as found:
            lane.call("hello", 0.5)
        assert found.value.kind == "timeout"
        assert lane.call("hello")["framework"]
    finally:
        lane.close()


def test_bench_asks_anew_where_a_process_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float | None] = []

    class Hanging(Lane):
        """Stops its first process when it is to measure."""

        def call(self, do: str, within: float | None = None, /, **command: Any) -> dict[str, Any]:
            asked.append(within)
            if len(asked) == 1:
                os.kill(self.process._process.pid, signal.SIGSTOP)
            return super().call("hello", within)

    monkeypatch.setattr(session, "PATIENCE", 10.0)
    lane = Hanging(Interpreter("numpy", Path(sys.executable)), JOB, tmp_path, 60.0, lambda _: None)
    try:
        batch = object.__new__(session.Batch)
        batch.lanes = {TARGET: lane}
        assert batch.told(session.Mode(TARGET, session.STATIC, "static", 2), 0.5, measure="static")["framework"]
    finally:
        lane.close()
    assert asked == [10.5, 20.5]
