"""Runs variants of the fixtures through the converter and ``migrate check``: one run of torch, one target process."""

from __future__ import annotations

import json
import subprocess
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

import checks.worker.entry
from benchmarks.mutations.variant import HERE, Fixture, Variant
from checks.parity.compare import Tolerance
from checks.parity.report import DIFFERS, FAILED, LEVELS, Entry, Level, worst
from migrate.environments import find_interpreter
from migrate.errors import Unusable
from migrate.parity import Request, Session, compare
from migrate.parity.state import Origin
from migrate.weights.carry.model import DESCRIBE
from rewriters.convert import Conversion, convert_sources
from rewriters.target import load_target

LENIENT = "1e-3 / 1e-4"
CRITERIA = {"allclose 1e-5": (1e-5, 1e-8), "assert_close": (1.3e-6, 1e-5), LENIENT: (1e-3, 1e-4)}
"""Name -> (rtol, atol): numpy's and torch's own for float32, and a lenient one."""


@dataclass(frozen=True)
class Criteria(Tolerance):
    """Notes what each criterion would say on the very tensors that the check compares; decides nothing itself.

    Tensors that even the unchanged conversion leaves outside the lenient one are left out: Paddle's running variance,
    whose convention is not torch's.
    """

    beyond: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    left_out: set[int] = field(default_factory=set)

    def outside(self, torch: Any, target: Any) -> int:
        expected, found = np.asarray(torch), np.asarray(target)
        tensor = zlib.crc32(np.ascontiguousarray(expected).tobytes())  # torch's results are the same for all variants
        if tensor in self.left_out:
            return 0
        for name, (rtol, atol) in CRITERIA.items():
            if not np.allclose(found, expected, rtol=rtol, atol=atol, equal_nan=True):
                self.beyond[name].add(tensor)
        return 0


@dataclass
class Finding:
    """What the check said of one variant.

    verdict:   parity, differs, failed; or "not converted", for a variant that the target has no rules for.
    level:     the first that differs.
    layer:     the first layer to diverge, or the first row that differs.
    at_right:  whether that is where the fault is; True for a rewriting without alarm.
    ratio:     the largest of the level, None where nothing was measured.
    cause:     the probable cause that was found.
    tolerances: criteria under which a tensor differs.
    """

    variant: Variant
    target: str
    verdict: str
    level: str = ""
    layer: str = ""
    at_right: bool = False
    ratio: float | None = None
    cause: str = ""
    detail: str = ""
    tolerances: frozenset[str] = frozenset()

    @property
    def good(self) -> bool:
        """A fault caught at its layer, or a rewriting let through."""
        return self.at_right


def run(
    target_name: str, variants: Iterable[Variant], on_finding: Callable[[Finding], None] = lambda found: None
) -> list[Finding]:
    """The findings, in order of fixtures and variants. Raises Unusable when the unchanged fixture cannot be checked."""
    found = []
    variants = list(variants)
    for fixture in {item.fixture.name: item.fixture for item in variants}.values():
        mine = [item for item in variants if item.fixture.name == fixture.name]
        for finding in _run_fixture(target_name, fixture, mine):
            on_finding(finding)
            found.append(finding)
    return found


def _run_fixture(target_name: str, fixture: Fixture, variants: Sequence[Variant]) -> Iterable[Finding]:
    target = load_target(target_name)
    sources = fixture.sources()
    own = HERE / "rules" / f"{target.name}.py"
    rules = (own,) if own.is_file() else ()
    with tempfile.TemporaryDirectory(prefix="migrate-mutations-") as name:
        folder = Path(name)
        _write(folder / "torch", sources)
        unchanged = convert_sources(sources, target, extra_rules=rules)
        _write_conversion(folder / "unchanged", unchanged)
        criteria = Criteria(0.0, 0.0)
        request = Request(
            source=folder / "torch",
            converted=folder / "unchanged",
            target=target,
            entry=fixture.entry,
            inputs=fixture.inputs,
            tolerance=criteria,
            train=fixture.train,
            optimizer=fixture.optimizer,
            scheduler=fixture.scheduler,
            loss=fixture.loss,
        )
        with Session(request) as session:
            base = compare(session)
            if base.verdict != "parity":
                raise Unusable(f"the {fixture.name} as it stands has no parity in {target.title}", "mend that first")
            criteria.left_out.update(criteria.beyond[LENIENT])
            marked = _marked(unchanged)
            edited = [variant.apply(sources) for variant in variants]
            origins = _origins(folder / "edited", fixture, edited)
            for number, variant in enumerate(variants):
                done = convert_sources(edited[number], target, extra_rules=rules)
                if more := _marked(done) - marked:
                    yield Finding(variant, target_name, "not converted", detail="; ".join(sorted(more)))
                    continue
                if done.files == unchanged.files:
                    raise ValueError(f"{variant.name}: the edit does not reach the converted code")
                place = folder / str(number)
                _write_conversion(place, done)
                criteria.beyond.clear()
                try:
                    entry = compare(session, place, origins[number]).entries[0]
                except Unusable as error:
                    finding = _refused(variant, target_name, error)
                else:
                    finding = _judge(variant, target_name, entry)
                finding.tolerances = frozenset(criteria.beyond)
                yield finding


def _origins(folder: Path, fixture: Fixture, edited: Sequence[Mapping[PurePosixPath, bytes]]) -> list[Origin | None]:
    """Each edited project as the weights' layout follows it; None for one whose model cannot be built."""
    places = [folder / str(number) for number in range(len(edited))]
    for place, sources in zip(places, edited, strict=True):
        _write(place, sources)
    torch = find_interpreter("torch")
    command = [torch.python, HERE / "describe_all.py", DESCRIBE, checks.worker.entry.__file__, fixture.entry, *places]
    done = subprocess.run(list(map(str, command)), env=torch.environ(), capture_output=True, text=True, check=True)
    lines = map(json.loads, done.stdout.splitlines())
    return [found and Origin(place, found) for place, found in zip(places, lines, strict=True)]


def _judge(variant: Variant, target: str, entry: Entry) -> Finding:
    by_name = {level.name: level for level in entry.levels}
    bad = [name for name in LEVELS if name in by_name and by_name[name].verdict in (DIFFERS, FAILED)]
    verdict = worst([entry.verdict])
    finding = Finding(variant, target, "parity" if verdict not in (DIFFERS, FAILED) else verdict)
    rows = [row for level in entry.levels for row in level.rows]
    finding.ratio = max((row.ratio for row in rows if row.ratio is not None), default=None)
    if not bad:
        finding.at_right = not variant.level and finding.verdict == "parity"
        return finding
    # The outputs show that something is wrong, the activations where.
    finding.level = "activations" if bad[0] == "outputs" and "activations" in bad else bad[0]
    level = by_name[finding.level]
    names = _names(level)
    finding.layer = names[0] if names else ""
    finding.cause = level.culprit.cause if level.culprit else next((row.cause for row in rows if row.cause), "")
    first = next((row for row in level.rows if row.verdict == DIFFERS), None)
    finding.detail = first.text if first else level.failure.message if level.failure else ""
    finding.ratio = max((row.ratio for row in level.rows if row.ratio is not None), default=None)
    finding.at_right = _is_there(variant, finding, names)
    return finding


def _names(level: Level) -> list[str]:
    """Where the level says the fault is: the layer that it names, else its rows that differ."""
    if level.culprit is not None and level.name == "activations":
        return [level.culprit.layer]
    return [row.name for row in level.rows if row.verdict == DIFFERS]


def _is_there(variant: Variant, finding: Finding, names: Sequence[str]) -> bool:
    if variant.level == "activations":
        # A fault in the model's own forward shows in what it returns, below no layer.
        at_output = "" in variant.layers and finding.level == "outputs"
        return at_output or (finding.level == "activations" and any(name in variant.layers for name in names[:1]))
    return finding.level == variant.level and any(name.startswith(layer) for name in names for layer in variant.layers)


def _refused(variant: Variant, target: str, error: Unusable) -> Finding:
    """A converted model that does not even take the weights: caught, and the message names the parameter."""
    if not variant.level:  # correct torch that the converter made into something that does not even build
        return Finding(variant, target, "not converted", detail=error.message.splitlines()[0])
    named = any(layer and layer in error.message for layer in variant.layers)
    layer = next((layer for layer in variant.layers if layer and layer in error.message), "")
    return Finding(variant, target, FAILED, "weights", layer, named, detail=error.message.splitlines()[0])


def _marked(done: Conversion) -> set[str]:
    return {site.detail for report in done.reports for site in report.sites if site.outcome == "marked"}


def _write(folder: Path, files: Mapping[PurePosixPath, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _write_conversion(folder: Path, done: Conversion) -> None:
    _write(folder, {**done.files, **{name: text.encode() for name, text in done.helpers.items()}})
