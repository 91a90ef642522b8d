"""A target's Python files by path: its folder may lie anywhere."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def load_file(path: Path) -> ModuleType:
    """The file as a module of its own, executed now. Raises what executing it raises."""
    spec = importlib.util.spec_from_file_location(f"migrate_{path.stem}_of_{path.parent.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look for the module that they are in
    spec.loader.exec_module(module)
    return module
