"""ONNX Runtime as a back end. Loaded by path in the interpreter that has it."""

from __future__ import annotations

import os

import onnxruntime


def version():
    """Of what runs artefacts."""
    return onnxruntime.__version__


def load(folder, manifest, threads):
    """What runs the artefact: arrays in the order of its inputs -> arrays in that of its outputs."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    path = os.path.join(folder, "model.onnx")
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    names = [item["name"] for item in manifest["inputs"]]

    def run(arrays):
        return session.run(None, dict(zip(names, arrays, strict=True)))

    return run
