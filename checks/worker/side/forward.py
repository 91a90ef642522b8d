"""What the entry returns, and what each of its modules returns on the way."""

from __future__ import annotations

import contextlib
from typing import Any

from . import sites
from .subject import Failed, required

RAISED_IN = "_migrate_layer"
"""Attribute of an exception: the innermost module that was running."""

OUTPUT = ""  # no module but the root is called that


class Layers:
    """Names the calls of modules in the order in which they end: ``layer1.0.relu``, then ``layer1.0.relu#2``."""

    def __init__(self, subject: Any, out: Any, skip: Any = ()) -> None:
        self.subject = subject
        self.out = out
        self.skip = skip
        self.counts: dict[str, int] = {}
        self.inputs: list[Any] = []
        self.open: list[str] = []

    def watch(self) -> Any:
        """A context in which calls of modules are recorded."""
        return self.subject.runtime.hooked(self.subject.call, self.before, self.after)

    def before(self, name: str, module: Any, args: Any, kwargs: Any) -> None:
        """A module is about to be called: its arguments, before it can write to them."""
        self.open.append(name)
        self.inputs.append(None)

    def after(self, name: str, module: Any, returned: Any) -> None:
        """A module has returned."""
        inputs = self.inputs.pop()
        self.open.pop()
        if not name or name in self.skip:
            return
        count = self.counts[name] = self.counts.get(name, 0) + 1
        call = name if count == 1 else f"{name}#{count}"
        self.out.record(call, returned, module=name, **(inputs or {}))


class LayersWithInputs(Layers):
    """As Layers, the arguments of each call being recorded too."""

    def before(self, name: str, module: Any, args: Any, kwargs: Any) -> None:
        self.open.append(name)
        files: dict[str, str] = {}
        runtime, out = self.subject.runtime, self.out

        def write(value: Any) -> Any:
            if runtime.is_tensor(value):
                key = str(len(files))
                files[key] = out.file(value)
                return {"tensor": key}
            if value is None or isinstance(value, (bool, int, float, str)):
                return {"value": value}
            if type(value) in (list, tuple):
                return {type(value).__name__: [write(item) for item in value]}
            if type(value) is dict and all(isinstance(key, str) for key in value):
                return {"dict": [[key, write(item)] for key, item in value.items()]}
            raise _NotPlain

        if not name or name in self.skip:
            self.inputs.append(None)
            return
        try:
            nodes = {"positional": [write(value) for value in args]}
            nodes["keywords"] = {key: write(value) for key, value in kwargs.items()}  # type: ignore[assignment]
        except _NotPlain:
            self.inputs.append(None)
        else:
            self.inputs.append({**nodes, "inputs": files})


class _NotPlain(Exception):
    """An argument that cannot be handed to another interpreter."""


def body(subject: Any, layers: bool, skip: Any = ()) -> Any:
    """What ``runs.compute`` runs."""

    def forward(call: Any) -> None:
        runtime, out = subject.runtime, call.out
        keeps = hasattr(out, "file") and runtime.REFERENCE
        watch = (LayersWithInputs if keeps else Layers)(subject, out, skip)
        traced = watch.watch() if layers and subject.is_module else contextlib.nullcontext()
        try:
            with runtime.no_grad(), traced:
                args, kwargs = call.batch(0)
                returned = subject.call(*args, **kwargs)
        except BaseException as error:  # what was not converted raises no Exception
            if watch.open:
                setattr(error, RAISED_IN, watch.open[-1])
            raise
        if runtime.is_module(returned):
            raise Failed(f"{subject.text} builds a model from arguments", needs=required(subject.call))
        out.record(OUTPUT, returned)
        if layers and not subject.is_module and hasattr(subject.call, "layers"):  # an artefact
            for name, value in subject.call.layers(*args, **kwargs):
                out.record(name, value, module=name.partition("#")[0])

    return forward


def modules(subject: Any) -> list[dict[str, Any]]:
    """The entry's modules: name, class, whether the project defines it, whether it has parts, and where it stands."""
    runtime = subject.runtime
    named = runtime.modules(subject.call) if subject.is_module else [("", subject.call)]
    return [
        {
            "name": name,
            "type": type(module).__name__,
            "own": not subject.is_module or sites.is_own(module, subject.project),
            "where": sites.where(module, subject.project, subject.sites),
        }
        for name, module in named
    ]
