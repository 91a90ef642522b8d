"""One side of a check: a process that waits for commands.

Started by ``checks.parity.process`` in the interpreter of either side. A command is a JSON object on a line, ``do``
naming a method of ``Worker``; its answer one on a line, ``{"stage": ...}`` lines going before. A failure is an answer
as well.
"""

from __future__ import annotations

import faulthandler
import json
import os
import platform
import sys
import time
import traceback
import types
from pathlib import Path
from typing import Any, Dict, Iterator

import numpy as np

from .. import arrays, distance, structure
from ..loading import load_apart, load_file
from ..runtime import load_runtime
from . import (
    alone,
    bench,
    deploy,
    forward,
    gradients,
    layout,
    lowered,
    metric,
    randomness,
    runs,
    static,
    store,
    training,
    yielded,
)
from .subject import Failed, Subject, place

Job = Dict[str, Any]


class Channel:
    """Lines of JSON, in and out."""

    def __init__(self, read: int, write: int) -> None:
        self.read = os.fdopen(read, "r", encoding="utf-8")
        self.write = os.fdopen(write, "w", encoding="utf-8")

    def commands(self) -> Iterator[Job]:
        """Until the other end closes."""
        for line in self.read:
            yield json.loads(line)

    def send(self, message: Job) -> None:
        """One line."""
        self.write.write(json.dumps(message) + "\n")
        self.write.flush()


class Worker:
    """The commands. Each returns what is JSON; arrays lie in the folder that the command names."""

    def __init__(self, job: Job, channel: Channel) -> None:
        self.job = job
        self.channel = channel
        self.stage = ""
        self.seconds: dict[str, float] = {}
        self._since = time.perf_counter()
        self._state: Any = None  # of the model as it was given
        self.runtime: Any = None
        self.subject: Any = None
        self.bench_of: Any = None
        self._ranges: dict[str, Any] = {}  # of int8, by the digest of the calibration set that showed them

    def enter(self, stage: str) -> None:
        """Start a stage; whoever waits is told."""
        now = time.perf_counter()
        if self.stage:
            self.seconds[self.stage] = round(self.seconds.get(self.stage, 0.0) + now - self._since, 3)
        self.stage, self._since = stage, now
        self.channel.send({"stage": stage})

    def start(self) -> None:
        """Import the framework, before anything is asked."""
        self.enter("framework")
        self.runtime = load_runtime(Path(self.job["runtime"]))
        self.runtime.threads(self.job["threads"])
        self.subject = Subject(self.runtime, self.enter)

    def hello(self, command: Job) -> Job:
        """Versions."""
        return {
            "framework": self.runtime.version(),
            "python": platform.python_version(),
            "numpy": np.__version__,
            "executable": sys.executable,
            "levels": list(self.runtime.LEVELS),
        }

    def open(self, command: Job) -> Job:
        """Build the entry of a project: project, entry, seed, positional, keywords.

        keep: the project's modules are those of the entry before, if it was the same project.
        paths: folders beside the project, as ``Subject.open`` takes them.

        describe: the file that will describe it, if it is to remember how it was made.
        """
        if command.get("describe"):
            load_file("describe", Path(command["describe"])).remember_makers()
        named = {key: command[key] for key in ("keep", "paths") if key in command}
        found = self.subject.open(command["project"], command["entry"], command["seed"], **named)
        if found["kind"] == "module":
            self.subject.fit(command["positional"], command["keywords"])
        return {**found, "modules": forward.modules(self.subject)}

    def state(self, command: Job) -> Job:
        """Fill the model: state (a folder), or probe; write it to export; describe it.

        layout: (name, recipe) of each of this side's tensors, shapes: torch's, recipes: the file that reads them.
        """
        self.subject.fit(command["positional"], command["keywords"])
        if not self.subject.is_module:
            return {}
        if command.get("state"):
            self.subject.load(command["state"], layout_of(command))
            self._state = command["state"]
        elif command.get("probe"):
            self.subject.probe()
        if command.get("export"):
            arrays.write(command["export"], self.runtime.state(self.subject.call))
        if command.get("describe"):
            return dict(load_file("describe", Path(command["describe"])).describe(self.subject.call))
        return {}

    def forward(self, command: Job) -> Job:
        """Outputs, with ``layers`` also those of modules, ``skip`` being left out; with ``others`` also ``moved``."""
        body, light = (
            forward.body(self.subject, layers, set(command.get("skip", ()))) for layers in (command["layers"], False)
        )
        found = runs.compute(self.subject, command, body, "forward", light=light)
        if command.get("lowered") and not found["exact_error"]:
            self._lower(command, body, found)
        return {**found, "moved": runs.moved(self.subject, command, light)} if command.get("others") else found

    def _lower(self, command: Job, body: Any, found: Job) -> None:
        """Add what a lower precision must err by to the floor's terms; ``lowered``: told (the manifest's precision),
        tools (the file that computes so), of int8 calls and count of the calibration set.
        """
        tools = load_file("precision", Path(command["lowered"]["tools"]))
        learned = self._learned(tools, command)
        for key, terms in lowered.predict(self.subject, tools, command, body, learned).items():
            found["terms"].setdefault(key, {}).update(terms)

    def _learned(self, tools: Any, command: Job) -> Any:
        """Of int8, what the calibration set showed; else None."""
        if not command["lowered"].get("calls"):
            return None
        # The set and the model are those of all sizes that a check goes through.
        key = command["lowered"]["told"]["calibration"]["sha256"]
        if key not in self._ranges:
            self._ranges = {key: lowered.learned(self.subject, tools, command)}
        return self._ranges[key]

    def sensitivity(self, command: Job) -> Job:
        """What each layer adds to the error of int8, by what ``forward`` left in the folder; job as there."""
        tools = load_file("precision", Path(command["lowered"]["tools"]))
        self.enter("sensitivity")
        body = forward.body(self.subject, False)
        return lowered.Sensitivity(self.subject, tools, command, body, self._learned(tools, command)).measure()

    def alone(self, command: Job) -> Job:
        """Modules by themselves."""
        return alone.run(self.subject, command)

    def gradients(self, command: Job) -> Job:
        """Gradients, with ``second`` of the second order; with ``again`` more draws of noise for what was computed."""
        second = command["second"]
        label = "second gradients" if second else "gradients"
        compute = runs.draw_again if command.get("again") else runs.compute
        return compute(self.subject, command, gradients.body(self.subject, second), label, graph=True)

    def train(self, command: Job) -> Job:
        """Steps of an optimizer; ``again`` as in ``gradients``."""
        command["defaults"] = load_apart("default_training", Path(command["defaults"]))
        summary: Job = {"random": {}}
        self._begin_anew()  # a forward may have changed buffers
        try:
            body = training.body(self.subject, command, summary)
            compute = runs.draw_again if command.get("again") else runs.compute
            found = compute(self.subject, command, body, "training")
        finally:
            self.subject.evaluate()
            self._begin_anew()
        return {**found, **summary}

    def _begin_anew(self) -> None:
        """Give the target's model the state that it was opened with; torch's keeps its own."""
        if not self.runtime.REFERENCE and self._state is not None:
            self.subject.load(self._state, self.subject.layout)

    def static(self, command: Job) -> Job:
        """The model as a static graph, with ``export`` saved to that folder; ``tools``: the file that makes graphs."""
        tools = load_file("static_runtime", Path(command["tools"]))
        said: Job = {}
        body = static.outputs(self.subject, tools, command.get("export"), said)
        return {**runs.compute(self.subject, command, body, "static graph"), **said}

    def exported(self, command: Job) -> Job:
        """What was saved to ``export``, loaded; ``skeleton``: the structure of the outputs."""
        tools = load_file("static_runtime", Path(command["tools"]))
        body = static.exported(self.subject, tools, command["export"], command["skeleton"])
        return runs.compute(self.subject, command, body, "exported graph")

    def train_static(self, command: Job) -> Job:
        """Steps of an optimizer in static graphs."""
        command["defaults"] = load_apart("default_training", Path(command["defaults"]))
        tools = load_file("static_runtime", Path(command["tools"]))
        self._begin_anew()
        try:
            body = static.steps(self.subject, command, tools)
            return runs.compute(self.subject, command, body, "static training")
        finally:
            self.subject.evaluate()
            self._begin_anew()

    def read_own(self, command: Job) -> Job:
        """Fill the model from ``path``, a checkpoint of the framework's own."""
        self.subject.fit(command["positional"], command["keywords"])
        deploy.read_own(self.subject, load_file("export_runtime", Path(command["tools"])), command["path"])
        return {}

    def open_saved(self, command: Job) -> Job:
        """Load the artefact in ``folder``; ``tools``: the file that runs it, manifest, seed, positional, keywords.

        watch: names of tensors inside it that are asked for, too.
        """
        self.enter("artefact")
        tools = load_file("backend", Path(command["tools"]))
        run = deploy.loaded(tools, command["folder"], command["manifest"], self.job["threads"])
        watch = None
        if command.get("watch"):
            watch = tools.watch(command["folder"], command["manifest"], self.job["threads"], command["watch"])
        artefact = deploy.Artefact(run, command["manifest"], command["positional"], command["keywords"], watch)
        self.subject.hold(artefact, command["seed"])
        return {"version": tools.version()}

    def metric(self, command: Job) -> Job:
        """A task's metric of the model; see ``metric.of_model``. ``tools``: the file that knows its results."""
        tools = load_file("export_runtime", Path(command["tools"]))
        return metric.of_model(self.subject, tools, command)

    def answer_metric(self, command: Job) -> Job:
        """An artefact's answers to what the metric asked; see ``metric.answer``."""
        return metric.answer(self.subject, command)

    def metric_again(self, command: Job) -> Job:
        """The metric of those answers; see ``metric.of_answers``."""
        return metric.of_answers(self.subject, command)

    def save(self, command: Job) -> Job:
        """Save the model as it is deployed; ``tools``: the file that does."""
        return deploy.save(self.subject, load_file("export_runtime", Path(command["tools"])), command)

    def weights(self, command: Job) -> Job:
        """Write the model's arrays of two axes and more to ``folder``."""
        held = self.runtime.state(self.subject.call)
        arrays.write(command["folder"], {name: array for name, array in held.items() if array.ndim > 1})
        return {}

    def yielded(self, command: Job) -> Job:
        """The arguments that a callable of the project yields, as arrays; see ``yielded.write``."""
        return {"calls": yielded.write(self.subject, command)}

    def bench(self, command: Job) -> Job:
        """Get ready to measure (``prepare``: a mode), or measure (``measure``: a mode, ``count``)."""
        if "inputs" in command:
            self.enter("bench")
            if command["train"]:
                command["defaults"] = load_apart("default_training", Path(command["defaults"]))
            self.bench_of = bench.Bench(self.subject, load_file("static_runtime", Path(command["tools"])), command)
        if "prepare" in command:
            self.enter("bench: " + command["prepare"])
            amp = self.bench_of.tools.amp() if command["prepare"] == "amp" else None
            if isinstance(amp, str):
                raise Failed(amp)
            return dict(self.bench_of.prepare(command["prepare"]))
        if "measure" in command:
            return {"seconds": self.bench_of.measure(command["measure"], command["count"])}
        return {}

    def leftovers(self, command: Job) -> Job:
        """What the model computes without need: torch's side only; ``inputs``: two calls, ``tools``: the finder."""
        given = arrays.read(command["inputs"])
        make = lambda array, name: self.runtime.tensor(array)  # noqa: E731
        calls = [self.subject.batch(given, number, command, make) for number in (0, 1)]
        found: Job = load_file("leftovers", Path(command["tools"])).find(self.subject, *calls, command)
        return found

    def causes(self, command: Job) -> Job:
        """Try what may explain a layer's result: torch's side only."""
        self.enter("causes")
        tools = types.SimpleNamespace(
            arguments=alone.arguments,
            array_of=structure.array_of,
            distance=distance.distance,
            fixed=randomness.fixed,
            read=arrays.read,
            store=store,
            walk=structure.walk,
            widened=runs.widened,
        )
        found: Job = load_file("causes", Path(command["causes"])).explain(self.subject, command, tools)
        return found

    def answer(self, command: Job) -> Job:
        """Do a command; its answer, or the failure."""
        try:
            done: Job = getattr(self, command["do"])(command)
        except BaseException as error:  # what was not converted raises no Exception
            if isinstance(error, KeyboardInterrupt):
                raise
            return {"error": self.failure(error)}
        seconds, self.seconds = self.seconds, {}
        now = time.perf_counter()
        seconds[self.stage] = round(seconds.get(self.stage, 0.0) + now - self._since, 3)
        self.stage = ""
        return {"done": done, "seconds": seconds}

    def failure(self, error: BaseException) -> Job:
        """An exception as an answer; its traceback goes to stderr unless the worker itself found what is wrong."""
        own = isinstance(error, Failed)
        if not own:
            traceback.print_exc()
        project = self.subject.project if self.subject is not None else ""
        found = {
            "stage": self.stage,
            "kind": "" if own else type(error).__name__,
            "message": str(error),
            "where": place(error, project) if project else None,
            **(error.detail if isinstance(error, Failed) else {}),
        }
        if hasattr(error, forward.RAISED_IN):
            found["layer"] = getattr(error, forward.RAISED_IN)
        if isinstance(error, ImportError):
            found["module"] = error.name
        return found


def layout_of(command: Job) -> Any:
    """The ``Layout`` that the command describes, None where the state is torch's own."""
    if command.get("layout") is None:
        return None
    recipes = load_file("recipe", Path(command["recipes"])).Recipe
    pairs = [(name, recipes.from_json(data)) for name, data in command["layout"]]
    return layout.Layout(pairs, {name: tuple(shape) for name, shape in command["shapes"].items()})


def main(arguments: list[str]) -> None:
    """Arguments: the job's file, and the file descriptors to read commands from and to write answers to."""
    faulthandler.enable()  # a crash, or the abort that follows a timeout, leaves a Python stack on stderr
    job = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    channel = Channel(int(arguments[1]), int(arguments[2]))
    worker = Worker(job, channel)
    failed = None
    try:
        worker.start()
        faulthandler.disable()  # a framework may have put handlers of its own in place
        faulthandler.enable()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        failed = {"error": worker.failure(error)}
    for command in channel.commands():
        answer = failed or worker.answer(command)
        sys.stdout.flush()
        sys.stderr.flush()
        channel.send(answer)
    os._exit(0)  # threads that a framework or the project left behind must not keep the process alive
