"""What follows from rule files is remembered: what is in use the longest."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rewriters.rules import memory
from rewriters.rules.memory import Memory


def test_what_is_used_is_not_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A target in daily use is not read anew because many others, as those of tests, were looked at once."""
    monkeypatch.setenv("MIGRATE_HOME", str(tmp_path))
    monkeypatch.setattr(memory, "KEPT", 3)
    made: list[str] = []

    def recall(what: str) -> str:
        for age, place in enumerate(
            sorted((tmp_path / "rules").glob("*.json"), key=lambda place: place.stat().st_mtime)
        ):
            os.utime(place, (age, age))  # clocks may be too coarse to tell which was first
        found: str = Memory(()).recall(what, lambda: made.append(what) or what.upper())  # type: ignore[func-returns-value]
        return found

    for other in ("one", "two", "three", "four", "five"):
        assert recall("daily") == "DAILY"
        assert recall(other) == other.upper()
    assert made == ["daily", "one", "two", "three", "four", "five"]
    recall("one")
    assert made[-1] == "one"
