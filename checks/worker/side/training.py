"""Steps of an optimizer in train mode: the loss of each, and the state that it leaves.

Of a large tensor the same ``SAMPLE`` random elements are recorded after each step, and all of it after the last: a
fault of an optimizer touches every element alike, and a run of many steps must not fill the disk.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from . import randomness
from .gradients import differentiable
from .subject import Failed

SAMPLE = 4096


def body(subject: Any, job: dict[str, Any], summary: dict[str, Any]) -> Any:
    """What ``runs.compute`` runs.

    job: steps; loss, optimizer and scheduler as MODULE:CALLABLE, "" for the own choice; defaults (a module that has
    ``sgd`` and ``adamw``).
    """

    def steps(call: Any) -> None:
        runtime, model, out = subject.runtime, subject.call, call.out
        subject.reseed()
        runtime.train(model)
        optimizer, scheduler = make_optimizer(subject, job, model)
        loss = subject.named(job["loss"]) if job["loss"] else None
        averages = runtime.averages(model) if runtime.REFERENCE and hasattr(out, "file") else None
        for step in range(1, job["steps"] + 1):
            args, kwargs = call.batch(step - 1)

            def compute(model: Any, args: Any = args, kwargs: Any = kwargs, step: int = step) -> Any:
                returned = model(*args, **kwargs)
                return loss(returned, *args) if loss is not None else own_loss(subject, returned, step)

            # A run of this step on one side draws what the other's draws, and nothing shifts when another step did not.
            mine = summary if hasattr(out, "file") and not call.wide else None
            with randomness.fixed(subject, mine, step):
                value = runtime.train_step(compute, model, optimizer, scheduler)
            out.array(
                f"step {step}: loss", np.asarray(value).reshape(()), "float32", kind="loss", step=step, tensor="loss"
            )
            record_state(subject, out, step, step == job["steps"], averages)
        if averages is not None:
            averages.end()

    return steps


def make_optimizer(subject: Any, job: dict[str, Any], model: Any) -> Any:
    """(optimizer, scheduler or None)."""
    if job["optimizer"] in ("sgd", "adamw"):
        made = getattr(job["defaults"], job["optimizer"])(model)
    else:
        made = subject.named(job["optimizer"])(model)
    if isinstance(made, (tuple, list)):
        if len(made) != 2:
            raise Failed("{} returned {} things".format(job["optimizer"], len(made)), odd="tuple")
        return made[0], made[1]
    return made, subject.named(job["scheduler"])(made) if job["scheduler"] else None


def own_loss(subject: Any, returned: Any, step: int) -> Any:
    """The one loss that the model returned, else the mean square distance of its floating outputs to seeded targets."""
    runtime = subject.runtime
    found = differentiable(runtime, returned)
    scalars = [value for value in found.values() if not value.shape]
    if len(scalars) == 1:
        return scalars[0]
    if not found:
        raise Failed("no output of the model can be differentiated", odd="outputs")
    terms: list[Any] = []
    for path, value in found.items():
        wanted = target(subject, path, value.shape, step)
        distance = value - runtime.tensor(wanted.astype(numpy_dtype(runtime.dtype(value))))
        terms.append((distance * distance).mean())
    return sum(terms[1:], terms[0])


def numpy_dtype(name: str) -> str:
    """As ``array`` gives tensors of that dtype."""
    return "float32" if name == "bfloat16" else name


def target(subject: Any, path: str, shape: Any, step: int) -> Any:
    """The seeded target of an output."""
    random = np.random.default_rng([subject.seed, step, zlib.crc32(path.encode())])
    return random.standard_normal([int(size) for size in shape]).astype(np.float32)


def record_state(subject: Any, out: Any, step: int, last: bool, averages: Any) -> None:
    """Parameters and buffers under torch's names and in torch's layout."""
    runtime = subject.runtime
    buffers = set(runtime.buffers(subject.call))
    others = averages.found() if averages is not None else {}
    for name, array in subject.as_torch(runtime.state(subject.call)):
        if array.dtype.kind != "f":
            continue
        more = {"kind": "buffer" if name in buffers else "parameter", "step": step, "tensor": name}
        chosen = None if last or array.size <= SAMPLE else sample(name, array.size)
        if name in others:
            more["others"] = {label: out.file(take(value, chosen)) for label, value in others[name].items()}
        out.array(f"step {step}: {name}", take(array, chosen), "float32", sampled=chosen is not None, **more)


def take(array: Any, chosen: Any) -> Any:
    """Those elements, all for None."""
    return array if chosen is None else array.reshape(-1)[chosen]


def sample(name: str, size: int) -> Any:
    """Which elements of a tensor are recorded."""
    return np.sort(np.random.default_rng([zlib.crc32(name.encode()), size]).integers(0, size, SAMPLE))
