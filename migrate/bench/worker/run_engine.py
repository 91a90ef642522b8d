"""An exported model called again and again: ``python run_engine.py JOB``, in the interpreter that has its engine.

The job, JSON: ``tools`` (the file that runs the artefact), ``folder``, ``manifest``, ``threads``, ``inputs`` (batch ->
an .npz file). On standard input, a line each: ``BATCH SECONDS``; the answer, on the descriptor ``out``: ``CALLS
ELAPSED``. Before that one line says ``ready``, or ``failed: ...``.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time

import numpy as np


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    out = os.fdopen(int(sys.argv[2]), "w")
    spec = importlib.util.spec_from_file_location("engine", job["tools"])
    engine = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(engine)
        run = engine.load(job["folder"], job["manifest"], job["threads"])
        given = {}
        for batch, path in job["inputs"].items():
            with np.load(path) as held:
                given[batch] = [held[item["name"]] for item in job["manifest"]["inputs"]]
            for _ in range(2):
                run(given[batch])
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        print(f"failed: {type(error).__name__}: {' '.join(lines[:3])}", file=out, flush=True)
        return
    print("ready", file=out, flush=True)
    for line in sys.stdin:
        batch, seconds = line.split()
        arrays, calls, begun = given[batch], 0, time.perf_counter()
        deadline = begun + float(seconds)
        while True:
            run(arrays)
            calls += 1
            ended = time.perf_counter()
            if ended >= deadline:
                break
        print(calls, ended - begun, file=out, flush=True)


if __name__ == "__main__":
    sys.path[0] = os.devnull
    main()
