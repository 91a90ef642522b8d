"""What is cast, or transposed and copied, and then put back."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import torch
from torch.fx import GraphModule, Node

from .finding import Edit, Finding, line_of
from .usage import Usage, is_view

KIND = "undone"
aten = torch.ops.aten


def findings(usage: Usage) -> Iterator[Finding]:
    """One for each pair of lines of which the second takes back what the first did."""
    pairs: dict[Hashable, list[tuple[Node, Node, str]]] = {}
    for node in usage.operations:
        if node in usage.live and (found := origin(usage, node)):
            before, how = found
            pairs.setdefault((line_of(node), line_of(before)), []).append((node, before, how))
    for found in pairs.values():
        ends = {node: source for node, source, _ in found}
        gone = usage.frees(set(ends), ends.values())
        yield Finding(KIND, gone, usage.share(gone), skipped(ends), said={"how": found[0][2]})


def origin(usage: Usage, node: Node) -> tuple[Node, str] | None:
    """(the node whose value it gives back, what was done and undone), where something was copied on the way."""
    how, copied, before = "", False, node
    if node.target is aten._to_copy.default:
        how = "cast"
    elif _moves(node) or node.target is aten.clone.default:
        how = "transposed"
    while how:
        source = before.args[0]
        if not isinstance(source, Node) or source not in usage.values:
            return None
        copied = copied or not is_view(before)
        if how == "cast" and source is not node.args[0] and before.target is not aten._to_copy.default:
            return None
        if copied and _same(usage, source, node, how):
            return source, how
        follows = source.target is aten._to_copy.default if how == "cast" else _moves(source) or _copies(source)
        if not follows:
            return None
        before = source
    return None


def _moves(node: Node) -> bool:
    return node.target in (aten.transpose.int, aten.permute.default, aten.t.default)


def _copies(node: Node) -> bool:
    return node.target is aten.clone.default


def _same(usage: Usage, source: Node, node: Node, how: str) -> bool:
    """Whether the axes of ``node`` are those of ``source`` again, and its dtype."""
    here, there = usage.values[source], usage.values.get(node)
    if there is None or len(here) != 3 or len(there) != 3 or here[:2] != there[:2]:
        return False
    if how == "cast":
        return True
    axes = list(range(len(here[0])))
    chain, at = [], node
    while at is not source:
        chain.append(at)
        at = at.args[0]  # type: ignore[assignment]
    moved = axes
    for step in reversed(chain):
        moved = _moved(step, moved)
    return moved == axes and any(_moves(step) for step in chain)


def _moved(node: Node, axes: list[int]) -> list[int]:
    if node.target is aten.permute.default:
        return [axes[int(axis)] for axis in node.args[1]]  # type: ignore[union-attr, arg-type]
    if _moves(node):
        one, other = (0, 1) if node.target is aten.t.default else node.args[1:3]
        found = list(axes)
        if found:
            found[one], found[other] = found[other], found[one]  # type: ignore[index]
        return found
    return axes


def skipped(ends: dict[Node, Node]) -> Edit:
    """What it was made of in place of each."""

    def edit(module: GraphModule, became: dict[Node, Node]) -> None:
        for node, source in ends.items():
            became[node].replace_all_uses_with(became[source])

    return edit
