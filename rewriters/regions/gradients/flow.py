"""Which gradients reach which reader: the events of a function followed through its branches and loops."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rewriters.infer.syntax import path_of
from rewriters.regions.gradients.events import Event, Kind
from rewriters.text.tree import walk

ENTRY, EMPTY = "entry", "empty"
"""In place of an event: what was there before the function ran, and nothing."""

Reaching = frozenset[object]


@dataclass
class Flow:
    """Of one group of parameters.

    before:   event -> what the gradients may hold when it comes: events that added, ``EMPTY``, ``ENTRY``.
    left:     what they may hold when the function ends.
    paths:    the modules whose gradients they are; renewed: where one of them becomes another while gradients of the
              one before are there. A module that comes by its name begins without.
    """

    of: Callable[[Event], bool]
    paths: tuple[str, ...] = ()
    before: dict[Event, Reaching] = field(default_factory=dict)
    left: Reaching = frozenset()
    renewed: list[ast.stmt] = field(default_factory=list)

    def follow(self, body: list[ast.stmt], events: list[Event]) -> None:
        """Fill in ``before`` and ``left`` for a function's body."""
        self.events: dict[ast.stmt, list[Event]] = {}
        for event in events:
            if self.of(event):
                self.events.setdefault(event.statement, []).append(event)
        self.breaks: list[Reaching] = []
        self.leaving: list[list[Reaching]] = []
        self.going_on: list[list[Reaching]] = []
        self.returned: list[Reaching] = []
        end = self.block(body, frozenset({ENTRY}))
        self.left = joined([*self.returned, end])

    def block(self, statements: list[ast.stmt], state: Reaching | None) -> Reaching | None:
        for statement in statements:
            if state is None:
                return None
            state = self.statement(statement, state)
        return state

    def statement(self, node: ast.stmt, state: Reaching) -> Reaching | None:
        if not isinstance(node, (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try)):
            state = self.happens(node, state)
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            state = self.bound(node, state)
        if isinstance(node, (ast.Return, ast.Raise)):
            self.returned.append(state)
            return None
        if isinstance(node, ast.Break) and self.leaving:
            self.leaving[-1].append(state)
            return None
        if isinstance(node, ast.Continue) and self.going_on:
            self.going_on[-1].append(state)
            return None
        if isinstance(node, ast.If):
            state = self.happens(node, state)
            return either(self.block(node.body, state), self.block(node.orelse, state))
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            return self.loop(node, self.happens(node, state))
        if isinstance(node, (ast.With, ast.AsyncWith)):
            return self.block(node.body, self.happens(node, state))
        if isinstance(node, ast.Try):
            return self.attempt(node, state)
        return state

    def bound(self, node: ast.stmt, state: Reaching) -> Reaching:
        """What is there once a statement has bound its names."""
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        parts = (part for whole in targets if whole is not None for part in walk(whole))
        bound = {path_of(part) for part in parts if isinstance(part, ast.expr)} - {None}
        if not any(path == name or path.startswith(f"{name}.") for path in self.paths for name in bound):
            return state
        if any(isinstance(one, Event) for one in state):
            self.renewed.append(node)
        return frozenset({EMPTY if isinstance(getattr(node, "value", None), ast.Call) else ENTRY})

    def loop(self, node: ast.For | ast.AsyncFor | ast.While, state: Reaching) -> Reaching | None:
        entry = state
        while True:
            self.leaving.append([])
            self.going_on.append([])
            end = self.block(node.body, entry if isinstance(node, ast.While) else self.bound(node, entry))
            broken, again = self.leaving.pop(), self.going_on.pop()
            turned = joined([entry, *again, end])
            if turned == entry:
                done = self.block(node.orelse, entry)
                return joined([*broken, done]) if broken or done is not None else None
            entry = turned

    def attempt(self, node: ast.Try, state: Reaching) -> Reaching | None:
        # An error may come after any statement of the body.
        states, now = [state], state
        after: Reaching | None = state
        for statement in node.body:
            after = self.statement(statement, now)
            if after is None:
                break
            states.append(after)
            now = after
        if after is not None:
            after = self.block(node.orelse, after)
        caught = [self.block(handler.body, joined(states)) for handler in node.handlers]
        for one in caught:
            after = either(after, one)
        return self.block(node.finalbody, after) if after is not None else None

    def happens(self, node: ast.stmt, state: Reaching) -> Reaching:
        for event in self.events.get(node, ()):
            self.before[event] = self.before.get(event, frozenset()) | state
            if event.kind is Kind.CLEAR:
                state = frozenset({EMPTY})
            elif event.kind is Kind.ADD:
                state = (state - {EMPTY}) | {event}
        return state


def joined(states: Sequence[Reaching | None]) -> Reaching:
    return frozenset().union(*(state for state in states if state is not None))


def either(one: Reaching | None, other: Reaching | None) -> Reaching | None:
    return None if one is None and other is None else joined([one, other])
