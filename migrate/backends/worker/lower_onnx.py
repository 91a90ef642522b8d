"""An .onnx in a lower precision, by ONNX Runtime's own tools: ``python lower_onnx.py JOB``, in its interpreter.

The job, JSON: ``folder`` with ``model.onnx``, ``out`` (the folder for the new one), ``precision`` (float16, int8),
``inputs`` (of the manifest), ``largest`` (bytes of a file; weights of more lie in one beside), ``done`` (the file for
the answer); for int8 ``calls`` (a folder of arrays ``NUMBER:PATH``) and ``count`` of them, ``keep`` (layers and nodes
that stay in float), ``weights`` (a folder of arrays, by the model's names). The answer: files, precision (what the
manifest says of it); or {"error": ..., "mend": ...}.
"""

from __future__ import annotations

import logging
import os

import onnx
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static
from onnxruntime.transformers.float16 import convert_float_to_float16
from onnxruntime.transformers.onnx_model import OnnxModel

# They lie beside this script.
from answering import Refused, answer  # isort: skip
from array_folders import Calls  # isort: skip
from layer_names import Layers  # isort: skip

QUANTIZED = ("Conv", "ConvTranspose", "Gemm", "MatMul")
"""Operators whose operands become 8 bits: those that the time goes to. What they return stays in float until the next
of them takes it, so that what lies between is computed as before."""


class Reader(CalibrationDataReader):
    """The calibration set, call by call."""

    def __init__(self, job):
        self.calls = map(Calls(job), range(job["count"]))

    def get_next(self):
        return next(self.calls, None)


def float16(model, job):
    """Weights and what is computed, as far as ONNX Runtime's list of operators allows; inputs and outputs stay."""
    made = OnnxModel(convert_float_to_float16(model, keep_io_types=True))
    made.topological_sort()
    return made.model, {"weights": "float16", "activations": "float16"}


def int8(path, job):
    """Static quantization, with QuantizeLinear and DequantizeLinear around the operands."""
    out = os.path.join(job["out"], "model.onnx")
    model = onnx.load(path)
    nodes = [node.name for node in model.graph.node if node.op_type in QUANTIZED]
    if not nodes:
        raise Refused(f"it has none of {', '.join(QUANTIZED)}: nothing would be quantized", "export in float32")
    held = {item.name: item for item in model.graph.initializer}
    weights = {
        node.name: onnx.numpy_helper.to_array(held[name])
        for node in model.graph.node
        if node.op_type in QUANTIZED
        for name in node.input[:2]
        if name in held
    }
    layers = Layers(weights, job["weights"])
    kept = layers.keep(job["keep"], {node.name for node in model.graph.node})
    if set(nodes) <= set(kept):
        raise Refused("--keep-float leaves nothing to quantize", "name fewer")
    quantize_static(
        path,
        out,
        Reader(job),
        per_channel=True,
        activation_type=QuantType.QUInt8,
        # Without a sign: sums of signed ones are cut off on x86 processors that lack VNNI.
        weight_type=QuantType.QUInt8,
        op_types_to_quantize=list(QUANTIZED),
        nodes_to_exclude=kept,
        use_external_data_format=model.ByteSize() > job["largest"],
        extra_options={"OpTypesToExcludeOutputQuantization": list(QUANTIZED)},
    )
    made = onnx.load(out)
    done = {node.op_type for node in made.graph.node if node.op_type in QUANTIZED and node.name not in kept}
    if not any(node.op_type == "QuantizeLinear" for node in made.graph.node):
        raise Refused("ONNX Runtime quantized nothing of it", "export in float32")
    return made, {"weights": "uint8", "activations": "uint8", "operators": sorted(done), **layers.told(kept)}


def lower(job):
    """Do it; the answer."""
    logging.disable(logging.WARNING)  # it asks for a pass that finish_onnx.py's checks stand for
    path = os.path.join(job["folder"], "model.onnx")
    if job["precision"] == "int8":
        made, told = int8(path, job)
    else:
        made, told = float16(onnx.load(path), job)
    before = onnx.load(path, load_external_data=False)
    del made.metadata_props[:]
    onnx.helper.set_model_props(made, {item.key: item.value for item in before.metadata_props})
    out, files = os.path.join(job["out"], "model.onnx"), ["model.onnx"]
    if made.ByteSize() > job["largest"]:
        files.append("model.onnx.data")
        onnx.save(made, out, save_as_external_data=True, location=files[1])
    else:
        onnx.save(made, out)
    onnx.checker.check_model(out)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    onnxruntime.InferenceSession(out, options, providers=["CPUExecutionProvider"])
    return {"files": files, "precision": told}


if __name__ == "__main__":
    answer(lower)
