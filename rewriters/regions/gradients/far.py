"""Which functions touch gradients that another computes: these then lie at the parameters, as in torch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rewriters.infer.values import ModuleInfo
from rewriters.regions.gradients.events import Event, Kind, events_of
from rewriters.regions.gradients.mode_stores import own
from rewriters.regions.tracing import functions_in, value_of

# A file without one of these has nothing to do with gradients.
WORDS = {"grad", "backward", "step", "zero_grad", "clip_grad_norm_", "clip_grad_value_"}


class Far:
    """Of all files of a component.

    events: of each function, and of each file's statements, that has some.
    homes:  those that compute gradients; others: those that touch what a home has computed.
    """

    def __init__(self, modules: list[ModuleInfo]) -> None:
        self.events: dict[ast.AST, list[Event]] = {}
        for module in modules:
            nodes = module.nodes
            if WORDS.isdisjoint(n.attr for n in nodes.of(ast.Attribute)) and WORDS.isdisjoint(
                n.id for n in nodes.of(ast.Name)
            ):
                continue
            for node in [module.tree, *nodes.of(ast.FunctionDef, ast.AsyncFunctionDef)]:
                events = events_of(node.body)
                if events:
                    self.events[node] = events
        self.homes = {node for node, events in self.events.items() if any(e.kind is Kind.ADD for e in events)}
        self.others = self.events.keys() - self.homes
        self.called: set[ast.AST] = set()
        self.loose = False
        if self.others and self.homes:
            calls = [call for module in modules for call in module.nodes.of(ast.Call)]
            known = {info.node for call in calls for info in functions_in(value_of(call.func))}
            files = {module.tree for module in modules}
            # what is called by a name of which nothing is known may be called anywhere
            self.loose = any(
                node not in known | files and any(event.kind is not Kind.CLEAR for event in self.events[node])
                for node in self.others
            )
            self.called = {home for node in self.others for home in self.reached(node) if home in self.homes}

    def is_laid(self, home: ast.AST) -> bool:
        """Whether gradients that a function computes are touched by another."""
        if not self.others:
            return False
        return self.loose or home in self.called or any(node in self.others for node in self.reached(home))

    def reached(self, node: ast.AST) -> Iterator[ast.AST]:
        """The functions that one comes to by calls, others that compute gradients being the ends."""
        seen, stack = {node}, [node]
        while stack:
            for part in own(stack.pop()):
                called = functions_in(value_of(part.func)) if isinstance(part, ast.Call) else ()
                for info in called:
                    if info.node not in seen:
                        seen.add(info.node)
                        yield info.node
                        if info.node not in self.homes:
                            stack.append(info.node)
