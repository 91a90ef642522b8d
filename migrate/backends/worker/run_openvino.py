"""OpenVINO as a back end, computing in float32. Loaded by path in the interpreter that has it."""

from __future__ import annotations

import os

import openvino


def version():
    """Of what runs artefacts."""
    return openvino.__version__.partition("-")[0]


def load(folder, manifest, threads):
    """What runs the artefact: arrays in the order of its inputs -> arrays in that of its outputs."""
    core = openvino.Core()
    path = os.path.join(folder, "model.xml" if manifest["format"] == "openvino" else "model.onnx")
    # By default it computes in bfloat16 where the processor has that.
    config = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32"}
    compiled = core.compile_model(path, "CPU", config)
    names = [item["name"] for item in manifest["inputs"]]

    def run(arrays):
        found = compiled(dict(zip(names, arrays, strict=True)))
        return [found[number] for number in range(len(compiled.outputs))]

    return run
