"""An .onnx with what builds TensorRT's engine of it: ``python to_tensorrt.py JOB``, in an interpreter that has onnx.

An engine is built on the GPU that is to run it. So the folder gets the ONNX model and the script that builds the engine
there; here it is seen which of the model's operators, and types, TensorRT's own table does not have.

The job, JSON: ``model`` (the .onnx), ``folder`` (for what is written), ``inputs`` (with names of free axes), ``sizes``
(name -> the example's), ``done`` (the file for the answer). The answer: files, and ``engine``: what is known of it; or
{"error": ...}.
"""

from __future__ import annotations

import json
import os
import shutil

import onnx
from onnx import TensorProto

# It lies beside this script.
from answering import answer  # isort: skip

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tensorrt_operators.json")
TYPES = {
    TensorProto.FLOAT: "float32",
    TensorProto.FLOAT16: "float16",
    TensorProto.BFLOAT16: "bfloat16",
    TensorProto.DOUBLE: "float64",
    TensorProto.INT32: "int32",
    TensorProto.INT64: "int64",
    TensorProto.INT8: "int8",
    TensorProto.UINT8: "uint8",
    TensorProto.BOOL: "bool",
}
LARGEST = 8
"""Times the example's size: the largest of a free axis that the script builds for, unless it is told."""

BUILD = "build_engine.sh"
SCRIPT = """\
#!/bin/sh
# Builds TensorRT's engine, model.plan, of model.onnx. Run it on the GPU that is to run the engine, where trtexec is
# (TensorRT 10): sh {name}, or with --fp16, --bf16 or another option of trtexec.
# Timings of kernels are kept in timing.cache, so that building again is quick.
{sizes}set -e
cd "$(dirname "$0")"
trtexec --onnx=model.onnx --saveEngine=model.plan --timingCacheFile=timing.cache --skipInference{shapes} "$@"
"""


def convert(job):
    """Write model.onnx, and build_engine.sh beside it."""
    data = job["model"] + ".data"
    files = ["model.onnx", *(["model.onnx.data"] if os.path.exists(data) else [])]
    for path in [job["model"], data][: len(files)]:
        shutil.copy(path, job["folder"])
    with open(os.path.join(job["folder"], BUILD), "w", encoding="utf-8") as file:
        file.write(script(job["inputs"], job["sizes"]))
    with open(TABLE, encoding="utf-8") as file:
        table = json.load(file)
    model = onnx.load(job["model"], load_external_data=False)
    found = findings(onnx.shape_inference.infer_shapes(model), table)
    return {"files": [*files, BUILD], "engine": {"build": f"sh {BUILD}", "table": table["of"], "findings": found}}


def script(inputs, sizes):
    """What builds the engine: with a least, a usual and a largest size of each free axis."""
    named = list(dict.fromkeys(size for item in inputs for size in item["shape"] if isinstance(size, str)))
    if not named:
        return SCRIPT.format(name=BUILD, sizes="", shapes="")
    lines = ["# Sizes of the free axes: the least, the one that is made fastest, the largest.\n"]
    for name in named:
        usual = sizes.get(name, 2)
        told = {"min": 1, "opt": usual, "max": LARGEST * usual}
        lines.append(" ".join(f'{name}_{end}="${{{name}_{end}:-{size}}}"' for end, size in told.items()) + "\n")
    free = [item for item in inputs if any(isinstance(size, str) for size in item["shape"])]
    shapes = ""
    for end in ("min", "opt", "max"):
        each = [f"{item['name']}:{'x'.join(size_at(end, size) for size in item['shape'])}" for item in free]
        shapes += f" \\\n  --{end}Shapes={','.join(each)}"
    return SCRIPT.format(name=BUILD, sizes="".join(lines), shapes=shapes)


def size_at(end, size):
    """A size as the script has it: that of a free axis is a variable."""
    return f"${{{size}_{end}}}" if isinstance(size, str) else str(size)


def findings(model, table):
    """What TensorRT's table does not have of the model, a line each: kind of operator, why, how many."""
    types_of = {name: row["types"] for row in table["operators"] for name in row["names"]}
    opset = next(item.version for item in model.opset_import if item.domain in ("", "ai.onnx"))
    least, largest = table["opsets"]
    found = {}
    if not least <= opset <= largest:
        found[f"opset {opset}: it reads {least} to {largest}; export with --opset {largest}"] = 1
    for graph in graphs(model.graph):
        known = dtypes(graph)
        constants = {item.name for item in graph.initializer}
        constants |= {name for node in graph.node if node.op_type == "Constant" for name in node.output}
        for node in graph.node:
            for why in lacking(node, types_of, known, constants):
                found[f"{node.op_type}: {why}"] = found.get(f"{node.op_type}: {why}", 0) + 1
    return [f"{text} ({count} times)" if count > 1 else text for text, count in found.items()]


def graphs(graph):
    """It, and those within branches and loops."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for inner in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                yield from graphs(inner)


def dtypes(graph):
    """Tensor -> name of its type, as far as it is known."""
    found = {item.name: item.data_type for item in graph.initializer}
    for value in [*graph.input, *graph.output, *graph.value_info]:
        found[value.name] = value.type.tensor_type.elem_type
    return {name: TYPES.get(kind, "") for name, kind in found.items()}


def lacking(node, types_of, known, constants):
    """Why TensorRT may not take a node."""
    if node.op_type not in types_of or node.domain not in ("", "ai.onnx"):
        yield "is not in the table"
        return
    first = known.get(next(iter(node.input), ""), "")
    if first == "float64":
        yield "of float64, which it computes in float32"
    elif first and node.op_type not in OF_ANY_TYPE and first not in types_of[node.op_type]:
        yield f"of {first}"
    given = {item.name: onnx.helper.get_attribute_value(item) for item in node.attribute}
    if node.op_type in ("AveragePool", "MaxPool", "LpPool") and any(size != 1 for size in given.get("dilations", ())):
        yield "dilated"
    if node.op_type in ("AveragePool", "MaxPool") and len(given.get("kernel_shape", (1, 1))) == 1:
        yield "over one axis"
    if node.op_type == "MaxPool" and len(node.output) > 1 and node.output[1]:
        yield "that gives indices"
    if node.op_type == "ScatterND" and given.get("reduction", b"none") != b"none":
        yield "with a reduction"
    if node.op_type == "Resize" and (given.get("mode") == b"cubic" or given.get("antialias")):
        yield "cubic or with antialiasing"
    if node.op_type == "TopK" and given.get("sorted", 1) != 1:
        yield "that does not sort"
    place = CONSTANT.get(node.op_type)
    if place is not None and len(node.input) > place and node.input[place] and node.input[place] not in constants:
        yield f"whose {PLACES[place]} input is computed"


OF_ANY_TYPE = ("Cast", "CastLike", "Constant", "ConstantOfShape", "Shape", "Size")
"""Their first input says nothing of what they compute in."""
PLACES = {1: "second", 3: "fourth"}
CONSTANT = {
    **dict.fromkeys(("CumSum", "OneHot", "Squeeze", "Unsqueeze"), 1),
    **{f"Reduce{name}": 1 for name in ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum")},
    "ReduceSumSquare": 1,
    "Pad": 3,
    "Slice": 3,
}
"""Operator -> which input has to be known when the engine is built."""


if __name__ == "__main__":
    answer(convert)
