"""Outcomes and statuses are written as their text, whichever way they are written."""

import json

from migrate.convert.cache import load, save
from rewriters.component import Part
from rewriters.report import Code, FileReport, Outcome, Site, Status


def test_a_word_is_written_as_its_text() -> None:
    assert f"{Outcome.SAME}|{Status.FAILED:8}|{str(Code.NO_RULE)!r}" == "same|failed  |'no-rule'"
    assert json.dumps({Outcome.EAGER: [Status.CONVERTED]}) == '{"eager": ["converted"]}'


def test_a_kept_report_has_the_same_types(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("migrate.convert.cache.folder", lambda: tmp_path)
    report = FileReport("a.py", Status.CONVERTED, sites=[Site(1, 2, "torch.f", Outcome.INLINED, "rule")])
    save("key", Part(reports=[report]))
    found = load("key")
    assert found is not None
    assert found.reports == [report]
    assert type(found.reports[0].status) is Status
    assert type(found.reports[0].sites[0].outcome) is Outcome
