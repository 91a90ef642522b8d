"""The error that a lower precision must make: torch's own model, computed with values rounded to it."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any, Dict

import numpy as np

from .. import arrays
from ..distance import rms
from . import randomness, runs, store
from .subject import Failed

Job = Dict[str, Any]


def predict(subject: Any, tools: Any, job: Job, body: Any, learned: Any) -> dict[str, Any]:
    """The terms of the floor (as ``runs.compute``'s summary has them) that the precision adds to what it has left.

    told: the manifest's precision, in ``lowered``. learned: of int8, else None.
    """
    told, runtime = job["lowered"]["told"], subject.runtime
    ranges = learned and learned["ranges"]
    folder, summary = Path(job["folder"]), runs.new_summary()
    exact, own = store.Reader(folder / "exact"), store.Reader(folder / "own")
    call = runs.caller(subject, job, False)
    for draw in range(tools.DRAWS):
        subject.enter("{}: run {}".format(told["name"], draw + 1))
        terms = store.Terms(told["name"], exact, own, summary, runtime)
        with contextlib.ExitStack() as stack:
            stack.enter_context(randomness.fixed(subject))
            stack.enter_context(runtime.kept(subject.call))
            stack.enter_context(tools.lowered(subject.call, told, ranges, draw))
            body(call(job["inputs"], terms, False))
    return dict(summary["terms"])


def learned(subject: Any, tools: Any, job: Job) -> Any:
    """Ranges and layers of int8, from the calibration set: ``calls``, a folder of arrays ``NUMBER:PATH``, ``count``."""
    lowered = job["lowered"]
    subject.enter("calibration")
    given = arrays.read(lowered["calls"])
    make = lambda array, name: subject.runtime.tensor(array)  # noqa: E731

    def call(number: int) -> None:
        args, kwargs = subject.batch(given, number, job, make)
        subject.call(*args, **kwargs)

    with subject.runtime.kept(subject.call):
        try:
            ranges, seen = tools.learned(subject.call, tools.kinds_of(lowered["told"]), call, lowered["count"])
        except tools.Uneven as error:
            raise Failed(str(error), odd="calibration") from None
    return {"ranges": ranges, "layers": list(dict.fromkeys(layer for layer, _ in seen))}


class Sensitivity:
    """What each layer adds to the error of int8: outputs, where that layer alone is rounded.

    Errors are relative: of all floating outputs together, the rms of error over size.
    """

    def __init__(self, subject: Any, tools: Any, job: Job, body: Any, learned: Any) -> None:
        self.subject, self.tools, self.job, self.body, self.learned = subject, tools, job, body, learned
        self.exact, self.own = (store.Reader(Path(job["folder"]) / name) for name in ("exact", "own"))

    def measure(self) -> Job:
        """alone: (layer, error) for each, the largest first; whole: with all rounded; kept: (layers, error) with the
        first of them in float, some more each time.
        """
        layers = [name for name in self.learned["layers"] if name not in self.job["lowered"]["told"]["kept_layers"]]
        alone = [(name, self.error(lambda layer, name=name: layer == name)) for name in layers]
        alone.sort(key=lambda item: -item[1])
        kept = []
        for count in (1, 2, 3, 5, 8):
            first = [name for name, _ in alone[:count]]
            if count < len(alone):
                kept.append((first, self.error(lambda layer, first=first: layer in layers and layer not in first)))
        return {"alone": alone, "whole": self.error(None), "kept": kept}

    def error(self, chosen: Any) -> float:
        """With the layers in int8 that are chosen."""
        subject, summary = self.subject, runs.new_summary()
        told = self.job["lowered"]["told"]
        with contextlib.ExitStack() as stack:
            stack.enter_context(randomness.fixed(subject))
            stack.enter_context(subject.runtime.kept(subject.call))
            stack.enter_context(self.tools.lowered(subject.call, told, self.learned["ranges"], 0, chosen))
            terms = store.Terms(told["name"], self.exact, self.own, summary, subject.runtime)
            self.body(runs.caller(subject, self.job, False)(self.job["inputs"], terms, False))
        errors = []
        for key, found in summary["terms"].items():
            size = rms(self.exact.get("", key.partition(":")[2]))
            if size:
                errors.append(found[told["name"]] / size)
        return rms(np.array(errors)) if errors else 0.0
