"""Paddle's static programs inside a worker: a model as a program, training with one, saving and loading one.

Loaded by path in the interpreter that has Paddle; imports nothing else than it.
"""

from __future__ import annotations

import os

import paddle


def static(model):
    """The model behind ``to_static``, whether or not its class says so itself."""
    made = []

    def call(*args, **kwargs):
        paddle.jit.enable_to_static(True)
        try:
            if not made:
                made.append(model if is_static(model) else paddle.jit.to_static(model))
            return made[0](*args, **kwargs)
        finally:
            paddle.jit.enable_to_static(False)

    return call


def is_static(model):
    """Whether the model's forward is decorated."""
    return hasattr(getattr(model, "forward", None), "concrete_program_specify_input_spec")


def train_step(model, loss, optimizer, scheduler):
    """``step(args, kwargs, targets)``: forward as a program, the rest as always; the loss.

    loss: of what the model returned, its arguments and the targets.
    """
    return eager_step(static(model), loss, optimizer, scheduler)


def eager_step(model, loss, optimizer, scheduler):
    """The same of the model itself."""

    def step(args, kwargs, targets):
        value = loss(model(*args, **kwargs), args, targets)
        value.backward()
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        optimizer.clear_grad()
        return value

    return step


def spec_of(value, free):
    """The InputSpec of a tensor, its first axis of any size where ``free``; containers of them."""
    if isinstance(value, paddle.Tensor):
        shape = [None, *value.shape[1:]] if free and value.ndim else list(value.shape)
        return paddle.static.InputSpec(shape, str(value.dtype).split(".")[-1])
    if isinstance(value, (list, tuple)):
        return type(value)(spec_of(item, free) for item in value)
    if isinstance(value, dict):
        return {name: spec_of(item, free) for name, item in value.items()}
    return value


def export(model, folder, args, kwargs):
    """``paddle.jit.save`` of the model, in eval mode; a line on what it is."""
    if kwargs:
        raise ValueError(f"paddle.jit.save takes inputs by position: give {', '.join(kwargs)} without a name")
    os.makedirs(folder, exist_ok=True)
    paddle.jit.enable_to_static(True)
    model.eval()
    try:
        try:
            save(model, folder, [spec_of(value, free=True) for value in args])
            return "model.json and model.pdiparams (paddle.jit.save), for batches of any size"
        except Exception:  # a model that counts on its batch
            save(model, folder, [spec_of(value, free=False) for value in args])
            return "model.json and model.pdiparams (paddle.jit.save), for inputs of these shapes"
    finally:
        paddle.jit.enable_to_static(False)


def save(model, folder, spec):
    forward = model.forward
    try:
        program = paddle.jit.to_static(model, input_spec=spec, full_graph=True)
        paddle.jit.save(program, os.path.join(folder, "model"), input_spec=spec)
    finally:
        model.forward = forward


def exported(folder, model, args, kwargs):
    """What the saved program computes: its outputs in a row."""
    return paddle.jit.load(os.path.join(folder, "model"))(*args)


def tensors(value):
    """The tensors in nested containers, in the order of a saved program's outputs: of dicts by their keys."""
    if isinstance(value, paddle.Tensor):
        return [value]
    if isinstance(value, dict):
        value = [value[name] for name in sorted(value)]
    if isinstance(value, (list, tuple)):
        return [found for item in value for found in tensors(item)]
    return []


def amp():
    """A context of mixed precision on this device; a text that says why there is none."""
    return paddle.amp.auto_cast(level="O1", dtype="bfloat16")


def wait():
    """Until all that was asked for is computed."""
