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


def load_apart(name: str, path: Path) -> Any:
    """As ``load_file``; what the file imports from beside it is found there, whatever a project has of that name."""
    beside = [file.stem for file in path.parent.glob("*.py")]
    held = {stem: sys.modules.pop(stem) for stem in beside if stem in sys.modules}
    sys.path.insert(0, str(path.parent))
    try:
        return load_file(name, path)
    finally:
        sys.path.remove(str(path.parent))
        for stem in beside:
            sys.modules.pop(stem, None)
        sys.modules.update(held)
