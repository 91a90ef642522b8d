"""A program that Paddle saved, as ONNX: ``python to_onnx.py JOB``, in the interpreter that has paddle2onnx.

The job, JSON: ``folder`` (model.json, model.pdiparams), ``out`` (the .onnx), ``opset`` (None: LEAST, or higher where an
operator needs it), ``done`` (the file for the answer). The answer is {} or {"error": ..., "op": ...}: paddle2onnx
aborts the process where it lacks an operator, without saying which, so it is called in a child.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile

import paddle
import paddle2onnx.paddle2onnx_cpp2py_export as native

LEAST = 17
"""From here on ONNX has LayerNormalization."""

PLAIN = (
    "builtin.parameter",
    "builtin.shadow_output",
    "pd_op.data",
    "pd_op.feed",
    "pd_op.fetch",
    "pd_op.full",
    "pd_op.full_int_array",
)


def convert(folder, out, opset):
    """Write the .onnx; an error's text, or None."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(write, 1)
        os.dup2(write, 2)
        try:
            made = native.export(
                os.path.join(folder, "model.json"),
                os.path.join(folder, "model.pdiparams"),
                opset or LEAST,
                opset is None,  # a higher one where an operator needs it
                False,
                True,
                True,
                True,
                {},
                "onnxruntime",
                "",
                "",
                False,
            )
            with open(out, "wb") as file:
                file.write(made)
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", flush=True)
            os._exit(1)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as lines:
        said = lines.read().decode("utf-8", errors="replace")
    if os.waitpid(child, 0)[1] == 0:
        return None
    telling = [line for line in said.splitlines() if "[ERROR]" in line or "Error: " in line]
    return (telling or said.splitlines()[-3:] or ["ended without a word"])[0].replace("[ERROR]", "").strip()


def culprit(folder, opset):
    """The first kind of operator that what stands before it cannot be the cause of: None where none is found."""
    paddle.enable_static()
    executor = paddle.static.Executor(paddle.CPUPlace())
    program, _, _ = paddle.static.load_inference_model(os.path.join(folder, "model"), executor)
    block = program.global_block()
    feeds = [op.result(0) for op in block.ops if op.name() in ("pd_op.data", "pd_op.feed")]
    known = set(native.get_all_supported_operators_pir())
    tried = set(PLAIN)
    with tempfile.TemporaryDirectory() as aside:
        for op in block.ops:
            name = op.name()
            if name in tried or name.partition(".")[2] in known or not op.results():
                continue
            tried.add(name)
            paddle.static.save_inference_model(
                os.path.join(aside, "model"), feeds, [op.result(0)], executor, program=program
            )
            if convert(aside, os.path.join(aside, "model.onnx"), opset) is not None:
                return name
    return None


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    error = convert(job["folder"], job["out"], job["opset"])
    answer = {} if error is None else {"error": error, "op": culprit(job["folder"], job["opset"])}
    with open(job["done"], "w", encoding="utf-8") as file:
        json.dump(answer, file)


if __name__ == "__main__":
    main()
