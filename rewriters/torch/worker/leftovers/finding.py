"""A finding: what is computed without need, where, and how the graph is without it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from torch.fx import Graph, GraphModule, Node
from torch.fx.passes.tools_common import legalize_graph

from .trace import TORCH
from .usage import Usage, writes

_FRAME = re.compile(r'\s*File "(.+)", line (\d+), in (.+)')

Edit = Callable[[GraphModule, "dict[Node, Node]"], None]


@dataclass
class Finding:
    """One.

    kind:    the name of the module that found it.
    nodes:   the operations that would go.
    share:   of the whole time, that they take.
    edit:    changes a copy of the graph, given what each node has become there.
    other:   an operation that gives the same, whose result could be kept.
    said:    what its kind says besides, for the report.
    """

    kind: str
    nodes: list[Node]
    share: float
    edit: Edit
    other: Node | None = None
    said: dict[str, Any] = field(default_factory=dict)

    def told(self, project: str) -> dict[str, Any]:
        """The finding as JSON."""
        places: dict[tuple[str, int], dict[str, Any]] = {}
        for node in self.nodes:
            place = where(node, project)
            known = places.setdefault((place["file"], place["line"]), {**place, "times": 0, "operations": {}})
            name = operator(node)
            known["times"] += 1
            known["operations"][name] = known["operations"].get(name, 0) + 1
        return {
            "kind": self.kind,
            "share": self.share,
            "places": list(places.values()),
            "same_as": where(self.other, project) if self.other is not None else None,
            **self.said,
        }


def operator(node: Node) -> str:
    """``mul`` of ``aten.mul.Tensor``."""
    return str(getattr(node.target, "_opname", node.target))


def frames(node: Node) -> list[tuple[str, int, str, str]]:
    """(file, line, function, text) from the outermost on."""
    lines = (node.stack_trace or "").splitlines()
    found = []
    for index, line in enumerate(lines):
        if match := _FRAME.match(line):
            text = lines[index + 1].strip() if index + 1 < len(lines) and not _FRAME.match(lines[index + 1]) else ""
            found.append((match[1], int(match[2]), match[3], text))
    return found


def where(node: Node, project: str) -> dict[str, Any]:
    """The innermost line of the project; where there is none, of what is not torch's own."""
    found = frames(node)
    inside = os.path.realpath(project) + os.sep
    own = [frame for frame in found if os.path.realpath(frame[0]).startswith(inside)]
    others = [frame for frame in found if not frame[0].startswith(TORCH)]
    file, line, function, text = (own or others or found or [("", 0, "", "")])[-1]
    shown = os.path.relpath(os.path.realpath(file), os.path.realpath(project)) if own else file
    return {"file": shown, "line": line, "function": function, "text": text}


def line_of(node: Node) -> tuple[str, int]:
    """The innermost line that is not torch's own, which findings are grouped by."""
    found = frames(node)
    others = [frame for frame in found if not frame[0].startswith(TORCH)]
    return (others or found or [("", 0, "", "")])[-1][:2]


def edited(usage: Usage, edits: list[Edit]) -> GraphModule:
    """A copy of the graph with all edits; what only the edited parts needed is gone, other unused operations stay."""
    graph = Graph()
    became: dict[Node, Node] = {}
    output = graph.graph_copy(usage.graph, became)
    graph.output(output)
    module = GraphModule(usage.traced.module, graph)
    unused = {became[node] for node in usage.operations if node not in usage.live}
    # GraphModule copies the graph once more.
    again = dict(zip(graph.nodes, module.graph.nodes, strict=True))
    became = {old: again[new] for old, new in became.items()}
    unused = {again[node] for node in unused}
    for edit in edits:
        edit(module, became)
    for node in reversed(list(module.graph.nodes)):
        kept = node.op in ("placeholder", "output") or node in unused or writes(node)
        if not node.users and not kept:
            module.graph.erase_node(node)
    legalize_graph(module)
    module.recompile()
    return module
