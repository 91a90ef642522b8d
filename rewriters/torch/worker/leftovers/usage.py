"""What is known of each operation of a traced graph: its time, what it depends on, who uses it."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import torch
from torch.fx import Interpreter, Node

from .trace import Traced, placeholders

FEWEST = 3
"""Runs of the whole graph that each operation is timed in."""


class Usage:
    """A traced graph with the facts that findings are made of.

    nodes:       all of them, in order; order: the position of each.
    operations:  calls of torch's operators, in order.
    live:        nodes that an output, or what is written to parameters and buffers, depends on.
    varies:      nodes that depend on an argument of the call, or on a random number.
    of_state:    nodes that depend on a parameter or a buffer.
    seconds:     the median time of each operation; total: their sum.
    values:      the shape and dtype of each node's result.
    """

    def __init__(self, traced: Traced, flat: list[torch.Tensor]) -> None:
        self.traced, self.flat = traced, flat
        self.graph = traced.module.graph
        nodes = self.nodes = list(self.graph.nodes)
        self.order = {node: index for index, node in enumerate(nodes)}
        self.operations = [node for node in nodes if is_operation(node)]
        self.live = self._live(nodes)
        given = placeholders(self.graph)
        self.varies = below(nodes, {*traced.given, *filter(draws, nodes)})
        self.of_state = below(nodes, set(given[: len(traced.state)]))
        self.seconds: dict[Node, float] = dict.fromkeys(self.operations, 0.0)
        self.total = 0.0
        self.values: dict[Node, Any] = {}

    def _live(self, nodes: list[Node]) -> set[Node]:
        live = {node for node in nodes if node.op == "output" or writes(node)}
        for node in reversed(nodes):
            if node in live:
                live.update(node.all_input_nodes)
        return live

    def measure(self, seconds: float) -> None:
        """Run the graph for about that long, timing each operation."""
        found: dict[Node, list[float]] = defaultdict(list)
        usage = self

        class Timed(Interpreter):
            def run_node(self, node: Node) -> Any:
                start = time.perf_counter()
                value = super().run_node(node)
                found[node].append(time.perf_counter() - start)
                usage.values[node] = describe(value)
                return value

        begun, runs = time.perf_counter(), 0
        with torch.no_grad():
            while runs < FEWEST or time.perf_counter() - begun < seconds:
                Timed(self.traced.module).run(*self.traced.fresh(self.flat))
                runs += 1
        # The first run pays for what is set up once.
        self.seconds = {node: statistics.median(found[node][1:]) for node in self.operations}
        self.total = sum(self.seconds.values())

    def share(self, nodes: Any) -> float:
        """Of the whole time."""
        return sum(self.seconds.get(node, 0.0) for node in nodes) / self.total if self.total else 0.0

    def frees(self, gone: set[Node], needed: Iterable[Node] = ()) -> list[Node]:
        """The operations among ``gone``, and those that nobody else uses then; ``needed`` is used in their place."""
        found, kept = set(gone), set(needed)
        for node in reversed(self.nodes):
            if node in found or node in kept or node not in self.live or node.op != "call_function" or writes(node):
                continue
            if all(user in found for user in node.users if user in self.live):
                found.add(node)
        return [node for node in self.operations if node in found]


def is_operation(node: Node) -> bool:
    """A call of one of torch's operators; picking one of several results is none."""
    return node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)


def tagged(node: Node, tag: Any) -> bool:
    """Whether torch says so of the operator."""
    return is_operation(node) and tag in node.target.tags  # type: ignore[union-attr]


def draws(node: Node) -> bool:
    """Whether it takes random numbers, or memory as it lies."""
    return tagged(node, torch.Tag.nondeterministic_seeded) or is_allocation(node)


def is_allocation(node: Node) -> bool:
    """Whether it gives memory as it lies; it costs next to nothing."""
    return is_operation(node) and node.target._opname in ("empty", "empty_like", "empty_strided", "new_empty")  # type: ignore[union-attr]


def writes(node: Node) -> bool:
    """Whether it changes one of its arguments, or does what no result shows."""
    if not is_operation(node):
        return False
    schema = node.target._schema  # type: ignore[union-attr]
    return schema.is_mutable or not schema.returns


def is_view(node: Node) -> bool:
    """Whether its result is its argument's memory: it costs next to nothing."""
    return is_operation(node) and node.target.is_view  # type: ignore[union-attr]


def below(nodes: list[Node], start: set[Node]) -> set[Node]:
    """``start`` and all that depends on it; ``nodes`` in order."""
    found = set(start)
    for node in nodes:
        if node not in found and any(before in found for before in node.all_input_nodes):
            found.add(node)
    return found


def describe(value: Any) -> Any:
    """Shape and dtype of a tensor, of several those of each."""
    if isinstance(value, torch.Tensor):
        return tuple(value.shape), value.dtype, tuple(value.stride())
    if isinstance(value, (list, tuple)):
        return tuple(describe(item) for item in value)
    return type(value)
