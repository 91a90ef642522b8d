"""A task's own metric, of the model and of an artefact.

The metric is called with ``predict``, and calls that with the model's arguments as often as its data set asks for.
First the model answers, and what it was asked is kept; an artefact in another process answers the same; then the metric
is called again, and gets those answers.
"""

from __future__ import annotations

from typing import Any, Dict

import numpy as np

from .. import arrays
from . import yielded
from .static import rebuilt
from .subject import Failed

Job = Dict[str, Any]
STAGE = "metric"


def of_model(subject: Any, tools: Any, job: Job) -> Job:
    """What the metric says of the model; the calls' arrays, ``NUMBER:PATH``, go to ``asked``.

    metric: MODULE:CALLABLE of the project. structure: of what is returned, as the artefact's manifest has it.
    """
    asked: dict[str, Any] = {}
    count = 0

    def predict(*args: Any, **kwargs: Any) -> Any:
        nonlocal count
        for path, array in given(subject, job, args, kwargs).items():
            asked[f"{count}:{path}"] = np.array(array)
        count += 1
        with subject.runtime.no_grad():
            returned = subject.call(*args, **kwargs)
        return rebuilt(job["structure"], tools.tensors(returned))

    subject.enter(STAGE)
    subject.evaluate()
    found = value(subject, job, predict)
    if not count:
        raise Failed(f"{job['metric']} never calls what it is given, predict: it says nothing of the model")
    arrays.write(job["asked"], asked)
    return {"value": found, "calls": count}


def of_answers(subject: Any, job: Job) -> Job:
    """What the metric says of an artefact, whose answers to the calls of ``asked`` lie in ``answers``."""
    asked, answers = arrays.read(job["asked"]), arrays.read(job["answers"])
    count = 0

    def predict(*args: Any, **kwargs: Any) -> Any:
        nonlocal count
        for path, array in given(subject, job, args, kwargs).items():
            held = asked.get(f"{count}:{path}")
            if held is None or held.shape != array.shape or not np.array_equal(held, array):
                raise Failed(
                    f"{job['metric']} asks for other data the second time: torch's and the artefact's answers would not"
                    " be to the same; it must not shuffle, or by a generator of its own seed"
                )
        found = [subject.runtime.tensor(answers[f"{count}:{number}"]) for number in range(job["outputs"])]
        count += 1
        return rebuilt(job["structure"], found)

    subject.enter(STAGE)
    return {"value": value(subject, job, predict), "calls": count}


def answer(subject: Any, job: Job) -> Job:
    """An artefact's answers: its arrays, ``NUMBER:OUTPUT``, go to ``answers``."""
    subject.enter(STAGE)
    asked = arrays.read(job["asked"])
    artefact = subject.call

    def answered() -> Any:
        for number in range(job["count"]):
            given = {item["path"]: asked.get(f"{number}:{item['path']}") for item in artefact.manifest["inputs"]}
            missing = [path for path, array in given.items() if array is None]
            if missing:
                raise Failed(f"{job['metric']} calls predict without {missing[0]}, which the artefact takes")
            for output, array in enumerate(artefact.answers(given)):
                yield f"{number}:{output}", array

    arrays.write(job["answers"], answered())
    return {}


def given(subject: Any, job: Job, args: Any, kwargs: Any) -> dict[str, Any]:
    """Path -> array of a call's tensors."""
    found = yielded.named(subject, job, tuple(args)) if args else {}
    return {**found, **(yielded.named(subject, {"positional": [], "keywords": kwargs}, kwargs) if kwargs else {})}


def value(subject: Any, job: Job, predict: Any) -> float:
    """The number that the metric returns."""
    subject.reseed()
    found = subject.named(job["metric"])(predict)
    try:
        number = float(found)
    except (TypeError, ValueError):
        raise Failed(f"{job['metric']} returns a {type(found).__name__}, no number") from None
    if not np.isfinite(number):
        raise Failed(f"{job['metric']} returns {number}: nothing can be compared with it")
    return number
