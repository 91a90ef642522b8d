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
COLLECTING = 5  # own turns, after which it is looked for what they have left behind


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


class Turns:
    """Work that is being spread: so many processes at once, this one among them.

    waiting, running, done: turns that nobody has begun, who does others, files with what came out of those that are
                            done: it is much, and nobody asks for it before the end.
    """

    def __init__(self, work: Callable[[int], Any], turns: int, jobs: int) -> None:
        self.work, self.turns, self.jobs = work, turns, jobs
        self.waiting: Iterator[int] = iter(range(1, turns))
        self.running: list[Child] = []
        self.done: dict[int, IO[bytes]] = {}

    def all_done(self) -> Iterable[Any]:
        """What came out of them, in their order."""
        gc.freeze()  # what there is: what a turn leaves behind is soon found among the rest
        try:
            self.fill(self.jobs - 1)
            # One turn is done here: what it has to load and to remember, those that follow have.
            self.done[0] = kept(self.work(0))
            # And others, unless one works at a time: this process would keep the memory that is read meanwhile.
            for number, turn in enumerate(self.waiting if self.jobs > 1 else (), 1):
                self.done[turn] = kept(self.work(turn))
                if number % COLLECTING == 0:
                    gc.collect()
                    gc.freeze()  # what it has kept: it is not gone through again
            self.fill(1)
            while self.running:
                self.look_after(wait=True)
        except BaseException:
            end(self.running)
            raise
        finally:
            gc.unfreeze()
        # What a process has failed at is done here, and fails here.
        return [result(self.done.pop(turn)) if turn in self.done else self.work(turn) for turn in range(self.turns)]

    def fill(self, size: int) -> None:
        """Have so many others work, as long as there are turns."""
        while len(self.running) < size and (turn := next(self.waiting, None)) is not None:
            self.running.append(start(self.work, turn))

    def look_after(self, *, wait: bool = False) -> None:
        for child in finished(self.running, wait) if self.running else ():
            self.running.remove(child)
            self.fill(max(self.jobs - 1, 1))
            if child.wait():
                self.done[child.turn] = child.results


class Forks:
    """The engine's ``Workers``: so many processes at once, this one among them. Where one works at a time that bounds
    memory alone.

    spreading: what is being spread by this process.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.spreading: Turns | None = None

    def spread(self, work: Callable[[int], T], turns: int) -> Iterable[T]:
        if turns == 1 or not hasattr(os, "fork"):
            return map(work, range(turns))

        def turn_apart(turn: int) -> T:
            if os.getpid() != own:
                self.spreading = None  # that of the process that it was forked from
            return work(turn)

        own, before = os.getpid(), self.spreading
        self.spreading = Turns(turn_apart, turns, self.jobs)
        try:
            return self.spreading.all_done()
        finally:
            self.spreading = before

    def look_after(self) -> None:
        if self.spreading is not None:
            self.spreading.look_after()

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
        found: T = result(child.results)
        return found
    return work()  # it fails here, too


def kept(what: object) -> IO[bytes]:
    """A file that holds it."""
    held = TemporaryFile()  # noqa: SIM115  # closed when it has been read
    pickle.dump(what, held)
    return held


def result(held: IO[bytes]) -> Any:
    """What a file holds; asked for once."""
    with held:
        held.seek(0)
        return pickle.load(held)


def end(running: list[Child]) -> None:
    """What they do is not wanted any more."""
    for child in running:
        os.kill(child.pid, signal.SIGKILL)
        child.wait()


def finished(running: list[Child], wait: bool) -> list[Child]:
    """Those that have ended; wait: for one, at least."""
    ready, _, _ = select.select([child.ending for child in running], [], [], None if wait else 0)
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
