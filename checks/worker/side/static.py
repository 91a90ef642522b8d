"""The target's static graphs: outputs, steps of training, and an exported graph, loaded back.

What a graph is, is known to the target's ``static_runtime.py``: ``static(model)``, ``train_step(...)``, ``export(...)``
and ``exported(...)``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict

import numpy as np

from ..structure import walk
from . import gradients, training
from .subject import Failed

Job = Dict[str, Any]


def outputs(subject: Any, tools: Any, export: Any, said: Job) -> Any:
    """What ``runs.compute`` runs: the model as a graph; ``export``: a folder to save it to, or None."""

    def body(call: Any) -> None:
        args, kwargs = call.batch(0)
        with subject.runtime.no_grad():
            returned = tools.static(subject.call)(*args, **kwargs)
            tools.wait()  # what reads a graph's result while it computes may end the process (OneFlow)
            call.out.record("", returned)
            if export:
                Path(export).parent.mkdir(parents=True, exist_ok=True)
                said["export"] = tools.export(subject.call, export, args, kwargs)
                order = {id(value): number for number, value in enumerate(tools.tensors(returned))}
                said["skeleton"] = skeleton(returned, subject.runtime, order)

    return body


def exported(subject: Any, tools: Any, folder: str, shape: Any) -> Any:
    """What ``runs.compute`` runs: the saved graph, its outputs put into the structure that the model's had."""

    def body(call: Any) -> None:
        args, kwargs = call.batch(0)
        with subject.runtime.no_grad():
            returned = tools.exported(folder, subject.call, args, kwargs)
            tools.wait()
        call.out.record("", rebuilt(shape, tools.tensors(returned)))

    return body


def skeleton(value: Any, runtime: Any, order: dict[int, int]) -> Any:
    """Containers with the numbers of the tensors in them, as JSON; ``order``: a tensor's id -> its number in what the
    saved graph returns.
    """
    if runtime.is_tensor(value):
        return order[id(value)]
    if isinstance(value, dict):
        return {"dict": [[name, skeleton(item, runtime, order)] for name, item in value.items()]}
    if isinstance(value, (list, tuple)):
        kind = "list" if isinstance(value, list) else "tuple"
        return {kind: [skeleton(item, runtime, order) for item in value]}
    return None


def rebuilt(shape: Any, tensors: list[Any]) -> Any:
    """The way back."""
    if isinstance(shape, int):
        return tensors[shape]
    if shape is None:
        return None
    ((kind, items),) = shape.items()
    if kind == "dict":
        return {name: rebuilt(item, tensors) for name, item in items}
    values = [rebuilt(item, tensors) for item in items]
    return values if kind == "list" else tuple(values)


def steps(subject: Any, job: Job, tools: Any) -> Any:
    """What ``runs.compute`` runs: as ``training.body``, each step by the target's static graph."""

    def body(call: Any) -> None:
        runtime, model, out = subject.runtime, subject.call, call.out
        subject.reseed()
        loss = subject.named(job["loss"]) if job["loss"] else None
        wanted = {} if loss is not None else differentiable(subject, call.batch(0))
        runtime.train(model)
        optimizer, scheduler = training.make_optimizer(subject, job, model)
        step_of = tools.train_step(model, loss_of(subject, loss, wanted), optimizer, scheduler)
        for step in range(1, job["steps"] + 1):
            args, kwargs = call.batch(step - 1)
            subject.reseed(step)
            returned = step_of(args, kwargs, own_targets(subject, wanted, step))
            tools.wait()
            value = runtime.array(returned)
            out.array(
                f"step {step}: loss", np.asarray(value).reshape(()), "float32", kind="loss", step=step, tensor="loss"
            )
            training.record_state(subject, out, step, step == job["steps"], None)

    return body


def loss_of(subject: Any, loss: Any, wanted: dict[str, Any]) -> Any:
    """The loss of what a model returned, its arguments and the targets, which may all be parts of a graph.

    loss: the project's own, None for that of ``training.own_loss``; wanted: what ``differentiable`` found.
    """

    def compute(returned: Any, args: Any, targets: list[Any]) -> Any:
        if loss is not None:
            return loss(returned, *args)
        found = walk(returned, subject.runtime, "")[0]
        if not targets:
            return found[next(iter(wanted))]
        distances = [found[path] - target for path, target in zip(wanted, targets)]
        terms = [(distance * distance).mean() for distance in distances]
        return sum(terms[1:], terms[0])

    return compute


def differentiable(subject: Any, batch: Any) -> dict[str, Any]:
    """Path -> shape of the outputs that the loss is made of; of the only scalar where there is one."""
    runtime = subject.runtime
    args, kwargs = batch
    returned = subject.call(*args, **kwargs)  # in eval mode: changes no buffer
    values = gradients.differentiable(runtime, returned)
    scalars = {path: () for path, value in values.items() if not value.shape}
    if len(scalars) == 1:
        return dict(scalars)
    if not values:
        raise Failed("no output of the model can be differentiated", odd="outputs")
    return {path: tuple(int(size) for size in value.shape) for path, value in values.items()}


def own_targets(subject: Any, wanted: dict[str, Any], step: int) -> list[Any]:
    """The seeded targets of ``training.own_loss``."""
    if not wanted or (len(wanted) == 1 and next(iter(wanted.values())) == ()):
        return []
    return [subject.runtime.tensor(training.target(subject, path, shape, step)) for path, shape in wanted.items()]
