"""What describe.py says of one model in many versions of a project: run by torch's interpreter, which imports it once.

    python describe_all.py DESCRIBE GRAMMAR ENTRY PROJECT...

prints a line of JSON a project, in order; null where the model cannot be built. Each is imported in a process of its
own.
"""

from __future__ import annotations

import importlib.util
import json
import multiprocessing
import os
import sys
from pathlib import Path
from typing import Any


def described(describe: str, grammar: str, entry: str, project: str) -> dict[str, Any] | None:
    """Of one project; imports it into this process."""
    spec = importlib.util.spec_from_file_location("describe", describe)
    assert spec
    assert spec.loader
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    sys.dont_write_bytecode = True
    try:
        module, _, _ = tool.build(entry, Path(project), tool._load(Path(grammar)))
    except tool.CannotBuild:
        return None
    found: dict[str, Any] = tool.describe(module)
    return found


if __name__ == "__main__":
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a model prints must not mix with the answer
    import torch

    with torch.device("meta"):  # drawing there imports hundreds of modules, which the processes below inherit
        torch.nn.init.normal_(torch.empty(1))

    *common, entry = sys.argv[1:4]
    with answer, multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        jobs = [(*common, entry, project) for project in sys.argv[4:]]
        for line in pool.starmap(described, jobs, chunksize=1):
            print(json.dumps(line), file=answer)
