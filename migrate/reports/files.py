"""Writes a parity report in the formats that were asked for."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from pathlib import Path

from checks.parity.report import Report
from migrate.errors import Unusable
from migrate.reports.json_report import to_json
from migrate.reports.junit import to_junit
from migrate.reports.page import to_html

FORMATS: Mapping[str, Callable[[Report, str], str]] = {"--json": to_json, "--junit": to_junit, "--html": to_html}
"""Option -> (report, when it was made) to text."""


def check_output(option: str, path: Path) -> None:
    """Raises Unusable when a report could not be written there: before the check, which may take long."""
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        raise Unusable(f"{path} is not a regular file", f"give {option} the name of a file")
    if not path.parent.is_dir():
        raise Unusable(f"{path.parent} is not a folder", f"mkdir -p {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise Unusable(f"{path.parent} is not writable", f"give {option} a file elsewhere")


def write_reports(report: Report, outputs: Mapping[str, Path]) -> None:
    """Option -> file. All texts are made first, then each is written aside and renamed: no reader sees half of one."""
    made = datetime.now(timezone.utc).isoformat(timespec="seconds")
    texts = {path: FORMATS[option](report, made) for option, path in outputs.items()}
    for path, text in texts.items():
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=path.name, delete=False
        ) as file:
            file.write(text)
        aside = Path(file.name)
        aside.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        aside.replace(path)
