"""Folders of arrays, as ``checks.worker.arrays`` writes them: an ``index.json`` says which file has which."""

from __future__ import annotations

import json
import os

import numpy as np


def paths(folder):
    """Name -> file."""
    with open(os.path.join(folder, "index.json"), encoding="utf-8") as file:
        return {name: os.path.join(folder, held) for name, held in json.load(file).items()}


class Calls:
    """A calibration set, ``NUMBER:PATH`` in the job's folder ``calls``: called with a number, arrays by input."""

    def __init__(self, job):
        self.inputs, self.paths = job["inputs"], paths(job["calls"])

    def __call__(self, number):
        return {item["name"]: np.load(self.paths[f"{number}:{item['path']}"]) for item in self.inputs}
