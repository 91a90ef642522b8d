"""The description of a torch model, made by an interpreter that has torch."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import checks.worker.entry
import rewriters.torch
from migrate.environments import find_interpreter
from migrate.errors import Unusable
from migrate.weights.carry.special import special_modules
from rewriters.target import known_targets, load_target
from rewriters.weights.recipe import Module

DESCRIBE = rewriters.torch.WORKER / "describe.py"
SECONDS = 600


@dataclass(frozen=True)
class ModelEntry:
    """An entry of a model's state_dict.

    module:    path of the module that owns it. attribute: its name there.
    classes:   dotted names of that module's MRO.
    parameter: whether it is one, not a buffer. trained: one that takes gradients.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    module: str
    attribute: str
    classes: tuple[str, ...]
    parameter: bool = True
    trained: bool = True


@dataclass(frozen=True)
class Model:
    """What ``rewriters/torch/worker/describe.py`` says of a model: its entries in order, tied names, a note or "".

    modules:   by path, those above the ones that own an entry too.
    converted: target -> path of a module for which its conversion has a special rule -> the rule's key.
    """

    spec: str
    entries: tuple[ModelEntry, ...]
    tied: tuple[tuple[str, ...], ...] = ()
    note: str = ""
    modules: Mapping[str, Module] = field(default_factory=dict)
    converted: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Model:
        entries = tuple(
            ModelEntry(
                entry["name"],
                tuple(entry["shape"]),
                entry["dtype"],
                entry["module"],
                entry["attribute"],
                tuple(entry["classes"]),
                entry.get("kind", "parameter") == "parameter",
                bool(entry.get("trained", True)),
            )
            for entry in data["entries"]
        )
        modules = {
            path: Module(path, tuple(module["classes"]), {name: _hashable(x) for name, x in module["config"].items()})
            for path, module in data.get("modules", {}).items()
        }
        tied = tuple(map(tuple, data.get("tied", ())))
        converted = data.get("converted", {})
        return cls(data.get("model", ""), entries, tied, data.get("note", ""), modules, converted)

    def as_converted(self, target: str) -> Model:
        """The model in which a module with a special rule is of the class that the rule is filed under."""
        special = self.converted.get(target, {})
        if not special:
            return self
        entries = (
            replace(entry, classes=(special[entry.module], *entry.classes)) if entry.module in special else entry
            for entry in self.entries
        )
        modules = {
            path: replace(module, classes=(special[path], *module.classes)) if path in special else module
            for path, module in self.modules.items()
        }
        return replace(self, entries=tuple(entries), modules=modules)


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def describe_model(spec: str, project: Path, torch_python: Path | None = None) -> Model:
    """The model ``spec`` ("models.resnet:resnet50") of the project, as ``Model``. Raises Unusable as ``describe``."""
    return Model.from_json(describe(spec, project, torch_python))


def describe(spec: str, project: Path, torch_python: Path | None = None) -> dict[str, Any]:
    """What ``rewriters/torch/worker/describe.py`` says of the model, built on the meta device in a process of its own.

    spec: as ``migrate check --entry`` takes it. Raises Unusable: no interpreter with torch, or the model cannot be
    built, with file and line.
    """
    if not project.is_dir():
        raise Unusable(f"--project {project}: is not a folder", "give the folder that the project's imports start from")
    interpreter = find_interpreter("torch", torch_python)
    where = ["--project", str(project.resolve()), "--grammar", checks.worker.entry.__file__]
    command = [str(interpreter.python), str(DESCRIBE), "--model", spec, *where]
    try:
        done = subprocess.run(
            command, env=interpreter.environ(), cwd=project, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        raise Unusable(
            f"building {spec} took more than {SECONDS} s", "give a callable that only builds the model"
        ) from None
    try:
        data: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise Unusable(f"building {spec} with {interpreter.python} failed: {last}", "migrate doctor") from None
    if "error" in data:
        raise Unusable(data["error"], data["mend"])
    targets = (load_target(name) for name in known_targets())
    converted = {target.name: special_modules(data, project, target) for target in targets if not target.weights_only}
    return {**data, "converted": {name: found for name, found in converted.items() if found}}
