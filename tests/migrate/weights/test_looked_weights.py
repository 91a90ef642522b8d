"""A project whose code looks at some of its Linears: converted, its weights carried, and the two compared."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

FILES = {
    "net.py": """
        import torch
        import torch.nn as nn

        from blocks import Auto, Block, Sure, make_surer, stack


        class Net(nn.Module):
            def __init__(self, layer=nn.Linear):
                super().__init__()
                self.plain = nn.Linear(4, 3)
                self.auto = Auto(3)
                self.block = Block(
                    3,
                    nn.Linear(
                        3,
                        3,
                    ),
                )
                self.many = stack(3)
                self.sure, self.surer = Sure(3), make_surer()(3)

            def forward(self, x):
                return self.surer(self.sure(self.many(self.block(self.auto(self.plain(x))))))

            def statistics(self):
                return {name: b.clone() for name, b in self.named_buffers() if name.endswith("running_var")}
    """,
    "blocks.py": """
        import copy

        import torch
        import torch.nn as nn
        import torch.nn.functional as F


        class Auto(nn.Module):
            def __init__(self, n):
                super().__init__()
                self.enc = nn.Linear(n, n)

            def forward(self, x):
                return F.linear(torch.tanh(self.enc(x)), self.enc.weight.t())


        class Block(nn.Module):
            def __init__(self, n, inner):
                super().__init__()
                self.inner, self.own = inner, nn.Linear(n, n)

            def forward(self, x):
                return self.own(self.inner(x))

            def penalty(self):
                return self.own.weight.norm(dim=1).sum()


        class Sure(nn.BatchNorm1d):
            def forward(self, x):
                mean, var = (s.reshape(1, -1) for s in (self.running_mean, self.running_var))
                return (x - mean) / torch.sqrt(var + self.eps) * self.weight + self.bias


        def make_surer():
            class Surer(Sure):
                pass

            return Surer


        def stack(n):
            one = nn.Linear(n, n)
            return nn.Sequential(one, copy.deepcopy(one), nn.BatchNorm1d(n))
    """,
}
TRANSPOSED = {"plain.weight", "block.inner.weight", "many.0.weight", "many.1.weight"}
LOOKED = {"auto.enc.weight", "block.own.weight"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("looked")
    for name, source in FILES.items():
        (folder / name).write_text(dedent(source))
    return folder


@pytest.fixture(scope="module")
def converted(project: Path, run_migrate: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out") / "net"
    done = run_migrate("convert", project, "--to", "paddle", "-o", out, "--strict")
    assert done.returncode == 0, done.stderr
    return out


def test_only_those_that_are_looked_at(converted: Path) -> None:
    assert (converted / "net.py").read_text().count("compat") == 0
    blocks = (converted / "blocks.py").read_text()
    assert "self.enc = paddle.compat.nn.Linear(n, n)" in blocks
    assert "self.inner, self.own = inner, paddle.compat.nn.Linear(n, n)" in blocks
    assert "one = nn.Linear(n, n)" in blocks
    assert "paddle_helpers.TorchBatchNorm1d(n)" in blocks


def test_weights_follow(project: Path, run_migrate: Any, run_python: Any, torch_python: Any, tmp_path: Path) -> None:
    saved, output = tmp_path / "net.pt", tmp_path / "net.npz"
    script = "import sys, torch, net; torch.save(net.Net().state_dict(), sys.argv[1])"
    run_python(torch_python, script, saved, cwd=project)
    plain = run_migrate("weights", saved, "-o", output)
    assert plain.returncode == 0, plain.stderr
    ours = tmp_path / "net.pdparams"
    done = run_migrate("weights", saved, "-o", ours, "--model", "net:Net", "--project", project)
    assert done.returncode == 0, done.stderr
    import pickle

    with ours.open("rb") as file:
        found = pickle.load(file)
    with np.load(output) as torchs:
        # The code goes through buffers: batch normalization has torch's.
        assert set(found) - {"StructuredToParameterName@@"} == set(torchs)
        for name in torchs:
            expected = torchs[name].T if name in TRANSPOSED else torchs[name]
            np.testing.assert_array_equal(np.asarray(found[name]), expected, err_msg=name)


def test_check_agrees(project: Path, converted: Path, run_migrate: Any, torch_python: Any, paddle_python: Any) -> None:
    sides = ("--torch-python", torch_python.python, "--target-python", paddle_python.python)
    done = run_migrate(
        "check", project, converted, "--to", "paddle", *sides, "--entry", "net:Net", "--input", "float32[5,4]"
    )
    assert done.returncode == 0, done.stdout + done.stderr
