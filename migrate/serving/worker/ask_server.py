"""A server as a back end of ``migrate check``: the artefact's inputs are sent, its outputs are what comes back.

Loaded by path, in any interpreter that has numpy.
"""

from __future__ import annotations

import importlib.util
import os
from typing import Any

import numpy as np

spec = importlib.util.spec_from_file_location("client", os.path.join(os.path.dirname(__file__), "client.py"))
client: Any = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
spec.loader.exec_module(client)  # type: ignore[union-attr]

asked = {"version": ""}


def version() -> str:
    """Of the server that was asked last."""
    return asked["version"]


def load(folder: str, manifest: Any, threads: int) -> Any:
    """What asks the server: arrays in the order of the artefact's inputs -> arrays in that of its outputs.

    manifest: ``serving`` also says ``url``. threads: the server's are its own.
    """
    told = manifest["serving"]
    here = client.Client(told["url"], told.get("timeout", 600.0))
    server = here.server()
    asked["version"] = f"{server.get('name')} {server.get('version')}"
    bare = 1 if told["batch"] else 0

    def run(arrays: Any) -> Any:
        given = {}
        for item, array in zip(manifest["inputs"], arrays):
            array = np.asarray(array)
            given[item["name"]] = array.reshape([*array.shape, 1]) if len(item["shape"]) == bare else array
        found = here.infer(told["model"], given)
        returned = []
        for item in manifest["outputs"]:
            array = found[item["name"]]
            # Without axes of its own it travels with one.
            drop = len(item["shape"]) == bare and array.ndim == bare + 1
            returned.append(array.reshape(array.shape[:-1]) if drop else array)
        return returned

    return run
