"""Executes converted samples in the target's interpreter.

Reads jobs from stdin, one JSON object a line: ``folder`` (put on the path), ``forget`` (modules to import anew),
``tasks`` (a JSON file), ``start`` (the first task to run), ``skip`` (tasks to leave out), ``out`` (where
results.jsonl and results.bin are appended to). Before each task its number is answered, and ``done``
after the last: whoever waits knows which one crashed or hangs.
"""

from __future__ import annotations

import faulthandler
import importlib
import json
import os
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from ..runtime import load_runtime
from .blob import Reader, Writer
from .built import Built
from .evaluate import evaluate
from .functions import differentiate


class Worker:
    """Keeps the framework imported from one job to the next."""

    def __init__(self, runtime: Path, progress: int) -> None:
        self.runtime = load_runtime(runtime)
        self.runtime.threads(1)
        self.progress = progress
        self.readers: dict[str, Reader] = {}

    def say(self, text: str) -> None:
        os.write(self.progress, (text + "\n").encode())

    def job(self, job: dict[str, Any]) -> None:
        sys.path[0] = job["folder"]
        importlib.invalidate_caches()
        for name in job["forget"]:
            sys.modules.pop(name, None)
        tasks = json.loads(Path(job["tasks"]).read_text(encoding="utf-8"))
        out = Path(job["out"])
        writer = Writer(out / "results.bin")
        skip = set(job["skip"])
        modules: dict[str, Any] = {}
        with open(out / "results.jsonl", "a", encoding="utf-8") as lines:
            for number in range(job["start"], len(tasks)):
                if number in skip:
                    continue
                self.say(str(number))
                result = self.task(tasks[number], modules, writer)
                writer.flush()
                lines.write(json.dumps({"task": number, **result}) + "\n")
                lines.flush()
        writer.close()
        self.say("done")

    def reader(self, path: str) -> Reader:
        if path not in self.readers:
            if len(self.readers) > 3:
                self.readers.clear()
            self.readers[path] = Reader(path)
        return self.readers[path]

    def task(self, task: dict[str, Any], modules: dict[str, Any], writer: Writer) -> dict[str, Any]:
        reader = self.reader(task["arrays"])
        arrays = {name: reader.get(place) for name, place in task["tensors"].items()}
        try:
            if task["module"] not in modules:
                modules[task["module"]] = importlib.import_module(task["module"])
            function = getattr(modules[task["module"]], task["function"])
            if task.get("build"):
                build = getattr(modules[task["module"]], task["build"])
                states = self.reader(task["states"])
                state = {name: states.get(place) for name, place in task["state"].items()}
                function = Built(build, function, state, task["train"], self.runtime)
            if task.get("draws"):
                drawn = self.draws(function, arrays, task["draws"], writer)
                return {"draws": drawn, "unchanging": not self.runtime.TAPE}
            return self.once(function, arrays, task, writer)
        except BaseException as error:  # the helper's own error is no Exception
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            frames = traceback.extract_tb(error.__traceback__)
            message = " ".join(str(error).split())
            return {"error": type(error).__name__, "message": message[-500:], "at": frames[-1].line or ""}

    def once(self, function: Any, arrays: Any, task: dict[str, Any], writer: Writer) -> dict[str, Any]:
        self.runtime.seed(0)
        by_functions = not self.runtime.TAPE
        outcome = evaluate(
            function,
            arrays,
            [] if by_functions else task["grads"],
            self.runtime,
            through=[] if by_functions else task["through"],
            fields=task.get("fields"),
            module=function if task.get("build") else None,
        )
        trained = by_functions and isinstance(function, Built) and bool({*function.leaves()} & {*function.changed()})
        if by_functions and not trained and (task["grads"] or task.get("build")):
            differentiate(outcome, function, arrays, task["grads"], task["through"], self.runtime)
        found = dict(outcome.arrays)
        found.update({f"gradient of {name}": array for name, array in outcome.gradients.items() if array is not None})
        found.update({f"{name} after the call": array for name, array in outcome.after.items()})
        return {
            "nodes": outcome.nodes,
            "arrays": {path: writer.add(array) for path, array in found.items()},
            "missing": outcome.missing,
            "gradient_error": outcome.gradient_error,
            "returned": outcome.returned,
            "unchanging": by_functions,
            "trained": trained,
        }

    def draws(self, function: Any, arrays: Any, count: int, writer: Writer) -> dict[str, Any]:
        """As the reference draws: many calls, stacked."""
        stacks: dict[str, list[Any]] = {}
        self.runtime.seed(7919)
        for _ in range(count):
            outcome = evaluate(function, arrays, [], self.runtime)
            for path, array in outcome.arrays.items():
                stacks.setdefault(path, []).append(array)
        even = {path: stack for path, stack in stacks.items() if len({array.shape for array in stack}) == 1}
        return {
            "nodes": outcome.nodes,
            "returned": outcome.returned,
            "arrays": {path: writer.add(np.stack(stack)) for path, stack in even.items()},
        }


def main(arguments: list[str]) -> None:
    """Arguments: the runtime file, and the file descriptor to answer to."""
    faulthandler.enable()
    warnings.simplefilter("ignore")
    worker = Worker(Path(arguments[0]), int(arguments[1]))
    worker.say("ready")
    for line in sys.stdin:
        worker.job(json.loads(line))
    os._exit(0)  # threads that the framework left behind must not keep the process alive
