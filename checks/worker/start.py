"""Starts what runs in a framework's interpreter: ``python start.py MODULE ARGUMENT...`` calls ``main`` of that module.

MODULE is one of ``checks``, such as ``worker.side.commands``. ``checks`` has a name of its own there: a project that is
checked may have modules of any other.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path

NAME = "_migrate_checks"


def provide() -> None:
    """Make ``checks`` importable as NAME; nothing of it is imported yet."""
    here = Path(__file__).resolve().parents[1]
    spec = importlib.util.spec_from_file_location(
        NAME, str(here / "__init__.py"), submodule_search_locations=[str(here)]
    )
    assert spec is not None
    sys.modules[NAME] = importlib.util.module_from_spec(spec)


if __name__ == "__main__":
    # Where Python put this folder, whose files have names that anybody's may have, a project comes to stand.
    sys.path[0] = os.devnull
    provide()
    importlib.import_module(f"{NAME}.{sys.argv[1]}").main(sys.argv[2:])
