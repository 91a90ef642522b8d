"""One call of a model as a graph of torch's own operators, with the source line of each."""

from __future__ import annotations

import inspect
import os
import traceback
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest import mock

import torch
from torch.fx import Graph, GraphModule, Node
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.proxy import TracerBase
from torch.utils import _pytree as pytree

TORCH = os.path.dirname(torch.__file__) + os.sep


@dataclass
class Traced:
    """A graph, and what it is called with.

    module:  takes the state's tensors, then those of the arguments; returns the tensors of what the model returned.
    state:   the model's parameters and buffers.
    inputs:  how many tensors the arguments hold.
    """

    module: GraphModule
    state: list[torch.Tensor]
    inputs: int

    def flat(self, args: Any, kwargs: Any) -> list[torch.Tensor]:
        """What ``module`` takes for a call."""
        return [*self.state, *tensors((args, kwargs))]

    def fresh(self, flat: list[torch.Tensor]) -> list[torch.Tensor]:
        """``flat`` for one run: copies of those that the graph writes to, so that the next run finds the same."""
        written = {node.args[0] for node in self.module.graph.nodes if node.target is torch.ops.aten.copy_.default}
        given = placeholders(self.module.graph)
        return [value.clone() if node in written else value for node, value in zip(given, flat, strict=True)]

    @property
    def given(self) -> list[Node]:
        """The placeholders of the arguments' tensors."""
        return placeholders(self.module.graph)[len(self.state) :]


def placeholders(graph: Graph) -> list[Node]:
    """In order."""
    return [node for node in graph.nodes if node.op == "placeholder"]


def tensors(tree: Any) -> list[torch.Tensor]:
    """The tensors in nested containers, in order."""
    return [leaf for leaf in pytree.tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def trace(call: Callable[..., Any], args: Any, kwargs: Any) -> Traced:
    """Trace ``call(*args, **kwargs)`` without gradients.

    Changes in place become values of their own; what is written to parameters and buffers is written at the end.
    Control flow goes the way that these arguments took.
    """
    module = isinstance(call, torch.nn.Module)
    named = {**dict(call.named_parameters()), **dict(call.named_buffers())} if module else {}
    leaves, spec = pytree.tree_flatten((args, kwargs))
    places = [index for index, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
    count = len(named)

    def flat(*values: torch.Tensor) -> list[torch.Tensor]:
        filled = list(leaves)
        for place, value in zip(places, values[count:], strict=True):
            filled[place] = value
        own_args, own_kwargs = pytree.tree_unflatten(filled, spec)
        if module:
            returned = torch.func.functional_call(
                call, dict(zip(named, values, strict=False)), tuple(own_args), own_kwargs
            )
        else:
            returned = call(*own_args, **own_kwargs)
        return tensors(returned)

    given = [*named.values(), *(leaves[place] for place in places)]
    if "record_stack_traces" not in inspect.signature(make_fx).parameters:
        raise RuntimeError(f"operations can be told by their lines from torch 2.9 on; this is {torch.__version__}")
    pure = torch.func.functionalize(flat, remove="mutations")
    with torch.no_grad(), all_kept():
        traced = make_fx(pure, record_stack_traces=True, _error_on_data_dependent_ops=False)(*given)
    return Traced(traced, [value.detach() for value in named.values()], len(places))


@contextmanager
def all_kept() -> Any:
    """While tracing: operations whose result nobody uses stay in the graph, and all lines that led to one are known."""
    with (
        mock.patch.object(Graph, "eliminate_dead_code", return_value=False),
        mock.patch.object(TracerBase, "_filter_traceback_frames", lambda tracer, found: lines(found)),
    ):
        yield


def lines(found: traceback.StackSummary) -> traceback.StackSummary:
    """The frames of the model: below this file's, torch's layers among them, torch's other insides not."""
    frames = list(found)
    ours = [index for index, frame in enumerate(frames) if frame.filename == __file__]
    called = frames[ours[-1] + 1 :] if ours else frames
    return traceback.StackSummary.from_list([frame for frame in called if is_shown(frame.filename)])


def is_shown(file: str) -> bool:
    """Whether a reader would look there."""
    return not file.startswith(TORCH) or file.startswith(
        tuple(os.path.join(TORCH, "nn", it) for it in ("modules", "utils"))
    )
