"""Branches and loops of ``--static`` where they are compiled: what they give there is what they give elsewhere."""

from __future__ import annotations

import subprocess
from pathlib import Path, PurePosixPath
from textwrap import dedent

from migrate.environments import Interpreter
from rewriters.convert import convert_sources
from rewriters.target import load_target

SOURCE = """
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.layer = nn.Linear(3, 3)

    def forward(self, x, lengths: torch.Tensor):
        n = 0
        while x.abs().max().item() > 0.1 and n < 10:
            x = x / 2
            n += 1
        for i in range(int(lengths.max())):
            x = x + i
        while True:
            x = self.norm(x) * 0.5 + 0.75 * x
            if x.sum() < 40:
                break
        if x.sum() > 10:
            return self.layer(x) * n
        elif x.sum() > 5:
            x = self.layer(x)
            return x / 2
        return self.layer(-x)
"""

RUN = """
import jax.numpy as jnp
import numpy as np
from flax import nnx
from net import Net

compiled = nnx.jit(lambda net, x, lengths: net(x, lengths))
for size, length in ((1.0, 3), (0.01, 2), (5.0, 0), (2.0, 5)):
    x, lengths = jnp.linspace(-size, 2 * size, 12, dtype=jnp.float32).reshape(4, 3), jnp.array([1, length])
    one, other = Net(), Net()
    other.load_state_dict(one.state_dict())
    np.testing.assert_allclose(compiled(other, x, lengths), one(x, lengths), rtol=2e-5, atol=1e-6)
    np.testing.assert_allclose(other.norm.running_mean[...], one.norm.running_mean[...], rtol=2e-5, atol=1e-6)
print("agrees")
"""


def test_compiled_and_not(tmp_path: Path, jax_python: Interpreter) -> None:
    done = convert_sources({PurePosixPath("net.py"): SOURCE.encode()}, load_target("jax"), static=True)
    for path, data in done.files.items():
        (tmp_path / path).write_bytes(data or b"")
    for path, text in done.helpers.items():
        (tmp_path / path).write_text(text)
    (tmp_path / "run.py").write_text(dedent(RUN))
    assert not [site for report in done.reports for site in report.sites if site.outcome == "eager"]
    command = [str(jax_python.python), "run.py"]
    ran = subprocess.run(command, cwd=tmp_path, env=jax_python.env, capture_output=True, text=True, timeout=300)
    assert ran.stdout.strip() == "agrees", (tmp_path / "net.py").read_text() + ran.stderr[-3000:]


def test_an_elif_stays_with_its_if() -> None:
    source = """
        import torch
        import torch.nn as nn


        class Net(nn.Module):
            def forward(self, x):
                if x.sum().item() > 2:
                    print(x)
                    return x
                elif x.sum().item() > 1:
                    return x * 2
                return x * 3
    """
    done = convert_sources({PurePosixPath("net.py"): dedent(source).encode()}, load_target("jax"), static=True)
    text = (done.files[PurePosixPath("net.py")] or b"").decode()
    assert "cond(" not in text
    assert "elif x.sum().item() > 1:" in text
    assert text.count("return x * 3") == 1
