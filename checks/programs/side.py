"""One framework's side of a program: a worker process that is kept, and started anew after a crash or a hang."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from checks.starting import Process, ending

WORKER = "worker.programs"


@dataclass(frozen=True)
class Ran:
    """What one run of a program did.

    shown:  what it handed to ``show``, call by call (see ``checks.worker.programs``).
    error:  type, classes, message, at; None where it ran to its end.
    crash:  how the process ended, "" where it lives.
    warned: whether a helper said that what it does is not what torch does.
    """

    shown: list[Any] = field(default_factory=list)
    error: dict[str, Any] | None = None
    crash: str = ""
    out: str = ""
    warned: bool = False


class Side:
    """Runs programs in one interpreter; to be closed."""

    def __init__(self, python: Path, env: Mapping[str, str], runtime: Path, log: Path) -> None:
        self.python, self.env, self.runtime, self.log = python, env, runtime, log
        self.process: Process | None = None

    def start(self) -> Process:
        return Process(self.python, self.env, WORKER, self.runtime, self.log).started(self.log)

    def run(self, folder: Path, main: str, seconds: float = 30.0) -> Ran:
        """Run ``main`` in ``folder``, which holds all that it imports of its own."""
        process = self.given({"folder": str(folder), "main": main})
        line = process.hear(seconds)
        if line:
            return Ran(**json.loads(line))
        status = process.end()
        self.process = None
        return Ran(crash=f"no result within {seconds:g} s" if line is None else ending(status))

    def given(self, job: dict[str, str]) -> Process:
        """The process, which has the job. One that died since it answered had no part in it: the next one gets it."""
        if self.process is not None:
            try:
                self.process.send(job)
            except BrokenPipeError:
                self.close()
        if self.process is None:
            self.process = self.start()
            self.process.send(job)
        return self.process

    def close(self) -> None:
        if self.process is not None:
            self.process.end()
            self.process = None
