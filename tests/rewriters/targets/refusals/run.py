"""Tries the reasons on standard input, {reason: [names, how it is tried]}, in the framework whose probes are in a
folder; prints {"found": {reason: what is wrong with it, or ""}, "probes": [names]}.

    run.py FOLDER
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from pathlib import Path

import probing


def trouble(reason: str, names: list[str], lines: list[str]) -> str:
    print("trying:", reason, file=sys.stderr, flush=True)  # the last of these, where the framework ends the process
    try:
        probing.framework().reset()
        probing.tried(reason, names, lines)
    except BaseException:
        return traceback.format_exc(limit=-3)
    return ""


def main() -> None:
    folder = Path(sys.argv[1])
    sys.path.insert(0, str(folder))
    asked: dict[str, tuple[list[str], list[str]]] = json.load(sys.stdin)
    probing.framework()  # before the probes: it may set how the framework is imported
    for path in sorted(folder.glob("*.py")):
        importlib.import_module(path.stem)
    # frameworks and their workers print to where the answer goes
    answer = os.dup(1)
    os.dup2(2, 1)
    found = {reason: trouble(reason, names, lines) for reason, (names, lines) in asked.items()}
    os.write(answer, json.dumps({"found": found, "probes": sorted(probing.PROBES)}).encode())


if __name__ == "__main__":
    main()
