"""Prints PyTorch's samples and records what torch makes of them.

The job: ``out`` (folder), ``runtime`` (torch's), ``parameters`` (torch name ->
its parameters as text), ``describe`` (the file that describes a module), ``kind`` (the module that lists the samples:
opinfo, variations, moduleinfo, ...), ``names`` (entries to take), ``few`` (how many samples of each, or null). For
each entry it leaves ``out/ENTRY.json`` (the samples and what could not be one) and ``out/ENTRY.bin`` (their arrays).
An entry that is there already is left as it is.
"""

from __future__ import annotations

import faulthandler
import importlib
import json
import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from ...worker.loading import load_file
from ...worker.runtime import load_runtime
from ...worker.samples.blob import Writer
from ...worker.samples.built import Built
from . import literals, reference


def slug(name: str) -> str:
    """A file's name for an entry."""
    return name.replace("/", "-")


def giving(function: Callable[..., Any]) -> Callable[[], Callable[..., Any]]:
    """Makes the function: it is there already."""
    return lambda: function


class Sampler:
    """Writes the files of one entry after the other."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.out = Path(job["out"])
        self.runtime = load_runtime(Path(job["runtime"]))
        self.runtime.threads(1)
        self.describe = load_file("describe", Path(job["describe"])).describe

    def run(self) -> None:
        source = importlib.import_module("." + self.job["kind"], __package__)
        entries = source.entries()
        for name in self.job["names"] or list(entries):
            self.write(source, name, entries[name])

    def write(self, source: Any, name: str, group: list[Any]) -> None:
        path = self.out / f"{slug(name)}.json"
        if path.exists():
            return
        arrays = self.out / f"{slug(name)}.bin"
        arrays.unlink(missing_ok=True)
        self.writer = Writer(arrays)
        self.records: list[dict[str, Any]] = []
        self.left_out: Counter[str] = Counter()
        for entry in group:
            try:
                if hasattr(source, "programs"):
                    for program in source.programs(entry, literals.Arguments, self.job["few"]):
                        self.program(program)
                elif hasattr(source, "variations"):
                    for label, forms, tensors in source.variations(entry, literals, self.job["few"]):
                        self.variation(label, forms, tensors)
                else:
                    for label, sample, gradients in source.samples(entry, self.job["few"]):
                        self.sample(source, entry, label, sample, gradients)
            except Exception as error:  # an entry of the database that cannot make its samples here
                self.left_out[f"the entry raises {type(error).__name__}: {str(error)[:120]}"] += 1
        self.writer.close()
        aside = path.with_suffix(".tmp")
        aside.write_text(json.dumps({"samples": self.records, "left_out": self.left_out}), encoding="utf-8")
        os.replace(aside, path)

    def sample(self, source: Any, entry: Any, label: str, sample: Any, gradients: bool) -> None:
        arguments = literals.Arguments()
        try:
            forms, _ = source.forms(entry, sample, self.job["parameters"], arguments)
            writing = source.in_place(entry, sample, arguments)
        except literals.Unprintable as error:
            self.left_out[f"an argument is a {error}"] += 1
            return
        if not forms and not writing:
            self.left_out["no public name takes it"] += 1
            return
        runtime = self.runtime
        arrays = {name: runtime.array(tensor).copy() for name, tensor in arguments.tensors.items()}
        grads = [name for name, tensor in arguments.tensors.items() if gradients and tensor.requires_grad]
        scope = {"torch": torch}
        record: dict[str, Any] = {
            "label": label,
            "tensors": {name: self.writer.add(array) for name, array in arrays.items()},
            "grads": grads,
            "calls": [],
        }
        self.calls(record, forms, arrays, grads, scope)
        self.calls(record, writing, arrays, [], scope)
        if record["calls"]:
            self.records.append(record)
        else:
            self.left_out["torch does not take it as printed"] += 1

    def variation(self, label: str, forms: list[Any], tensors: dict[str, Any]) -> None:
        """A sample whose forms and tensors are at hand; tensors that require a gradient are differentiated."""
        arrays = {name: self.runtime.array(tensor).copy() for name, tensor in tensors.items()}
        record: dict[str, Any] = {
            "label": label,
            "tensors": {name: self.writer.add(array) for name, array in arrays.items()},
            "grads": [name for name, tensor in tensors.items() if tensor.requires_grad],
            "calls": [],
        }
        self.calls(record, forms, arrays, record["grads"], {"torch": torch})
        if record["calls"]:
            self.records.append(record)
        else:
            self.left_out["torch does not take it as printed"] += 1

    def program(self, program: dict[str, Any]) -> None:
        """A module that is built and called, or a function of several lines."""
        if "problem" in program:
            self.left_out[f"an argument is a {program['problem']}"] += 1
            return
        runtime = self.runtime
        scope = {"torch": torch}
        tensors = program["tensors"]
        arrays = {name: runtime.array(tensor).copy() for name, tensor in tensors.items()}
        names = list(arrays)
        module = "module" if program["forms"][0][1] else ""
        call = literals.program("call", [*filter(None, [module]), *names], program["body"], scope)
        record: dict[str, Any] = {
            "label": program["label"],
            "tensors": {name: self.writer.add(array) for name, array in arrays.items()},
            "grads": [name for name, tensor in tensors.items() if tensor.requires_grad],
            "body": program["body"],
            "train": program["train"],
        }
        forms = [{"key": program["key"], "kind": kind, "text": text} for kind, text in program["forms"]]
        try:
            make = self.maker(program, call, names, record, arrays, scope) if module else (lambda: call)
            expected = reference.reference(make, arrays, record["grads"], self.runtime, self.writer.add)
        except Exception as error:
            self.left_out[f"torch raises {type(error).__name__}: {str(error)[:100]}"] += 1
            return
        self.records.append({**record, "calls": [{"forms": forms, "expected": expected}]})

    def maker(self, program: dict[str, Any], call: Any, names: list[str], record: Any, arrays: Any, scope: Any) -> Any:
        """What makes the module's program anew, its state being that of the first one."""
        runtime = self.runtime
        build = literals.compiled(program["forms"][0][1], names, scope)
        torch.manual_seed(0)
        first = build(*(runtime.tensor(array) for array in arrays.values()))
        state = {name: array.copy() for name, array in runtime.state(first).items()}
        record["state"] = {name: self.writer.add(array) for name, array in state.items()}
        record["model"] = self.describe(first)
        return lambda: Built(build, call, state, program["train"], runtime)

    def calls(self, record: dict[str, Any], forms: list[Any], arrays: Any, grads: list[str], scope: Any) -> None:
        """Add the forms with torch's answer; those that give the same share it."""
        answer: dict[str, Any] | None = None
        own: dict[str, Any] = {}
        for form in forms:
            made = literals.compiled(form.text, list(arrays), scope)
            row = {"key": form.key, "kind": form.kind, "text": form.text}
            wide = literals.compiled(form.wide, list(arrays), scope) if getattr(form, "wide", "") else None
            try:
                if answer is None:
                    expected = reference.reference(
                        giving(made),
                        arrays,
                        grads,
                        self.runtime,
                        self.writer.add,
                        wide and giving(wide),
                    )
                    if not expected.get("random"):
                        self.writer.flush()
                        own = reference.flat(reference.run(giving(made), arrays, [], self.runtime))
                    answer = expected
                    record["calls"].append({"forms": [row], "expected": expected})
                elif answer.get("random") or reference.agrees(giving(made), arrays, own, self.runtime):
                    record["calls"][-1]["forms"].append(row)
                else:
                    self.left_out[f"{form.kind}: torch's own result is another one"] += 1
            except Exception:
                self.left_out[f"{form.kind}: torch does not take it as printed"] += 1


def main(arguments: list[str]) -> None:
    """Arguments: the job's file."""
    faulthandler.enable()
    warnings.simplefilter("ignore")
    Sampler(json.loads(Path(arguments[0]).read_text(encoding="utf-8"))).run()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
