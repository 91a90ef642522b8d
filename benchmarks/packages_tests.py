"""A plugin of pytest: what came of each test, a line of JSON each, in the file that PACKAGES_TESTS names.

PACKAGES_STAND_INS names packages that are stood in for, as where modules are only imported.
Tests of which the file says something are left out, so that a run that ended in the middle of one is gone on with.
"""

import json
import os
import runpy
import sys
from pathlib import Path

FILE = os.environ["PACKAGES_TESTS"]
IMPORTING = Path(__file__).parent.parent / "checks" / "worker" / "importing.py"

if stand_ins := os.environ.get("PACKAGES_STAND_INS", "").split():
    sys.meta_path.append(runpy.run_path(str(IMPORTING))["StandIns"](stand_ins))


def say(test, **row):
    with open(FILE, "a", encoding="utf-8") as file:
        file.write(json.dumps({"test": test, **row}) + "\n")


def pytest_collection_modifyitems(items):
    with open(FILE, encoding="utf-8") as file:
        said = {json.loads(line)["test"] for line in file}
    items[:] = [item for item in items if item.nodeid not in said]


def pytest_sessionfinish():
    say("", outcome="the last")


def pytest_runtest_logstart(nodeid, location):
    say(nodeid, outcome="ends the process")


def why(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    return (crash.message if crash is not None else str(report.longrepr)).strip().split("\n")[0][:200]


def pytest_runtest_logreport(report):
    if report.outcome != "passed":
        say(report.nodeid, outcome=report.outcome, why=why(report))
    elif report.when == "call":
        say(report.nodeid, outcome="passed")


def pytest_collectreport(report):
    if report.outcome == "failed":
        last = [line for line in str(report.longrepr).split("\n") if line.startswith("E ")]
        say(report.nodeid, outcome="failed", why=(last or [str(report.longrepr)])[-1].removeprefix("E").strip()[:200])
