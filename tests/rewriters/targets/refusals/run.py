"""Tries the reasons on standard input, {name: reason}, in the framework whose probes are in a folder; prints
{reason: what is wrong with it, or ""}.

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


def trouble(reason: str, names: list[str]) -> str:
    print("trying:", reason, file=sys.stderr, flush=True)  # the last of these, where the framework ends the process
    try:
        probing.framework().reset()
        probing.tried(reason, names)
    except BaseException:
        return traceback.format_exc(limit=-3)
    return ""


def main() -> None:
    folder = Path(sys.argv[1])
    sys.path.insert(0, str(folder))
    asked: dict[str, list[str]] = {}
    for name, reason in json.load(sys.stdin).items():
        asked.setdefault(reason, []).append(name)
    probing.framework()  # before the probes: it may set how the framework is imported
    for path in sorted(folder.glob("*.py")):
        importlib.import_module(path.stem)
    # frameworks and their workers print to where the answer goes
    answer = os.dup(1)
    os.dup2(2, 1)
    found = {reason: trouble(reason, asked[reason]) if reason in asked else "" for reason in probing.PROBES}
    os.write(answer, json.dumps(found).encode())


if __name__ == "__main__":
    main()
