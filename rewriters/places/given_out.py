"""Copies that functions of the project give (``return x.chunk(2)``), where a caller changes what they are of."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Protocol

from rewriters.infer.values import FunctionInfo, FunctionOf, ModuleInfo
from rewriters.places.changes import Change
from rewriters.places.effect import Effect
from rewriters.places.events import Events
from rewriters.places.flow import Flow
from rewriters.places.sites import above


class Known(Protocol):
    """What is known of a project's places; as of ``Places``, which looks in here."""

    @property
    def objects(self) -> bool: ...
    def flow(self, node: ast.AST) -> Flow: ...
    def effect(self, call: ast.Call) -> Effect | FunctionOf: ...
    def may_become_other(self, node: ast.AST, module: ModuleInfo) -> bool: ...
    def may_change(self, node: ast.AST, module: ModuleInfo) -> bool: ...
    def events(self, module: ModuleInfo) -> Events: ...
    def looked_at(self, function: ast.AST | None, module: ModuleInfo) -> list[tuple[ast.AST, Change]]: ...
    def thin_out(self) -> None: ...


def calls_inside(places: Known, info: FunctionInfo, seen: set[FunctionInfo]) -> Iterator[ast.Call]:
    """Torch's own calls that make the copies which a function gives, also in functions that it calls."""
    if info in seen:
        return
    seen.add(info)
    flow = places.flow(info.node)
    for site in above(flow.memory.returned):
        if isinstance(site.node, ast.Call) and flow.changes.made_by_copy(site):
            effect = places.effect(site.node)
            if isinstance(effect, FunctionOf):
                yield from calls_inside(places, effect.info, seen)
            else:
                yield site.node


def given_out(places: Known, modules: Iterable[ModuleInfo]) -> frozenset[ast.Call]:
    """Torch's own calls, in all of the project, whose copies a caller of their function sees."""
    found: set[ast.Call] = set()
    for module in modules:
        places.thin_out()
        for function, calls in places.events(module).copies.items():
            effects = [places.effect(call) for call in calls]
            if any(isinstance(effect, FunctionOf) for effect in effects):
                for _, change in places.looked_at(None if function is module.tree else function, module):
                    for call in change.copies:
                        effect = places.effect(call)
                        if isinstance(effect, FunctionOf):
                            found.update(calls_inside(places, effect.info, set()))
    return frozenset(found)
