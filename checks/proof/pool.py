"""Worker processes that execute samples: a crash or a hang costs the one sample that caused it."""

from __future__ import annotations

import json
import queue
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from checks.starting import Process, ending

WORKER = "worker.samples.tasks"
CRASHES = 16  # of one name's samples, each in several forms, after which its others are left out
HANGING = 5  # how many crashes one that hangs counts as: it takes as long as several


@dataclass(frozen=True)
class Job:
    """A file of tasks. Its results lie in ``out``: results.jsonl, and the arrays in results.bin.

    folder:  holds the converted modules.
    forget:  modules of that folder which other jobs have too, under the same name.
    """

    folder: Path
    tasks: Path
    out: Path
    forget: tuple[str, ...] = ()


@dataclass
class Ended:
    """What did not come to an end: task number -> how it ended."""

    tasks: dict[int, str] = field(default_factory=dict)


class Pool:
    """Runs jobs on a few workers.

    seconds:  that one task may take.
    """

    def __init__(
        self, python: Path, env: Mapping[str, str], runtime: Path, log: Path, workers: int = 2, seconds: float = 120.0
    ) -> None:
        self.python, self.env, self.runtime, self.log = python, env, runtime, log
        self.workers = workers
        self.seconds = seconds
        self.crashes: Counter[str] = Counter()
        self.failure: BaseException | None = None

    def run(self, jobs: list[Job], done: Callable[[Job, Ended], None]) -> None:
        """Run all jobs; ``done`` is called after each, from the workers' threads, one at a time."""
        waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
        for job in jobs:
            waiting.put(job)
        lock = threading.Lock()
        threads = [
            threading.Thread(target=self.serve, args=(waiting, done, lock), daemon=True)
            for _ in range(min(self.workers, len(jobs)))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.failure is not None:
            raise self.failure

    def serve(self, waiting: queue.SimpleQueue[Job], done: Callable[[Job, Ended], None], lock: threading.Lock) -> None:
        process: Process | None = None
        try:
            while self.failure is None:
                try:
                    job = waiting.get_nowait()
                except queue.Empty:
                    return
                ended = Ended()
                process = self.run_job(job, process, ended)
                with lock:
                    done(job, ended)
        except BaseException as error:
            self.failure = error
        finally:
            if process is not None:
                process.end()

    def start(self) -> Process:
        return Process(self.python, self.env, WORKER, self.runtime, self.log).started(self.log)

    def run_job(self, job: Job, process: Process | None, ended: Ended) -> Process | None:
        """Send the job, again from the next task on after each crash; the process for the next job."""
        tasks = json.loads(job.tasks.read_text(encoding="utf-8"))
        job.out.mkdir(parents=True, exist_ok=True)
        for name in ("results.jsonl", "results.bin", "done.json"):
            (job.out / name).unlink(missing_ok=True)
        start = 0
        while start < len(tasks):
            # A written sample has no name of its own: each is tried.
            skip = [n for n in range(start, len(tasks)) if tasks[n]["key"] and self.crashes[tasks[n]["key"]] >= CRASHES]
            for number in skip:
                ended.tasks[number] = f"not run: {CRASHES} samples of {tasks[number]['key']} had crashed or hung"
            if process is None:
                process = self.start()
            process.send(
                {
                    "folder": str(job.folder),
                    "forget": list(job.forget),
                    "tasks": str(job.tasks),
                    "start": start,
                    "skip": skip,
                    "out": str(job.out),
                }
            )
            at, how = self.watch(process)
            if how == "done":
                return process
            status = process.end()
            process = None
            if at is None:
                raise RuntimeError(f"{job.tasks}: the worker ended before its first task (status {status})")
            ended.tasks[at] = f"no result within {self.seconds:g} s" if how == "hangs" else ending(status)
            self.crashes[tasks[at]["key"]] += HANGING if how == "hangs" else 1
            for number in skip:
                if number > at:
                    ended.tasks.pop(number)
            start = at + 1
        return process

    def watch(self, process: Process) -> tuple[int | None, str]:
        """(the task that it was at, how it ended: done, died, hangs)."""
        at: int | None = None
        while True:
            line = process.hear(self.seconds)
            if line == "done":
                return at, "done"
            if line is None:
                return at, "hangs"
            if line == "":
                return at, "died"
            at = int(line)
