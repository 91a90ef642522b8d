"""A parity report as JSON, with all that is needed to run it again."""

from __future__ import annotations

import json
import platform
import sys

import migrate
from checks.parity import floor
from checks.parity.report import SCHEMA, Report, to_dict
from migrate.reports.wording import summary


def to_json(report: Report, made: str) -> str:
    """``checks.parity.report`` says what the fields are; infinities and NaN are the strings "inf", "-inf" and "nan".

    made:  when the check ended, ISO 8601.
    """
    document = {
        "schema": SCHEMA,
        "migrate": migrate.__version__,
        "verdict": report.verdict,
        "summary": summary(report),
        "made": made,
        "command": sys.argv,
        "platform": platform.platform(),
        "limits": {"warn": floor.WARN, "fail": floor.FAIL},
        **to_dict(report),
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"
