"""Whether a batch gives what its parts give: ``python try_rows.py JOB``, in the interpreter that has the engine.

The job, JSON: ``tools`` (the file that runs the artefact), ``folder``, ``manifest``, ``threads``, ``parts`` (.npz files
of inputs: each is run, and so are all of them along the first axis where there are two), ``outputs`` (the .npz for what
the first one gives), ``done`` (the file for the answer). The answer: ``why``, "" where a batch gives the same, None
where there is one part; or {"error": ...}.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys

import numpy as np

FAR = 1e-3
"""Rms over rms: rounding in another order stays far below, another row's values far above."""


def told(manifest, loaded, parts):
    """Why the parts are not to be put together, "" where they may be; what the first one gives."""
    names = [item["name"] for item in manifest["outputs"]]
    given = [[np.load(part)[item["name"]] for item in manifest["inputs"]] for part in parts]
    alone = [[np.asarray(value) for value in loaded(each)] for each in given]
    first = dict(zip(names, alone[0], strict=True))
    if len(parts) == 1:
        return None, first
    sizes = [len(each[0]) for each in given]
    together = loaded([np.concatenate(values) for values in zip(*given)])
    for number, name in enumerate(names):
        whole, pieces = np.asarray(together[number]), [each[number] for each in alone]
        if not whole.ndim or any(not piece.ndim or len(piece) != size for piece, size in zip(pieces, sizes)):
            return f"the first axis of {name} is not that of the batch", first
        split = np.split(whole, np.cumsum(sizes)[:-1])
        for piece, row in zip(pieces, split):
            if piece.shape != row.shape:
                return f"{name} of a row has another shape in a batch", first
            if not near(row, piece):
                return f"{name} of a row hangs on the other rows of its batch", first
    return "", first


def near(one, two):
    """Whether two arrays of one shape are the same but for rounding."""
    if two.dtype.kind in "biu":
        # Of a float that is rounded afterwards an element in a thousand may fall on the other side.
        return bool(np.mean(one != two) <= FAR)
    one, two = one.astype("float64"), two.astype("float64")
    if np.array_equal(one, two, equal_nan=True):
        return True
    scale = np.sqrt(np.mean(two**2))
    return bool(np.sqrt(np.mean((one - two) ** 2)) <= FAR * scale)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    spec = importlib.util.spec_from_file_location("engine", job["tools"])
    engine = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(engine)
        loaded = engine.load(job["folder"], job["manifest"], job["threads"])
        why, first = told(job["manifest"], loaded, job["parts"])
        np.savez(job["outputs"], **first)
        answer = {"why": why}
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        answer = {"error": f"{type(error).__name__}: {' '.join(lines[:3])}"}
    with open(job["done"], "w", encoding="utf-8") as file:
        json.dump(answer, file)


if __name__ == "__main__":
    sys.path[0] = os.devnull
    main()
