"""Layouts of layers whose class is handed on: what makes them is a variable."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from migrate.environments import Interpreter

MODEL = '''\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or nn.BatchNorm2d
        self.conv = nn.Conv2d(3, width, 3)
        self.norm = norm_layer(width)
        self.fill = {"kaiming": nn.init.kaiming_normal_}

    def forward(self, x):
        return self.norm(self.conv(x))

    def statistics(self):
        """Has batch normalization's statistics kept as torch keeps them."""
        return self.norm.running_mean, [name for name, _ in self.named_buffers()]


def make():
    net = Block(4)
    net.fill["kaiming"](net.conv.weight, mode="fan_out", nonlinearity="relu", generator=None)
    return net
'''


def test_statistics_fit(
    tmp_path: Path,
    run_migrate: Callable[..., subprocess.CompletedProcess[str]],
    torch_python: Interpreter,
    paddle_python: Interpreter,
) -> None:
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "model.py").write_text(MODEL)
    done = run_migrate("convert", tmp_path / "net", "--to", "paddle", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    entry = ("--entry", "model:make", "--input", "float32[2,3,8,8]")
    checked = run_migrate("check", tmp_path / "net", tmp_path / "out", *entry)
    assert checked.returncode == 0, checked.stdout + checked.stderr
