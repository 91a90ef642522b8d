"""Which training loops become graphs, as what, and which stay eager for what reason."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from textwrap import dedent

import pytest

from rewriters.convert import Conversion, convert_sources
from rewriters.target import load_target

FILE = PurePosixPath("train.py")

HEAD = """\
import torch
from torch import nn
from torch.utils.data import DataLoader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x)


"""

LOOP = """\
def train(loader: DataLoader, epochs: int):
    model = Net()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            x: torch.Tensor = x
            y: torch.Tensor = y
            optimizer.zero_grad()
            # forward
            out = model(x)
            loss = criterion(out, y)
            # update
            loss.backward()
            optimizer.step()
            print(loss.item(), out.shape)
"""

EXPECTED = """\
class TrainGraph(nn.Graph):
    \"\"\"One step of training as a static graph: forward, loss, backward, update.\"\"\"

    def __init__(self, model, criterion, optimizer, scheduler=None):
        super().__init__()
        self.model = model
        self.criterion = criterion
        self.add_optimizer(optimizer, lr_sch=scheduler)
        configure(self)

    def build(self, x, y):
        # forward
        out = self.model(x)
        loss = self.criterion(out, y)
        # update
        loss.backward()
        return out, loss


def train(loader: DataLoader, epochs: int):
    model = Net()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        train_graph = train_step(TrainGraph, [model, criterion], optimizer)
        for x, y in loader:
            x: torch.Tensor = x
            y: torch.Tensor = y
            out, loss = train_graph(x, y)
            print(loss.item(), out.shape)
"""


def convert(text: str, target: str = "oneflow", static: bool = True) -> Conversion:
    return convert_sources({FILE: text.encode()}, load_target(target), static=static)


def reasons(done: Conversion) -> list[str]:
    return [site.detail for site in done.reports[0].sites if site.outcome == "eager"]


def test_a_loop_becomes_a_graph() -> None:
    done = convert(HEAD + LOOP)
    text = done.files[FILE].decode()
    found = re.sub(r"SGD\(.*\)", "SGD(model.parameters(), lr=0.1)", text[text.index("class TrainGraph") :])
    assert found == EXPECTED
    assert "from oneflow_graphs import configure, train_step\n" in text
    assert set(done.helpers) == {PurePosixPath("oneflow_graphs.py")}
    assert reasons(done) == []


def test_without_the_flag_nothing_is_static() -> None:
    done = convert(HEAD + LOOP, static=False)
    assert b"Graph" not in done.files[FILE]
    assert not done.helpers


def test_a_schedule_of_each_step_goes_into_the_graph() -> None:
    loop = LOOP.replace(
        "    for epoch",
        "    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)\n    for epoch",
    ).replace("optimizer.step()\n", "optimizer.step()\n            scheduler.step()\n")
    text = convert(HEAD + loop).files[FILE].decode()
    assert "train_step(TrainGraph, [model, criterion], optimizer, scheduler)" in text
    assert "scheduler.step()" not in text


def test_a_schedule_that_is_printed_is_kept_as_well() -> None:
    loop = LOOP.replace(
        "    for epoch", "    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)\n    for epoch"
    ).replace("optimizer.step()\n", "optimizer.step()\n            scheduler.step()\n")
    loop += "            print(scheduler.get_last_lr())\n"
    text = convert(HEAD + loop).files[FILE].decode()
    assert "            # the graph has the same schedule; this one keeps the rate" in text
    assert "            scheduler.step()\n" in text


def test_a_trainer_keeps_its_modules_in_attributes() -> None:
    text = HEAD + dedent("""\
        class Trainer:
            def __init__(self):
                self.model = Net()
                self.loss = nn.MSELoss()
                self.optimizer = torch.optim.Adam(self.model.parameters())

            def step(self, x: torch.Tensor, y: torch.Tensor):
                loss = self.loss(self.model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                return loss.item()
    """)
    result = convert(text).files[FILE].decode()
    assert result.endswith(
        "    def step(self, x: torch.Tensor, y: torch.Tensor):\n"
        "        train_graph = train_step(TrainGraph, [self.loss, self.model], self.optimizer)\n"
        "        loss = train_graph(x, y)\n"
        "        return loss.item()\n"
    )
    assert "        loss = self.loss(self.model(x), y)\n        loss.backward()\n        return loss\n" in result


STAYS = {
    "accumulation": (
        "            optimizer.step()\n",
        "            if epoch % 2:\n                optimizer.step()\n",
        "no plain statement beside backward",
    ),
    "closure": ("optimizer.step()", "optimizer.step(lambda: loss)", "closure"),
    "retain_graph": ("loss.backward()", "loss.backward(retain_graph=True)", "has arguments"),
    "never zero": ("            optimizer.zero_grad()\n", "", "not set to zero"),
    "two losses": ("            loss.backward()\n", "            loss.backward()\n" * 2, "several backward"),
    "gradients": (
        "            optimizer.step()\n",
        "            print(model.fc.weight.grad)\n            optimizer.step()\n",
        "uses `model` between",
    ),
    "number": ("criterion(out, y)", "criterion(out, y) * epoch", "`epoch` (line"),
    "values": ("criterion(out, y)", "criterion(out, y) * out.mean().item()", "gives a tensor's values to Python"),
    "unknown": ("y: torch.Tensor = y", "y = load(y)", "not known to be a tensor"),
    "norm": (
        "            optimizer.step()\n",
        "            norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n            optimizer.step()\n",
        "does not return their norm",
    ),
    "groups": (
        "torch.optim.SGD(model.parameters(), lr=0.1)",
        "torch.optim.SGD([{'params': [model.fc.weight]}, {'params': [model.fc.bias], 'lr': 1.0}], lr=0.1)",
        "",
    ),
    "no form": ("torch.optim.SGD(model.parameters(), lr=0.1)", "torch.optim.LBFGS(model.parameters())", "LBFGS"),
    "autocast": (
        "            out = model(x)\n            loss = criterion(out, y)\n",
        "            with torch.autocast('cpu'):\n                out = model(x)\n"
        "                loss = criterion(out, y)\n",
        "configure(amp=True)",
    ),
}


@pytest.mark.parametrize("name", [name for name in STAYS if name != "groups"])
def test_what_is_not_understood_stays_as_it_is(name: str) -> None:
    old, new, reason = STAYS[name]
    source = HEAD + LOOP.replace(old, new)
    assert old in HEAD + LOOP
    done, eager = convert(source), convert(source, static=False)
    found = reasons(done)
    assert all(reason in text for text in found)
    marks = [line for line in done.files[FILE].decode().splitlines() if "# migrate: STATIC" in line]
    assert len(marks) == len(found) == (2 if name == "two losses" else 1)
    lines = [line for line in done.files[FILE].decode().splitlines() if "# migrate: STATIC" not in line]
    assert lines == eager.files[FILE].decode().splitlines()


def test_groups_are_clipped_one_by_one() -> None:
    old, new, _ = STAYS["groups"]
    clipped = LOOP.replace(
        "            optimizer.step()\n",
        "            nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n            optimizer.step()\n",
    )
    assert "train_step(TrainGraph, [model, criterion], optimizer, max_norm=1.0)" in (
        convert(HEAD + clipped).files[FILE].decode()
    )
    assert "each group of parameters by itself" in reasons(convert(HEAD + clipped.replace(old, new)))[0]


FORWARDS = {
    "if": ("if x.sum() > 0:\n            x = x + 1\n        return self.fc(x)", "decides by a tensor's values"),
    "while": ("while x.abs().max() > 1:\n            x = x / 2\n        return self.fc(x)", "`while "),
    "item": ("return self.fc(x) * x.mean().item()", "gives a tensor's values to Python"),
    "print": ("print(x.mean())\n        return self.fc(x)", "prints once"),
    "state": ("self.calls = 1\n        return self.fc(x)", "stored once"),
    "nonzero": ("return self.fc(x[torch.nonzero(x[:, 0])[:, 0]])", "as large as the values say"),
    "random": ("return self.fc(x) * random.random()", "drawn once"),
}


@pytest.mark.parametrize("name", FORWARDS)
def test_a_model_that_no_graph_holds_is_named_with_its_line(name: str) -> None:
    body, reason = FORWARDS[name]
    head = "import random\n\n" + HEAD.replace("return self.fc(x)", body)
    done = convert(head + LOOP)
    lines = done.files[FILE].decode().splitlines()
    marks = [number for number, line in enumerate(lines) if "# migrate: STATIC no graph holds this" in line]
    assert reason in lines[marks[0]]
    assert any("runs code that no graph holds: train.py:" in found for found in reasons(done))
    assert "Graph" not in "\n".join(lines).replace("no graph", "")


def test_inference_without_gradients_calls_a_graph() -> None:
    source = HEAD + dedent("""\
        @torch.no_grad()
        def predict(model: Net, x: torch.Tensor):
            return model(x).argmax(1)


        def features(model: Net, x: torch.Tensor):
            return model(x)
    """)
    text = convert(source).files[FILE].decode()
    assert "inference_graph(model)(x)" in text
    assert text.count("inference_graph(") == 1
    assert "    return model(x)\n" in text


def test_paddle_decorates_the_forward_of_models_that_are_called() -> None:
    done = convert(HEAD + LOOP, target="paddle")
    text = done.files[FILE].decode()
    assert "    @paddle.jit.to_static\n    def forward(self, x):\n" in text
    assert text.count("to_static") == 1
    assert "optimizer.step()" in text
