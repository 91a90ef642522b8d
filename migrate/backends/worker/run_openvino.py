"""OpenVINO as a back end, computing in float32, or in bfloat16 where the artefact is of that.

Loaded by path in the interpreter that has it.
"""

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
    hint = "bf16" if (manifest.get("precision") or {}).get("activations") == "bfloat16" else "f32"
    config = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": hint}
    try:
        compiled = core.compile_model(path, "CPU", config)
    except RuntimeError as error:
        # Its own places come first, line by line.
        lines = [line for line in str(error).splitlines() if line.strip() and not line.startswith("Exception from ")]
        raise RuntimeError("\n".join(lines) or str(error)) from error
    computes = compiled.get_property("INFERENCE_PRECISION_HINT")
    if computes != (openvino.Type.bf16 if hint == "bf16" else openvino.Type.f32):
        raise RuntimeError(f"asked for {hint} it computes in {computes.to_string()}: this processor has no other")
    names = [item["name"] for item in manifest["inputs"]]

    def run(arrays):
        found = compiled(dict(zip(names, arrays, strict=True)))
        return [found[number] for number in range(len(compiled.outputs))]

    return run
