"""Where a framework lies in an interpreter, and whether it can be imported.

Run as a script in that interpreter, which may be an older Python without any of our packages: standard library only.
Prints one JSON object as its last line.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.metadata
import importlib.util
import json
import os
import sys


def locate(module: str, distribution: str, libraries: list[str]) -> dict[str, object]:
    """Find ``module`` without importing it.

    Returns ``python`` ("3.11"), ``origin`` (the file imported, None when it is not there), ``version`` (of the
    installed distribution, None when there is none) and ``libraries`` (absolute paths of those folders that exist).
    """
    spec = _find_spec(module)
    return {
        "python": f"{sys.version_info[0]}.{sys.version_info[1]}",
        "origin": spec.origin if spec else None,
        "version": _version(module, distribution) if spec else None,
        "libraries": [
            os.path.join(entry, folder)
            for folder in libraries
            for entry in sys.path
            if os.path.isdir(os.path.join(entry, folder))
        ],
    }


def _find_spec(module: str) -> importlib.machinery.ModuleSpec | None:
    try:
        return importlib.util.find_spec(module)
    except ModuleNotFoundError:
        return None  # of "mlx.core", there is not even mlx


def _version(module: str, distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        # Another build of the same framework, such as paddlepaddle-gpu.
        names = importlib.metadata.packages_distributions().get(module, [])
        return importlib.metadata.version(names[0]) if names else None


def main() -> None:
    # The folder of this script and the current one must not pass for installed packages.
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if entry and os.path.abspath(entry) != here]
    asked = json.loads(sys.argv[1])
    found = locate(asked["module"], asked["distribution"], asked["libraries"])
    if asked["import"]:
        found["version"] = getattr(importlib.import_module(asked["module"]), "__version__", found["version"])
    print("\n" + json.dumps(found))


if __name__ == "__main__":
    main()
