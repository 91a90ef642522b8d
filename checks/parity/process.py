"""One side of a check in its own interpreter, a process of its own, with everything fixed that can be."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checks.starting import command, fixed_environment

WORKER = "worker.side.commands"
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

    stage:   framework, import, entry, build, state, inputs, or what ran: "forward", "forward: float64", "gradients".
    kind:    the exception's class; "" when the worker found the failure; "timeout", "memory" or "died" when the
             process ended.
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


class Process:
    """A worker in its interpreter, which starts to import the framework at once. To be closed, or used in ``with``."""

    def __init__(
        self,
        side: Interpreter,
        job: Mapping[str, Any],
        folder: Path,
        timeout: float,
        on_stage: Callable[[str], None] = lambda stage: None,
    ) -> None:
        """
        job:       runtime (the file), threads.
        folder:    where the job and the logs of the process go.
        timeout:   seconds that each command may take.
        on_stage:  told each stage that the worker enters.
        Raises SideFailed.
        """
        self.side, self.folder, self.timeout, self.on_stage = side, folder, timeout, on_stage
        self.stage = "framework"
        self.project = ""
        self.seconds: dict[str, float] = {}
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "job.json"
        path.write_text(json.dumps(dict(job)), encoding="utf-8")
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        self._unread = b""
        try:
            with open(folder / "stdout", "wb") as stdout, open(folder / "stderr", "wb") as stderr:
                self._process = subprocess.Popen(
                    command(side.python, WORKER, path, commands, answers),
                    stdin=subprocess.DEVNULL,
                    stdout=stdout,
                    stderr=stderr,
                    env=fixed_environment(job["threads"], side.env),
                    cwd=folder,
                    pass_fds=(commands, answers),
                    start_new_session=True,  # so that what the project starts ends with it
                )
        except OSError as error:
            os.close(self._commands)
            os.close(self._answers)
            raise SideFailed(side, "framework", "died", f"{side.python}: {error.strerror}", "") from None
        finally:
            os.close(commands)
            os.close(answers)

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether it can take another command."""
        return self._commands >= 0 and self._process.poll() is None

    def call(self, do: str, within: float | None = None, /, **command: Any) -> dict[str, Any]:
        """Do a command of ``checks.worker.side.commands``; its answer. Raises SideFailed.

        within: seconds, where it is to take no longer than these.
        """
        if self._commands < 0:
            raise SideFailed(self.side, self.stage, "died", "has ended before", "")
        read = (self.folder / "stderr").stat().st_size
        self.project = command.get("project", self.project)
        try:
            os.write(self._commands, json.dumps({"do": do, **command}).encode() + b"\n")
        except BrokenPipeError:
            raise self._ended(read) from None
        limit = min(self.timeout, within or self.timeout)
        deadline = time.monotonic() + limit
        while True:
            answer = self._line(deadline, limit, read)
            if "stage" in answer:
                self.stage = answer["stage"]
                self.on_stage(self.stage)
            elif "error" in answer:
                raise SideFailed(self.side, stderr=_tail(self.folder / "stderr", read), **answer["error"])
            else:
                for stage, spent in answer["seconds"].items():
                    self.seconds[stage] = round(self.seconds.get(stage, 0.0) + spent, 3)
                found: dict[str, Any] = answer["done"]
                return found

    def close(self) -> None:
        """End it, and all that it started."""
        if self._commands < 0:
            return
        os.close(self._commands)
        os.close(self._answers)
        self._commands = -1
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _line(self, deadline: float, limit: float, read: int) -> dict[str, Any]:
        while b"\n" not in self._unread:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._answers], [], [], left)[0]:
                raise self._hangs(limit, read)
            block = os.read(self._answers, 1 << 16)
            if not block:
                raise self._ended(read)
            self._unread += block
        line, self._unread = self._unread.split(b"\n", 1)
        found: dict[str, Any] = json.loads(line)
        return found

    def _hangs(self, limit: float, read: int) -> SideFailed:
        """Ask the process to say where it hangs, then end it."""
        self._process.send_signal(signal.SIGABRT)
        with contextlib.suppress(subprocess.TimeoutExpired):  # it may be unable even to abort
            self._process.wait(timeout=GRACE)
        self.close()
        return self._failed("timeout", f"did not end within {limit:g} s", read)

    def _ended(self, read: int) -> SideFailed:
        try:
            status = self._process.wait(timeout=GRACE)
        except subprocess.TimeoutExpired:  # it has closed its pipe and lives
            status = -signal.SIGKILL
        self.close()
        kind = "memory" if status == -signal.SIGKILL else "died"
        return self._failed(kind, _ending(status), read)

    def _failed(self, kind: str, message: str, read: int) -> SideFailed:
        """With the innermost line of the project that faulthandler names."""
        written = _written(self.folder / "stderr", read)
        frames = [f"{found[1]}:{found[2]}" for found in _FRAME.finditer("\n".join(written))]
        where = next((frame for frame in frames if self.project and frame.startswith(self.project + os.sep)), None)
        return SideFailed(self.side, self.stage, kind, message, "\n".join(_telling(written)), where=where)


_FRAME = re.compile(r'^ *File "(.+)", line (\d+) in ', re.MULTILINE)
_FATAL = "Fatal Python error"  # faulthandler's first line; the innermost frame comes first


def _written(path: Path, start: int) -> list[str]:
    with open(path, "rb") as file:
        file.seek(start)
        return file.read().decode("utf-8", errors="replace").splitlines()


def _telling(lines: list[str]) -> list[str]:
    """Those of a crash's stack that stand first, else the last."""
    fatal = next((number for number, line in enumerate(lines) if line.startswith(_FATAL)), None)
    return lines[-TAIL:] if fatal is None else lines[fatal : fatal + TAIL]


def _tail(path: Path, start: int) -> str:
    return "\n".join(_written(path, start)[-TAIL:])


def _ending(status: int) -> str:
    if status == -signal.SIGKILL:
        return "was killed (signal 9): usually the machine ran out of memory"
    if status < 0:
        return f"crashed ({signal.Signals(-status).name})"
    return f"ended with exit status {status}"
