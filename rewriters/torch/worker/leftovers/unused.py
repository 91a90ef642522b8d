"""What is computed and not used."""

from __future__ import annotations

from collections.abc import Iterator

from torch.fx import GraphModule, Node

from .finding import Edit, Finding, line_of
from .usage import Usage, is_allocation, writes

KIND = "unused"


def findings(usage: Usage) -> Iterator[Finding]:
    """One for each line whose result goes nowhere, with all that was computed for it alone."""
    dead = [node for node in usage.nodes if node not in usage.live and node.op == "call_function"]
    dead = [node for node in dead if not writes(node)]
    owner: dict[Node, tuple[str, int]] = {}
    lines: dict[tuple[str, int], list[Node]] = {}
    for node in reversed(dead):
        # What serves several unused results is counted with the last of them.
        users = [user for user in node.users if user in owner]
        line = owner[users[0]] if users else line_of(node)
        owner[node] = line
        lines.setdefault(line, []).append(node)
    for nodes in lines.values():
        group = [node for node in reversed(nodes) if node in usage.seconds]
        # Memory that some of torch's layers allocate for gradients is nobody's to leave out.
        if not all(is_allocation(node) for node in group):
            yield Finding(KIND, group, usage.share(group), without(nodes))


def without(nodes: list[Node]) -> Edit:
    """Leaves them out; users come before what they use."""

    def edit(module: GraphModule, became: dict[Node, Node]) -> None:
        waiting = [became[node] for node in nodes]
        for node in waiting:
            if not node.users:
                module.graph.erase_node(node)

    return edit
