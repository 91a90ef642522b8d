"""Generality: a target of functional arrays, an ambient generator and another training step, in a folder of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from rewriters.convert import convert_sources
from rewriters.target import load_target

INIT = """
from rewriters.target import Environment, Target

TARGET = Target(
    name="toy", title="Toy", package="toy",
    environment=Environment(python="3.11", requirements=(), module="toy"),
    ambient={"rngs": "toy.ambient()"},
    modules={"torch": "toy", "torch.nn": "toy.layers", "torch.optim": "toy.update"},
)
"""

# Arrays of the toy framework never change: in-place operations of torch become stores, a step gives new parameters.
RULES = """
import toy
import torch
from rewriters.rule import alias, rule, same

alias(torch.Tensor, "toy.Array")
alias(torch.nn.Module, "toy.layers.Layer")
same("torch.Tensor.shape", "torch.nn.Module.parameters")

@rule(torch.Tensor.add_)
def add_(self, other, *, alpha=1):
    self = self.add(other, scale=alpha)
    return self

@rule(torch.zeros)
def zeros(*size: int):
    return toy.array(size, 0.0)

@rule(torch.randn)
def randn(*size: int, rngs):
    return toy.normal(rngs, size)

@rule(torch.rand)
def rand(*size: int, rngs):
    drawn = toy.normal(rngs, size)
    for _ in range(2):
        drawn = drawn.add(0)
    return drawn

@rule(torch.optim.SGD)
def SGD(params, lr):
    return toy.update.Descent(params, rate=lr)

@rule(torch.optim.Optimizer.zero_grad)
def zero_grad(self):
    self.forget()

@rule(torch.Tensor.backward)
def backward(self):
    toy.update.derive(self)

@rule(torch.optim.Optimizer.step)
def step(self):
    self.advance()
    toy.update.commit(self)
"""

FRAMEWORK = {
    "toy/__init__.py": """
class Array:
    def __init__(self, shape, value):
        self.shape, self.value = tuple(shape), value
    def add(self, other, scale=1):
        return Array(self.shape, self.value + scale * getattr(other, "value", other))
class Generator:
    count = 0
GENERATOR = Generator()
def ambient():
    return GENERATOR
def normal(generator, shape):
    generator.count += 1
    return Array(shape, float(generator.count))
def array(shape, value):
    return Array(shape, value)
from toy import layers, update
""",
    "toy/layers.py": "class Layer:\n    def parameters(self):\n        return [v for v in vars(self).values()]\n",
    "toy/update.py": """
LOG = []
class Descent:
    def __init__(self, params, rate):
        self.params, self.rate = list(params), rate
    def forget(self):
        LOG.append("forget")
    def advance(self):
        LOG.append("advance")
def derive(array):
    LOG.append(f"derive {array.value}")
def commit(descent):
    LOG.append(f"commit {descent.rate}")
""",
}

SOURCE = """
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        self.weight = torch.randn(2, 3)  # drawn

    def forward(self, x: torch.Tensor):
        x.add_(self.weight, alpha=2)
        y = x.add_(1)
        return y


def train(steps):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = net.forward(torch.zeros(2, 3))
        loss.backward()
        optimizer.step()
    return loss


def in_place_value(x: torch.Tensor):
    return torch.rand(2).shape, x.add_(1).shape
"""


@pytest.fixture
def toy(target_folder: Callable[..., Path]) -> Path:
    return target_folder("toy", INIT, RULES, FRAMEWORK)


def test_a_functional_target_in_a_folder_of_its_own(toy: Path, tmp_path: Path) -> None:
    done = convert_sources({PurePosixPath("net.py"): SOURCE.encode()}, load_target(str(toy)))
    text = done.files[PurePosixPath("net.py")].decode()
    found = [site for report in done.reports for site in report.sites if site.outcome not in {"same", "inlined"}]
    assert [(site.api, site.outcome) for site in found] == [("torch.rand", "helper"), ("torch.Tensor.add_", "marked")]
    assert "self.weight = toy.normal(toy.ambient(), [2, 3])  # drawn" in text
    assert "        x = x.add(self.weight, scale=2)\n        x = x.add(1, scale=1)\n        y = x\n" in text
    assert "toy_helpers.rand(2, rngs=toy.ambient()).shape" in text
    assert "        optimizer.advance()\n        toy.update.commit(optimizer)\n" in text
    (tmp_path / "net.py").write_text(text)
    for name, helper in done.helpers.items():
        (tmp_path / name).write_text(helper)
    program = "import net, toy; print(net.train(2).value, toy.GENERATOR.count, toy.update.LOG)"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{tmp_path}:{tmp_path / 'site'}"},
        capture_output=True,
        text=True,
        check=True,
    )
    steps = ["forget", "derive 3.0", "advance", "commit 0.1"]
    assert ran.stdout.strip() == f"3.0 1 {steps * 2}"
