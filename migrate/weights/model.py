"""The description of a torch model, made by an interpreter that has torch."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rewriters.source
from migrate.environments import find_interpreter
from migrate.errors import Unusable

DESCRIBE = Path(rewriters.source.__file__).with_name("describe.py")
SECONDS = 600


@dataclass(frozen=True)
class ModelEntry:
    """An entry of a model's state_dict.

    module:    path of the module that owns it. attribute: its name there.
    classes:   dotted names of that module's MRO.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    module: str
    attribute: str
    classes: tuple[str, ...]


@dataclass(frozen=True)
class Model:
    """What ``rewriters/source/describe.py`` says of a model: its entries in order, tied names, a note or ""."""

    spec: str
    entries: tuple[ModelEntry, ...]
    tied: tuple[tuple[str, ...], ...] = ()
    note: str = ""

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
            )
            for entry in data["entries"]
        )
        return cls(data.get("model", ""), entries, tuple(map(tuple, data.get("tied", ()))), data.get("note", ""))


def describe_model(spec: str, project: Path, torch_python: Path | None = None) -> Model:
    """The model ``spec`` ("models.resnet:resnet50") of the project, built on the meta device in a process of its own.

    Raises Unusable: no interpreter with torch, or the model cannot be built, with file and line.
    """
    if not project.is_dir():
        raise Unusable(f"--project {project}: is not a folder", "give the folder that the project's imports start from")
    interpreter = find_interpreter("torch", torch_python)
    command = [str(interpreter.python), str(DESCRIBE), "--model", spec, "--project", str(project.resolve())]
    try:
        done = subprocess.run(
            command, env=interpreter.environ(), cwd=project, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        raise Unusable(
            f"building {spec} took more than {SECONDS} s", "give a callable that only builds the model"
        ) from None
    try:
        data = json.loads(done.stdout)
    except ValueError:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise Unusable(f"building {spec} with {interpreter.python} failed: {last}", "migrate doctor") from None
    if "error" in data:
        raise Unusable(data["error"], data["mend"])
    return Model.from_json(data)
