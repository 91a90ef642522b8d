"""OneFlow's graphs inside a worker: a model as a graph, a step of training as a graph, saving and loading one.

Loaded by path in the interpreter that has OneFlow; imports nothing else than it and numpy.
"""

from __future__ import annotations

import os
import tempfile

import numpy as np
import oneflow as flow
from oneflow import nn

NUMPY = {
    "kBool": np.bool_, "kUInt8": np.uint8, "kInt8": np.int8, "kInt32": np.int32, "kInt64": np.int64,
    "kFloat16": np.float16, "kFloat": np.float32, "kDouble": np.float64,
}  # fmt: skip
"""Of the types as saved variables name them."""


def tensors(value):
    """The tensors in nested containers, in order."""
    if isinstance(value, flow.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [found for item in value for found in tensors(item)]
    return []


def filled(value, given):
    """The containers with other tensors in them."""
    if isinstance(value, flow.Tensor):
        return given.pop(0)
    if isinstance(value, dict):
        return {name: filled(item, given) for name, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(filled(item, given) for item in value))
    if isinstance(value, (list, tuple)):
        return type(value)(filled(item, given) for item in value)
    return value


class Inference(nn.Graph):
    """A model's forward; what is no tensor among its arguments is a constant of the graph."""

    def __init__(self, model, args, kwargs):
        super().__init__()
        self.model = model
        self.given = (args, kwargs)

    def build(self, *inputs):
        args, kwargs = filled(self.given, list(inputs))
        return self.model(*args, **kwargs)


def static(model):
    """The model as a graph, made at the first call."""
    made = []

    def call(*args, **kwargs):
        if not made:
            made.append(Inference(model, args, kwargs))
        call.graph = made[0]
        return made[0](*tensors((args, kwargs)))

    return call


def train_step(model, loss, optimizer, scheduler):
    """``step(args, kwargs, targets)``: a whole step of training in one graph; the loss.

    loss: of what the model returned, its arguments and the targets.
    """

    class Training(nn.Graph):
        def __init__(self, given):
            super().__init__()
            self.model = model
            self.given = given
            self.add_optimizer(optimizer, lr_sch=scheduler)

        def build(self, *inputs):
            args, kwargs, targets = filled(self.given, list(inputs))
            value = loss(self.model(*args, **kwargs), args, targets)
            value.backward()
            return value

    made = []

    def step(args, kwargs, targets):
        inputs = tensors((args, kwargs, targets))
        if made:
            return made[0](*inputs)
        made.append(Training((args, kwargs, targets)))
        forget_gradients(model)  # a graph that is being built adds to those that are there
        value = made[0](*inputs)
        wait()
        forget_gradients(model)  # nodes of the graph, not tensors
        return value

    return step


def forget_gradients(model):
    for parameter in model.parameters():
        parameter.grad = None


def export(model, folder, args, kwargs):
    """Save the model's graph for arguments of these shapes, as OneFlow's serving reads it; a line on what it is."""
    call = static(model)
    call(*args, **kwargs)
    flow.save(call.graph, folder)
    return "model.mlir and a folder for each variable (flow.save of the nn.Graph), for inputs of these shapes"


def exported(folder, model, args, kwargs):
    """What the saved graph computes. OneFlow 0.9 runs one in its serving, not in Python: the saved variables are put
    into the model, as built anew; its graph must have the operators of the saved one.
    """
    state = model.state_dict()
    for name in state:
        place = os.path.join(folder, f"model.{name}")
        if os.path.isdir(place):
            state[name] = saved_variable(place)
    model.load_state_dict(state)
    call = static(model)
    returned = call(*args, **kwargs)
    with tempfile.TemporaryDirectory() as again:
        flow.save(call.graph, again)
        saved, made = operators(folder), operators(again)
    if saved != made:
        odd = sorted(saved ^ made)[:3]
        raise ValueError(f"{folder}: the saved graph is not the one that the model makes: {odd}")
    return returned


def saved_variable(place):
    with open(os.path.join(place, "meta"), encoding="utf-8") as file:
        words = file.read().split()
    sizes = [int(words[at + 1]) for at, word in enumerate(words) if word == "dim:"]
    kind = NUMPY[words[words.index("data_type:") + 1]]
    return flow.tensor(np.fromfile(os.path.join(place, "out"), kind).reshape(sizes))


def operators(folder):
    """(what, name) of a saved graph's operators; those of its inputs and outputs by number."""
    from oneflow.core.job import job_pb2

    job = job_pb2.Job()
    job.ParseFromString(flow._oneflow_internal.nn.graph.LoadSerializedJobFromIR(os.path.join(folder, "model.mlir")))
    found = set()
    for op in job.net.op:
        kind = op.WhichOneof("op_type")
        detail = op.user_conf.op_type_name if kind == "user_conf" else ""
        name = op.name if kind not in ("input_conf", "output_conf") else op.name.partition("put.")[2]
        found.add((kind, detail, name))
    return found


def amp():
    """A context of mixed precision on this device; a text that says why there is none."""
    return "OneFlow's mixed precision is for CUDA: on a CPU enable_amp changes nothing"


def eager_step(model, loss, optimizer, scheduler):
    """As ``train_step``, without a graph."""

    def step(args, kwargs, targets):
        optimizer.zero_grad()
        value = loss(model(*args, **kwargs), args, targets)
        value.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        return value

    return step


def wait():
    """Until all that was asked for is computed: OneFlow computes behind the caller's back."""
    flow._oneflow_internal.eager.Sync()
