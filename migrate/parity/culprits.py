"""The layer, or the model itself, that is to blame for a difference, and what may explain it."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

import rewriters.torch
from checks.parity.floor import WARN
from checks.parity.process import SideFailed
from checks.parity.report import DIFFERS, Culprit, Failure, Level, Row
from checks.worker.side.store import Reader
from migrate.parity import layers, levels
from migrate.parity.levels import Record, Results
from migrate.parity.sides import ALONE, Sides

CAUSES = rewriters.torch.WORKER / "causes.py"


def raised(sides: Sides, forward: Future[Any], failed: Failure) -> Culprit | None:
    """The layer in which the target's forward raised."""
    try:
        forward.result()
    except SideFailed as error:
        layer = error.detail.get("layer")
        if layer is None:
            return None
        where = failed.where.removeprefix(f"{sides.converted.resolve()}/")
        lines = layers.lines_at(where, sides.converted)
        return Culprit(layer, str(sides.here.get(layer, {}).get("type", "")), where, lines, "", failed.message)
    return None


def of_layers(sides: Sides, rows: list[tuple[Row, Record]], forward: str) -> Culprit | None:
    """The first layer to diverge, within the model or alone."""
    blamed = layers.blame(rows)
    if blamed is None:
        return None
    row, record = blamed
    parents = {name.rpartition(".")[0] for name in sides.here}
    folder = ALONE[record["module"] in parents] if row.kind == "alone" else forward
    row.cause = cause(sides, row, record, forward, sides.folder / folder / "own")
    return layers.culprit_of(row, record["module"], sides.here, sides.converted)


def of_model(sides: Sides, found: Results, forward: str) -> Culprit | None:
    """The entry itself is the layer: no part of it differs alone, or it has none."""
    level = levels.outputs(found, sides.request.tolerance)
    row = next((row for row in level.rows if row.verdict == DIFFERS), None)
    if row is None:
        return None
    row.where = str(sides.modules[""]["where"])
    row.cause = cause(sides, row, found.own.find(""), forward, sides.folder / forward / "own")
    return layers.culprit_of(row, "", sides.here, sides.converted)


def of_gradients(sides: Sides, level: Level) -> Culprit | None:
    """Gradients go from the outputs to the inputs: the first to differ on that way is the last in order."""
    row = next((row for row in reversed(level.rows) if row.verdict == DIFFERS and row.kind == "parameter"), None)
    if row is None:
        return None
    return layers.culprit_of(row, row.name.rpartition(".")[0], sides.here, sides.converted)


def cause(sides: Sides, row: Row, record: Record, forward: str, target: Path) -> str:
    """What torch's layer must be changed to for both to agree, "" when nothing that is tried does it."""
    session = sides.session
    found = Reader(target).find(record["name"])
    if found is None or "" not in sides.here:
        return ""
    job = sides.job(
        session.folder / "torch" / "causes",
        False,
        recorded=str(session.folder / "torch" / forward / "own"),
        name=record["name"],
        target=str(target),
        path=row.name[len(record["name"]) :] if record["name"] else row.name[len("output") :],
        floor=row.floor,
        limit=WARN,
        causes=str(CAUSES),
    )
    try:
        done: dict[str, Any] = session.torch.submit(lambda: session.torch.call("causes", **job)).result()
    except SideFailed:  # what is tried may not run at all: then nothing is known
        return ""
    return str(done["cause"])
