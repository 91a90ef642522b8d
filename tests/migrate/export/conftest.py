"""A project with a model of each kind, converted to Paddle, and its checkpoints."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from migrate.environments import Interpreter

Run = Callable[..., subprocess.CompletedProcess[str]]

MODELS = '''\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.norm = nn.LayerNorm(3)

    def forward(self, x, scale=None, shift=0.0):
        y = self.norm(self.fc(x)).masked_fill(x[..., :3] > 1, 0.5) + shift
        y = y.reshape(x.shape[0], x.shape[1], 3)
        return {"y": y if scale is None else y * scale, "x": y + 1, "more": (y.sum(), None)}


class Ranked(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return torch.kthvalue(self.fc(x), 2, dim=1)[0]


class Searching(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return searched(self.fc(x))


def searched(x):
    for size in (1, 2):
        try:
            return x * size
        except TypeError:
            pass
    raise ValueError


def twice(x):
    return x * 2


class Operators(nn.Module):
    """What Paddle's tracer or paddle2onnx have not as it stands."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.groups = nn.GroupNorm(2, 4, eps=3e-4)
        self.lstm = nn.LSTM(4, 3, num_layers=2, bidirectional=True)
        self.gru = nn.GRU(4, 3, num_layers=2, batch_first=True)
        self.register_buffer("pairs", torch.tensor([[0.0, 1.0]]).to_sparse(), persistent=False)
        self.register_buffer("shift", torch.tensor([0.3, 0.2, 0.1]), persistent=False)

    def forward(self, x, targets):
        assert isinstance(x, torch.Tensor)
        image = x.view(x.shape[0], 4, 2, 2)
        y = self.fc(image.mean(3).mean(2))
        f = nn.functional
        changed = y * 2
        changed.add_(self.shift).mul_(2)
        return {
            "changed": changed,
            # a result without axes, by a function of which the helper module has several forms
            "loss": f.cross_entropy(y, targets, ignore_index=-1),
            "groups": self.groups(image),
            "leaky": f.leaky_relu(y, 0.3),
            "padded": f.pad(image, (1, 2, 0, 1), value=0.7),
            "gelu": (f.gelu(y), f.gelu(y, approximate="tanh")),
            "hardtanh": f.hardtanh(y, -0.1, 0.2),
            "celu": f.celu(y, 0.7),
            "softplus": (f.softplus(y), f.softplus(y, 1.7, 0.3)),
            "larger": f.interpolate(image, scale_factor=2.0, mode="bilinear"),
            "filled": y.masked_fill(y > 0, -1.5),
            "shifted": y + self.shift,
            "lerp": torch.lerp(y, y * 2, 0.3),
            "std": y.std(),
            "states": (self.lstm(x.view(x.shape[0], 4, 4)), self.gru(x.view(x.shape[0], 4, 4))),
            "close": torch.isclose(y, y * 1.01, rtol=0.1),
        }
'''


@pytest.fixture(scope="session")
def models(
    tmp_path_factory: pytest.TempPathFactory,
    run_migrate: Callable[..., subprocess.CompletedProcess[str]],
    torch_python: Interpreter,
) -> Path:
    """``torch``, ``paddle`` and ``oneflow``: the project; ``net.pt``, ``net.pdparams``, ``ranked.pt``."""
    folder = tmp_path_factory.mktemp("models")
    (folder / "torch").mkdir()
    (folder / "torch" / "net.py").write_text(MODELS)
    for target in ("paddle", "oneflow"):
        done = run_migrate("convert", folder / "torch", "--to", target, "-o", folder / target)
        assert done.returncode == 0, done.stderr
    torch.manual_seed(0)
    fc, norm = torch.nn.Linear(4, 3), torch.nn.LayerNorm(3)
    state = {f"fc.{name}": value for name, value in fc.state_dict().items()}
    torch.save(state, folder / "ranked.pt")
    state |= {f"norm.{name}": value + 0.1 for name, value in norm.state_dict().items()}
    torch.save(state, folder / "net.pt")
    done = run_migrate(
        "weights", folder / "net.pt", "--to", "paddle", "--project", folder / "torch", "--model", "net:Net"
    )
    assert done.returncode == 0, done.stderr
    return folder


NET = ("--entry", "net:Net", "--input", "float32[batch,time,4]", "--input", "scale=float32[3]", "--size", "time=5")


@pytest.fixture(scope="session")
def net_onnx(
    tmp_path_factory: pytest.TempPathFactory,
    run_migrate: Callable[..., subprocess.CompletedProcess[str]],
    models: Path,
    paddle_python: Interpreter,
    paddle2onnx_python: Interpreter,
    onnxruntime_python: Interpreter,
) -> Path:
    """Paddle's net:Net with torch's weights, as ONNX, its axes free; not to be changed."""
    out = tmp_path_factory.mktemp("exported") / "onnx"
    done = run_migrate(
        "export", models / "paddle", *NET, "--source", models / "torch", "--weights", models / "net.pt", "-o", out,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="session")
def ranked(
    tmp_path_factory: pytest.TempPathFactory, run_migrate: Callable[..., subprocess.CompletedProcess[str]], models: Path
) -> Path:
    """Torch's net:Ranked, as torch saves it, for four rows; not to be changed."""
    out = tmp_path_factory.mktemp("exported") / "native"
    done = run_migrate(
        "export", models / "torch", "--to", "torch", "--entry", "net:Ranked", "--input", "float32[4,4]", "--weights",
        models / "ranked.pt", "--format", "native", "-o", out,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return out


SMALL = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv1 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.conv2(self.relu(self.bn1(self.conv1(x)))) + x)


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, stride=2, bias=False)
        self.bn = nn.BatchNorm2d(16)
        self.blocks = nn.Sequential(Block(16), Block(16))
        self.fc = nn.Linear(16, 10)

    def forward(self, x):
        return self.fc(self.blocks(torch.relu(self.bn(self.stem(x)))).mean((2, 3)))


def batches(count=8, scale=1.0):
    torch.manual_seed(5)
    for _ in range(count):
        yield torch.randn(2, 3, 12, 12) * scale, torch.zeros(2)


def none():
    return []


def mean_top(predict, scale=1.0):
    total = 0.0
    for images, _ in batches(3):
        total += predict(images).softmax(-1).amax(-1).mean().item() * scale
    return total / 3


def shuffled(predict):
    import random
    random.seed()
    return predict(torch.full((2, 3, 12, 12), random.random())).sum()


def of_fours(predict):
    return predict(torch.zeros(2, 4, 12, 12)).sum()


def blind(predict):
    return 1.0


def broken():
    raise ValueError("no such folder of images")
"""
INPUT = ("--entry", "small:Small", "--input", "float32[batch,3,12,12]", "--seed", "0")


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The torch project."""
    folder = tmp_path_factory.mktemp("small") / "torch"
    folder.mkdir()
    (folder / "small.py").write_text(SMALL)
    return folder


@pytest.fixture(scope="session")
def export(run_migrate: Run, small: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """``export(out, *more)``: torch's model, in a lower precision."""

    def run(out: Path, *more: Any) -> subprocess.CompletedProcess[str]:
        return run_migrate("export", small, "--to", "torch", *INPUT, *more, "-o", out)

    return run


@pytest.fixture(scope="session")
def int8(
    tmp_path_factory: pytest.TempPathFactory, export: Run, torch_python: Interpreter, onnxruntime_python: Interpreter
) -> Path:
    """The model in int8, for ONNX Runtime, with a set of the project's; not to be changed."""
    out = tmp_path_factory.mktemp("exported") / "int8"
    done = export(out, "--precision", "int8", "--calibrate", "small:batches")
    assert done.returncode == 0, done.stderr
    return out
