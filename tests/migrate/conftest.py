"""A framework of a few bytes, so that building its environment takes a second and no network."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

RUNNING = f"{sys.version_info[0]}.{sys.version_info[1]}"

# Importing it takes TOY_SECONDS, and fails where its file says so.
SOURCE = """
import os, time
time.sleep(float(os.environ.get("TOY_SECONDS", 0)))
__version__ = "1.5"
"""


@pytest.fixture
def toy(tmp_path: Path) -> Callable[..., str]:
    """``toy(source=..., python=...)`` makes a target of a framework, toyframework; its path, as --to takes it."""

    def make(source: str = SOURCE, python: str = RUNNING, folder: str = "toy") -> str:
        target = tmp_path / "targets" / folder
        (target / "rules").mkdir(parents=True)
        wheel = target / "toyframework-1.5-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("toyframework/__init__.py", source)
            archive.writestr("toyframework/lib/libtoy.so.1", "")
            info = "toyframework-1.5.dist-info"
            archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: toyframework\nVersion: 1.5\n")
            archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            archive.writestr(f"{info}/RECORD", "")
        (target / "__init__.py").write_text(
            f"""
from rewriters.target import Environment, Target

TARGET = Target(
    name="toy",
    title="Toy",
    package="toyframework",
    environment=Environment(
        python={python!r},
        requirements=("toyframework @ {wheel.as_uri()}",),
        module="toyframework",
        libraries=("toyframework/lib", "toyframework/absent"),
    ),
    modules={{"torch": "toyframework"}},
)
"""
        )
        return str(target)

    return make


@pytest.fixture
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """MIGRATE_HOME is a folder that is not there yet, for this process and those it starts."""
    home = tmp_path / "home"
    monkeypatch.setenv("MIGRATE_HOME", str(home))
    return home
