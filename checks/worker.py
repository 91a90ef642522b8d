"""Starts ``checks/side/worker.py`` as a package of a name that no project uses: ``python worker.py JOB READ WRITE``."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

NAME = "_migrate_checks"


def start() -> None:
    """Run the worker."""
    here = Path(__file__).resolve().parent
    spec = importlib.util.spec_from_file_location(
        NAME, str(here / "__init__.py"), submodule_search_locations=[str(here)]
    )
    assert spec is not None
    sys.modules[NAME] = importlib.util.module_from_spec(spec)
    importlib.import_module(NAME + ".side.worker").main(sys.argv[1:])


if __name__ == "__main__":
    start()
