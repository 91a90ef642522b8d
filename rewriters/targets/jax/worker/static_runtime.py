"""JAX's compiled functions inside a worker: a model's call, steps of training, a function saved and loaded back.

Loaded by path in the interpreter that has JAX; imports nothing else than it and Flax.
"""

from __future__ import annotations

import functools
import os
import pickle

import jax
from flax import nnx
from jax.experimental import serialize_executable

SAVED = "model.jax"


def taken_apart(args, kwargs):
    """(place -> array, what is compiled for: the structure and all else) of arguments."""
    leaves, structure = jax.tree.flatten((args, kwargs))
    arrays = {str(place): leaf for place, leaf in enumerate(leaves) if isinstance(leaf, jax.Array)}
    others = tuple((place, leaf) for place, leaf in enumerate(leaves) if str(place) not in arrays)
    return arrays, (structure, others)


def put_together(arrays, rest):
    structure, others = rest
    leaves = {int(place): leaf for place, leaf in arrays.items()} | dict(others)
    return jax.tree.unflatten(structure, [leaves[place] for place in sorted(leaves)])


def static(model):
    """The model compiled, for each structure and shape of its inputs."""

    @functools.partial(nnx.jit, static_argnums=2)
    def compiled(model, arrays, rest):
        args, kwargs = put_together(arrays, rest)
        return model(*args, **kwargs)

    return lambda *args, **kwargs: compiled(model, *taken_apart(args, kwargs))


def steps_of(model, loss, optimizer, scheduler, compile):
    def compute(model, args, kwargs, targets):
        return loss(model(*args, **kwargs), args, targets)

    @compile
    def one(model, optimizer, arrays, rest, targets):
        args, kwargs = put_together(arrays, rest)
        value, gradients = nnx.value_and_grad(compute)(model, args, kwargs, targets)
        optimizer.update(model, gradients)
        return value

    def step(args, kwargs, targets):
        value = one(model, optimizer, *taken_apart(args, kwargs), targets)
        if scheduler is not None:
            scheduler.step()
        return value

    return step


def train_step(model, loss, optimizer, scheduler):
    """``step(args, kwargs, targets)``: forward, gradients and update in one compiled function; the loss.

    loss: of what the model returned, its arguments and the targets.
    """
    return steps_of(model, loss, optimizer, scheduler, functools.partial(nnx.jit, static_argnums=3))


def eager_step(model, loss, optimizer, scheduler):
    """The same, run as it stands."""
    return steps_of(model, loss, optimizer, scheduler, lambda function: function)


def export(model, folder, args, kwargs):
    """The model in eval mode as a compiled function, its parameters within; a line on what it is."""
    if kwargs:
        raise ValueError(f"the exported function takes inputs by position: give {', '.join(kwargs)} without a name")
    os.makedirs(folder, exist_ok=True)
    model.eval()
    arrays, rest = taken_apart(args, kwargs)
    compiled = jax.jit(lambda arrays: tensors(called(model, arrays, rest))).lower(arrays).compile()
    with open(os.path.join(folder, SAVED), "wb") as file:
        pickle.dump(serialize_executable.serialize(compiled), file)
    return f"{SAVED} (a compiled function of this machine's), for inputs of these shapes"


def called(model, arrays, rest):
    graph, state = nnx.split(model)
    args, kwargs = put_together(arrays, rest)
    return nnx.merge(graph, state)(*args, **kwargs)


def exported(folder, model, args, kwargs):
    """What the saved function computes: its outputs in a row."""
    with open(os.path.join(folder, SAVED), "rb") as file:
        loaded = serialize_executable.deserialize_and_load(*pickle.load(file))
    return loaded(taken_apart(args, kwargs)[0])


def tensors(value):
    """The tensors in nested containers, in the order of a saved function's outputs."""
    return [leaf for leaf in jax.tree.leaves(value) if isinstance(leaf, jax.Array)]


def amp():
    """A text that says why there is none."""
    return "JAX has no mixed precision that surrounds code: layers take a dtype"


def wait():
    """Until all that was asked for is computed."""
    jax.effects_barrier()
