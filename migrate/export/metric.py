"""``--metric``: a task's own metric, of torch's model and of the artefact, over the metric's data set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks.parity.inputs import Drawn
from checks.parity.process import SideFailed
from checks.parity.report import DIFFERS, Level, Row
from checks.worker.side.metric import STAGE
from migrate.errors import Unusable
from migrate.export.manifest import Manifest
from migrate.parity.session import Session

CONTRACT = "it is called with predict, calls predict(*arguments of the model) for each batch, and returns a number"


@dataclass(frozen=True)
class Metric:
    """What is asked for: MODULE:CALLABLE(arguments) of the project; the largest difference accepted, or None."""

    text: str
    tolerance: float | None = None


def read(text: str | None, tolerance: float | None) -> Metric | None:
    """None where there is none. Raises Unusable."""
    if text is None:
        if tolerance is not None:
            raise Unusable("--metric-tolerance is for --metric", "--metric MODULE:CALLABLE")
        return None
    if ":" not in text:
        raise Unusable(f"--metric {text}: is no MODULE:CALLABLE", f"a callable of the project; {CONTRACT}")
    return Metric(text, tolerance)


def level(session: Session, manifest: Manifest, drawn: Drawn, tools: Path, metric: Metric) -> Level:
    """The level: the metric of both sides of a session, and their difference. Raises Unusable.

    manifest: the artefact's. drawn: arguments of a call. tools: what knows torch's results.
    """
    job: dict[str, Any] = {
        "metric": metric.text, "structure": manifest.structure, "outputs": len(manifest.outputs),
        "positional": drawn.positional, "keywords": drawn.keywords,
        "asked": str(session.folder / "metric" / "asked"), "answers": str(session.folder / "metric" / "answers"),
    }  # fmt: skip
    try:
        torch = session.torch.submit(lambda: session.torch.call("metric", tools=str(tools), **job)).result()
        session.target.submit(lambda: session.target.call("answer_metric", count=torch["calls"], **job)).result()
        there = session.torch.submit(lambda: session.torch.call("metric_again", **job)).result()
    except SideFailed as error:
        if error.stage != STAGE:
            raise
        kind = f"{error.kind}: " if error.kind else ""
        at = f" at {error.where}" if error.where else ""
        said = f"{kind}{error.message}{at}"
        if error.side is session.target.side:
            raise Unusable(f"--metric {metric.text}: {error.side.title}: {said}", CONTRACT) from None
        raise Unusable(f"--metric {metric.text}: {said.removeprefix(metric.text).strip()}", CONTRACT) from None
    if there["calls"] != torch["calls"]:
        counts = f"{torch['calls']} times for torch, {there['calls']} for the artefact"
        raise Unusable(
            f"--metric {metric.text}: calls predict {counts}",
            "let it go through the same data each time",
        )
    return judged(metric, torch["value"], there["value"], torch["calls"])


def judged(metric: Metric, torch: float, artefact: float, calls: int) -> Level:
    """The level of two values."""
    apart = abs(artefact - torch)
    row = Row(metric.text, max_abs=apart, max_rel=apart / abs(torch) if torch else None)
    said = f"torch {torch:.6g}, the artefact {artefact:.6g}, {apart:.3g} apart, over {calls} calls"
    if metric.tolerance is not None:
        said += f"; {metric.tolerance:g} is accepted"
        if apart > metric.tolerance:
            row.worsen(DIFFERS, "tolerance", said)
    row.say(said)
    return Level(STAGE, [row], lines=[said], figures={"torch": torch, "artefact": artefact, "difference": apart})
