"""Artefacts of a lower precision: float16, bfloat16 and int8, made by the back end's own tools."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from migrate.backends import BACKENDS, WORKER, Backend, Lowering
from migrate.environments import Interpreter
from migrate.errors import Unusable
from migrate.export import calibration
from migrate.export.calibration import Call
from migrate.export.making import LARGEST, step

FLOAT32 = "float32"
INT8 = "int8"
PRECISIONS = (FLOAT32, "float16", "bfloat16", INT8)


@dataclass(frozen=True)
class Lower:
    """A lower precision that is asked for.

    made:      by which tool. calibrate: --calibrate, read; None where none is needed.
    keep:      layers, or nodes of the artefact, that stay in float.
    """

    name: str
    backend: Backend
    made: Lowering
    calibrate: calibration.Given | None
    keep: tuple[str, ...] = ()

    @property
    def callable(self) -> str:
        """MODULE:CALLABLE of the project that yields the calibration set, "" where it comes from elsewhere."""
        return self.calibrate.callable if self.calibrate else ""

    @property
    def interpreter(self) -> str:
        """The environment of the tool."""
        return self.made.environment or self.backend.name


def read(format: str, name: str, calibrate: str | None, keep: Sequence[str]) -> Lower | None:
    """What was asked for; None for float32. Raises Unusable."""
    if name not in PRECISIONS:
        raise Unusable(f"--precision {name}: is not known", f"one of {', '.join(PRECISIONS)}")
    for option, given in (("--calibrate", calibrate), ("--keep-float", keep)):
        if given and name != INT8:
            raise Unusable(f"{option} is for --precision int8", "leave it away")
    if name == FLOAT32:
        return None
    if format == "triton":
        raise Unusable(f"--precision {name}: a model repository is made of an artefact of it", "export that first")
    backend = next((item for item in BACKENDS.values() if item.formats[0] == format), None)
    if backend is None:
        raise Unusable(
            f"--precision {name}: what a framework saves itself keeps the precision of its weights",
            "--format onnx or openvino",
        )
    made = backend.lowers[name]
    if made.refusal:
        raise Unusable(f"--precision {name}: {made.refusal}", made.mend)
    return Lower(name, backend, made, calibration.read(calibrate) if name == INT8 else None, tuple(keep))


def lowered(
    lower: Lower, interpreter: Interpreter, folder: Path, out: Path, made: dict[str, Any], calls: Sequence[Call],
    weights: Path, timeout: float,
) -> tuple[dict[str, Any], dict[str, Any]]:  # fmt: skip
    """Make the artefact in ``folder`` over into one of the lower precision, in ``out``: (files, what the manifest says
    of the precision). Raises Unusable.

    weights: the folder of the model's arrays of two axes and more, by name.
    """
    out.mkdir(parents=True)
    held = out.parent / "calibration"
    if calls:
        calibration.write(held, calls)
    job = {
        "folder": str(folder), "files": made["files"], "out": str(out), "precision": lower.name,
        "inputs": made["inputs"], "calls": str(held), "count": len(calls), "keep": list(lower.keep),
        "weights": str(weights), "largest": LARGEST,
    }  # fmt: skip
    answer = step(interpreter, WORKER / lower.made.script, job, out.parent / "lower", timeout)
    if "error" in answer:
        raise Unusable(
            f"{lower.backend.title} makes no {lower.name} of the model: {answer['error']}",
            answer.get("mend") or "export in float32, or with another --format",
        )
    told = {"name": lower.name, **answer["precision"]}
    if lower.calibrate is not None:
        told["calibration"] = {
            "of": lower.calibrate.text or "drawn",
            "calls": len(calls),
            "sha256": calibration.digest_of(calls),
            "drawn": bool(lower.calibrate.count),
        }
        if not lower.calibrate.count:
            calibration.save(out / calibration.FILE, calls)
            answer["files"].append(calibration.FILE)
    shutil.rmtree(held, ignore_errors=True)
    return {"files": answer["files"]}, told
