"""Runs one side of a check in its own interpreter, in a fresh process, with everything fixed that can be."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WORKER = Path(__file__).parent / "worker.py"
TAIL = 12  # lines of stderr that a failure shows
GRACE = 2.0  # seconds that a process which hangs has to print where


@dataclass(frozen=True)
class Interpreter:
    """One side's interpreter.

    title:   what messages call the side, "torch" or "Paddle".
    python:  path of the executable.
    env:     variables that it needs beyond the inherited ones.
    """

    title: str
    python: Path
    env: Mapping[str, str] = field(default_factory=dict)


class SideFailed(Exception):
    """A side could not be run to its end.

    stage:   framework, import, entry, build, state, or forward (with the name of the run).
    kind:    the exception's class; "" when the worker found the failure; "timeout" or "died" when the process ended.
    where:   file:line in the project, when known.
    stderr:  the last lines.
    detail:  what the worker added: missing, unexpected, shapes, needs, odd, module.
    """

    def __init__(self, side: Interpreter, stage: str, kind: str, message: str, stderr: str, **detail: Any) -> None:
        super().__init__(message)
        self.side = side
        self.stage = stage
        self.kind = kind
        self.message = message
        self.stderr = stderr
        self.where: str | None = detail.pop("where", None)
        self.detail = detail


def fixed_environment(threads: int, extra: Mapping[str, str]) -> dict[str, str]:
    """The variables of a worker: the inherited ones, what makes runs repeatable, and what its interpreter needs."""
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}
    env |= {
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONIOENCODING": "utf-8",
        "CUDA_VISIBLE_DEVICES": "",  # both sides on the CPU: its arithmetic is what the noise floor measures
    }
    env |= dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))
    return env | dict(extra)


def run_worker(
    side: Interpreter,
    job: Mapping[str, Any],
    folder: Path,
    timeout: float,
    on_stage: Callable[[str], None] = lambda stage: None,
) -> dict[str, Any]:
    """Run a job (``checks/worker.py`` says what it holds) and return its result.

    folder:    where the job, the output and the logs of the process go.
    timeout:   seconds for the whole process.
    on_stage:  told each stage that the worker enters.
    Raises SideFailed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "job.json"
    path.write_text(json.dumps({**job, "out": str(folder)}), encoding="utf-8")
    with open(folder / "stdout", "wb") as stdout, open(folder / "stderr", "wb") as stderr:
        try:
            process = subprocess.Popen(
                [str(side.python), str(WORKER), str(path)],
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                env=fixed_environment(job["threads"], side.env),
                cwd=folder,
                start_new_session=True,  # so that what the project starts ends with it
            )
        except OSError as error:
            raise SideFailed(side, "framework", "died", f"{side.python}: {error.strerror}", "") from None
        try:
            status = _wait(process, folder, timeout, on_stage)
        finally:
            _end(process)
    stage = _stage(folder)
    tail = _tail(folder / "stderr")
    result = folder / "result.json"
    if result.is_file():
        found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
        if "error" in found:
            raise SideFailed(side, stderr=tail, **found["error"])
        return found
    if status is None:
        raise SideFailed(side, stage, "timeout", f"did not end within {timeout:g} s", tail)
    raise SideFailed(side, stage, "died", _ending(status), tail)


def _wait(
    process: subprocess.Popen[bytes], folder: Path, timeout: float, on_stage: Callable[[str], None]
) -> int | None:
    """The exit status; None when the time was up, the process having been asked to say where it hangs."""
    deadline = time.monotonic() + timeout
    shown = ""
    while (left := deadline - time.monotonic()) > 0:
        try:
            return process.wait(timeout=min(0.1, left))
        except subprocess.TimeoutExpired:
            stage = _stage(folder)
            if stage != shown:
                shown = stage
                on_stage(stage)
    process.send_signal(signal.SIGABRT)
    with contextlib.suppress(subprocess.TimeoutExpired):  # it may be unable even to abort: _end kills it
        process.wait(timeout=GRACE)
    return None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Nothing of the process group stays behind, also when the user interrupts."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # the usual case: all of it has ended
    process.wait()


def _stage(folder: Path) -> str:
    path = folder / "stage"
    return path.read_text(encoding="utf-8") if path.is_file() else "start"


def _tail(path: Path) -> str:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(lines[-TAIL:])


def _ending(status: int) -> str:
    if status == -signal.SIGKILL:
        return "was killed (signal 9): usually the machine ran out of memory"
    if status < 0:
        return f"crashed ({signal.Signals(-status).name})"
    return f"ended with exit status {status}"
