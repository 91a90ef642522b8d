"""Weights of more than a protobuf holds, as an ONNX model's external data.

paddle2onnx 2.1 writes an empty file there. So it is given the program with its larger weights as inputs, and what it
made gets them back: as tensors that lie in a file beside it. Loaded by path beside ``to_onnx.py``.
"""

from __future__ import annotations

import os

import numpy as np
import onnx
import paddle

SMALL = 1 << 16
"""Bytes; weights of fewer stay where they are, since operators may want them as constants."""


def too_large(folder, largest):
    """Whether the program's weights have more bytes than that."""
    parameters = os.path.join(folder, "model.pdiparams")
    return os.path.exists(parameters) and os.path.getsize(parameters) > largest


def as_inputs(saved, aside, data):
    """Write the program with its weights as inputs to the folder ``aside``, and their values to the file ``data``.

    saved: ``to_onnx.Saved``. Returns name of the input -> (dtype, shape, offset, length).
    """
    scope = paddle.static.global_scope()
    held, feeds = {}, []
    with open(data, "wb") as file, paddle.static.program_guard(saved.program):
        for op in [op for op in saved.ops() if op.name() == "builtin.parameter"]:
            name = op.attrs()["parameter_name"]
            array = np.ascontiguousarray(scope.find_var(name).get_tensor())
            if array.nbytes < SMALL or array.dtype.kind not in "fi":
                continue
            value = op.result(0)
            given = paddle.static.data(f"weight.{name}", array.shape, value.dtype)
            value.replace_all_uses_with(given)
            feeds.append(given)
            held[given.name] = (array.dtype, array.shape, file.tell(), array.nbytes)
            file.write(array.tobytes())
    saved.feeds += feeds
    saved.save(aside, saved.gives)
    return held


def put_back(path, data, held):
    """Have the .onnx read from ``data``, a file beside it, what it asks for as inputs."""
    model = onnx.load(path)
    for value in [value for value in model.graph.input if value.name in held]:
        dtype, shape, offset, length = held[value.name]
        tensor = model.graph.initializer.add(
            name=value.name,
            data_type=onnx.helper.np_dtype_to_tensor_dtype(dtype),
            dims=shape,
            data_location=onnx.TensorProto.EXTERNAL,
        )
        told = {"location": os.path.basename(data), "offset": offset, "length": length}
        for key, item in told.items():
            tensor.external_data.add(key=key, value=str(item))
        model.graph.input.remove(value)
    onnx.save(model, path)
