"""Modules by the path of their file: runtimes, and whatever else a job names."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any


def load_file(name: str, path: Path) -> Any:
    """The module in that file, under a name that no project uses."""
    spec = importlib.util.spec_from_file_location("_migrate_" + name, str(path))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
