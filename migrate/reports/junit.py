"""A parity report as JUnit XML: one suite per level of an entry, one test case per comparison.

A difference is a failure; a side that could not be run is an error; what cannot be compared is skipped. The form is
that of the Ant schema, which the common readers of JUnit files share.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from checks.parity.report import DIFFERS, FAILED, SKIPPED, WARNED, Difference, Entry, Failure, Level, Report
from migrate.reports import wording

# Control characters that XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(report: Report, made: str) -> str:
    """made: when the check ended, ISO 8601; the schema wants it without a time zone."""
    root = ET.Element("testsuites")
    for entry in report.entries:
        seconds = sum(value for stages in entry.seconds.values() for value in stages.values())
        if entry.failure is not None or not entry.levels:
            suite = _suite(root, report, entry, "run", made, seconds)
            case = _case(suite, entry, "run", entry.name)
            if entry.failure is not None:
                _fail(case, entry.failure)
            _count(suite)
        for position, level in enumerate(entry.levels):
            # The processes are timed as a whole; their time stands at the entry's first level.
            suite = _suite(root, report, entry, level.name, made, 0.0 if position else seconds)
            _level(suite, entry, level)
            _count(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(root: ET.Element, report: Report, entry: Entry, name: str, made: str, seconds: float) -> ET.Element:
    suite = ET.SubElement(
        root,
        "testsuite",
        name=_clean(f"{entry.name}: {name}"),
        package=_clean(report.target.name),
        id=str(len(root)),
        timestamp=made[:19],
        hostname=platform.node() or "localhost",
        time=f"{seconds:.3f}",
    )
    properties = ET.SubElement(suite, "properties")
    for key, value in {
        "entry": entry.entry,
        "inputs": ", ".join(entry.inputs) or "none",
        "seed": str(entry.seed),
        "reference": entry.reference,
        "torch": report.torch.framework,
        report.target.title: report.target.framework,
    }.items():
        ET.SubElement(properties, "property", name=_clean(key), value=_clean(value))
    return suite


def _level(suite: ET.Element, entry: Entry, level: Level) -> None:
    for row in level.rows:
        case = _case(suite, entry, level.name, wording.title(row))
        where = f"{row.where}: " if row.where else ""
        if row.verdict == DIFFERS:
            found = ET.SubElement(case, "failure", message=_clean(where + row.text), type=_kind(row.differences))
            found.text = _clean(
                f"error {wording.small(row.error)}, floor {wording.small(row.floor)} ({row.floor_from})"
            )
        elif row.verdict == FAILED:
            ET.SubElement(case, "error", message=_clean(row.text), type="failed")
        elif row.verdict == SKIPPED:
            ET.SubElement(case, "skipped", message=_clean(row.text))
    if level.skipped:
        ET.SubElement(_case(suite, entry, level.name, level.name), "skipped", message=_clean(level.skipped))
    if level.failure is not None:
        _fail(_case(suite, entry, level.name, f"{level.name} run"), level.failure)
    warned = [f"{wording.title(row)}: {row.text}" for row in level.rows if row.verdict == WARNED]
    ET.SubElement(suite, "system-out").text = _clean("\n".join(f"warning: {line}" for line in warned))
    ET.SubElement(suite, "system-err")


def _kind(differences: Sequence[Difference]) -> str:
    return differences[0].kind if differences else "values"


def _case(suite: ET.Element, entry: Entry, level: str, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", name=_clean(name), classname=_clean(f"{entry.name}.{level}"), time="0")


def _fail(case: ET.Element, failure: Failure) -> None:
    tag = "failure" if failure.verdict == DIFFERS else "error"
    found = ET.SubElement(case, tag, message=_clean(wording.failure(failure)), type=failure.kind or "failed")
    found.text = _clean("\n".join([*failure.stderr, f"mend: {failure.mend}"]))


def _count(suite: ET.Element) -> None:
    """Fill in the totals; the two last elements are wanted also where there is nothing to say."""
    suite.set("tests", str(len(suite.findall("testcase"))))
    for plural, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(plural, str(len(suite.findall(f"testcase/{tag}"))))
    if suite.find("system-out") is None:
        ET.SubElement(suite, "system-out")
        ET.SubElement(suite, "system-err")


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
