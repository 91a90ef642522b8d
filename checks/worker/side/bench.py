"""What ``migrate bench`` measures on one side: calls of the model, or steps of training, in several modes."""

from __future__ import annotations

import contextlib
import math
import time
from typing import Any, Callable, Dict

from .. import arrays
from ..structure import walk
from . import static, training

Job = Dict[str, Any]

WARM_UP = 0.5
"""Seconds of calls before anything is measured, and never fewer than three calls."""


class Bench:
    """The modes of one side, for inputs of one shape."""

    def __init__(self, subject: Any, tools: Any, job: Job) -> None:
        """job: inputs (a folder, arrays named ``0:NAME``), positional, keywords; train, and then what
        ``training.make_optimizer`` and ``loss`` take.
        """
        self.subject, self.tools, self.job = subject, tools, job
        given = arrays.read(job["inputs"])
        make = lambda array, name: subject.runtime.tensor(array)  # noqa: E731
        self.args, self.kwargs = subject.batch(given, 0, job, make)
        self.calls: dict[str, Callable[[], Any]] = {}

    def prepare(self, mode: str) -> Job:
        """Make a mode ready and warm: seconds of its first call, and of a warm one. Raises what it raises."""
        call = self.training(mode) if self.job["train"] else self.inference(mode)

        def finished() -> None:
            self.fetch(call())
            self.tools.wait()

        start = time.perf_counter()
        finished()
        first = time.perf_counter() - start
        count, begun = 0, time.perf_counter()
        while count < 3 or time.perf_counter() - begun < WARM_UP:
            finished()
            count += 1
        self.calls[mode] = finished
        return {"first": first, "warm": (time.perf_counter() - begun) / count}

    def measure(self, mode: str, count: int) -> list[float]:
        """Seconds of each of ``count`` calls."""
        if mode not in self.calls:  # in another process: a mode since then has ended the one that it was made ready in
            self.prepare(mode)
        call, found = self.calls[mode], []
        for _ in range(count):
            start = time.perf_counter()
            call()
            found.append(time.perf_counter() - start)
        return found

    def inference(self, mode: str) -> Callable[[], Any]:
        subject, runtime = self.subject, self.subject.runtime
        subject.evaluate()
        model = self.tools.static(subject.call) if mode == "static" else subject.call
        amp = self.amp(mode)

        def call() -> Any:
            with runtime.no_grad(), amp():
                return model(*self.args, **self.kwargs)

        return call

    def training(self, mode: str) -> Callable[[], Any]:
        subject, job, tools = self.subject, self.job, self.tools
        runtime = subject.runtime
        loss = subject.named(job["loss"]) if job["loss"] else None
        subject.evaluate()
        batch = self.args, self.kwargs
        wanted = {} if loss is not None else static.differentiable(subject, batch)
        runtime.train(subject.call)
        optimizer, scheduler = training.make_optimizer(subject, job, subject.call)
        make = tools.train_step if mode == "static" else tools.eager_step
        step = make(subject.call, static.loss_of(subject, loss, wanted), optimizer, scheduler)
        targets, amp = static.own_targets(subject, wanted, 1), self.amp(mode)

        def call() -> Any:
            with amp():
                return step(self.args, self.kwargs, targets)

        return call

    def amp(self, mode: str) -> Callable[[], Any]:
        """What makes the context of a call."""
        return self.tools.amp if mode == "amp" else contextlib.nullcontext

    def fetch(self, returned: Any) -> None:
        """Have the smallest tensor computed and copied out."""
        runtime = self.subject.runtime
        found = [value for value in walk(returned, runtime, "")[0].values() if runtime.is_tensor(value)]
        if found:
            runtime.array(min(found, key=lambda value: math.prod(int(size) for size in value.shape)))
