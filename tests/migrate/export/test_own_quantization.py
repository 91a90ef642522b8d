"""Paddle's own post-training quantization, which `--precision` refuses: that it is still as docs/precision.md says."""

from __future__ import annotations

import subprocess
from pathlib import Path

from migrate.environments import Interpreter

TRIAL = """\
import paddle
from paddle import inference
from paddle.quantization import PTQ, QuantConfig
from paddle.quantization.observers import AbsmaxObserver

model = paddle.nn.Sequential(paddle.nn.Linear(6, 4), paddle.nn.ReLU())
model.eval()
tool = PTQ(QuantConfig(activation=AbsmaxObserver(quant_bits=8), weight=AbsmaxObserver(quant_bits=8)))
observed = tool.quantize(model)
observed(paddle.rand([3, 6]))
lowered = tool.convert(observed)
for size in (None, 3):
    try:
        paddle.jit.save(lowered, "q/model", input_spec=[paddle.static.InputSpec([size, 6], "float32")])
    except ValueError:
        print("not saved:", size)
try:
    inference.create_predictor(inference.Config("q/model.json", "q/model.pdiparams"))
except RuntimeError:
    print("not loaded")
"""


def test_what_paddle_quantizes_does_not_load(tmp_path: Path, paddle_python: Interpreter) -> None:
    done = subprocess.run(
        [paddle_python.python, "-W", "ignore", "-c", TRIAL],
        env=paddle_python.environ(), cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-2:] == ["not saved: None", "not loaded"], done.stderr
