"""Optimizers written for OneFlow take torch's steps, also where their state was saved and loaded between them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

from rewriters.convert import convert_sources
from rewriters.target import load_target

SCRIPT = """\
import json
import torch

KINDS = {
    "RMSprop": lambda params: torch.optim.RMSprop(params, momentum=0.9, centered=True),
    "Adagrad": lambda params: torch.optim.Adagrad(params, lr_decay=0.1),
    "NAdam": lambda params: torch.optim.NAdam(params, decoupled_weight_decay=True, weight_decay=0.1),
    "ASGD": lambda params: torch.optim.ASGD(params, t0=2),
    "SGD": lambda params: torch.optim.SGD(params, lr=0.001, momentum=0.9, dampening=0.5),
    "Adafactor": lambda params: torch.optim.Adafactor(params, weight_decay=0.1),
    "Muon": lambda params: torch.optim.Muon(params, adjust_lr_fn="match_rms_adamw"),
}


def resumed(make):
    weight = torch.nn.Parameter(torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]]))
    optimizer = make([weight])
    for step in range(6):
        if step == 3:
            saved = optimizer.state_dict()
            optimizer = make([weight])
            optimizer.load_state_dict(saved)
        optimizer.zero_grad()
        torch.sum(weight * weight * weight).backward()
        optimizer.step()
    return weight.detach().reshape(-1).tolist()


def down_the_valley(**options):
    # in double precision: rounding decides early where a search ends
    x = torch.nn.Parameter(torch.tensor([-1.0, 2.0, 0.5], dtype=torch.float64))
    losses = []

    def closure():
        optimizer.zero_grad()
        loss = torch.sum((1 - x[:-1]) ** 2 + 100 * (x[1:] - x[:-1] ** 2) ** 2)
        losses.append(float(loss.item()))
        loss.backward()
        return loss

    optimizer = torch.optim.LBFGS([x], **options)
    for step in range(3):
        if step == 1:
            saved = optimizer.state_dict()
            optimizer = torch.optim.LBFGS([x], **options)
            optimizer.load_state_dict(saved)
        losses.append(float(optimizer.step(closure).item()))
    return losses


found = {name: resumed(make) for name, make in KINDS.items()}
found["LBFGS"] = down_the_valley(lr=0.02, history_size=3)
found["LBFGS with a line search"] = down_the_valley(line_search_fn="strong_wolfe", max_iter=4, history_size=1)
found["LBFGS of few evaluations"] = down_the_valley(line_search_fn="strong_wolfe", lr=5.0, max_iter=7, max_eval=9)
print(json.dumps(found))
"""


def test_optimizers_step_as_torch_does(check_printed: Callable[[str], dict[str, list[float]]]) -> None:
    found = check_printed(SCRIPT)
    assert found["LBFGS with a line search"][-1] < found["LBFGS with a line search"][0] / 100


LAYERS = """\
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)
        self.norm = nn.GroupNorm(3, 3)

    def forward(self, x: torch.Tensor, *rest):
        y = self.fc( x )  # as it stands
        z = self.fc(*rest)
        return self.fc(input=x), self.norm(torch.zeros(4, 3)), self.norm(y), z
"""


def test_only_calls_of_layers_that_oneflow_takes_otherwise_change() -> None:
    done = convert_sources({PurePosixPath("model.py"): LAYERS.encode()}, load_target("oneflow"))
    assert not done.helpers
    before, after = LAYERS.splitlines(), done.files[PurePosixPath("model.py")].decode().splitlines()
    changed = [line.strip() for old, line in zip(before, after, strict=True) if old != line and "import" not in line]
    assert changed == ["return self.fc(x), self.norm(torch.zeros(4, 3).unsqueeze(-1)).squeeze(-1), self.norm(y), z"]
