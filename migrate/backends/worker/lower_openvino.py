"""OpenVINO's model in a lower precision: ``python lower_openvino.py JOB``, in an interpreter that has OpenVINO; for
int8 also NNCF.

The job and the answer are those of ``lower_onnx.py``, for ``model.xml``, and bfloat16 too.
"""

from __future__ import annotations

import os

import numpy as np
import openvino

# They lie beside this script.
from answering import Refused, answer  # isort: skip
from array_folders import Calls  # isort: skip
from layer_names import Layers  # isort: skip

KINDS = {
    "Convolution": "Conv",
    "GroupConvolution": "Conv",
    "ConvolutionBackpropData": "ConvTranspose",
    "GroupConvolutionBackpropData": "ConvTranspose",
    "Multiply": "Mul",
}
"""As ONNX calls them."""

HALF = 64

MOVING = (
    "Concat", "FakeQuantize", "Gather", "MaxPool", "Pad", "Reshape", "Slice", "Split", "Squeeze", "StridedSlice",
    "Tile", "Transpose", "Unsqueeze", "VariadicSplit",
)  # fmt: skip


def weights(model):
    """The weights of operations that have some, by the operation's name."""
    found = {}
    for op in model.get_ops():
        if op.get_type_name() in (*KINDS, "MatMul"):
            for number in range(2):
                node = op.input_value(number).get_node()
                if node.get_type_name() == "Constant":
                    found[op.get_friendly_name()] = node.get_data()
    return found


def int8(model, job):
    """NNCF's post-training quantization, with ranges from the lowest to the highest value of the calibration set."""
    import nncf
    from nncf.quantization.advanced_parameters import AdvancedQuantizationParameters
    from nncf.quantization.range_estimator import RangeEstimatorParametersSet

    layers = Layers(weights(model), job["weights"])
    kept = layers.keep(job["keep"], {op.get_friendly_name() for op in model.get_ops()})
    made = nncf.quantize(
        model,
        nncf.Dataset(list(range(job["count"])), Calls(job)),
        subset_size=job["count"],
        preset=nncf.QuantizationPreset.MIXED,
        target_device=nncf.TargetDevice.CPU,
        ignored_scope=nncf.IgnoredScope(names=kept) if kept else None,
        advanced_parameters=AdvancedQuantizationParameters(
            activations_range_estimator_params=RangeEstimatorParametersSet.MINMAX
        ),
    )
    kinds = {
        KINDS.get(kind, kind) for op in made.get_ops() if op.get_type_name() == "FakeQuantize" for kind in users(op)
    }
    if not kinds:
        raise Refused("NNCF quantized nothing of it", "export in float32")
    return made, {
        "weights": "int8",
        "activations": "uint8",
        "operators": sorted(kinds),
        **layers.told(kept),
        "narrow": [layers.of[name] for name in narrow(made) if name in layers.of],
    }


def narrow(model):
    """Operations whose weights have half of the 8 bits: on older processors products of the first layer overflow."""
    for op in model.get_ops():
        if op.get_type_name() in (*KINDS, "MatMul") and len(op.inputs()) > 1:
            node = op.input_value(1).get_node()
            while node.get_type_name() in ("Convert", "Multiply", "Subtract", "Reshape"):
                node = node.input_value(0).get_node()
            held = node.get_type_name() == "Constant" and node.get_element_type() == openvino.Type.i8
            if held and np.abs(node.get_data().astype(np.int16)).max() <= HALF:
                yield op.get_friendly_name()


def users(op):
    """Kinds of the operations that take what another one gives, through those that only move it."""
    for output in op.outputs():
        for user in output.get_target_inputs():
            node = user.get_node()
            if node.get_type_name() in MOVING:
                yield from users(node)
            else:
                yield node.get_type_name()


def lower(job):
    """Do it; the answer."""
    model = openvino.Core().read_model(os.path.join(job["folder"], "model.xml"))
    if job["precision"] == "int8":
        model, told = int8(model, job)
    elif job["precision"] == "float16":
        # What the weights are stored in; which precision a device computes in is its own choice, here float32.
        told = {"weights": "float16", "activations": "float32"}
    else:
        told = {"weights": "bfloat16", "activations": "bfloat16"}
        model.set_rt_info("bf16", ["runtime_options", "INFERENCE_PRECISION_HINT"])
    path = os.path.join(job["out"], "model.xml")
    openvino.save_model(model, path, compress_to_fp16=job["precision"] == "float16")
    openvino.Core().compile_model(path, "CPU")
    return {"files": ["model.xml", "model.bin"], "precision": told}


if __name__ == "__main__":
    answer(lower)
