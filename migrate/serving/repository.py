"""A Triton model repository of what ``migrate export`` wrote: configuration, files, client, example, page."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from migrate.convert.record import file_digest
from migrate.errors import Unusable
from migrate.export.check import Against
from migrate.export.check import against as opened
from migrate.export.export import Options, export, is_artefact
from migrate.export.frameworks import NATIVE, ONNX, OWN, PROJECT
from migrate.export.manifest import NAME, Manifest, read
from migrate.export.saving import Wanted
from migrate.serving.config import Config
from migrate.serving.rows import Tried, try_rows
from migrate.weights.writers.output import check_output, written_aside

TRITON = "triton"
"""The format."""
PYTHON = "python"
BACKENDS = {PYTHON: "", "onnxruntime": "onnx", "openvino": "openvino"}
"""Triton's back ends -> the format that each wants; the Python one runs whatever an engine runs."""
WORKER = Path(__file__).parent / "worker"
VERSION = "1"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


@dataclass(frozen=True)
class Serving:
    """How a model is served.

    backend:   of Triton: ``python`` runs ``engine`` from model.py.
    engine:    what runs the artefact, as ``check --backend`` names it; None for the usual one of its format.
    name:      of the model; None: the entry's.
    batch:     the largest batch; 0: none. delay: microseconds that a request waits for others.
    instances: models side by side; threads of each, None: the processors shared among them.
    """

    backend: str = PYTHON
    engine: str | None = None
    name: str | None = None
    batch: int = 8
    delay: int = 0
    instances: int = 1
    threads: int | None = None

    def unasked(self) -> None:
        """For another format nothing of this is asked. Raises Unusable."""
        if self != Serving():
            raise Unusable("--triton, --engine, --max-batch and the like are for --format triton", "leave them away")

    def check(self) -> None:
        """What shows at once. Raises Unusable."""
        if self.backend not in BACKENDS:
            raise Unusable(f"Triton's back end {self.backend!r} is not known here", f"--triton {', '.join(BACKENDS)}")
        if self.name is not None and not _NAME.fullmatch(self.name):
            raise Unusable(f"--name {self.name}: is no name of a model", "letters, digits, dots, dashes, underscores")


def make(
    artefact: Path, serving: Serving, out: Path, force: bool, timeout: float, python: Path | None = None,
    on_stage: Callable[[str], None] = lambda stage: None,
) -> Manifest:  # fmt: skip
    """Write the repository to the new folder ``out``; its manifest. Nothing is left where it fails. Raises Unusable."""
    serving.check()
    check_output(out, [artefact], force=force, ours=is_artefact)
    if read(artefact).format == TRITON:
        raise Unusable(f"{artefact}: is a model repository already", "give what was exported to another format")
    found = opened(artefact, serving.engine, python)
    manifest = found.manifest
    wanted = BACKENDS[serving.backend]
    if wanted and manifest.format != wanted:
        raise Unusable(
            f"Triton's {serving.backend} back end wants {wanted}, {artefact} is {manifest.format}",
            "--triton python, or export to that format first",
        )
    name = serving.name or usual_name(manifest.entry)
    threads = serving.threads or max(1, (os.cpu_count() or 1) // serving.instances)
    with tempfile.TemporaryDirectory(prefix="migrate-serving-") as temporary:
        on_stage(f"{found.other.title}: do the rows of a batch hang on each other?")
        tried = try_rows(found, threads, Path(temporary), timeout)
        batch = 0 if tried.why else serving.batch
        why = tried.why or ("" if batch else "it was asked for")
        config = Config(
            name, serving.backend, batch, serving.delay, serving.instances, threads, manifest.inputs, manifest.outputs
        )  # fmt: skip
        text = config.text()
        with written_aside(out) as aside:
            (aside / name / VERSION).mkdir(parents=True)
            (aside / name / "config.pbtxt").write_text(text, encoding="utf-8")
            lay(found, serving.backend, aside / name / VERSION)
            example(tried, manifest, batch, aside / "example.npz")
            shutil.copyfile(WORKER / "client.py", aside / "client.py")
            told = {
                "model": name, "backend": serving.backend, "engine": found.other.name, "format": manifest.format,
                "batch": batch, "why": why, "delay": serving.delay, "instances": serving.instances, "threads": threads,
                "python": found.other.interpreter.name,
            }  # fmt: skip
            (aside / "README.md").write_text(page(manifest, told, found), encoding="utf-8")
            # What a user may tune is left out.
            files = [aside / "example.npz", *sorted((aside / name / VERSION).rglob("*"))]
            digests = {path.relative_to(aside).as_posix(): file_digest(path) for path in files if path.is_file()}
            done = replace(manifest, format=TRITON, files=digests, serving=told)
            (aside / NAME).write_text(done.text(), encoding="utf-8")
    return done


def of_project(
    wanted: Wanted, options: Options, serving: Serving, out: Path, force: bool, on_stage: Callable[[str], None]
) -> Manifest:
    """Export the model of a project, and write the repository. Raises Unusable."""
    serving.check()
    sources = [path for path in (wanted.converted, wanted.source, wanted.weights) if path is not None]
    check_output(out, sources, force=force, ours=is_artefact)
    roads = wanted.framework.roads
    own = PROJECT if PROJECT in roads and roads[NATIVE].unrun else NATIVE
    format = BACKENDS[serving.backend] or {NATIVE: own, "openvino": "openvino"}.get(serving.engine or "", ONNX)
    python = wanted.python if format in OWN else None
    with tempfile.TemporaryDirectory(prefix="migrate-serving-") as temporary:
        artefact = Path(temporary) / "exported"
        export(wanted, replace(options, format=format), artefact, on_stage=on_stage)
        return make(artefact, serving, out, force, wanted.timeout, python, on_stage)


def usual_name(entry: str) -> str:
    """Of the model: ``models.resnet:resnet50(num_classes=10)`` -> ``resnet50``."""
    return entry.partition(":")[2].partition("(")[0].rpartition(".")[2] or "model"


def lay(found: Against, backend: str, folder: Path) -> None:
    """The artefact's files as Triton's back end wants them."""
    for name in found.manifest.files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(found.folder / name, folder / name)
    if backend == PYTHON:
        shutil.copyfile(WORKER / "model.py", folder / "model.py")
        shutil.copyfile(found.tools, folder / "engine.py")
        shutil.copyfile(found.folder / NAME, folder / NAME)


def example(tried: Tried, manifest: Manifest, batch: int, path: Path) -> None:
    """Inputs and outputs as they travel: Triton has no tensor without axes."""
    arrays = {}
    for kind, items, values in (
        ("inputs", manifest.inputs, tried.inputs),
        ("outputs", manifest.outputs, tried.outputs),
    ):
        for item in items:
            value = values[item["name"]]
            bare = len(item["shape"]) == (1 if batch else 0)
            arrays[f"{kind}/{item['name']}"] = value.reshape([*value.shape, 1]) if bare else value
    np.savez(path, **arrays)


def page(manifest: Manifest, told: dict[str, Any], found: Against) -> str:
    """README.md of the repository."""
    batches = (
        f"Requests are put together to batches of {told['batch']} at most; tried on the model: its rows do not hang on "
        "each other."
        if told["batch"]
        else f"Requests are not put together: {told['why']}."
    )
    needs = (
        f"Triton's Python back end runs `{told['model']}/1/model.py`, which needs {found.other.title} "
        f"({found.other.interpreter.version} was used) and numpy 1.25 or later in that Python."
        if told["backend"] == PYTHON
        else f"Triton's {told['backend']} back end runs it."
    )
    return f"""\
# {told["model"]}

`{manifest.entry}`, as a Triton model repository. {needs} {batches}

```
migrate serve .                       # Triton on this machine (migrate env triton), or:
tritonserver --model-repository=$PWD  # in a container of Triton's
python client.py                      # asks it for the example, whose outputs are known
python client.py --health
curl http://127.0.0.1:8000/v2/models/{told["model"]}/ready
migrate check SOURCE .                # what it answers, against torch
migrate bench . --serve here          # how fast
```

`client.py` needs Python and numpy alone, and speaks KServe's v2 protocol. `export.json` says what was exported.
"""
