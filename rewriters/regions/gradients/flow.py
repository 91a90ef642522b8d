"""Which gradients reach which reader: the events of a function followed through its branches and loops."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rewriters.regions.gradients.events import Event, Kind

ENTRY, EMPTY = "entry", "empty"
"""In place of an event: what was there before the function ran, and nothing."""

Reaching = frozenset[object]


@dataclass
class Flow:
    """Of one group of parameters.

    before:   event -> what the gradients may hold when it comes: events that added, ``EMPTY``, ``ENTRY``.
    left:     what they may hold when the function ends.
    """

    of: Callable[[Event], bool]
    before: dict[Event, Reaching] = field(default_factory=dict)
    left: Reaching = frozenset()

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

    def loop(self, node: ast.For | ast.AsyncFor | ast.While, state: Reaching) -> Reaching | None:
        entry = state
        while True:
            self.leaving.append([])
            self.going_on.append([])
            end = self.block(node.body, entry)
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
