"""A program that Paddle saved, as ONNX: ``python to_onnx.py JOB``, in the interpreter that has paddle2onnx.

The job, JSON: ``folder`` (model.json, model.pdiparams), ``out`` (the .onnx), ``opset`` (None: LEAST, or higher where an
operator needs it), ``largest`` (bytes of weights; more go into a file beside OUT), ``done`` (the file for the answer).
The answer is {} or {"error": ..., "op": ...}: paddle2onnx aborts the process where it lacks an operator, without saying
which, so it is called in a child. An operator that it lacks is taken apart into others as Paddle does it for its
compilers, where Paddle can.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile

import paddle
import paddle2onnx.paddle2onnx_cpp2py_export as native
from paddle.base import core

# It lies beside this script.
import weights_aside  # isort: skip

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

MISREAD = {"pd_op.gelu": "approximate"}
"""Operators with an attribute that paddle2onnx takes no notice of: taken apart where it is set."""


def narrowed(folder):
    """A program with its attributes in float64 as float32 ones, in a file beside: paddle2onnx 2.1 asks for these, and
    takes whatever lies in memory for a number that it does not find (of group_norm, leaky_relu, pad).
    """
    path = os.path.join(folder, "model.json")
    with open(path, encoding="utf-8") as file:
        program = json.load(file)

    def walk(node):
        if isinstance(node, dict):
            if node.get("#") == "0.a_f64":
                node["#"] = "0.a_f32"
            node = list(node.values())
        for part in node if isinstance(node, list) else ():
            walk(part)

    for op in described(program):
        if op["#"] != "1.full":
            walk(op.get("A"))
    path = os.path.join(folder, "narrowed.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(program, file)
    return path


def described(program):
    """The operators of a program as its file has them, those within branches too."""
    waiting = list(program["program"]["regions"])
    while waiting:
        for block in waiting.pop()["blocks"]:
            for op in block["ops"]:
                yield op
                waiting.extend(op.get("regions", ()))


def misread(folder):
    """The kinds of operators in the program of which paddle2onnx would leave an attribute out."""
    with open(os.path.join(folder, "model.json"), encoding="utf-8") as file:
        program = json.load(file)
    found = set()
    for op in described(program):
        kind = "pd_op." + op["#"].partition(".")[2]
        if kind in MISREAD and any(item["N"] == MISREAD[kind] and item["AT"].get("D") for item in op["A"]):
            found.add(kind)
    return found


def convert(folder, out, opset):
    """Write the .onnx; an error's text, or None."""
    program = narrowed(folder)
    parameters = os.path.join(folder, "model.pdiparams")
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(write, 1)
        os.dup2(write, 2)
        try:
            made = native.export(
                program,
                parameters if os.path.exists(parameters) else "",
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


class Saved:
    """A program from its folder; what it is fed with, and what it gives."""

    def __init__(self, folder):
        self.executor = paddle.static.Executor(paddle.CPUPlace())
        self.program, _, self.gives = paddle.static.load_inference_model(os.path.join(folder, "model"), self.executor)
        self.feeds = [op.result(0) for op in self.ops() if op.name() in ("pd_op.data", "pd_op.feed")]

    def ops(self):
        """Of the program, not those within branches."""
        return list(self.program.global_block().ops)

    def save(self, folder, gives):
        """Write it, with these results."""
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "model")
        paddle.static.save_inference_model(path, self.feeds, gives, self.executor, program=self.program)


def taken_apart(folder, kinds, aside):
    """Write the program to the folder ``aside`` with operators of these kinds said by others; whether any could be."""
    saved = Saved(folder)
    core._set_prim_forward_enabled(True)
    try:
        with paddle.static.program_guard(saved.program):
            gives = paddle.decomposition.decompose(saved.program, list(saved.gives), whitelist=frozenset(kinds))
    finally:
        core._set_prim_forward_enabled(False)
    if any(op.name() in kinds for op in saved.ops()):
        return False
    saved.save(aside, gives)
    return True


def culprit(folder, opset):
    """The kind of the first operator up to which the program does not convert; None where it does without the end."""
    saved = Saved(folder)
    ops = [op for op in saved.ops() if op.name() not in PLAIN and op.results()]

    def converts(count):
        gives = [value for op in ops[:count] for value in op.results() if value.is_dense_tensor_type()]
        with tempfile.TemporaryDirectory() as aside:
            saved.save(aside, [*saved.feeds, *gives])
            return convert(aside, os.path.join(aside, "model.onnx"), opset) is None

    good, bad = 0, len(ops)
    if converts(bad):
        return None
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if converts(middle) else (good, middle)
    found = ops[bad - 1]
    while found.name().startswith("builtin."):  # of several results that one operator gives
        found = found.operand_source(0).get_defining_op()
    return found.name()


def made(folder, out, opset, largest, aside):
    """Write the .onnx; the answer."""
    if weights_aside.too_large(folder, largest):
        light, data = os.path.join(aside, "light"), f"{out}.data"
        held = weights_aside.as_inputs(Saved(folder), light, data)
        answer = made(light, out, opset, largest, os.path.join(aside, "of light"))
        if not answer:
            weights_aside.put_back(out, data, held)
        return answer
    tried = misread(folder)
    if tried and taken_apart(folder, tried, os.path.join(aside, "0")):
        folder = os.path.join(aside, "0")
    while (error := convert(folder, out, opset)) is not None:
        op = culprit(folder, opset)
        after = os.path.join(aside, str(len(tried) + 1))
        if op is None or op in tried or not taken_apart(folder, {op}, after):
            return {"error": error, "op": op}
        tried.add(op)
        folder = after
    return {}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    paddle.enable_static()
    with tempfile.TemporaryDirectory() as aside:
        answer = made(job["folder"], job["out"], job["opset"], job["largest"], aside)
    with open(job["done"], "w", encoding="utf-8") as file:
        json.dump(answer, file)


if __name__ == "__main__":
    main()
