"""Runs programs in one framework's interpreter.

Reads jobs from stdin, one JSON object a line: ``folder`` (put on the path) and ``main`` (a file in it, run as
``__main__``). For each, one line is answered: what the program handed to ``show(...)``, a builtin
there, and the error that ended it.
"""

from __future__ import annotations

import builtins
import contextlib
import faulthandler
import gc
import importlib
import inspect
import io
import json
import os
import random
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from .runtime import Functional, load_runtime

DEEPEST = 8
LARGEST = 4096  # elements of a tensor that are shown


class Seen:
    """What a program shows, as JSON: tensors and arrays by dtype, shape and values."""

    def __init__(self, runtime: Functional) -> None:
        self.runtime = runtime
        self.shown: list[Any] = []

    def show(self, *values: Any) -> None:
        self.shown.append([self.of(value) for value in values])

    def of(self, value: Any, depth: int = 0) -> Any:
        if value is None or isinstance(value, (bool, int, float, str)):
            return value if type(value) in (type(None), bool, int, float, str) else self.of_subclass(value)
        if isinstance(value, complex):
            return {"complex": [value.real, value.imag]}
        value = self.runtime.opened(value)
        if self.runtime.is_tensor(value):
            dtype = self.runtime.dtype(value)
            return {"tensor": dtype, **self.of_array(self.runtime.array(value))}
        if isinstance(value, (np.ndarray, np.generic)):
            return {"array": str(value.dtype), **self.of_array(np.asarray(value))}
        kind = type(value).__name__
        if isinstance(value, np.dtype) or "dtype" in kind.lower() or kind == "DataType":
            return {"dtype": str(value).rpartition(".")[2]}
        if depth > DEEPEST:
            return {"object": "deep"}
        if isinstance(value, dict):
            return {"dict": [[self.of(k, depth + 1), self.of(v, depth + 1)] for k, v in value.items()]}
        if isinstance(value, (list, tuple)):
            return {"items": [self.of(item, depth + 1) for item in value]}
        if isinstance(value, (set, frozenset)):
            return {"set": sorted((self.of(item, depth + 1) for item in value), key=str)}
        named = isinstance(value, type) or inspect.isroutine(value)
        return {"object": "callable" if named else "object"}

    def of_subclass(self, value: Any) -> Any:
        """A numpy number that is a Python float too, an enum's member, the framework's own text for a device."""
        if isinstance(value, str) and type(value).__name__ == "Device":
            return {"object": "object"}
        return (
            {"array": str(value.dtype), **self.of_array(np.asarray(value))} if isinstance(value, np.generic) else value
        )

    def of_array(self, array: Any) -> dict[str, Any]:
        flat = array.reshape(-1)[:LARGEST]
        if flat.dtype.kind == "c":
            flat = np.stack([flat.real, flat.imag], -1).reshape(-1)
        values = flat.tolist() if flat.dtype.kind in "biuf" else [str(value) for value in flat.tolist()]
        return {"shape": list(array.shape), "values": values}


def settle(package: Any) -> None:
    """What a program may have set for its process."""
    for name, value in (("set_default_dtype", "float32"), ("set_grad_enabled", True)):
        setting = getattr(package, name, None)
        if setting is not None:
            setting(getattr(package, value) if isinstance(value, str) else value)


class Runner:
    """Keeps the framework imported from one program to the next."""

    def __init__(self, runtime: Path) -> None:
        self.runtime: Functional = load_runtime(runtime)
        self.runtime.threads(1)
        self.package = sys.modules[self.runtime.MODULE.__module__.partition(".")[0]]

    def run(self, job: dict[str, Any]) -> dict[str, Any]:
        folder = job["folder"]
        sys.path[0] = folder
        os.chdir(folder)
        importlib.invalidate_caches()
        seen = Seen(self.runtime)
        vars(builtins)["show"] = seen.show
        self.runtime.seed(0)
        random.seed(0)
        np.random.seed(0)
        said = io.StringIO()
        error = None
        heard: list[Any] = []
        try:
            text = Path(folder, job["main"]).read_text(encoding="utf-8")
            code = compile(text, str(Path(folder, job["main"])), "exec", dont_inherit=True)
            main = type(sys)("__main__")
            main.__file__ = str(Path(folder, job["main"]))
            held, sys.modules["__main__"] = sys.modules["__main__"], main
            try:
                with contextlib.redirect_stdout(said), warnings.catch_warnings(record=True) as heard:
                    warnings.simplefilter("always")
                    exec(code, main.__dict__)  # noqa: S102
            finally:
                sys.modules["__main__"] = held
        except BaseException as raised:
            error = self.of_error(raised, folder)
        finally:
            settle(self.package)
            for name, module in list(sys.modules.items()):
                if str(getattr(module, "__file__", None) or "").startswith(folder + os.sep):
                    del sys.modules[name]
            gc.collect()
            gc.freeze()  # what is left is the framework's: not to be gone through after each program
        warned = any(one.category.__name__ == "Differs" for one in heard)
        return {"shown": seen.shown, "error": error, "out": said.getvalue()[-4000:], "warned": warned}

    def of_error(self, raised: BaseException, folder: str) -> dict[str, Any]:
        frames = [frame for frame in traceback.extract_tb(raised.__traceback__) if frame.filename.startswith(folder)]
        line = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}: {frames[-1].line}" if frames else ""
        classes = [one.__name__ for one in type(raised).__mro__]
        return {"type": classes[0], "classes": classes, "message": " ".join(str(raised).split())[-600:], "at": line}


def main(arguments: list[str]) -> None:
    """Arguments: the runtime file, and the file descriptor to answer to."""
    faulthandler.enable()
    warnings.simplefilter("ignore")
    runner = Runner(Path(arguments[0]))
    with os.fdopen(int(arguments[1]), "w") as answers:
        answers.write("ready\n")
        answers.flush()
        for line in sys.stdin:
            answers.write(json.dumps(runner.run(json.loads(line))) + "\n")
            answers.flush()
    os._exit(0)  # threads that the framework left behind must not keep the process alive
