"""The runs of one computation: on the target's side one; on torch's the ones that say how far it strays by rounding.

``body(call)`` computes and records into ``call.out``. On torch's side it is run in the model's own precision (folder
``own``), in double precision (``exact``), in double precision under half-ulp noise on inputs and parameters, and in
each variant; of the latter only distances to ``exact`` are kept.
"""

from __future__ import annotations

import contextlib
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Callable, Dict, Iterator

import numpy as np

from .. import arrays
from . import randomness, store

ACCEPTED = 10.0
"""Times the floor at which a result fails. Gradients are not linear in the noise: a unit whose
input changes its sign moves them by more. So training runs under as much noise as is accepted, and the change is
divided by half of it: where the target meets the same unit, it stands amid of what is accepted, not at its edge."""

DRAWS = ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0))
"""Draws of noise, as (what is added to the seed, sign): of two opposite ones, one moves a unit that is near."""

OTHERS = "other inputs"

SHOWN = 100
"""Characters of the reason why a run failed that only calibrates."""

Summary = Dict[str, Any]
"""terms and unsteady (``store.Terms``), exact_error, random (``randomness.fixed``); measured: names of the runs that
only calibrate, as far as they did; left_out: name of one that failed -> why."""


@dataclass
class Call:
    """One run.

    batch:   step -> (args, kwargs), made when it is asked for; a run without training takes batch 0. A second argument:
             values of the leaves, by name.
    leaves:  the floating inputs of batch 0 that gradients are taken with respect to, by name.
    out:     where to record.
    wide:    whether in double precision.
    """

    batch: Callable[..., Any]
    leaves: dict[str, Any]
    out: Any
    wide: bool


def new_summary() -> Summary:
    """Nothing known yet."""
    return {"terms": {}, "unsteady": {}, "exact_error": "", "random": {}, "errors": {}, "measured": [], "left_out": {}}


def compute(
    subject: Any,
    job: dict[str, Any],
    body: Callable[[Call], None],
    label: str,
    graph: bool = False,
    light: Any = None,
) -> Summary:
    """Run ``body`` as often as the job wants.

    job:    folder; inputs, whose arrays are named ``STEP:NAME``; noisy (None: one run only); positional, keywords;
            steps, of a training.
    graph:  make the floating inputs leaves.
    light:  does less than ``body``, for all variants but the last: one that computes otherwise is enough for layers.
    """
    runtime, folder = subject.runtime, Path(job["folder"])
    call = caller(subject, job, graph)
    steps = job.get("steps", 0)
    summary = new_summary()
    subject.enter(label)
    own = store.Folder(folder / "own", runtime)
    # Each step of a training is a run of its own, with its own masks.
    with randomness.fixed(subject, None if steps else summary), runtime.kept(subject.call):
        body(call(job["inputs"], own, False))
    own.close()
    if job.get("noisy") is None:
        return summary
    subject.enter(label + ": float64")
    written = store.Folder(folder / "exact", runtime)
    try:
        with randomness.fixed(subject), runtime.kept(subject.call), runtime.double(subject.call):
            body(call(job["inputs"], written, True))
    except Exception as error:  # it only takes away the reference
        summary["exact_error"] = f"{type(error).__name__}: {error}"
        return summary
    written.close()
    mine, exact = store.Reader(folder / "own"), store.Reader(folder / "exact")
    subject.enter(label + ": float64 noisy")
    with calibrating(summary, store.NOISY) as measured:
        terms = store.Terms(store.NOISY, exact, mine, measured, runtime)
        add_noise(subject, job["noisy"], body, call, terms, ACCEPTED if steps else 1.0)
    for name in runtime.VARIANTS:
        subject.enter(f"{label}: {name}")
        with contextlib.ExitStack() as stack:
            measured = stack.enter_context(calibrating(summary, name))
            again = call(job["inputs"], store.Terms(name, exact, mine, measured, runtime), False)
            given = ([], {}) if steps else again.batch(0)
            stack.enter_context(randomness.fixed(subject))
            stack.enter_context(runtime.kept(subject.call))
            changed = stack.enter_context(runtime.variant(name, subject.call, *given))
            if changed is not None:
                run = body if light is None or name == runtime.VARIANTS[-1] else light
                run(again if steps else replace(again, batch=lambda step, values=None, changed=changed: changed))
    return summary


@contextlib.contextmanager
def calibrating(summary: Summary, name: str) -> Iterator[Summary]:
    """A summary for a run that only calibrates: added to the other one, or left out and named where the run fails."""
    measured = new_summary()
    try:
        yield measured
    except Exception as error:  # a model may refuse, say, another layout of its input
        summary["left_out"][name] = textwrap.shorten(f"{type(error).__name__}: {error}", SHOWN)
        return
    if measured["terms"] or measured["unsteady"]:
        summary["measured"].append(name)
    for key, found in measured["terms"].items():
        summary["terms"].setdefault(key, {}).update(found)
    for key, (differs, of) in measured["unsteady"].items():
        before = summary["unsteady"].get(key, (0, 0))
        summary["unsteady"][key] = (before[0] + differs, before[1] + of)


def caller(subject: Any, job: dict[str, Any], graph: bool) -> Callable[[str, Any, bool], Call]:
    """(the folder of inputs, where to record, whether in double precision) -> a run."""
    runtime = subject.runtime

    def call(source: str, out: Any, wide: bool) -> Call:
        given = arrays.read(source)
        leaves: dict[str, Any] = {}

        def leave(array: Any, name: str) -> None:
            if array.dtype.kind in "fc":
                leaves[name] = runtime.leaf(widened(array, wide))

        if graph:
            subject.batch(given, 0, job, leave)

        def batch(step: int, values: Any = leaves) -> Any:
            def make(array: Any, name: str) -> Any:
                if name in values:
                    return runtime.clone(values[name])  # what writes to its input may not write to a leaf
                return runtime.tensor(widened(array, wide))

            return subject.batch(given, step, job, make)

        return Call(batch, leaves, out, wide)

    return call


def moved(subject: Any, job: dict[str, Any], body: Callable[[Call], None]) -> dict[str, float]:
    """How far other inputs (the folder ``others``) move what ``compute`` has recorded: rms, by record and path as in
    ``store.Terms``. Nothing where the body does not take them.
    """
    own, summary = store.Reader(Path(job["folder"]) / "own"), new_summary()
    terms = store.Terms(OTHERS, own, own, summary, subject.runtime)
    subject.enter(OTHERS)
    try:
        with randomness.fixed(subject), subject.runtime.kept(subject.call):
            body(caller(subject, job, False)(job["others"], terms, False))
    except Exception:  # a batch may be refused for its values: then nothing is known
        return {}
    return {key: found[OTHERS] for key, found in summary["terms"].items()}


def add_noise(
    subject: Any,
    inputs: str,
    body: Callable[[Call], None],
    call: Callable[[str, Any, bool], Call],
    terms: store.Terms,
    times: float,
    draw: tuple[int, float] = DRAWS[0],
    rounding: float = 1.0,
) -> None:
    """Run under so many times half-ulp noise, and measure; rounding: so many times that much is what it stands for."""
    runtime, (further, sign) = subject.runtime, draw
    terms.times = max(times / 2, 1.0)
    with contextlib.ExitStack() as stack:
        for context in (randomness.fixed(subject), runtime.kept(subject.call), runtime.double(subject.call)):
            stack.enter_context(context)
        stack.enter_context(runtime.noise(subject.call, subject.seed + further, sign * times * rounding))
        body(call(inputs, terms, True))


def draw_again(
    subject: Any,
    job: dict[str, Any],
    body: Callable[[Call], None],
    label: str,
    graph: bool = False,
) -> Summary:
    """The terms of more draws of noise, for a job that ``compute`` has done.

    job: has ``rounding``, how many times what half-ulp noise does torch's own rounding is.
    """
    folder, summary = Path(job["folder"]), new_summary()
    terms = store.Terms(
        store.NOISY, store.Reader(folder / "exact"), store.Reader(folder / "own"), summary, subject.runtime
    )
    for number, draw in enumerate(DRAWS, 1):
        if draw == DRAWS[0] and job.get("steps", 0):
            continue  # done before
        subject.enter(f"{label}: float64 noisy, draw {number}")
        add_noise(subject, job["noisy"], body, caller(subject, job, graph), terms, ACCEPTED, draw, job["rounding"])
    return summary


def widened(array: Any, wide: bool) -> Any:
    """In double precision when wide."""
    if wide and array.dtype.kind in "fc":
        return array.astype(np.float64 if array.dtype.kind == "f" else np.complex128)
    return array
