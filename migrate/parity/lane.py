"""One side of a session: its process, and its commands one after another beside the other side's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

from checks.parity.process import Interpreter, Process


class Lane:
    """Commands of one side, in the order in which they are given; each answer is a future.

    A process that has died or was ended is started anew for the next command, and set up as before.
    """

    def __init__(
        self,
        side: Interpreter,
        job: Mapping[str, Any],
        folder: Path,
        timeout: float,
        on_stage: Callable[[str], None],
    ) -> None:
        self.side, self.job, self.folder, self.timeout = side, job, folder, timeout
        self.on_stage = on_stage
        self._commands = ThreadPoolExecutor(1)
        self._changing, self._closed = Lock(), False
        self._setup: list[tuple[str, dict[str, Any]]] = []
        self.process = self._start()

    def _start(self) -> Process:
        return Process(
            self.side, self.job, self.folder, self.timeout, lambda stage: self.on_stage(f"{self.side.title}: {stage}")
        )

    def begin(self, on_stage: Callable[[str], None]) -> None:
        """Another check begins in this process."""
        self.on_stage, self.process.seconds = on_stage, {}
        self.forget_setup()

    def wait(self) -> None:
        """Until all that was submitted is done."""
        self.submit(lambda: None).result()

    def forget_setup(self) -> None:
        """What is set up from now on is another project."""
        self._setup = []

    def set_up(self, do: str, **command: Any) -> dict[str, Any]:
        """Do a command now, and again whenever the process is started anew. Raises SideFailed."""
        done = self.call(do, **command)
        self.repeat(do, **command)
        return done

    def repeat(self, do: str, **command: Any) -> None:
        """Have a command done whenever the process is started anew."""
        self._setup.append((do, command))

    def call(self, do: str, within: float | None = None, /, **command: Any) -> dict[str, Any]:
        """Do a command now, in so many seconds where they are fewer than all commands have. Raises SideFailed;
        CancelledError where the lane was closed.
        """
        with self._changing:
            if self._closed:
                raise CancelledError(f"{self.side.title}: {do}: the check has ended")
            ended = not self.process.alive
            if ended:
                self.process.close()
                self.process = self._start()
        if ended:
            for before, options in self._setup:
                self.process.call(before, **options)
        return self.process.call(do, within, **command)

    def submit(self, work: Callable[[], Any]) -> Future[Any]:
        """Have it done after what was submitted before."""
        return self._commands.submit(work)

    def close(self) -> None:
        """End the process; what waits is not begun, and what goes on has no process started for it any more."""
        with self._changing:
            self._closed = True
            self.process.close()
        self._commands.shutdown(wait=True, cancel_futures=True)
