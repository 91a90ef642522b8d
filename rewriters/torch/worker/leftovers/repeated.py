"""What is computed twice."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from torch.fx import GraphModule, Node

from .finding import Edit, Finding, line_of
from .usage import Usage, draws, is_operation, writes

KIND = "repeated"


def findings(usage: Usage) -> Iterator[Finding]:
    """One for each pair of lines of which the second computes what the first has computed."""
    first: dict[Hashable, Node] = {}
    same: dict[Node, Node] = {}
    for node in usage.nodes:
        if node.op != "call_function" or node not in usage.live or draws(node) or writes(node):
            continue
        known = first.setdefault(key_of(node, same), node)
        if known is not node:
            same[node] = known
    pairs: dict[Hashable, list[Node]] = {}
    for node, known in same.items():
        if is_operation(node):
            pairs.setdefault((line_of(node), line_of(known)), []).append(node)
    for nodes in pairs.values():
        yield Finding(KIND, nodes, usage.share(nodes), kept(nodes, same), same[nodes[0]])


def key_of(node: Node, same: dict[Node, Node]) -> Hashable:
    """Equal for nodes that compute the same from the same."""

    def plain(value: Any) -> Hashable:
        if isinstance(value, Node):
            return "node", same.get(value, value).name
        if isinstance(value, (list, tuple)):
            return tuple(map(plain, value))
        if isinstance(value, dict):
            return tuple((key, plain(item)) for key, item in value.items())
        # 1, 1.0 and True are equal, and mean different dtypes.
        return type(value).__name__, str(value)

    return str(node.target), plain(node.args), plain(node.kwargs)


def kept(nodes: list[Node], same: dict[Node, Node]) -> Edit:
    """The first result in place of each later one."""

    def edit(module: GraphModule, became: dict[Node, Node]) -> None:
        for node in nodes:
            if became[node] is not became[same[node]]:
                became[node].replace_all_uses_with(became[same[node]])

    return edit
