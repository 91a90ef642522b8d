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
    return runner(compiled(core, read(core, folder, manifest), manifest, threads), manifest)


def read(core, folder, manifest):
    path = os.path.join(folder, "model.xml" if manifest["format"] == "openvino" else "model.onnx")
    return plainly(lambda: core.read_model(path))


def plainly(do):
    """What it gives; what OpenVINO raises says first where in its own code, line by line, which is left out."""
    try:
        return do()
    except RuntimeError as error:
        lines = [line for line in str(error).splitlines() if line.strip() and not line.startswith("Exception from ")]
        raise RuntimeError("\n".join(lines) or str(error)) from error


def compiled(core, model, manifest, threads):
    """In the precision of the artefact. Raises RuntimeError where the processor has no such."""
    # By default it computes in bfloat16 where the processor has that.
    hint = "bf16" if (manifest.get("precision") or {}).get("activations") == "bfloat16" else "f32"
    config = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": hint}
    made = plainly(lambda: core.compile_model(model, "CPU", config))
    computes = made.get_property("INFERENCE_PRECISION_HINT")
    if computes != (openvino.Type.bf16 if hint == "bf16" else openvino.Type.f32):
        raise RuntimeError(f"asked for {hint} it computes in {computes.to_string()}: this processor has no other")
    return made


def watch(folder, manifest, threads, names):
    """What gives tensors inside the artefact, by name: arrays in the order of its inputs -> name -> array."""
    core = openvino.Core()
    model = read(core, folder, manifest)
    wanted, held = set(names), {name for output in model.outputs for name in output.get_names()}
    for op in list(model.get_ops()):
        for output in op.outputs():
            here = output.get_names() & wanted
            if here - held and op.get_type_name() != "Result":
                model.add_outputs([output])
                held |= here
    missing = sorted(wanted - held)
    if missing:
        raise RuntimeError(f"it has no tensor {missing[0]}")
    made = compiled(core, model, manifest, threads)
    inputs = [item["name"] for item in manifest["inputs"]]

    def run(arrays):
        found = made(dict(zip(inputs, arrays, strict=True)))
        return {name: found[name] for name in wanted}

    return run


def runner(compiled, manifest):
    names = [item["name"] for item in manifest["inputs"]]

    def run(arrays):
        found = compiled(dict(zip(names, arrays, strict=True)))
        return [found[number] for number in range(len(compiled.outputs))]

    return run
