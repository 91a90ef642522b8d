"""A command run to its end, and what it took: seconds, seconds of processors, memory of all its processes together."""

from __future__ import annotations

import resource
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

OFTEN = 0.5  # seconds between two looks at the memory


@dataclass(frozen=True)
class Ended:
    """code: exit status. processor_seconds: of all its processes that ended with it.
    peak_mb: the most that its processes held together when it was looked, each page of theirs once (Linux's PSS)."""

    code: int
    output: str
    errors: str
    seconds: float
    processor_seconds: float
    peak_mb: float


def watched(command: Sequence[str], environ: Mapping[str, str]) -> Ended:
    """Runs one command; no other child of this process may run beside it, since their processor time is one sum."""
    before, start = processor_seconds(), time.monotonic()
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(environ))
    seen = [0.0]
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(OFTEN):
            seen.append(sum(map(held_mb, family_of(running.pid))))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        output, errors = running.communicate()
    finally:
        ended.set()
        looking.join()
    seconds = time.monotonic() - start
    return Ended(running.returncode, output, errors, seconds, processor_seconds() - before, max(seen))


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def family_of(pid: int) -> list[int]:
    """A process and its descendants, those that still are there."""
    found = [pid]
    for one in found:
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found += map(int, task.read_text().split())
            except OSError:  # it has ended
                continue
    return found


def held_mb(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
