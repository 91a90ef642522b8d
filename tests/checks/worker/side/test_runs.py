"""The noise floor of training, in torch itself: units whose input is almost 0."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from checks.worker import arrays
from checks.worker.side.commands import Worker
from checks.worker.side.store import NOISY
from migrate.parity.check import rounding
from migrate.parity.session import TORCH_FOLDER
from migrate.parity.training import torch_defaults

UNITS = 8
MODEL = f"""
import torch

class Edge(torch.nn.Module):
    def __init__(self, above=1e-9):
        super().__init__()
        self.above = above
        self.weights = torch.nn.ParameterList(torch.ones(64) for _ in range({UNITS}))

    def forward(self, x):
        return sum(torch.relu((weight * x).mean() - 1 + self.above) for weight in self.weights)
"""


@pytest.fixture
def worker() -> Worker:
    """Torch's side, in this process."""
    threads = torch.get_num_threads()
    worker = Worker(
        {"runtime": str(TORCH_FOLDER / "runtime.py"), "threads": threads},
        SimpleNamespace(send=lambda said: None),
    )
    worker.start()
    return worker


@pytest.mark.parametrize(
    ("above", "times"),
    [
        (1e-9, 1.0),  # less than float32 holds of what it is the difference of
        (1e-6, 1000.0),  # what comes out of layers that each round anew
    ],
)
@pytest.mark.parametrize(
    ("do", "more", "name", "factor"),
    [
        ("train", {"steps": 1, "optimizer": "sgd", "scheduler": "", "loss": ""}, "step 1: weights.{}:", 0.01),
        ("gradients", {"second": False}, "weights.{}:", 0.12),
    ],
    ids=["train", "gradients"],
)
def test_of_opposite_draws_of_noise_one_moves_a_unit_over_the_edge(
    worker, tmp_path, do, more, name, factor, above, times
):
    (tmp_path / "edge.py").write_text(MODEL)
    given = {"positional": [{"tensor": "x"}], "keywords": {}}
    for folder in ("inputs", "noisy"):
        arrays.write(tmp_path / folder, {"0:x": np.ones(64, np.float32)})
    worker.open({"project": str(tmp_path), "entry": f"edge:Edge({above})", "seed": 0, **given})
    job = {
        "do": do, "folder": str(tmp_path / "out"), "inputs": str(tmp_path / "inputs"), "noisy": str(tmp_path / "noisy"),
        "defaults": str(torch_defaults()), **given, **more,
    }  # fmt: skip
    first = worker.answer(dict(job))["done"]["terms"]
    further = worker.answer({**job, "again": True, "rounding": times})["done"]["terms"]
    units = [name.format(number) for number in range(UNITS)]
    # A unit that goes out has no gradient: one 64th times the learning rate, or the output's weight. A fifth counts.
    moved = 0.9 * factor / 64 / 5
    assert not all(first[unit][NOISY] > moved for unit in units)
    assert all(further[unit][NOISY] > moved for unit in units)


def test_rounding_is_the_median_of_how_far_torch_strays_beside_noise() -> None:
    terms = {
        "a:": {NOISY: 1.0, "one thread": 6.0, "channels_last": 2.0},
        "b:": {NOISY: 2.0, "one thread": 900.0},  # a unit has changed its sign
        "c:": {NOISY: 1.0, "one thread": 4.0},
        "d:": {NOISY: 1.0},
        "e:": {NOISY: 0.0, "one thread": 1.0},
    }
    assert rounding(terms) == 6.0
    assert rounding({"a:": {NOISY: 5.0, "one thread": 1.0}}) == 1.0
    assert rounding({}) == 1.0
