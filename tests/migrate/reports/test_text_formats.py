"""The report as JSON, as JUnit XML and in the terminal; and how files are written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import xmlschema
from rich.console import Console

from checks.parity.report import DIFFERS, Entry, Report, Row, from_dict
from migrate.errors import Unusable
from migrate.reports.files import check_output, write_reports
from migrate.reports.json_report import to_json
from migrate.reports.junit import to_junit
from migrate.reports.table import show
from migrate.reports.wording import notes, summary

MADE = "2026-01-02T03:04:05+00:00"
SCHEMA = Path(__file__).with_name("JUnit.xsd")
"""The Apache Ant JUnit XML Schema of Windy Road Technology, Apache License 2.0."""


def test_json_holds_the_whole_report(report):
    found = json.loads(to_json(report, MADE))
    assert from_dict(Report, found) == report
    assert (found["verdict"], found["entries"][0]["verdict"], found["made"]) == ("differs", "differs", MADE)
    assert found["entries"][0]["levels"][0]["rows"][1]["ratio"] == "inf"
    assert found["limits"] == {"warn": 4, "fail": 10}


def test_junit_fits_the_schema(report):
    text = to_junit(report, MADE)
    xmlschema.XMLSchema(SCHEMA).validate(text)
    suites = ET.fromstring(text.encode()).findall("testsuite")
    assert [suite.get("name") for suite in suites] == [
        *(f"net & <friends>: {level}" for level in ("outputs", "activations", "gradients", "steps", "double")),
        "clean: outputs",
        "broken: run",
    ]
    counts = [[int(suite.get(key)) for key in ("tests", "failures", "errors", "skipped")] for suite in suites]
    assert counts == [
        [4, 2, 0, 0],
        [97, 19, 0, 1],
        [20, 0, 0, 0],
        [22, 0, 0, 0],
        [1, 0, 1, 0],
        [1, 0, 0, 0],
        [1, 0, 1, 0],
    ]
    failures = {case.get("name"): case.find("failure") for case in suites[0] if case.find("failure") is not None}
    assert failures["output['parts']"].get("type") == "shape"
    assert failures["output['parts']"].get("message") == "shape: torch [8, 1], the target [8]"
    assert suites[1].findtext("system-out").startswith("warning: layer2.4.conv: ")
    assert "\N{REPLACEMENT CHARACTER}[0m &\nmend: give a longer --timeout" in suites[4].findtext("testcase/error")


def test_terminal(report, capsys):
    show(report, Console(width=200))
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == summary(report)
    assert lines[-1].startswith(
        "differs: 21 of 144 comparisons, first net & <friends>: outputs: output['mask']: inf times"
    )
    text = "\n".join(lines)
    for words in (
        "torch 2.13.0 (Python 3.11.7): net",
        "first to diverge: layer3.6.conv (torch.nn.LayerNorm) at models/net.py:118",
        "  118 |         x = self.norm(x) < self.limit  # <b>",
        "probable cause: agrees when eps=1e-06",
        "and 10 more: --json, --html or --junit FILE has all",
        "Paddle did not end within 10 s (double backward)",
        "  mend: give a longer --timeout",
        "drop: dropout's mask could not be replayed"
        if False
        else "Paddle (import) at m.py:3: ImportError: no such name",
    ):
        assert words in text, text
    assert "layer4.0.conv: " not in text


def test_summary_of_good_news(report):
    report.entries = [Entry("clean", "m:f", levels=report.entries[1].levels)]
    assert summary(report) == (
        "parity: 1 comparison agrees with torch; the worst, output, stands at 1 times the noise floor (warn 4, fail 10)"
    )
    report.entries[0].levels[0].rows = []
    assert summary(report) == "parity: 0 comparisons agree with torch"


def test_files_are_written_whole(report, tmp_path):
    outputs = {"--json": tmp_path / "a.json", "--junit": tmp_path / "b.xml", "--html": tmp_path / "c.html"}
    outputs["--json"].write_text("old")
    outputs["--json"].chmod(0o600)
    write_reports(report, outputs)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["a.json", "b.xml", "c.html"]
    assert outputs["--json"].stat().st_mode & 0o777 == 0o600
    assert json.loads(outputs["--json"].read_text())["verdict"] == "differs"
    report.entries[0].levels = None  # nothing can be made of it
    with pytest.raises(TypeError):
        write_reports(report, outputs)
    assert json.loads(outputs["--json"].read_text())["verdict"] == "differs"


def test_places_that_cannot_be_written(tmp_path):
    for path, complaint in {
        Path(os.devnull): "is not a regular file",
        tmp_path / "none" / "x.json": "is not a folder",
    }.items():
        with pytest.raises(Unusable, match=complaint):
            check_output("--json", path)
    check_output("--json", tmp_path / "x.json")


def test_a_text_is_said_once_with_its_rows():
    rows = [Row(f"layer{number}", "alone") for number in range(3)]
    for row in rows:
        row.worsen(DIFFERS, "missing", f"raises alone: OSError: {1 if row.name != 'layer2' else 2}")
    assert notes([*rows, Row("fine", "layer")]) == [
        "layer0, alone and 1 more: raises alone: OSError: 1",
        "layer2, alone: raises alone: OSError: 2",
    ]
