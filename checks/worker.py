"""One side of a check: builds the model in this interpreter, loads its state, runs it, writes what it returned.

    python worker.py JOB.json

Run by ``checks.process`` in the interpreter of either side, so Python 3.8 and numpy only; the framework is known to the
runtime file that the job names, and to the project. A failure is written to the result as well: the exit status is
not 0 only when the process died.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import importlib.util
import inspect
import json
import os
import platform
import random
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent


class Failed(Exception):
    """A failure that the worker itself found; ``detail`` goes into the result as it is."""

    def __init__(self, message: str, **detail: Any) -> None:
        super().__init__(message)
        self.detail = detail


def load(name: str, path: Path) -> Any:
    """The module in that file, under a name that no project uses."""
    spec = importlib.util.spec_from_file_location("_migrate_" + name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


arrays = load("arrays", HERE / "arrays.py")
entries = load("entry", HERE / "entry.py")
probe = load("probe", HERE / "probe.py")
structure = load("structure", HERE / "structure.py")


class Worker:
    """The stages of a job, in order; ``stage`` is where it is, also for whoever waits."""

    def __init__(self, job: dict[str, Any], out: Path) -> None:
        self.job = job
        self.out = out
        self.stage = ""
        self.seconds: dict[str, float] = {}
        self._since = time.perf_counter()

    def enter(self, stage: str) -> None:
        """Start a stage: ``forward`` may carry the name of the run, ``forward: float64``."""
        now = time.perf_counter()
        if self.stage:
            self.seconds[self.stage] = round(now - self._since, 3)
        self.stage, self._since = stage, now
        aside = self.out / "stage.tmp"
        aside.write_text(stage, encoding="utf-8")
        os.replace(aside, self.out / "stage")

    def run(self) -> dict[str, Any]:
        """The result: versions, seconds by stage, and for each run its structure; the arrays lie in ``out/RUN``."""
        job = self.job
        self.enter("framework")
        self.runtime = load("runtime", Path(job["runtime"]))
        self.runtime.threads(job["threads"])
        self.reseed()
        self.enter("import")
        # Compiled modules are kept for the framework, whose import they halve, but not beside the project's sources.
        sys.dont_write_bytecode = True
        # The project goes first, where Python put this script's own folder.
        sys.path[0] = job["project"]
        sys.argv = [job["project"]]
        os.chdir(job["project"])
        entry = entries.parse(job["entry"])
        module = importlib.import_module(entry.module)
        self.enter("entry")
        try:
            named = entries.find(module, entry.attribute)
        except AttributeError as error:
            raise Failed(str(error), missing=entry.attribute) from None
        self.enter("build")
        self.reseed()
        model, is_module = self.build(entry, module, named)
        if is_module:
            self.runtime.evaluate(model)
            self.enter("state")
            self.exchange_state(model)
        self.enter("inputs")
        self.fit(model, is_module)
        runs = [self.forward(model, run) for run in self.plan()]
        self.enter("done")
        return {
            "framework": self.runtime.version(),
            "python": platform.python_version(),
            "numpy": np.__version__,
            "executable": sys.executable,
            "entry": "module" if is_module else "function",
            "seconds": self.seconds,
            "runs": runs,
        }

    def reseed(self) -> None:
        random.seed(self.job["seed"])
        np.random.seed(self.job["seed"])
        self.runtime.seed(self.job["seed"])

    def build(self, entry: Any, module: Any, named: Any) -> Any:
        """(what is called with the inputs, whether it is a module with state)."""
        if entry.call is not None:
            args, kwargs = entries.arguments(module, entry.call)
            built = named(*args, **kwargs)
            if not callable(built):
                raise Failed(
                    "{} returned a {}".format(self.job["entry"], type(built).__name__), odd=type(built).__name__
                )
            return built, self.runtime.is_module(built)
        if self.runtime.is_module(named):
            return named, True
        if not callable(named):
            raise Failed("{} is a {}".format(self.job["entry"], type(named).__name__), odd=type(named).__name__)
        needed = required(named)
        if not needed:
            built = named()
            if self.runtime.is_module(built):
                return built, True
            if isinstance(named, type):
                raise Failed("{} is no module".format(self.job["entry"]), odd=type(built).__name__)
        elif isinstance(named, type):
            raise Failed("{} needs arguments: {}".format(self.job["entry"], ", ".join(needed)), needs=needed)
        return named, False

    def fit(self, model: Any, is_module: bool) -> None:
        """Raise Failed when the inputs are not what the model or function takes."""
        called = getattr(model, "forward", model)
        positional, keywords = self.job["positional"], self.job["keywords"]
        try:
            signature = inspect.signature(called)
        except ValueError:  # a builtin without a signature
            return
        try:
            signature.bind(*positional, **dict.fromkeys(keywords))
        except TypeError as error:
            name = called.__qualname__ if hasattr(called, "__qualname__") else type(called).__name__
            message = f"{name}{signature} does not take these {len(positional) + len(keywords)} inputs: {error}"
            raise Failed(message, needs=[] if is_module else required(model)) from None

    def exchange_state(self, model: Any) -> None:
        """Load the state that the job names, or make and write the one that the other side gets."""
        job = self.job
        given = arrays.read(job["state"]) if job.get("state") else None
        if given is None and job.get("probe"):
            given = probe.probe_weights(self.runtime.state(model), job["seed"])
        if given is not None:
            shapes = self.runtime.shapes(model)
            missing = [name for name in shapes if name not in given]
            unexpected = [name for name in given if name not in shapes]
            wrong = [
                f"{name}: {list(shape)} here, {list(given[name].shape)} given"
                for name, shape in shapes.items()
                if name in given and tuple(given[name].shape) != tuple(shape)
            ]
            if missing or unexpected or wrong:
                raise Failed("the state does not fit", missing=missing, unexpected=unexpected, shapes=wrong)
            self.runtime.load_state(model, given)
        if job.get("export"):
            arrays.write(job["export"], self.runtime.state(model))
        if job.get("describe"):
            described = load("describe", Path(job["describe"])).describe(model)
            (self.out / "describe.json").write_text(json.dumps(described), encoding="utf-8")

    def plan(self) -> list[dict[str, Any]]:
        """The job's runs; one that asks for variants is followed by the runtime's own."""
        runs: list[dict[str, Any]] = []
        for run in self.job["runs"]:
            runs.append(run)
            if run.get("variants"):
                runs += [dict(run, name=name, variant=name) for name in self.runtime.VARIANTS]
        return runs

    def forward(self, model: Any, run: dict[str, Any]) -> dict[str, Any]:
        """Run once and write ``out/NAME``. A double-precision run may fail: that only takes away the reference."""
        self.enter("forward: " + run["name"])
        given = arrays.read(run["inputs"])
        wide = run.get("double", False)
        args = [self.tensor(given[str(name)], wide) for name in self.job["positional"]]
        kwargs = {name: self.tensor(given[name], wide) for name in self.job["keywords"]}
        self.reseed()
        try:
            with contextlib.ExitStack() as stack:
                stack.enter_context(self.runtime.no_grad())
                if wide:
                    stack.enter_context(self.runtime.double(model))
                if run.get("variant"):
                    changed = stack.enter_context(self.runtime.variant(run["variant"], model, args, kwargs))
                    if changed is None:
                        return {"name": run["name"], "skipped": True}
                    args, kwargs = changed
                returned = model(*args, **kwargs)
            if self.runtime.is_module(returned):
                raise Failed("{} builds a model from arguments".format(self.job["entry"]), needs=required(model))
            found, nodes = structure.flatten(returned, self.runtime)
        except Exception as error:
            if not wide:
                raise
            return {"name": run["name"], "error": f"{type(error).__name__}: {error}"}
        arrays.write(self.out / run["name"], found)
        return {"name": run["name"], "structure": nodes}

    def tensor(self, array: Any, wide: bool) -> Any:
        if wide and array.dtype.kind in "fc":
            array = array.astype(np.float64 if array.dtype.kind == "f" else np.complex128)
        return self.runtime.tensor(array)


def required(named: Any) -> list[str]:
    """Parameters without a default."""
    try:
        parameters = inspect.signature(named).parameters.values()
    except ValueError:  # a builtin without a signature
        return []
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [item.name for item in parameters if item.default is item.empty and item.kind not in variable]


def place(error: BaseException, project: str) -> str | None:
    """file:line of the innermost frame in the project, else of a syntax error."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(project)]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else None


def main() -> None:
    faulthandler.enable()  # a crash, or the abort that follows a timeout, leaves a Python stack on stderr
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    out = Path(job["out"])
    worker = Worker(job, out)
    try:
        result = worker.run()
    except (Exception, SystemExit) as error:
        own = isinstance(error, Failed)
        if not own:
            traceback.print_exc()
        kind = "" if own else type(error).__name__
        failure = {"stage": worker.stage, "kind": kind, "message": str(error), "where": place(error, job["project"])}
        result = {"error": dict(failure, **(error.detail if isinstance(error, Failed) else {}))}
        if isinstance(error, ImportError):
            result["error"]["module"] = error.name
    aside = out / "result.tmp"
    aside.write_text(json.dumps(result), encoding="utf-8")
    os.replace(aside, out / "result.json")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # threads that a framework or the project left behind must not keep the process alive


if __name__ == "__main__":
    main()
