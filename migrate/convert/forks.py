"""Turns of one piece of work, each in a process of its own that is forked: it sees all that is known, copies what it
changes, and what it has copied is gone with it.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from rewriters.workers import Channel

T = TypeVar("T")
CHUNK = 1 << 16  # bytes: what a pipe holds
LENGTH = struct.Struct("!Q")  # before each message


@dataclass
class Child:
    """A process that does one turn. results: where what comes out of it is read."""

    turn: int
    pid: int
    results: int
    data: bytearray = field(default_factory=bytearray)


class Forks:
    """The engine's ``Workers``: so many processes at once. Where one works at a time that bounds memory alone."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def spread(self, work: Callable[[int], T], turns: int) -> Iterable[T]:
        if turns == 1 or not hasattr(os, "fork"):
            return map(work, range(turns))
        waiting = iter(range(1, turns))
        running = [start(work, turn) for _, turn in zip(range(self.jobs - 1), waiting, strict=False)]
        # One turn is done here: what it has to load and to remember, those that follow have.
        try:
            done = {0: work(0)}
        except BaseException:
            end(running)
            raise
        running += [start(work, turn) for turn in next_of(waiting)]
        while running:
            for child in finished(running):
                running.remove(child)
                running += [start(work, turn) for turn in next_of(waiting)]
                if os.waitpid(child.pid, 0)[1] == 0:
                    done[child.turn] = pickle.loads(child.data)
        # What a process has failed at is done here, and fails here.
        return [done[turn] if turn in done else work(turn) for turn in range(turns)]

    def beside(self, work: Callable[[Channel], None]) -> Channel | None:
        if not hasattr(os, "fork"):
            return None
        (from_here, to_other), (from_other, to_here) = os.pipe(), os.pipe()
        at_once = self.jobs > 1
        pid = os.fork()
        if pid:
            os.close(from_here)
            os.close(to_here)
            return Pipes(from_other, to_other, at_once, pid)
        status = 1
        gc.disable()
        try:
            os.close(from_other)
            os.close(to_other)
            work(Pipes(from_here, to_here, at_once))
            status = 0
        finally:
            os._exit(status)


class Pipes:
    """A channel between this process and one that was forked; pid: that one's, which is waited for at the end."""

    def __init__(self, reading: int, writing: int, at_once: bool, pid: int = 0) -> None:
        self.reading, self.writing = os.fdopen(reading, "rb"), os.fdopen(writing, "wb", buffering=0)
        self.at_once, self.pid = at_once, pid

    def send(self, data: bytes) -> None:
        try:
            for part in (LENGTH.pack(len(data)), data):
                view = memoryview(part)
                while view:
                    view = view[self.writing.write(view) :]
        except BrokenPipeError:
            pass  # it has ended: what is received says so

    def receive(self) -> bytes:
        (length,) = LENGTH.unpack(self.exactly(LENGTH.size))
        return self.exactly(length)

    def exactly(self, length: int) -> bytes:
        data = self.reading.read(length)
        if len(data) < length:
            raise EOFError("the other process has ended")
        return data

    def close(self) -> None:
        self.reading.close()
        self.writing.close()
        if self.pid:
            os.waitpid(self.pid, 0)


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


def end(running: list[Child]) -> None:
    """What they do is not wanted any more."""
    for child in running:
        os.kill(child.pid, signal.SIGKILL)
        os.close(child.results)
        os.waitpid(child.pid, 0)


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
