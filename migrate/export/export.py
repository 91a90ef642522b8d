"""``migrate export``: everything between the options and what is said at the end."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import migrate
from migrate.backends import BACKENDS
from migrate.convert.record import digest, file_digest
from migrate.environments import Interpreter, find_interpreter
from migrate.errors import Unusable
from migrate.export import calibration, making
from migrate.export.frameworks import NATIVE, ONNX, road_to
from migrate.export.manifest import NAME, Manifest
from migrate.export.precision import Lower, lowered
from migrate.export.saving import Beside, Wanted, save
from migrate.parity.digest import sha256
from migrate.weights.writers.output import check_output, written_aside

WEIGHTS = "weights"
FINISHES = "onnxruntime"
"""The interpreter that ONNX models are finished in."""


@dataclass(frozen=True)
class Options:
    """How to export: the format, ONNX's opset (None: the exporter's own), whether constants are folded; a lower
    precision, None for float32; whether it is noted which tensors are what layers return.
    """

    format: str
    opset: int | None = None
    fold: bool = True
    lower: Lower | None = None
    layers: bool = False


def export(
    wanted: Wanted,
    options: Options,
    out: Path,
    force: bool = False,
    on_stage: Callable[[str], None] = lambda stage: None,
) -> Manifest:
    """Write the artefact to the new folder ``out``; its manifest. Nothing is left where it fails. Raises Unusable."""
    framework = wanted.framework
    road, backends = road_to(framework, options.format)
    _check(wanted, options)
    sources = [path for path in (wanted.converted, wanted.source, wanted.weights) if path is not None]
    check_output(out, sources, force=force, ours=is_artefact)
    onnx = making.is_onnx(options.format)
    # What is missing is told before anything is computed.
    lower = options.lower
    needs = [
        *([road.through.name] if road.through else []), *([FINISHES] if onnx else []), *map(maker, backends),
        *([lower.interpreter] if lower else []),
    ]  # fmt: skip
    interpreters = {name: find_interpreter(name) for name in dict.fromkeys(needs)}
    with tempfile.TemporaryDirectory(prefix="migrate-export-") as name:
        saved = Path(name) / "saved"
        form = ONNX if onnx else road.saves
        yielded = Path(name) / "yielded"
        more = Beside(
            (lower.callable, yielded) if lower and lower.callable else None,
            Path(name) / WEIGHTS if lower and lower.calibrate else None,
            Path(name) / "layers" if options.layers else None,
        )
        said, versions = save(wanted, saved, form, options.opset, on_stage, more)
        if road.through is not None:
            on_stage(f"{road.through.name}: converting")
            making.through(
                framework, road, ONNX, interpreters[road.through.name], saved, said, options.opset, wanted.converted,
                wanted.timeout,
            )  # fmt: skip
        made: dict[str, Any] = dict(said)
        if onnx:
            on_stage("ONNX: names, folding, checks")
            made |= making.finish_onnx(
                interpreters[FINISHES], saved / "model.onnx", said, wanted.inputs.axes, options.fold, wanted.entry,
                wanted.timeout, more.layers,
            )  # fmt: skip
        folder = saved
        for backend in backends:
            on_stage(f"{backend}: converting")
            folder = Path(name) / f"{backend}-made"
            told = {"inputs": _named(made["inputs"], wanted), "sizes": wanted.inputs.sizes}
            made |= making.by_backend(
                backend, options.format, interpreters[maker(backend)], saved, folder, told, wanted.timeout
            )
        precision = None
        if lower is not None:
            on_stage(f"{lower.interpreter}: {lower.name}")
            calls = []
            if lower.calibrate is not None:
                calls = calibration.collect(
                    lower.calibrate,
                    wanted.inputs,
                    wanted.seed,
                    _named(made["inputs"], wanted),
                    yielded if more.calibrate else None,
                )
            exact, folder = folder, Path(name) / "lowered"
            found, precision = lowered(
                lower, interpreters[lower.interpreter], exact, folder, made, calls, Path(name) / WEIGHTS, wanted.timeout
            )
            made |= found
        manifest = _manifest(wanted, options, made, folder, {**versions, **_versions(interpreters)}, precision)
        with written_aside(out) as aside:
            aside.mkdir()
            for file in made["files"]:
                (aside / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.move(folder / file, aside / file)
            for beside in _beside(folder, options.format):
                shutil.move(beside, aside / beside.name)
            (aside / NAME).write_text(manifest.text(), encoding="utf-8")
    return manifest


def maker(backend: str) -> str:
    """The interpreter that makes a back end's format."""
    return BACKENDS[backend].made_in or backend


def is_artefact(folder: Path) -> bool:
    """Whether a folder was written by an export."""
    return (folder / NAME).is_file()


def _beside(folder: Path, format: str) -> list[Path]:
    """What a framework's own format has besides its named files: folders of variables."""
    return sorted(path for path in folder.iterdir() if path.is_dir()) if format == NATIVE else []


def _check(wanted: Wanted, options: Options) -> None:
    """What shows before a process is started. Raises Unusable."""
    if options.opset is not None and not making.is_onnx(options.format):
        raise Unusable(f"--opset is ONNX's; {options.format} has none", "leave --opset away")
    if options.layers and not making.is_onnx(options.format):
        raise Unusable(f"--layers is for ONNX and what is made of it, not for {options.format}", "leave --layers away")
    if wanted.weights is not None and not wanted.weights.exists():
        raise Unusable(f"{wanted.weights} does not exist", "give a checkpoint to --weights")
    if wanted.weights is None and not wanted.carries:
        raise Unusable(
            "seeded weights are torch's, carried over", "give --source, the torch project; or --weights, a checkpoint"
        )


def digest_of(checkpoint: Path) -> str:
    """Of a checkpoint that is a file, or of all files of one that is a folder."""
    single = sha256(checkpoint)
    if single is not None:
        return single
    parts = sorted(path for path in checkpoint.rglob("*") if path.is_file())
    told = [f"{path.relative_to(checkpoint).as_posix()}\0{sha256(path)}\0" for path in parts]
    return digest("".join(told).encode())


def _versions(interpreters: dict[str, Interpreter]) -> dict[str, str]:
    return {"migrate": migrate.__version__, **{name: found.version for name, found in interpreters.items()}}


def _named(inputs: list[dict[str, Any]], wanted: Wanted) -> list[dict[str, Any]]:
    """Inputs with names in place of the sizes that are free."""
    axes = wanted.inputs.axes
    return [
        {**item, "shape": [axes.get(item["path"], {}).get(str(axis), size) for axis, size in enumerate(item["shape"])]}
        for item in inputs
    ]


def _manifest(
    wanted: Wanted,
    options: Options,
    made: dict[str, Any],
    folder: Path,
    versions: dict[str, str],
    precision: dict[str, Any] | None,
) -> Manifest:
    weights: dict[str, str] | None = None
    if wanted.weights is not None:
        of = "torch" if wanted.carries else wanted.framework.name
        weights = {"file": str(wanted.weights), "sha256": digest_of(wanted.weights), "of": of}
    manifest = Manifest(
        format=options.format,
        framework=wanted.framework.name,
        entry=wanted.entry,
        specs=list(wanted.inputs.given),
        sizes=dict(wanted.inputs.sizes),
        seed=wanted.seed,
        weights=weights,
        inputs=_named(made["inputs"], wanted),
        outputs=made["outputs"],
        structure=made["structure"],
        files={},
        opset=made.get("opset"),
        versions=versions,
        precision=precision,
        layers=made.get("layers"),
        engine=made.get("engine"),
    )
    return replace(manifest, files={file: file_digest(folder / file) for file in made["files"]})
