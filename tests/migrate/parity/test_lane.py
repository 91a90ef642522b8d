"""One side of a session, with numpy as its framework."""

from __future__ import annotations

import sys
import time
from concurrent.futures import CancelledError
from pathlib import Path
from threading import Event

import pytest

from checks.parity.process import Interpreter
from migrate.parity.lane import Lane

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
