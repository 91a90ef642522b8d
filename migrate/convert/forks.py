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
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, Any, TypeVar

from rewriters.workers import Channel

T = TypeVar("T")
LENGTH = struct.Struct("!Q")  # before each message


@dataclass
class Child:
    """A process that does one turn.

    ending:  a pipe's end, of which nothing more can be read once it has ended.
    results: where it puts what comes out: a file, as it would wait with all its memory until a pipe is read.
    """

    turn: int
    pid: int
    ending: int
    results: IO[bytes]

    def wait(self) -> bool:
        """For its end; whether it has done its work."""
        os.close(self.ending)
        done = os.waitpid(self.pid, 0)[1] == 0
        if not done:
            self.results.close()
        return done

    def result(self) -> Any:
        """What came out; asked for once."""
        with self.results:
            self.results.seek(0)
            return pickle.load(self.results)


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
                if child.wait():
                    done[child.turn] = child.result()
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
            self.pid = 0


def apart(work: Callable[[], T]) -> T:
    """What the work gives, done in another process where the system can fork: what it took is gone at once."""
    if not hasattr(os, "fork"):
        return work()
    child = start(lambda turn: work(), 0)
    if child.wait():
        found: T = child.result()
        return found
    return work()  # it fails here, too


def end(running: list[Child]) -> None:
    """What they do is not wanted any more."""
    for child in running:
        os.kill(child.pid, signal.SIGKILL)
        child.wait()


def next_of(waiting: Iterator[int]) -> list[int]:
    """The next turn, or none."""
    turn = next(waiting, None)
    return [] if turn is None else [turn]


def finished(running: list[Child]) -> list[Child]:
    """Those that have ended; waits for one."""
    ready, _, _ = select.select([child.ending for child in running], [], [])
    return [child for child in running if child.ending in ready]


def start(work: Callable[[int], T], turn: int) -> Child:
    """Begin a turn in another process."""
    ending, until = os.pipe()
    results = TemporaryFile()  # noqa: SIM115  # closed when it has been read
    pid = os.fork()
    if pid:
        os.close(until)
        return Child(turn, pid, ending, results)
    status = 1
    gc.disable()  # what is left over goes with the process
    try:
        pickle.dump(work(turn), results)
        results.flush()
        status = 0
    finally:
        os._exit(status)  # nothing of the parent's is to be ended or written twice
