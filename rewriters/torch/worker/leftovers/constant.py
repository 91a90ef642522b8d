"""What is computed from constants alone: from literals, sizes, and parameters that inference does not change."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import torch
from torch.fx import GraphModule, Interpreter, Node

from .finding import Edit, Finding, frames, line_of
from .trace import TORCH
from .usage import Usage, below, draws, is_view, writes

KIND = "constant"
MOST = 64 * 2**20
"""Bytes of a result that is kept: what is larger costs more to hold than it is worth."""


def findings(usage: Usage) -> Iterator[Finding]:
    """One for each line whose result other operations, which do depend on the arguments, take."""
    fixed = {
        node for node in usage.nodes if node in usage.live and node.op == "call_function" and node not in usage.varies
    }
    fixed = {node for node in fixed if not draws(node) and not writes(node)}
    fixed -= below(usage.nodes, _written(usage))
    ends = {node for node in usage.live if node not in fixed}
    last = [node for node in usage.nodes if node in fixed and any(user in ends for user in node.users)]
    lines: dict[tuple[str, int], list[Node]] = {}
    for node in last:
        if _costs(node, fixed):
            lines.setdefault(line_of(node), []).append(node)
    for results in lines.values():
        gone = usage.frees(set(results))
        of_state = any(node in usage.of_state for node in results)
        said = {"of_state": of_state, "bytes": sum(map(_bytes, (usage.values.get(node) for node in results)))}
        said["reparametrized"] = sorted({name for node in gone if (name := reparametrized(node))})
        if said["bytes"] <= MOST:
            yield Finding(KIND, gone, usage.share(gone), folded(usage, results), said=said)


def reparametrized(node: Node) -> str:
    """``weight_norm`` and the like, whose code in ``torch.nn.utils`` computes a weight from others; "" for none."""
    inside = os.path.join(TORCH, "nn", "utils")
    # The first is that of functional_call, which the model is traced under.
    names = [Path(file).stem for file, *_ in frames(node) if file.startswith(inside)][1:]
    return names[0] if names else ""


def _written(usage: Usage) -> set[Node]:
    """Placeholders that the graph writes to: no constants."""
    return {node.args[0] for node in usage.nodes if writes(node) and isinstance(node.args[0], Node)}


def _sources(node: Node) -> set[Node]:
    found, waiting = set(), [node]
    while waiting:
        for before in waiting.pop().all_input_nodes:
            if before not in found:
                found.add(before)
                waiting.append(before)
    return found


def _costs(node: Node, fixed: set[Node]) -> bool:
    """Whether anything but views is computed for it."""
    return any(not is_view(one) and one.op == "call_function" for one in (_sources(node) & fixed) | {node})


def _bytes(value: object) -> int:
    if isinstance(value, tuple) and len(value) == 3 and isinstance(value[1], torch.dtype):
        count = 1
        for size in value[0]:
            count *= size
        return count * value[1].itemsize
    return sum(map(_bytes, value)) if isinstance(value, tuple) else 0


def folded(usage: Usage, results: list[Node]) -> Edit:
    """Their values in their place."""

    def edit(module: GraphModule, became: dict[Node, Node]) -> None:
        values = computed(usage, results)
        for index, node in enumerate(results):
            name = f"_kept_{became[node].name}_{index}"
            module.register_buffer(name, values[node])
            with module.graph.inserting_before(became[node]):
                became[node].replace_all_uses_with(module.graph.get_attr(name))

    return edit


def computed(usage: Usage, nodes: list[Node]) -> dict[Node, torch.Tensor]:
    """What they are."""
    wanted: dict[Node, torch.Tensor] = {}

    class Keeping(Interpreter):
        def run_node(self, node: Node) -> object:
            value = super().run_node(node)
            if node in nodes:
                wanted[node] = value
            return value

    with torch.no_grad():
        Keeping(usage.traced.module).run(*usage.traced.fresh(usage.flat))
    return wanted
