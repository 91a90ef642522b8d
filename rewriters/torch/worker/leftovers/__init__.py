"""What a torch model computes without need: found in a trace of one call, and tried by leaving it out.

Loaded by path in the interpreter that has torch. ``find`` traces (``trace.py``), looks for findings of each kind
(``unused.py``, ``repeated.py``, ``constant.py``, ``undone.py``, ``loops.py``) and runs the graph with and without each
(``trial.py``). Nothing of the model is changed.
"""

from __future__ import annotations

from typing import Any

from . import constant, loops, repeated, trial, undone, unused
from .trace import trace
from .usage import Usage

Job = dict[str, Any]

KINDS = (unused, repeated, constant, undone, loops)


def find(subject: Any, call: Any, other: Any, job: Job) -> Job:
    """The findings of a model's call, each with its share of the time and what leaving it out gave.

    subject:  the model, in eval mode (``checks.worker.side.subject``).
    call:     (args, kwargs) of the call that is traced; other: of one with other values of the same shapes.
    job:      ``rounds``, how often each is timed; ``seconds``, how long each time; ``least``, the share of the whole
              below which a finding is only counted.
    """
    subject.enter("tracing")
    traced = trace(subject.call, *call)
    subject.enter("timing each operation")
    usage = Usage(traced, traced.flat(*call))
    usage.measure(job["seconds"])
    second = traced.flat(*other)
    baked = trial.baked(subject.call, traced, other, second)
    found = [finding for kind in KINDS for finding in kind.findings(usage)]
    found.sort(key=lambda finding: -finding.share)
    kept = [finding for finding in found if finding.share >= job["least"]]
    runs = trial.Trials(usage, second, job["rounds"], job["seconds"])
    rows: list[Job] = []
    for finding in kept:
        subject.enter(f"trying what follows from {finding.kind} ({len(rows) + 1} of {len(kept)})")
        rows.append({**finding.told(subject.project), **runs.alone(finding)})
    good = [finding for finding, row in zip(kept, rows, strict=True) if row.get("same") and finding.kind != loops.KIND]
    together = runs.together(good) if len(good) > 1 else {}
    return {
        "operations": len(usage.operations),
        "milliseconds": 1000 * usage.total,
        "findings": rows,
        "small": len(found) - len(kept),
        "together": together,
        "baked": baked,
    }
