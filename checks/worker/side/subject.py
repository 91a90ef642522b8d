"""What is checked, on one side: the project's entry, imported and built, with its state."""

from __future__ import annotations

import importlib
import inspect
import os
import random
import sys
import traceback
from typing import Any, Iterator, Sequence

import numpy as np

from .. import arrays, entry, nested
from . import probe, sites

HELPER = "Written by migrate; yours to edit."
"""How the text at the top of a helper module ends."""


class Failed(Exception):
    """A failure that the worker itself found; ``detail`` goes into the answer as it is."""

    def __init__(self, message: str, **detail: Any) -> None:
        super().__init__(message)
        self.detail = detail


class Subject:
    """An entry of a project.

    runtime:    of the framework.
    call:       the entry itself: a module, or a function over tensors.
    is_module:  which of both.
    sites:      where modules were made (``sites.recorded``).
    """

    def __init__(self, runtime: Any, enter: Any) -> None:
        self.runtime = runtime
        self.enter = enter  # tells the stage
        self.project = ""
        self.beside: list[str] = []  # folders that are imported from, too
        self.installed = sys.path[1:]
        self.text = ""
        self.call: Any = None
        self.is_module = False
        self.seed = 0
        self.layout: Any = None  # how torch's state is laid out here, None as in torch
        self.sites: dict[int, str] = {}

    def open(self, project: str, text: str, seed: int, keep: bool = False, paths: Any = None) -> dict[str, Any]:
        """Import the project, build the entry. Modules imported before are forgotten first, unless ``keep`` says that
        the same project's are as they were.

        paths: folders that are imported from too: "first" before installed packages, "last" behind them.
        """
        self.enter("import")
        self.call = None
        parsed = entry.parse(text)
        first, last = (list(paths[key]) if paths else [] for key in ("first", "last"))
        first = [*entry.script_folders(project, parsed.module), *first]
        if not (keep and project == self.project and self.beside == first + last):
            self.forget(first + last)
        self.project, self.text, self.seed = project, text, seed
        # Compiled modules are kept for the framework, whose import they halve, but not beside the project's sources.
        sys.dont_write_bytecode = True
        # The project goes first, where Python put this script's own folder.
        self.beside = first + last
        sys.path[:] = [project, *first, *self.installed, *last]
        sys.argv = [project]
        os.chdir(project)
        self.reseed()
        module = importlib.import_module(parsed.module)
        self.enter("entry")
        try:
            named = entry.find(module, parsed.attribute)
        except AttributeError as error:
            raise Failed(str(error), missing=parsed.attribute) from None
        self.enter("build")
        self.reseed()
        with self.runtime.building(), sites.recorded(self.runtime, project) as self.sites:
            self.call, self.is_module = self._build(parsed, module, named)
        if self.is_module:
            self.runtime.fill(self.call)
        self.evaluate()
        return {"kind": "module" if self.is_module else "function"}

    def hold(self, call: Any, seed: int) -> None:
        """Have something that is no project's entry as what is called."""
        self.call, self.is_module, self.seed = call, False, seed

    def forget(self, beside: Sequence[str]) -> None:
        """Drop the modules of the project that was open before, and of the folders beside it where others come now."""
        self.call = None
        if not self.project:
            return
        folders = [self.project, *(folder for folder in self.beside if self.beside != beside)]
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None) or ""
            if any(sites.inside(file, folder) for folder in folders):
                del sys.modules[name]
        importlib.invalidate_caches()

    def reseed(self, more: int = 0) -> None:
        """Every generator to the seed; ``more`` tells steps of training apart."""
        random.seed(self.seed + more)
        np.random.seed(self.seed + more)
        self.runtime.seed(self.seed + more)

    def named(self, text: str) -> Any:
        """The callable of another MODULE:CALLABLE of the project, with the arguments that are written behind it.

        Returns a function of what goes before those arguments.
        """
        parsed = entry.parse(text)
        module = importlib.import_module(parsed.module)
        found = entry.find(module, parsed.attribute)
        args, kwargs = entry.arguments(module, parsed.call) if parsed.call is not None else ([], {})
        return lambda *before: found(*before, *args, **kwargs)

    def _build(self, parsed: Any, module: Any, named: Any) -> Any:
        """(what is called with the inputs, whether it is a module with state)."""
        if parsed.call is not None:
            args, kwargs = entry.arguments(module, parsed.call)
            built = named(*args, **kwargs)
            if not callable(built):
                raise Failed(f"{self.text} returned a {type(built).__name__}", odd=type(built).__name__)
            return built, self.runtime.is_module(built)
        if self.runtime.is_module(named):
            return named, True
        if not callable(named):
            raise Failed(f"{self.text} is a {type(named).__name__}", odd=type(named).__name__)
        needed = required(named)
        if not needed:
            built = named()
            if self.runtime.is_module(built):
                return built, True
            if isinstance(named, type):
                raise Failed(f"{self.text} is no module", odd=type(built).__name__)
        elif isinstance(named, type):
            raise Failed("{} needs arguments: {}".format(self.text, ", ".join(needed)), needs=needed)
        return named, False

    def fit(self, positional: list[Any], keywords: dict[str, Any]) -> None:
        """Raise Failed when the inputs are not what the model or function takes."""
        self.enter("inputs")
        called = getattr(self.call, "forward", self.call)
        try:
            signature = inspect.signature(called)
        except ValueError:  # a builtin without a signature
            return
        try:
            signature.bind(*positional, **dict.fromkeys(keywords))
        except TypeError as error:
            name = called.__qualname__ if hasattr(called, "__qualname__") else type(called).__name__
            message = f"{name}{signature} does not take these {len(positional) + len(keywords)} inputs: {error}"
            raise Failed(message, needs=[] if self.is_module else required(self.call)) from None

    def load(self, folder: str, layout: Any) -> None:
        """Fill parameters and buffers from torch's state, which the ``Layout`` puts into this side's."""
        self.enter("state")
        self.layout = layout
        given = arrays.read(folder)
        if layout is not None:
            given = dict(layout.make(given))
        self.fill(given)

    def fill(self, given: dict[str, Any]) -> None:
        """Fill parameters and buffers from arrays by name. Raises Failed unless they are all of them, and no others."""
        shapes = self.runtime.shapes(self.call)
        missing = [name for name in shapes if name not in given]
        unexpected = [name for name in given if name not in shapes]
        wrong = [
            f"{name}: {list(shape)} here, {list(given[name].shape)} given"
            for name, shape in shapes.items()
            if name in given and tuple(given[name].shape) != tuple(shape)
        ]
        if missing or unexpected or wrong:
            raise Failed("the state does not fit", missing=missing, unexpected=unexpected, shapes=wrong)
        self.runtime.load_state(self.call, given)

    def evaluate(self) -> None:
        """Eval mode, whatever the project's code or a training left."""
        if self.is_module:
            self.runtime.evaluate(self.call)

    def probe(self) -> None:
        """Move constants of the state, so that swapped or ignored ones show."""
        self.enter("state")
        given = probe.probe_weights(self.runtime.state(self.call), self.seed)
        self.runtime.load_state(self.call, given)

    def as_torch(self, values: dict[str, Any], gradients: bool = False) -> Iterator[Any]:
        """(torch's name, array in torch's layout) of this side's arrays by name."""
        return iter(values.items()) if self.layout is None else self.layout.unmake(values, gradients)

    def arguments(self, given: dict[str, Any], positional: Any, keywords: Any, make: Any) -> Any:
        """(args, kwargs) of a call; ``make`` makes a tensor of an array and its name."""
        args = [nested.build(node, lambda name: make(given[name], name)) for node in positional]
        kwargs = {key: nested.build(node, lambda name: make(given[name], name)) for key, node in keywords.items()}
        return args, kwargs

    def batch(self, given: dict[str, Any], number: int, job: Any, make: Any) -> Any:
        """As ``arguments``, of the arrays named ``NUMBER:NAME``; job: positional, keywords."""
        start = f"{number}:"
        own = {name[len(start) :]: array for name, array in given.items() if name.startswith(start)}
        return self.arguments(own, job["positional"], job["keywords"], make)


def required(named: Any) -> list[str]:
    """Parameters without a default."""
    try:
        parameters = inspect.signature(named).parameters.values()
    except ValueError:  # a builtin without a signature
        return []
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [item.name for item in parameters if item.default is item.empty and item.kind not in variable]


def place(error: BaseException, project: str) -> Any:
    """file:line of the innermost frame in the project, else of a syntax error.

    A frame of a helper module counts only where none of the project's own is there: whoever called it is to be mended.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    frames = [
        (f"{frame.f_code.co_filename}:{line}", str(frame.f_globals.get("__doc__")).endswith(HELPER))
        for frame, line in traceback.walk_tb(error.__traceback__)
        if sites.inside(frame.f_code.co_filename, project)
    ]
    own = [at for at, helper in frames if not helper]
    found = own or [at for at, _ in frames]
    return found[-1] if found else None
