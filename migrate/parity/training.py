"""The default optimizers on both sides: torch's source, and what the rules make of it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from migrate.errors import Unusable
from rewriters.convert import convert_sources
from rewriters.report import Status
from rewriters.target import Target

SOURCE = Path(__file__).with_name("default_training.py")


def torch_defaults() -> Path:
    """The file for torch's side."""
    return SOURCE


def converted_defaults(target: Target, folder: Path) -> Path:
    """The file for the target's side, written into ``folder``. Raises Unusable."""
    name = PurePosixPath(SOURCE.name)
    done = convert_sources({name: SOURCE.read_bytes()}, target)
    report = done.reports[0]
    if report.status == Status.FAILED:
        raise Unusable(f"the default optimizers do not convert to {target.title}", "name your own with --optimizer")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SOURCE.name).write_bytes(done.files[name])
    for path, text in done.helpers.items():
        (folder / path).write_text(text, encoding="utf-8")
    return folder / SOURCE.name
