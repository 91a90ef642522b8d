"""Inference of very many files in two halves, each by a process of its own.

Both have all trees. Each interprets its half, and after each round they tell each other what has changed
(``exchange``); at the end one takes what the other has found at its nodes (``found``). Which files are whose, and what
each knows when it interprets them, does not depend on whether both work at once: so neither does what comes out.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from functools import partial

from rewriters.infer.cells import reading
from rewriters.infer.exchange import Exchange, Learned
from rewriters.infer.found import Numbers, found_in, given_in, in_batches, take, take_given
from rewriters.infer.statements import Interpreter
from rewriters.infer.summaries import Summaries
from rewriters.infer.values import ModuleInfo, Value
from rewriters.workers import Channel, Workers

ROUNDS = 5
# Of these, stores under names that are not known wait: they would reach every attribute of the object.
EARLY = 2
# Before what is told: whether it is what was found, or what went wrong.
DONE, FAILED = b"+", b"-"
Modules = Sequence[ModuleInfo]
Interpreting = Callable[[], Learned]
Telling = Callable[[Interpreting], tuple[Learned, Learned]]


class Fault(ValueError):
    """What the other process has failed with, at some file; of a class named as what was raised there."""


class Ended(RuntimeError):
    """The other process has ended, and says nothing of why: the system has ended it, or it has crashed."""


def infer_in_lanes(project: Summaries, modules: Modules, workers: Workers) -> bool:
    """As ``Project.infer``; False where there is no other process, and nothing has been done but what helps.

    modules: all, in the order in which they are interpreted.
    """
    project.open, project.round = True, 0
    project.touch(project.openness)
    for module in modules:
        Interpreter(project, module).read()
    halves = in_halves(modules)
    exchange = Exchange(project)
    channel = workers.beside(partial(other_half, exchange, halves[1]))
    if channel is None:
        return False
    try:
        interpret(exchange, halves[0], lambda learned: in_turn(exchange, channel, learned))
        values: list[Value] = []
        for some in in_batches(halves[1]):
            take(exchange.unpack(received(exchange, channel)), some, values)
        take_given(exchange.unpack(received(exchange, channel)))
    finally:
        channel.close()
    return True


def in_halves(modules: Modules) -> tuple[list[ModuleInfo], list[ModuleInfo]]:
    """Two halves of about the same number of nodes, files with similar names together."""
    sizes = {module: sum(map(len, module.nodes.by_class.values())) for module in modules}
    whole, done = sum(sizes.values()), 0
    first = set()
    for module in sorted(modules, key=lambda module: module.name):
        if done * 2 < whole:
            first.add(module)
        done += sizes[module]
    return [one for one in modules if one in first], [one for one in modules if one not in first]


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
    reading.cells = set()
    project.looked_up.clear()
    for info in project.functions.values():
        info.last = None
    for module in exchange.modules:
        module.last = None


def in_turn(exchange: Exchange, channel: Channel, learned: Interpreting) -> tuple[Learned, Learned]:
    """A round of the first half: it tells first."""
    mine = learned()
    channel.send(DONE + exchange.pack(mine))
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
    return data[1:]


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
        channel.send(DONE + exchange.pack(mine))
        return mine, exchange.unpack(theirs[1:])

    try:
        interpret(exchange, own, turn)
        numbers = Numbers()
        for some in in_batches(own):
            channel.send(DONE + exchange.pack(found_in(some, numbers)))
        channel.send(DONE + exchange.pack(given_in(exchange.project.functions.values())))
    except EOFError:
        return  # the first process has failed
    except MemoryError:
        raise  # of no file's making
    except Exception as error:
        channel.send(FAILED + pickle.dumps((exchange.numbers[exchange.at], type(error).__name__, str(error))))
