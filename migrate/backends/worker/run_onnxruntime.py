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
    return runner(session, manifest)


def runner(session, manifest):
    names = [item["name"] for item in manifest["inputs"]]

    def run(arrays):
        return session.run(None, dict(zip(names, arrays, strict=True)))

    return run


def watch(folder, manifest, threads, names):
    """What gives tensors inside the artefact, by name: arrays in the order of its inputs -> name -> array.

    Another session than that of the outputs: with these as outputs too ONNX Runtime fuses less.
    """
    import onnx

    model = onnx.load(os.path.join(folder, "model.onnx"))
    held = {value.name for value in model.graph.output}
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in dict.fromkeys(names) if name not in held)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    run = runner(session, manifest)
    outputs = [value.name for value in session.get_outputs()]
    return lambda arrays: dict(zip(outputs, run(arrays), strict=True))
