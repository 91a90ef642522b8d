"""0-d tensors and numpy's numbers where torch means a number: they are Python's by the time the target sees them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

SETUP = """\
import numpy as np
import torch

x = torch.ones(2, 3)
n = torch.tensor(1)
"""
# What stands there, and what becomes of it for Paddle.
NUMBERS = {
    "x.transpose(np.int64(1), 0)": "x.swapaxes(int(np.int64(1)), 0)",
    "x.sum(dim=n, keepdim=True)": "x.sum(axis=int(n), keepdim=True)",
    "x.sum(axis=n + 1)": "x.sum(axis=int(n + 1))",
    "x.tile(n, 1)": "x.tile([int(n), 1])",
    "torch.permute(x, (np.int64(1), 0))": "paddle.transpose(x, (int(np.int64(1)), 0))",
    "torch.zeros((n, 2))": "paddle.zeros((int(n), 2))",
    "torch.Tensor.transpose(x, n, 0)": "x.swapaxes(int(n), 0)",
    "torch.nn.Linear(np.int64(3), n)": "paddle.nn.Linear(int(np.int64(3)), int(n))",
    "torch.nn.functional.leaky_relu(x, n.max())": "paddle.nn.functional.leaky_relu(x, float(n.max()))",
    "x.masked_fill(x > 1, np.float32(2))": "x.masked_fill(x > 1, np.float32(2).item())",
    "torch.arange(n.max())": "paddle.arange(n.max().item())",
    # torch's annotation says int, and its function takes a float
    "torch.masked.std(x, 1, correction=np.float64(1.3))": (
        "paddle_helpers.masked_std(x, 1, correction=float(np.float64(1.3)))"
    ),
    # one item for all axes, one number in brackets, one written as a float
    "torch.nn.MaxPool2d((2,), stride=[np.int64(1)])": "paddle.nn.MaxPool2D(2, stride=int(np.int64(1)))",
    "torch.nn.functional.avg_pool2d(x, (3,), (n,))": "paddle.nn.functional.avg_pool2d(x, 3, int(n))",
    "torch.nn.BatchNorm2d((3,))": "paddle.nn.BatchNorm2D(3)",
    "torch.nn.Linear(3.0, 4)": "paddle.nn.Linear(3, 4)",
    "torch.optim.SGD([x], torch.tensor(0.1))": (
        "paddle.optimizer.SGD(parameters=[x], learning_rate=float(paddle.to_tensor(0.1)))"
    ),
}
KEPT = ["torch.add(x, n)", "x * n", "torch.where(x > n, x, n)", "torch.stack((x, n))", "torch.nn.Conv2d(3, 4, 3)(x)"]
KEPT += ["torch.sum(x, (1,))", "x.reshape((6,))"]


@pytest.mark.parametrize("before", NUMBERS)
def test_a_number_is_pythons(before: str, converted: Callable[..., str]) -> None:
    assert converted(SETUP + f"y = {before}\n").split("\n")[-2] == f"y = {NUMBERS[before]}"


@pytest.mark.parametrize("call", KEPT)
def test_tensors_stay_where_tensors_are_meant(call: str, converted: Callable[..., str]) -> None:
    text = converted(SETUP + f"y = {call}\n")
    assert "int(" not in text
    assert ".item()" not in text


def test_what_is_not_known_to_be_a_tensor_stays(converted: Callable[..., str]) -> None:
    text = converted("import torch\n\n\ndef f(x: torch.Tensor, k):\n    return x.narrow(0, k, 2), x.sum(dim=k)\n")
    assert "int(" not in text
