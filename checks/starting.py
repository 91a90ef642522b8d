"""Starting workers: the command, the variables of the process, and one that takes jobs line by line."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

START_SECONDS = 180.0
START = Path(__file__).parent / "worker" / "start.py"


def command(python: Path, module: str, *arguments: object) -> list[str]:
    """Runs ``main`` of a module of ``checks``, such as ``worker.programs``, in that interpreter."""
    return [str(python), str(START), module, *map(str, arguments)]


def fixed_environment(threads: int, extra: Mapping[str, str]) -> dict[str, str]:
    """The variables of a worker: the inherited ones, what makes runs repeatable, and what its interpreter needs."""
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}
    env |= {
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONIOENCODING": "utf-8",
        # Both sides run beside each other: a thread that waits must not keep a processor from the other side.
        "OMP_WAIT_POLICY": "PASSIVE",
        "KMP_BLOCKTIME": "0",
        "CUDA_VISIBLE_DEVICES": "",  # both sides on the CPU: its arithmetic is what the noise floor measures
    }
    env |= dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))
    return env | dict(extra)


class Process:
    """A worker process that takes jobs on its standard input, and what it says."""

    def __init__(self, python: Path, env: Mapping[str, str], worker: str, runtime: Path, log: Path) -> None:
        """worker: a module of ``checks``, as ``command`` takes it."""
        self.python = python
        reading, writing = os.pipe()
        with open(log, "ab") as out:
            self.process = subprocess.Popen(
                command(python, worker, runtime, writing),
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=out,
                env=fixed_environment(1, env),
                pass_fds=[writing],
                start_new_session=True,
            )
        os.close(writing)
        self.pipe = reading
        self.buffer = b""

    def started(self, log: Path) -> Process:
        """Itself, when it is ready. Raises RuntimeError, with the end of its log."""
        if self.hear(START_SECONDS) != "ready":
            self.end()
            tail = log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:]
            raise RuntimeError(f"{self.python}: the worker does not start\n" + "\n".join(tail))
        return self

    def send(self, job: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(job).encode() + b"\n")
        self.process.stdin.flush()

    def hear(self, timeout: float) -> str | None:
        """The next line; None when the time is up; "" when the process has ended."""
        deadline = time.monotonic() + timeout
        while b"\n" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.pipe], [], [], left)[0]:
                return None
            read = os.read(self.pipe, 65536)
            if not read:
                return ""
            self.buffer += read
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line.decode()

    def end(self) -> int:
        """Its exit status; it is killed where it has not ended."""
        with contextlib.suppress(ProcessLookupError):  # it has ended, and left nothing
            os.killpg(self.process.pid, signal.SIGKILL)
        status = self.process.wait()
        os.close(self.pipe)
        return status


def ending(status: int) -> str:
    return f"the process died: {signal.Signals(-status).name}" if status < 0 else f"the process exited with {status}"
