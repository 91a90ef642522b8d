"""Turns of one piece of work, each in a process of its own that is forked: it sees all that is known, copies what it
changes, and what it has copied is gone with it.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")
CHUNK = 1 << 16  # bytes: what a pipe holds


@dataclass
class Child:
    """A process that does one turn. results: where what comes out of it is read."""

    turn: int
    pid: int
    results: int
    data: bytearray = field(default_factory=bytearray)


def spread_over(jobs: int) -> Callable[[Callable[[int], T], int], Iterable[T]]:
    """What does the work of several turns, so many at once, where the system can fork; results in their order.

    Where one works at a time that bounds memory alone.
    """

    def spread(work: Callable[[int], T], turns: int) -> Iterable[T]:
        if turns == 1 or not hasattr(os, "fork"):
            return map(work, range(turns))
        waiting = iter(range(1, turns))
        running = [start(work, turn) for _, turn in zip(range(jobs - 1), waiting, strict=False)]
        # One turn is done here: what it has to load and to remember, those that follow have.
        done = {0: work(0)}
        running += [start(work, turn) for turn in next_of(waiting)]
        while running:
            for child in finished(running):
                running.remove(child)
                running += [start(work, turn) for turn in next_of(waiting)]
                if os.waitpid(child.pid, 0)[1] == 0:
                    done[child.turn] = pickle.loads(child.data)
        # What a process has failed at is done here, and fails here.
        return [done[turn] if turn in done else work(turn) for turn in range(turns)]

    return spread


def apart(work: Callable[[], T]) -> T:
    """What the work gives, done in another process where the system can fork: what it took is gone at once."""
    if not hasattr(os, "fork"):
        return work()
    child = start(lambda turn: work(), 0)
    while not finished([child]):
        pass
    if os.waitpid(child.pid, 0)[1] == 0:
        found: T = pickle.loads(child.data)
        return found
    return work()  # it fails here, too


def next_of(waiting: Iterator[int]) -> list[int]:
    """The next turn, or none."""
    turn = next(waiting, None)
    return [] if turn is None else [turn]


def finished(running: list[Child]) -> list[Child]:
    """Those of which all is read; waits until something can be read."""
    ready, _, _ = select.select([child.results for child in running], [], [])
    ended = []
    for child in running:
        if child.results in ready:
            data = os.read(child.results, CHUNK)
            child.data += data
            if not data:
                os.close(child.results)
                ended.append(child)
    return ended


def start(work: Callable[[int], T], turn: int) -> Child:
    """Begin a turn in another process."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return Child(turn, pid, reading)
    status = 1
    gc.disable()  # what is left over goes with the process
    try:
        data = pickle.dumps(work(turn))
        with os.fdopen(writing, "wb") as stream:
            stream.write(data)
        status = 0
    finally:
        os._exit(status)  # nothing of the parent's is to be ended or written twice
