"""A project with a model of each kind, converted to Paddle, and its checkpoints."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from migrate.environments import Interpreter

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
        self.register_buffer("pairs", torch.tensor([[0.0, 1.0]]).to_sparse(), persistent=False)

    def forward(self, x, targets):
        assert isinstance(x, torch.Tensor)
        image = x.view(x.shape[0], 4, 2, 2)
        y = self.fc(image.mean(3).mean(2))
        f = nn.functional
        return {
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
            "lerp": torch.lerp(y, y * 2, 0.3),
            "std": y.std(),
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
        "export", models / "paddle", *NET, "--source", models / "torch", "--weights", models / "net.pt", "--fold",
        "-o", out,
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
