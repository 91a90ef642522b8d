"""Importing modules one by one, with names in the place of packages that do not import here."""

from __future__ import annotations

import sys
from pathlib import Path

from migrate.importing import import_all


def test_a_package_that_is_stood_in_for_has_names_and_a_version(tmp_path: Path) -> None:
    (tmp_path / "asks.py").write_text(
        "import importlib.metadata\nimport notthere.ops\n"
        'version = importlib.metadata.version("notthere")\nassert version == notthere.__version__, version\n'
    )
    (tmp_path / "lacks.py").write_text('import importlib.metadata\nimportlib.metadata.version("neverthere")\n')
    found = import_all(sys.executable, ["asks", "lacks"], [tmp_path], stand_ins=["notthere"])
    assert found["asks"] is None, found["asks"]
    assert found["lacks"] is not None
    assert "PackageNotFoundError" in found["lacks"].why
