"""``migrate convert --static``: training loops and models into static graphs.

What a graph can hold and how it is written is the target's: ``static.py`` in its folder has ``plan(project, modules)``,
which returns what is to be done with each file, a ``Plan``. This package has what such a file is made of: which code a
model's forward runs and what in it no graph holds (``tracing``, ``hazards``), and training loops (``loops``). What is
not understood is left as it stands, with the reason.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from rewriters.load_file import load_file
from rewriters.regions.plan import Plan

__all__ = ["Plan", "graph_module", "planner"]


@cache
def planner(folder: Path) -> Any:
    """The target's ``static.py`` as a module, None where it has none."""
    path = folder / "static.py"
    if not path.is_file():
        return None
    return load_file(path)


@cache
def graph_module(folder: Path) -> str:
    """The module that converted files with graphs import: the target's ``graphs.py`` as it stands."""
    return (folder / "graphs.py").read_text(encoding="utf-8")
