"""``migrate check --backend``: what was exported, run by a back end, against torch.

The torch side is that of any check, with its noise floor; the other one is a process that has loaded the artefact, and
is called with the same inputs. One entry for each choice of sizes of the free axes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import checks.worker
from checks.parity.compare import Tolerance
from checks.parity.process import SideFailed
from checks.parity.report import LEVELS, SKIPPED, Entry, Folder, Level, Report, Side, merged
from migrate.backends import BACKENDS, WORKER
from migrate.convert.record import file_digest
from migrate.environments import find_interpreter
from migrate.environments.project import interpreter_for
from migrate.errors import Unusable
from migrate.export import axes, calibration, sensitivity
from migrate.export import metric as metrics
from migrate.export.export import digest_of
from migrate.export.frameworks import NATIVE, OWN, framework_of
from migrate.export.manifest import NAME, Manifest, read
from migrate.export.precision import INT8
from migrate.parity import layers, levels
from migrate.parity.check import Check
from migrate.parity.digest import digest_of_sources
from migrate.parity.failures import unusable
from migrate.parity.request import Request
from migrate.parity.session import TORCH_FOLDER, Kept, Other, Session
from migrate.parity.sides import Pair, Sides
from rewriters.target import load_target

PLAIN = Path(checks.worker.__file__).parent / "plain_runtime.py"
ACTIVATIONS = "activations"
NAMED = 5
"""Layers that are named of those that are not compared."""
OF_REQUESTS = "paddle"
"""A target for requests, of which a comparison with an artefact asks nothing."""


@dataclass(frozen=True)
class Against:
    """What torch is compared with: the artefact's folder and manifest, the side, the file that runs it there."""

    folder: Path
    manifest: Manifest
    other: Other
    tools: Path


def against(folder: Path, backend: str | None, python: Path | None) -> Against:
    """The artefact in a back end, by default the one of its format. Raises Unusable."""
    manifest = held(folder)
    name = backend or (NATIVE if manifest.format in OWN else usual(manifest.format))
    if name == NATIVE:
        return _native(folder, manifest, python)
    if name not in BACKENDS:
        raise Unusable(f"unknown back end {name!r}", f"the back ends are {NATIVE}, {', '.join(BACKENDS)}")
    found = BACKENDS[name]
    if found.unrun:
        raise Unusable(found.unrun, found.mend)
    if manifest.format not in found.formats:
        runs = [other for other, item in BACKENDS.items() if manifest.format in item.formats] or [NATIVE]
        raise Unusable(f"{found.title} does not run the format {manifest.format}", f"--backend {runs[0]}")
    other = Other(name, found.title, find_interpreter(name, python), PLAIN)
    return Against(folder, manifest, other, WORKER / found.runs)


def held(folder: Path) -> Manifest:
    """The manifest, where its files are what was exported. Raises Unusable."""
    manifest = read(folder)
    for name, told in manifest.files.items():
        if not (folder / name).is_file():
            raise Unusable(f"{folder / name}: is not there, {NAME} names it", "export the model again")
        if file_digest(folder / name) != told:
            raise Unusable(f"{folder / name}: is not what was exported (sha256)", "export the model again")
    return manifest


def usual(format: str) -> str:
    """The back end that runs a format, where none was named. Raises Unusable."""
    for name, item in BACKENDS.items():
        if item.formats[0] == format:
            return name
    raise Unusable(f"no back end runs the format {format!r}", "export to onnx or openvino")


def _native(folder: Path, manifest: Manifest, python: Path | None) -> Against:
    if manifest.format not in OWN:
        raise Unusable(
            f"--backend native runs what a framework saved; this is {manifest.format}", "name another back end"
        )
    framework = framework_of(manifest.framework, folder)
    road = framework.roads[manifest.format]
    if road.unrun:
        raise Unusable(road.unrun, road.mend)
    title = f"{framework.title}, as it was saved" if manifest.format == NATIVE else framework.title
    other = Other(framework.name, title, interpreter_for(framework.name, folder, python), PLAIN)
    return Against(folder, manifest, other, framework.tools)


def plan(source: Path, found: Against, given: Mapping[str, Any]) -> list[tuple[Request, dict[str, int]]]:
    """The requests, one for each choice of sizes. Raises Unusable.

    given: what the command line says: weights, seed, sizes (NAME=N,N,...), paths, torch_python, timeout, rtol, atol.
    """
    manifest = found.manifest
    asked = levels_of(found, given.get("levels") or [])
    inputs = axes.read(manifest.specs, [f"{name}={size}" for name, size in manifest.sizes.items()])
    tolerance = None
    if given.get("rtol") is not None or given.get("atol") is not None:
        tolerance = Tolerance(given.get("rtol") or 0.0, given.get("atol") or 0.0)
    weights = weights_of(manifest, given.get("weights"))
    if manifest.weights is None and given.get("seed") not in (None, manifest.seed):
        raise Unusable(f"{NAME}: the model was exported with the weights of seed {manifest.seed}", "leave --seed away")
    return [
        (
            Request(
                source=source,
                converted=found.folder,
                target=load_target(OF_REQUESTS),
                entry=manifest.entry,
                inputs=inputs.specs(sizes),
                weights=weights,
                seed=manifest.seed if given.get("seed") is None else given["seed"],
                tolerance=tolerance,
                torch_python=given.get("torch_python"),
                timeout=given.get("timeout") or 600.0,
                name=title(manifest, found, sizes),
                levels=tuple(level for level in LEVELS if level in asked),
                paths=tuple(given.get("paths") or ()),
            ),
            sizes,
        )
        for sizes in choices(manifest, given.get("sizes") or [])
    ]


def title(manifest: Manifest, found: Against, sizes: Mapping[str, int]) -> str:
    """Of an entry."""
    said = ", ".join(f"{name}={size}" for name, size in sizes.items())
    return f"{manifest.entry}, {manifest.format} in {found.other.title}" + (f", {said}" if said else "")


def choices(manifest: Manifest, sizes: list[str]) -> list[dict[str, int]]:
    """Sizes of the free axes: those of the example, and with the first axis, which is that of batches, others.

    sizes: NAME=N,N,...: these in place of them. Raises Unusable.
    """
    example = dict(manifest.sizes)
    if not example:
        if sizes:
            raise Unusable(f"--size {sizes[0]}: the artefact has no free axes", "leave --size away")
        return [{}]
    asked: dict[str, list[int]] = {}
    for text in sizes:
        name, _, rest = text.partition("=")
        asked[name.strip()] = [axes.sizes_of([f"{name}={one}"], list(example))[name.strip()] for one in rest.split(",")]
    if not asked:
        first = next(iter(example))
        asked = {first: [example[first], 1, 2 * example[first] + 1]}
    found = [example]
    for name, wanted in asked.items():
        found = [{**before, name: size} for before in found for size in wanted]
    return [item for number, item in enumerate(found) if item not in found[:number]]


def weights_of(manifest: Manifest, given: Path | None) -> Path | None:
    """Torch's checkpoint. Raises Unusable: where it is not there, or not the one that was exported."""
    told = manifest.weights
    if told is None:
        if given is not None:
            raise Unusable(f"{NAME}: the model was exported with seeded weights", "leave --weights away")
        return None
    if told["of"] != "torch":
        if given is None:
            raise Unusable(
                f"{NAME}: the weights were read from a checkpoint of {told['of']}'s",
                "give torch's checkpoint: --weights FILE",
            )
        return given
    path = given or Path(told["file"])
    if not path.exists():
        raise Unusable(f"{path} does not exist", "give the torch checkpoint that was exported: --weights FILE")
    if digest_of(path) != told["sha256"]:
        raise Unusable(
            f"{path} is not the checkpoint that was exported (sha256)", f"give that one to --weights, or export {path}"
        )
    return path


class Deployed(Sides):
    """The sides of a check, where the other one is a back end with an artefact."""

    def __init__(self, session: Session, found: Against, folder: Path) -> None:
        super().__init__(session, found.folder, folder)
        self.found = found
        self.version = ""
        self.asked: tuple[str, ...] = ()
        self.metric: metrics.Metric | None = None

    def open_target(self, opened: Future[Any]) -> None:
        """Load the artefact."""
        lane, found = self.session.target, self.found
        lane.forget_setup()
        done = lane.set_up(
            "open_saved",
            folder=str(found.folder.resolve()),
            manifest=dataclasses.asdict(found.manifest),
            tools=str(found.tools),
            seed=self.request.seed,
            positional=self.drawn.positional,
            keywords=self.drawn.keywords,
            watch=list((found.manifest.layers or {}).values()) if ACTIVATIONS in self.request.levels else None,
        )
        self.modules = {call.partition("#")[0]: {} for call in found.manifest.layers or {}}
        self.version = done["version"]
        self.there = {**lane.call("hello"), "levels": ["outputs", ACTIVATIONS]}

    def alone(self, forward: str, whole: bool = False) -> Pair:
        """No layer of an artefact is run by itself."""
        nothing: Future[Any] = Future()
        nothing.set_result({})
        return nothing, nothing

    def beside_forward(self) -> dict[str, Any]:
        return self.precision

    @cached_property
    def precision(self) -> dict[str, Any]:
        """The lower precision of the artefact, by whose error it is judged; its calibration set is written once."""
        told = self.found.manifest.precision
        if told is None:
            return {}
        job: dict[str, Any] = {"told": told, "tools": str(TORCH_FOLDER / "precision.py")}
        if "calibration" in told:
            calls = calibration_of(self.found)
            folder = self.session.folder / "calibration"
            calibration.write(folder, calls)
            job |= {"calls": str(folder), "count": len(calls)}
        return {"lowered": job}


def calibration_of(found: Against) -> list[calibration.Call]:
    """The calls that the artefact was quantized with. Raises Unusable where they cannot be had again."""
    manifest = found.manifest
    told = (manifest.precision or {})["calibration"]
    if told["drawn"]:
        inputs = axes.read(manifest.specs, [f"{name}={size}" for name, size in manifest.sizes.items()])
        calls = calibration.drawn(inputs, manifest.seed, told["calls"])
        held = {item["path"] for item in manifest.inputs}
        calls = [{path: call[path] for path in call if path in held} for call in calls]
    else:
        # In a model repository it lies further below.
        file = next(name for name in manifest.files if Path(name).name == calibration.FILE)
        calls = calibration.load(found.folder / file)
    if calibration.digest_of(calls) != told["sha256"]:
        raise Unusable(
            f"{found.folder}: the calibration set is not the one that {NAME} names", "export the model again"
        )
    return calls


class Compared(Check):
    """Outputs, and of an int8 artefact what each layer adds to their error: an artefact has no layers to blame."""

    sides: Deployed

    def run(self) -> Entry:
        entry = super().run()
        if sensitivity.NAME in self.sides.asked and entry.failure is None:
            entry.levels.append(self._sensitivity())
        sides, metric = self.sides, self.sides.metric
        if metric is not None:
            tools = framework_of("torch", sides.found.folder).tools
            entry.levels.append(metrics.level(self.session, sides.found.manifest, sides.drawn, tools, metric))
        return entry

    def _activations(self, forward: Pair, alone: Pair, name: str = "forward-traced") -> Level:
        """What layers return, as far as it is known which tensors are that."""
        found = self._results(ACTIVATIONS, forward, self.session.folder / "torch" / name)
        if isinstance(found, Level):
            return found
        rows = [row for row, _ in layers.activations(found, self.sides.modules, self.request.tolerance)]
        done = Level(ACTIVATIONS, [row for row in rows if row.verdict != SKIPPED])
        without = [row.name for row in rows if row.verdict == SKIPPED]
        if without:
            some = ", ".join(without[:NAMED]) + (", ..." if len(without) > NAMED else "")
            done.lines.append(
                f"{len(without)} layers are no tensor of the artefact, folded into others perhaps: {some}"
            )
        levels.randomness(done, found, self._types)
        return done

    def _sensitivity(self) -> Level:
        session = self.session
        folder = session.folder / "torch" / self.sides.forward_name
        job = self.sides.job(folder, True, **self.sides.beside_forward())
        found = session.torch.submit(lambda: session.torch.call(sensitivity.NAME, **job)).result()
        return sensitivity.level(found, self.sides.found.manifest.precision or {})

    def _diagnose(self, level: Level) -> None:
        return


def check(
    source: Path, found: Against, given: Mapping[str, Any], on_stage: Callable[[str], None] = lambda stage: None
) -> Report:
    """Compare, for each choice of sizes; one report. Raises Unusable."""
    asked = levels_of(found, given.get("levels") or [])
    metric = metrics.read(given.get("metric"), given.get("metric_tolerance"))
    reports: list[Report] = []
    with Kept() as kept:
        for request, _ in plan(source, found, given):
            with Session(request, on_stage, kept, found.other) as session:
                # What it says of layers, the first sizes say for all.
                reports.append(_one(session, found, [] if reports else asked, None if reports else metric))
    return merged(reports)


def levels_of(found: Against, given: Sequence[str]) -> list[str]:
    """What is compared and measured, by default all but activations. Raises Unusable."""
    known, manifest = ["outputs"], found.manifest
    if ACTIVATIONS in given:
        if manifest.layers is None:
            raise Unusable(
                f"--level {ACTIVATIONS}: {NAME} does not say which tensors of the artefact are what layers return",
                "export the model again with --layers (onnx, or what is made of it)",
            )
        if found.other.name not in BACKENDS or manifest.serving is not None:
            raise Unusable(
                f"--level {ACTIVATIONS}: {found.other.title} gives the outputs alone", "--backend onnxruntime"
            )
        if found.other.name == "openvino" and (manifest.precision or {}).get("name") == INT8:
            raise Unusable(
                f"--level {ACTIVATIONS}: OpenVINO rounds what layers return in int8 where it writes it, so that what"
                " is read inside is another value than the layer's",
                "--level outputs; or export to onnx",
            )
        known.append(ACTIVATIONS)
    if manifest.precision is not None and manifest.precision["name"] == INT8:
        known.append(sensitivity.NAME)
    for name in given:
        if name not in known:
            raise Unusable(f"--level {name}: not of this artefact", f"its levels are {', '.join(known)}")
    return list(given) or known


def _one(session: Session, found: Against, asked: Sequence[str], metric: metrics.Metric | None) -> Report:
    request = session.request
    sides = Deployed(session, found, session.folder / "check-1")
    sides.asked, sides.metric = tuple(asked), metric
    try:
        entry: Entry = Compared(sides).run()
    except SideFailed as error:
        raise _unusable(error, session, found) from None
    there = sides.there
    torch = session.here
    return Report(
        torch=Side("torch", "torch", torch["framework"], torch["python"], torch["numpy"], torch["executable"]),
        target=Side(
            found.other.name, found.other.title, sides.version, there["python"], there["numpy"], there["executable"]
        ),
        source=Folder(str(request.source), digest_of_sources(request.source)),
        converted=Folder(str(found.folder), next(iter(found.manifest.files.values()))),
        threads=session.threads,
        rtol=request.tolerance.rtol if request.tolerance else None,
        atol=request.tolerance.atol if request.tolerance else None,
        entries=[entry],
    )


def _unusable(error: SideFailed, session: Session, found: Against) -> Unusable:
    request = session.request
    if error.detail.get("artefact"):
        return Unusable(f"{found.folder}: {found.other.title} {error.message}", "export the model again")
    return unusable(error, request.entry, session.target_name, error.side is session.torch.side, request.source)
