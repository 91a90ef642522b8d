"""Loops whose turns do not depend on each other: what could be computed for all of them at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import torch
from torch.fx import Graph, GraphModule, Node

from .finding import Edit, Finding
from .usage import Usage, draws, is_view, writes

KIND = "loop"
TURNS = 3
"""Fewer are no loop."""


class Loop:
    """The same operations several times, from the same lines.

    families: of each operation of a turn, the node of each turn.
    """

    def __init__(self, families: list[list[Node]]) -> None:
        self.families = families
        self.turns = len(families[0])
        self.nodes = {node for family in families for node in family}

    def outside(self) -> list[list[Node]]:
        """What one turn takes from outside of it: each turn's node, for one argument after another."""
        found: dict[tuple[Node, ...], None] = {}
        for family in self.families:
            for position in range(len(inputs(family[0]))):
                given = tuple(inputs(node)[position] for node in family)
                if given[0] not in self.nodes:
                    found.setdefault(given)
        return [list(given) for given in found]

    def results(self, live: set[Node]) -> list[list[Node]]:
        """The families that others use."""
        others = live - self.nodes
        return [family for family in self.families if any(user in others for node in family for user in node.users)]


def findings(usage: Usage) -> Iterator[Finding]:
    """One for each loop that computes something."""
    for loop in loops(usage):
        work = [node for node in usage.operations if node in loop.nodes]
        said = {"turns": loop.turns}
        yield Finding(KIND, work, usage.share(work), batched(usage, loop), said=said)


def loops(usage: Usage) -> Iterator[Loop]:
    """The connected families of equal length, none of whose nodes depends on another of its family."""
    shapes: dict[Node, Hashable] = {}
    families: dict[Hashable, list[Node]] = {}
    for node in usage.nodes:
        usable = node.op == "call_function" and node in usage.live and not draws(node) and not writes(node)
        if usable:
            shapes[node] = key = _shape(usage, node, shapes)
            families.setdefault(key, []).append(node)
    alone = [family for family in families.values() if len(family) >= TURNS and not _chained(usage, family)]
    of = {node: (number, turn) for number, family in enumerate(alone) for turn, node in enumerate(family)}
    joined = _connected(alone, of)
    for numbers in joined:
        loop = Loop([alone[number] for number in numbers])
        if _aligned(loop, of) and any(not is_view(family[0]) for family in loop.families):
            yield loop


def _shape(usage: Usage, node: Node, shapes: dict[Node, Hashable]) -> Hashable:
    """Equal for the same operation of several turns: its line, its other arguments, and how it hangs together there."""

    def plain(value: Any) -> Hashable:
        if isinstance(value, Node):
            own = value.op == "call_function" and value.stack_trace == node.stack_trace
            return (shapes.get(value) if own else None), usage.values.get(value)
        if isinstance(value, (list, tuple)):
            return tuple(map(plain, value))
        if isinstance(value, dict):
            return tuple((key, plain(item)) for key, item in value.items())
        return type(value).__name__, str(value)

    return hash((node.stack_trace, str(node.target), plain(node.args), plain(node.kwargs), usage.values.get(node)))


def _chained(usage: Usage, family: list[Node]) -> bool:
    """Whether one depends on another."""
    reached, last = {family[0]}, usage.order[family[-1]]
    others = set(family)
    for node in usage.nodes[usage.order[family[0]] + 1 : last + 1]:
        if any(before in reached for before in node.all_input_nodes):
            if node in others:
                return True
            reached.add(node)
        elif node in others:
            reached.add(node)
    return False


def _connected(alone: list[list[Node]], of: dict[Node, tuple[int, int]]) -> list[list[int]]:
    """Numbers of families that feed each other and have as many turns."""
    leader = list(range(len(alone)))

    def find(number: int) -> int:
        while leader[number] != number:
            number = leader[number]
        return number

    for number, family in enumerate(alone):
        for before in inputs(family[0]):
            other = of.get(before)
            if other and other[1] == 0 and len(alone[other[0]]) == len(family):
                leader[find(number)] = find(other[0])
    groups: dict[int, list[int]] = {}
    for number in range(len(alone)):
        groups.setdefault(find(number), []).append(number)
    return list(groups.values())


def _aligned(loop: Loop, of: dict[Node, tuple[int, int]]) -> bool:
    """Whether each turn takes of the loop's own results those of the same turn alone."""
    for family in loop.families:
        for turn, node in enumerate(family):
            for position, before in enumerate(inputs(node)):
                inside = before in loop.nodes
                if inside != (inputs(family[0])[position] in loop.nodes) or (inside and of[before][1] != turn):
                    return False
    return True


def inputs(node: Node) -> list[Node]:
    """The nodes among its arguments, in order, each as often as it is one."""
    found: list[Node] = []
    torch.fx.node.map_arg((node.args, node.kwargs), lambda one: found.append(one))
    return found


def batched(usage: Usage, loop: Loop) -> Edit:
    """One turn's operations under ``torch.vmap`` over what differs between the turns."""
    outside, results = loop.outside(), loop.results(usage.live)
    body = one_turn(usage, loop, [given[0] for given in outside], [family[0] for family in results])
    axes = tuple(None if len(set(given)) == 1 else 0 for given in outside)

    def run(*given: Any) -> tuple[Any, ...]:
        stacked = [one[0] if axis is None else torch.stack(one) for one, axis in zip(given, axes, strict=True)]
        found = torch.vmap(body, axes)(*stacked)
        return tuple(value for family in found for value in family.unbind(0))

    def edit(module: GraphModule, became: dict[Node, Node]) -> None:
        arguments = tuple([became[node] for node in given] for given in outside)
        last = max((node for given in outside for node in given), key=usage.order.__getitem__)
        with module.graph.inserting_after(became[last]):
            call = module.graph.call_function(run, arguments)
        after = call
        for index, node in enumerate(node for family in results for node in family):
            with module.graph.inserting_after(after):
                after = module.graph.call_function(_pick, (call, index))
            became[node].replace_all_uses_with(after)

    return edit


def _pick(values: Any, index: int) -> Any:
    return values[index]


def one_turn(usage: Usage, loop: Loop, given: list[Node], results: list[Node]) -> GraphModule:
    """The operations of the first turn as a module that takes ``given`` and returns ``results``."""
    graph = Graph()
    became = {node: graph.placeholder(f"given_{index}") for index, node in enumerate(given)}
    first = sorted((family[0] for family in loop.families), key=usage.order.__getitem__)
    for node in first:
        became[node] = graph.node_copy(node, lambda one: became[one])
    graph.output(tuple(became[node] for node in results))
    return GraphModule(usage.traced.module, graph)
