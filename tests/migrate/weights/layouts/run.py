"""Runs hand-written networks on what torch's were run on: the part that is alike in all targets' interpreters.

SCRIPT FOLDER SUFFIX NAME...: for each network NAME, FOLDER/NAME.npz has its inputs, FOLDER/NAME+SUFFIX its weights; its
outputs go to FOLDER/NAME.outputs.npz, each as torch lays it out.
"""

import sys
from pathlib import Path

import numpy as np


def main(networks, make):
    """networks: the classes. make(cls, path, inputs): one with its weights loaded from the path, to be called."""
    by_name = {cls.__name__.lower(): cls for cls in networks}
    folder, suffix, *names = sys.argv[1:]
    for name in names:
        with np.load(Path(folder) / f"{name}.npz") as given:
            inputs = {key[3:]: given[key] for key in given.files if key.startswith("in.")}
        model = make(by_name[name], str(Path(folder) / f"{name}{suffix}"), inputs)
        outputs = model(**inputs)
        np.savez(Path(folder) / f"{name}.outputs.npz", **{key: np.asarray(value) for key, value in outputs.items()})
