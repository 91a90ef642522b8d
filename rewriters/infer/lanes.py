"""Inference of very many files in two halves, each by a process of its own.

Both have all trees. Each interprets its half, and after each round they tell each other what has changed
(``exchange``); at the end one takes what the other has found at its nodes (``found``). Which files are whose, and what
each knows when it interprets them, does not depend on whether both work at once: so neither does what comes out.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from rewriters.infer.exchange import Exchange, Learned
from rewriters.infer.found import Numbers, found_in, given_in, in_batches, take, take_given
from rewriters.infer.statements import Interpreter
from rewriters.infer.summaries import Summaries
from rewriters.infer.values import ModuleInfo, Value
from rewriters.workers import Channel, Workers

ROUNDS = 5
# Of these, stores under names that are not known wait: they would reach every attribute of the object.
EARLY = 2
# Before what went wrong, in place of ``exchange.DONE``, which is before what was found.
FAILED = b"-"
Modules = Sequence[ModuleInfo]
# What the first process interprets, and what the second.
Halves = tuple[Modules, Modules]
Interpreting = Callable[[], Learned]
Telling = Callable[[Interpreting], tuple[Learned, Learned]]


class Fault(ValueError):
    """What the other process has failed with, at some file; of a class named as what was raised there."""


class Ended(RuntimeError):
    """The other process has ended, and says nothing of why: the system has ended it, or it has crashed."""


def infer_in_lanes(project: Summaries, modules: Modules, workers: Workers, halves: Halves) -> bool:
    """As ``Project.infer``; False where there is no other process, and nothing has been done but what helps.

    modules: all, in the order in which they are interpreted; halves: which of them each process interprets.
    """
    read(project, modules)
    exchange = Exchange(project)
    channel = workers.beside(partial(other_half, exchange, halves[1]))
    if channel is None:
        return False
    try:
        first_half(exchange, halves, channel)
    finally:
        channel.close()
    return True


def infer_from_outlines(
    begin: Callable[[bool], tuple[Summaries, Modules, Halves]],
    complete: Callable[[Summaries, Modules], None],
    workers: Workers,
) -> Summaries | None:
    """The same of files so many that no process is to have all trees before the other has ended. None where there is no
    other process.

    begin:    reads the files, those of the first half or else of the second whole, the others in outline: the project,
              its files in order, and their halves.
    complete: reads those whole that were read in outline.
    """

    def half(first: bool) -> tuple[Exchange, Halves]:
        project, modules, halves = begin(first)
        read(project, modules)
        return Exchange(project), halves

    def other(channel: Channel) -> None:
        if not channel.at_once:
            channel.receive()
        exchange, halves = half(False)
        other_half(exchange, halves[1], channel)

    channel = workers.beside(other)
    if channel is None:
        return None
    try:
        exchange, halves = half(True)
        if not channel.at_once:
            channel.send(b"")
        first_half(exchange, halves, channel, complete)
    finally:
        channel.close()
    return exchange.project


def read(project: Summaries, modules: Modules) -> None:
    """Interpret the statements of the files themselves, again where files import from one another, so that no body of a
    function is interpreted without what is around it.
    """
    project.open, project.round = True, 0
    project.touch(project.openness)
    for _ in range(ROUNDS):
        waiting = [module for module in modules if not Interpreter(project, module).holds()]
        for module in waiting:
            Interpreter(project, module).read()
        if not waiting:
            break


def first_half(
    exchange: Exchange,
    halves: Halves,
    channel: Channel,
    complete: Callable[[Summaries, Modules], None] | None = None,
) -> None:
    """What the first process does; complete: as of ``infer_from_outlines``."""
    own, theirs = halves
    interpret(exchange, own, lambda learned: in_turn(exchange, channel, learned))
    batches = list(in_batches(theirs))
    told: Iterable[bytes] = (received(exchange, channel) for _ in range(len(batches) + 1))
    if complete is not None:
        told = list(told)
        channel.close()
        complete(exchange.project, theirs)
    values: list[Value] = []
    for some, data in zip([*batches, None], told, strict=True):
        if some is None:
            take_given(exchange.unpack(data))
        else:
            take(exchange.unpack(data), some, values)


def halves_of(modules: Modules, first: frozenset[str]) -> Halves:
    """The modules whose names are among the first, and the others, each in order."""
    return [one for one in modules if one.name in first], [one for one in modules if one.name not in first]


def in_halves(sizes: Mapping[str, int]) -> frozenset[str]:
    """Of files by their names those of the first half: about half of all in size, files with similar names together."""
    whole, done = sum(sizes.values()), 0
    first = set()
    for name in sorted(sizes):
        if 2 * done + sizes[name] <= whole:
            first.add(name)
        done += sizes[name]
    return frozenset(first)


def interpret(exchange: Exchange, own: Modules, tell: Telling) -> None:
    """The rounds of one half.

    tell: interprets by calling what it is given, and gives what both have learned.
    """
    project = exchange.project
    exchange.own = frozenset(own)

    def learned() -> Learned:
        since = project.clock
        for exchange.at in own:
            Interpreter(project, exchange.at).run()
        return exchange.learned(since)

    for project.open in (True, False):
        if not project.open:
            project.touch(project.openness)
        for project.round in range(ROUNDS):
            early = project.open and project.round < EARLY
            if project.early and not early:
                project.touch(project.earliness)
            project.early = early
            project.changed = False
            project.touch(project.rounds)
            since = project.clock
            mine, theirs = tell(learned)
            exchange.learn(theirs, since)
            if mine.nothing and theirs.nothing:
                break
    project.settled()


def in_turn(exchange: Exchange, channel: Channel, learned: Interpreting) -> tuple[Learned, Learned]:
    """A round of the first half: it tells first."""
    mine = learned()
    channel.send(exchange.pack(mine))
    return mine, exchange.unpack(received(exchange, channel))


def received(exchange: Exchange, channel: Channel) -> bytes:
    """What the second half tells. Raises Fault where it has failed, Ended where it is gone."""
    try:
        data = channel.receive()
    except EOFError as error:
        raise Ended("a process that inferred half of the files has ended before it was done") from error
    if data[:1] == FAILED:
        number, kind, why = pickle.loads(data[1:])
        fail(exchange.modules[number], kind, why)
    return data


def fail(module: ModuleInfo, kind: str, why: str) -> None:
    """Raise what the other process has failed with at the module, as if it had happened here."""
    raise type(kind, (Fault,), {})(why)


def other_half(exchange: Exchange, own: Modules, channel: Channel) -> None:
    """What the second process does."""

    exchange.first = False

    def turn(learned: Interpreting) -> tuple[Learned, Learned]:
        if channel.at_once:
            mine = learned()
            theirs = channel.receive()
        else:
            theirs = channel.receive()
            mine = learned()
        channel.send(exchange.pack(mine))
        return mine, exchange.unpack(theirs)

    try:
        interpret(exchange, own, turn)
        numbers = Numbers()
        for some in in_batches(own):
            channel.send(exchange.pack(found_in(some, numbers)))
        channel.send(exchange.pack(given_in(exchange.project.functions.values())))
    except EOFError:
        return  # the first process has failed
    except MemoryError:
        raise  # of no file's making
    except Exception as error:
        channel.send(FAILED + pickle.dumps((exchange.numbers[exchange.at], type(error).__name__, str(error))))
