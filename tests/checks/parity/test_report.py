from __future__ import annotations

import json
import math

from checks.parity.report import (
    DIFFERS,
    FAILED,
    SAME,
    WARNED,
    Culprit,
    Curve,
    Entry,
    Failure,
    Folder,
    Level,
    Report,
    Row,
    Side,
    from_dict,
    merged,
    to_dict,
    worst,
)


def report(*rows, **level):
    sides = Side("torch", "torch", "2.13"), Side("paddle", "PaddlePaddle")
    entry = Entry("net", "nets:Net", ["float32[2]"], levels=[Level("outputs", list(rows), **level)])
    entry.seconds["torch"] = {"forward": 0.5}
    return Report(*sides, Folder("a", "1"), Folder("b", "2"), entries=[entry])


def test_json_and_back():
    row = Row("output", shape=(2, 3), ratio=math.inf, verdict=DIFFERS)
    row.worsen(DIFFERS, "values", "far off")
    culprit = Culprit("gelu", "GELU", "model.py:3", [(3, "nn.GELU()")], "gelu", "agrees when approximate='tanh'")
    found = report(row, culprit=culprit, curve=Curve([1.0], [1.0], [0.0]))
    data = json.loads(json.dumps(to_dict(found), allow_nan=False))
    assert data["verdict"] == data["entries"][0]["levels"][0]["verdict"] == "differs"
    assert data["entries"][0]["levels"][0]["rows"][0]["ratio"] == "inf"
    assert from_dict(Report, data) == found


def test_verdicts():
    assert worst([]) == SAME
    assert worst([WARNED, SAME]) == WARNED
    assert report(Row("x", verdict=WARNED)).verdict == "parity"
    failure = Failure("Numpy", "forward", "timeout", "did not end")
    assert report(Row("x"), failure=failure).verdict == FAILED
    assert report(Row("x", verdict=DIFFERS), failure=failure).verdict == DIFFERS


def test_reports_of_several_entries_are_one():
    both = merged([report(Row("x")), report(Row("y", verdict=DIFFERS))])
    assert [entry.verdict for entry in both.entries] == [SAME, DIFFERS]
    assert both.verdict == DIFFERS
