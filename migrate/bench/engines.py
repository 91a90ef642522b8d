"""Processes that run an exported model, side by side."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import select
import signal
import subprocess
import time
from pathlib import Path
from types import TracebackType

import numpy as np

from checks.starting import fixed_environment
from migrate.errors import Unusable
from migrate.export.check import Against
from migrate.serving.rows import batch_axis, drawn

RUN = Path(__file__).parent / "worker" / "run_engine.py"
START = 300.0


class Pool:
    """So many processes with the artefact, each with so many threads. To be used in ``with``."""

    def __init__(self, found: Against, processes: int, threads: int, batches: tuple[int, ...], folder: Path) -> None:
        """batches: those that may be asked for. folder: for what it writes. Raises Unusable where it does not load."""
        self.found, self.processes, self.threads = found, processes, threads
        self.lanes: list[tuple[subprocess.Popen[bytes], int]] = []
        folder.mkdir(parents=True)
        axis, _ = batch_axis(found.manifest)
        inputs = {}
        for batch in batches:
            inputs[str(batch)] = str(folder / f"{batch}.npz")
            np.savez(inputs[str(batch)], **drawn(found.manifest, {axis: batch} if axis else {}, 0))
        job = {
            "tools": str(found.tools), "folder": str(found.folder.resolve()),
            "manifest": dataclasses.asdict(found.manifest), "threads": threads, "inputs": inputs,
        }  # fmt: skip
        (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
        try:
            for number in range(processes):
                self.lanes.append(self.start(folder / "job.json", folder / f"log-{number}"))
            for lane in self.lanes:
                said = self.hear(lane, START)
                if said != "ready":
                    raise Unusable(f"{found.folder}: {found.other.title}: {said or 'ended'}", "export the model again")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def start(self, job: Path, log: Path) -> tuple[subprocess.Popen[bytes], int]:
        """A process, and what to read from it."""
        interpreter = self.found.other.interpreter
        reading, writing = os.pipe()
        with log.open("wb") as out:
            process = subprocess.Popen(
                [str(interpreter.python), "-W", "ignore", str(RUN), str(job), str(writing)],
                stdin=subprocess.PIPE, stdout=out, stderr=out, env=fixed_environment(self.threads, interpreter.env),
                pass_fds=[writing], start_new_session=True,
            )  # fmt: skip
        os.close(writing)
        return process, reading

    def rate(self, batch: int, seconds: float) -> float:
        """Calls a second of all processes together, all at once. Raises Unusable where one has ended."""
        for process, _ in self.lanes:
            assert process.stdin is not None
            process.stdin.write(f"{batch} {seconds}\n".encode())
            process.stdin.flush()
        found = 0.0
        for lane in self.lanes:
            said = self.hear(lane, START + seconds)
            if not said:
                raise Unusable(f"{self.found.folder}: {self.found.other.title} has ended", "see that `check` runs it")
            calls, elapsed = said.split()
            found += int(calls) / float(elapsed)
        return found

    def hear(self, lane: tuple[subprocess.Popen[bytes], int], timeout: float) -> str:
        """The next line; "" where there is none."""
        said, deadline = b"", time.monotonic() + timeout
        while not said.endswith(b"\n"):
            if not select.select([lane[1]], [], [], max(0.0, deadline - time.monotonic()))[0]:
                return ""
            part = os.read(lane[1], 4096)
            if not part:
                return said.decode().strip()
            said += part
        return said.decode().strip()

    def close(self) -> None:
        """End them."""
        for process, reading in self.lanes:
            with contextlib.suppress(ProcessLookupError):  # it has ended, and left nothing
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if process.stdin is not None:
                with contextlib.suppress(BrokenPipeError):
                    process.stdin.close()
            os.close(reading)
        self.lanes = []
