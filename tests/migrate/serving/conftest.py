"""A project with a model whose rows may be batched and one whose rows may not, exported for Triton and served."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from migrate.environments import Interpreter
from migrate.serving.server import Server, running

MODELS = """\
import torch
from torch import nn


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 4)
        self.fc = nn.Linear(4, 3)

    def forward(self, ids):
        y = self.fc(self.embed(ids).mean(1))
        return {"y": y, "best": y.argmax(1), "ok": y[:, 0] > 0}


class Centred(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        y = self.fc(x)
        return y - y.mean(0), y.sum()
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The torch project."""
    folder = tmp_path_factory.mktemp("project") / "torch"
    folder.mkdir()
    (folder / "net.py").write_text(MODELS)
    return folder


@pytest.fixture(scope="session")
def bag_onnx(
    tmp_path_factory: pytest.TempPathFactory,
    run_migrate: Run,
    project: Path,
    torch_python: Interpreter,
    paddle_python: Interpreter,
    paddle2onnx_python: Interpreter,
    onnxruntime_python: Interpreter,
) -> Path:
    """net:Bag of Paddle as ONNX, both axes free; not to be changed."""
    folder = tmp_path_factory.mktemp("exported")
    done = run_migrate("convert", project, "--to", "paddle", "-o", folder / "paddle")
    assert done.returncode == 0, done.stderr
    done = run_migrate(
        "export", folder / "paddle", "--source", project, "--entry", "net:Bag", "--input", "int64[batch,time]<10",
        "--size", "time=3", "--seed", 0, "-o", folder / "onnx",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "onnx"


@pytest.fixture(scope="session")
def bag(tmp_path_factory: pytest.TempPathFactory, run_migrate: Run, bag_onnx: Path, triton_python: Interpreter) -> Path:
    """Its model repository, in which a request waits a moment for others; not to be changed."""
    out = tmp_path_factory.mktemp("served") / "bag"
    done = run_migrate(
        "export", bag_onnx, "--format", "triton", "--max-batch", 6, "--delay", 20000, "--threads", 1, "-o", out
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "served as Bag by python (onnxruntime); batches of 6 at most" in done.stdout
    return out


@pytest.fixture(scope="session")
def server(bag: Path) -> Iterator[Server]:
    """It, served."""
    with running(bag) as found:
        yield found


@pytest.fixture(scope="session")
def centred(
    tmp_path_factory: pytest.TempPathFactory,
    run_migrate: Run,
    project: Path,
    torch_python: Interpreter,
    triton_python: Interpreter,
) -> Path:
    """net:Centred of torch, run by torch itself; not to be changed."""
    out = tmp_path_factory.mktemp("served") / "centred"
    done = run_migrate(
        "export", project, "--to", "torch", "--entry", "net:Centred", "--input", "float32[batch,4]", "--seed", 0,
        "--format", "triton", "--engine", "native", "--name", "centred-1", "--threads", 1, "-o", out,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return out
