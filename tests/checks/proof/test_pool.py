"""Workers: a crash or a hang costs the sample that caused it, and a name that crashes often costs no more."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from checks.proof.pool import CRASHES, Ended, Job, Pool
from checks.worker.samples.blob import Reader, Writer

RUNTIME = Path(__file__).with_name("numpy_runtime.py")

SAMPLES = """
import os, time
import numpy

def double(a0):
    return a0 * 2

def mutate(a0):
    a0 += 1
    return a0

def fail(a0):
    raise ValueError("never")

def die(a0):
    os.abort()

def hang(a0):
    time.sleep(60)

def draw(a0):
    return numpy.random.standard_normal(a0.shape)
"""


def run(
    folder: Path, calls: list[tuple[str, str]], workers: int = 1, **more: Any
) -> tuple[dict[int, Any], Ended, Reader]:
    """Execute (key, function) pairs on the array [1, 2]."""
    (folder / "code").mkdir()
    (folder / "code" / "samples.py").write_text(SAMPLES, encoding="utf-8")
    writer = Writer(folder / "arrays.bin")
    place = writer.add(np.array([1.0, 2.0]))
    writer.close()
    base = {
        "module": "samples",
        "arrays": str(folder / "arrays.bin"),
        "tensors": {"a0": place},
        "grads": [],
        "through": [],
    }
    tasks = [{**base, "key": key, "function": function, **more} for key, function in calls]
    path = folder / "tasks.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    ended = Ended()

    def done(job: Job, found: Ended) -> None:
        ended.tasks.update(found.tasks)

    pool = Pool(Path(sys.executable), {}, RUNTIME, folder / "log", workers, seconds=3.0)
    pool.run([Job(folder / "code", path, folder / "out")], done)
    lines = (folder / "out" / "results.jsonl").read_text(encoding="utf-8").splitlines()
    results = {row["task"]: row for row in map(json.loads, lines)}
    return results, ended, Reader(folder / "out" / "results.bin")


def test_results(tmp_path: Path) -> None:
    results, ended, arrays = run(tmp_path, [("k", "double"), ("k", "mutate"), ("k", "fail")])
    assert not ended.tasks
    np.testing.assert_array_equal(arrays.get(results[0]["arrays"]["output"]), [2.0, 4.0])
    assert list(results[0]["arrays"]) == ["output"]
    np.testing.assert_array_equal(arrays.get(results[1]["arrays"]["a0 after the call"]), [2.0, 3.0])
    assert results[1]["returned"] == {"output": "a0"}
    assert (results[2]["error"], results[2]["message"]) == ("ValueError", "never")


def test_draws_are_stacked(tmp_path: Path) -> None:
    results, _, arrays = run(tmp_path, [("k", "draw")], draws=20)
    assert arrays.get(results[0]["draws"]["arrays"]["output"]).shape == (20, 2)


@pytest.mark.parametrize(("function", "how"), [("die", "SIGABRT"), ("hang", "no result within 3 s")])
def test_a_crash_costs_one_sample(function: str, how: str, tmp_path: Path) -> None:
    results, ended, _ = run(tmp_path, [("good", "double"), ("bad", function), ("good", "double")])
    assert sorted(results) == [0, 2]
    assert list(ended.tasks) == [1]
    assert how in ended.tasks[1]


def test_a_name_that_keeps_crashing_is_left_out(tmp_path: Path) -> None:
    calls = [("bad", "die")] * (CRASHES + 2) + [("good", "double")]
    results, ended, _ = run(tmp_path, calls)
    assert sorted(results) == [CRASHES + 2]
    assert len(ended.tasks) == CRASHES + 2
    assert "not run" in ended.tasks[CRASHES + 1]


def test_a_worker_that_does_not_start_says_why(tmp_path: Path) -> None:
    broken = tmp_path / "runtime.py"
    broken.write_text("import no_such_framework\n", encoding="utf-8")
    pool = Pool(Path(sys.executable), {}, broken, tmp_path / "log", 1)
    (tmp_path / "tasks.json").write_text(json.dumps([{"key": "k"}]), encoding="utf-8")
    with pytest.raises(RuntimeError, match="no_such_framework"):
        pool.run([Job(tmp_path, tmp_path / "tasks.json", tmp_path / "out")], lambda job, ended: None)
