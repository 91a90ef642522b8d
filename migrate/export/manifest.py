"""``export.json``: what an artefact is, so that nobody needs to ask."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from migrate.errors import Unusable

NAME = "export.json"
VERSION = 1


@dataclass(frozen=True)
class Manifest:
    """An artefact.

    format:     native, onnx, openvino, tensorrt, triton. framework: which saved it, ``--to``'s name.
    entry, specs, sizes, seed: as they were given: specs with names of free axes, sizes of the example.
    weights:    {"file", "sha256", "of": whose checkpoint it is: "torch", or the framework}; None: seeded ones.
    inputs:     {"name", "path" (in the arguments), "dtype", "shape"}, a size that is free being its name.
    outputs:    likewise; a size that is free is None, ``path`` in what the model returns.
    structure:  what the model returns, with numbers of outputs (``checks.worker.side.static.skeleton``).
    files:      name -> sha256.
    opset:      of ONNX, else None.
    versions:   of migrate, and of what made it.
    layers:     call of a layer (``fc``, ``fc#2``) -> the tensor of the artefact that it returns; None: not asked for.
    serving:    of a Triton model repository: model, backend, engine, batch (0: none, ``why``), ...
    precision:  None for float32; else {"name", "weights", "activations": their types}, of int8 also "operators" (kinds
                whose operands are rounded, as ONNX calls them), "layers" (node -> layer, where its weights tell),
                "kept" (nodes in float), "kept_layers", "narrow" (layers with weights of 7 bits) and "calibration"
                ({"of": as it was given, "calls": how many, "sha256", "drawn": whether they were}).
    engine:     of TensorRT: how it is built ("build"), and what its table of operators ("table") lacks ("findings").
    """

    format: str
    framework: str
    entry: str
    specs: list[str]
    sizes: dict[str, int]
    seed: int
    weights: dict[str, str] | None
    inputs: list[dict[str, Any]]
    outputs: list[dict[str, Any]]
    structure: Any
    files: dict[str, str]
    opset: int | None
    versions: dict[str, str]
    precision: dict[str, Any] | None = None
    layers: dict[str, str] | None = None
    export: int = VERSION
    serving: dict[str, Any] | None = None
    engine: dict[str, Any] | None = None

    def text(self) -> str:
        return json.dumps(asdict(self), indent=1) + "\n"


def read(folder: Path) -> Manifest:
    """The manifest of an artefact. Raises Unusable."""
    path = folder / NAME
    mend = "give the folder that `migrate export` wrote"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}", mend) from None
    except ValueError as error:
        raise Unusable(f"{path}: is no JSON: {error}", "export the model again") from None
    if not isinstance(found, dict) or found.get("export") != VERSION:
        raise Unusable(f"{path}: is no manifest of this version of migrate", "export the model again")
    try:
        return Manifest(**found)
    except TypeError as error:
        raise Unusable(f"{path}: {error}", "export the model again") from None
