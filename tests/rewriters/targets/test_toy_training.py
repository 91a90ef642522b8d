"""Generality: training steps of a target in which nothing changes, modules included, and which has no tape."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from textwrap import dedent

import pytest

from rewriters.convert import convert_sources
from rewriters.report import Outcome
from rewriters.target import load_target

INIT = """
from rewriters.target import Environment, Target

TARGET = Target(
    name="still", title="Still", package="still",
    environment=Environment(python="3.11", requirements=("numpy",), module="still"),
    modules={"torch": "still", "torch.nn": "still.layers", "torch.optim": "still.optim"},
    methods={"torch.nn.Module.forward": "__call__"},
)
"""

RULES = """
import still
import torch
from rewriters.rule import alias, rule, same

alias(torch.Tensor, "still.Array")
alias(torch.nn.Module, "still.layers.Layer")
same("torch.Tensor.shape", "torch.Tensor.sum", "torch.Tensor.mean", "torch.nn.Module.parameters")

@rule(torch.nn.Parameter)
def Parameter(data):
    return data

@rule(torch.tensor)
def tensor(data):
    return still.array(data)

@rule(torch.Tensor.item)
def item(self):
    return float(self)

@rule(torch.optim.SGD)
def SGD(params, lr):
    return still.optim.Descent(rate=lr)

@rule(torch.Tensor.detach)
def detach(self):
    return still.fixed(self)
"""

TRAINING = """
from rewriters.hooks import plans_training
from rewriters.regions.gradients.plan import plan_training


class Words:
    lays, held, number = False, "", ""

    def computed(self, what, draft):
        spell, step = draft.spell, draft.source.step
        inputs = [*what.modules, *what.given]
        lines = [
            f"def {what.function}({', '.join(inputs)}):",
            *(f"{step}{line}" for line in what.body),
            f"{step}return {', '.join([what.final, *what.outputs])}",
            "",
        ]
        found = ", ".join([what.name or "_", *what.outputs, what.gradients])
        call = ", ".join([what.function, *what.modules.values(), *what.given])
        # Nothing is compiled: the step follows where it stands.
        return [], [*lines, f"{found} = {spell('still.slopes')}({call}, of={what.trained})", *what.update]

    def cleared(self, gradients, draft):
        return f"{gradients} = None"

    def added(self, gradients, more, draft):
        return f"{gradients} = {draft.spell('still.sums')}({gradients}, {more})"

    def clipped(self, gradients, kind, name, arguments, draft):
        return f"{gradients}, {name or '_'} = {draft.spell('still.clipped_by_' + kind)}({gradients}, {arguments})"

    def updated(self, optimizer, modules, gradients, scaler, draft):
        return f"{modules} = {optimizer}.stepped({modules}, {gradients})"

    def constant(self, expression, sure, draft):
        return f"{draft.spell('still.fixed')}({expression})"


@plans_training
def plan(project, modules):
    return plan_training(project, list(modules), Words())
"""

# Arrays are written once; what is computed of a layer with another value is computed of another layer.
FRAMEWORK = {
    "still/__init__.py": """
        import numpy
        from still import layers, optim

        Array = numpy.ndarray
        # What was a constant when a function ran first, and what it is yet to be given when it runs again.
        CONSTANTS, AGAIN = [], []

        def array(data):
            made = numpy.array(data, "float64")
            made.flags.writeable = False
            return made

        def fixed(value):
            if AGAIN:
                return AGAIN.pop(0)
            CONSTANTS.append(value)
            return value

        def slopes(function, *given, of):
            \"\"\"What it gives, and the slopes of the first of it by what the first layers hold, by differences.\"\"\"
            CONSTANTS.clear()
            found = function(*given)
            constants = [*CONSTANTS]

            def loss_with(place, held):
                AGAIN[:] = constants
                found = function(*given[:place], given[place].with_held(held), *given[place + 1 :])
                return found[0] if isinstance(found, tuple) else found

            def slope(place, held, name, at):
                ends = []
                for by in (1e-6, -1e-6):
                    moved = held[name].copy()
                    moved[at] += by
                    ends.append(loss_with(place, {**held, name: moved}))
                return (ends[0] - ends[1]) / 2e-6

            slopes = []
            for place in range(of):
                held = given[place].held()
                slopes.append({name: numpy.zeros(value.shape) for name, value in held.items()})
                for name, found_slopes in slopes[-1].items():
                    for at in numpy.ndindex(found_slopes.shape):
                        found_slopes[at] = slope(place, held, name, at)
            found = found if isinstance(found, tuple) else (found,)
            return (*found, slopes[0] if of == 1 else tuple(slopes))

        def sums(one, other):
            return other if one is None else {name: one[name] + other[name] for name in one}

        def clipped_by_norm(slopes, most):
            norm = numpy.sqrt(sum((one**2).sum() for one in slopes.values()))
            return {name: one * min(1.0, most / (norm + 1e-6)) for name, one in slopes.items()}, norm
    """,
    "still/layers.py": """
        import copy
        import numpy

        class Layer:
            def held(self):
                return {name: value for name, value in vars(self).items() if isinstance(value, numpy.ndarray)}

            def with_held(self, held):
                made = copy.copy(self)
                vars(made).update(held)
                return made

            def parameters(self):
                return list(self.held().values())
    """,
    "still/optim.py": """
        class Descent:
            def __init__(self, rate):
                self.rate = rate

            def stepped(self, layer, slopes):
                return layer.with_held({name: v - self.rate * slopes[name] for name, v in layer.held().items()})
    """,
}

NET = """
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([1.0, -0.5, 2.0]))  # one for each column
        self.bias = nn.Parameter(torch.tensor([0.25]))

    def forward(self, x):
        return (x * self.weight).sum(1) + self.bias


x = torch.tensor([[1.0, 2.0, 0.5], [0.5, -1.0, 1.0]])
y = torch.tensor([1.0, -1.0])
"""

PROGRAMS = {
    "a step": """
        net = Net()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(4):
            optimizer.zero_grad()
            loss = ((net(x) - y) ** 2).mean()
            loss.backward()
            optimizer.step()
            print(loss.item())
    """,
    "clipped, and what comes out beside the loss": """
        net = Net()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(4):
            out = net(x)
            loss = ((out - y) ** 2).mean() * 10
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.5)
            optimizer.step()
            print(loss.item(), out.sum().item())
    """,
    "accumulated": """
        net = Net()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
        for step in range(4):
            loss = ((net(x * (step + 1)) - y) ** 2).mean()
            loss.backward()
            if step % 2 == 1:
                optimizer.step()
                optimizer.zero_grad()
            print(loss.item())
    """,
    "a constant": """
        net = Net()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(3):
            out = net(x)
            aim = out.detach() * 0.5
            loss = ((out - aim) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(loss.item())
    """,
}


@pytest.fixture
def still(target_folder: Callable[..., Path]) -> Path:
    return target_folder("still", INIT, RULES, FRAMEWORK, {"training.py": TRAINING})


def ran(path: Path, *folders: Path) -> list[float]:
    found = subprocess.run(
        [sys.executable, str(path)],
        env={"PYTHONPATH": ":".join(map(str, folders))},
        capture_output=True,
        text=True,
        check=True,
    )
    return [float(word) for word in found.stdout.split()]


@pytest.mark.parametrize("name", PROGRAMS)
def test_training_of_a_target_in_which_nothing_changes(still: Path, tmp_path: Path, name: str) -> None:
    source = NET + dedent(PROGRAMS[name])
    done = convert_sources({PurePosixPath("main.py"): source.encode()}, load_target(str(still)))
    left = [site for report in done.reports for site in report.sites if site.outcome == Outcome.MARKED]
    text = done.files[PurePosixPath("main.py")].decode()
    assert not left, json.dumps([site.detail for site in left]) + text
    (tmp_path / "torchs.py").write_text(source)
    (tmp_path / "main.py").write_text(text)
    for helper, content in done.helpers.items():
        (tmp_path / helper).write_text(content)
    expected = ran(tmp_path / "torchs.py")
    assert len(expected) > 2
    assert ran(tmp_path / "main.py", tmp_path, tmp_path / "site") == pytest.approx(expected, rel=1e-4)
    assert "backward" not in text
