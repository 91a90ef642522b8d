"""Optimizers over ten steps and schedules over fifty against torch's, on the same gradients."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from checks.proof.sampling import schedulers
from migrate.environments import Interpreter
from rewriters.convert import convert_sources
from rewriters.target import load_target

CASES: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.5, "weight_decay": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "maximize": True}),
    ("Adam", {}),
    ("Adam", {"lr": 0.1, "weight_decay": 0.1, "amsgrad": True}),
    ("Adam", {"maximize": True, "betas": (0.8, 0.9), "eps": 1e-3}),
    ("AdamW", {"lr": 0.1, "weight_decay": 0.1, "amsgrad": True}),
    ("NAdam", {"weight_decay": 0.9, "momentum_decay": 6e-3, "decoupled_weight_decay": True}),
    ("NAdam", {"weight_decay": 0.1, "maximize": True}),
    ("RAdam", {"weight_decay": 0.9, "decoupled_weight_decay": True}),
    ("RAdam", {"weight_decay": 0.1, "eps": 1e-6}),
    ("Adamax", {"weight_decay": 0.1, "maximize": True}),
    ("Adagrad", {"lr_decay": 0.5, "weight_decay": 0.1, "initial_accumulator_value": 0.1}),
    ("Adadelta", {"rho": 0.95, "weight_decay": 0.9, "maximize": True}),
    ("RMSprop", {"momentum": 0.1, "centered": True, "weight_decay": 0.1}),
    ("Rprop", {"etas": (0.5, 1.5), "step_sizes": (2e-6, 100), "maximize": True}),
    ("Adafactor", {}),
    ("Adafactor", {"lr": 0.1, "eps": (1e-6, 1e-2), "d": 2.0, "weight_decay": 0.1, "maximize": True}),
    ("ASGD", {"lambd": 0.1, "t0": 3, "weight_decay": 0.1}),
]
NAMES = sorted({name for name, _ in CASES})

# Of a line w x + b, the gradients of the mean of (w x + b - 1)^2; float32 as both sides have it.
COMMON = f"""
import json
import numpy as np
CASES = {CASES!r}
OPTIONS = {schedulers.OPTIONS!r}
ALONE = {schedulers.ALONE!r}
W = (np.arange(12, dtype="f").reshape(3, 4) % 5 - 2) / 3
B = np.array([0.5, -0.25, 1.0], "f")
X = (np.arange(24, dtype="f").reshape(6, 4) % 7 - 3) / 2

def slopes(w, b):
    off = X @ w.T + b - 1
    return (2 * off.T @ X / off.size).astype("f"), (2 * off.sum(0) / off.size).astype("f")

def rates_of(make, schedule):
    optimizer, rates = make(), []
    one = schedule(optimizer)
    for turn in range(50):
        one.step(*([[3, 2, 1, 0.5, 0.4, 0.39, 0.38][turn % 7]] if hasattr(one, "num_bad_epochs") else []))
        rates.append([one.get_last_lr()[0], optimizer.param_groups[0]["momentum"]])
    return rates

def schedules(module, make):
    found = []
    for name, options in OPTIONS.items():
        for words in options:
            given = ", ".join(filter(None, [*([] if name in ALONE else ["optimizer"]), words]))
            text = f"lambda optimizer: M.{{name}}({{given}})".replace("torch.optim.lr_scheduler.", "M.")
            found.append(rates_of(make, eval(text, {{"M": module}})))
    return found
"""

TORCH = """
import torch, warnings
warnings.simplefilter("ignore")
found = []
for name, options in CASES:
    w, b = torch.nn.Parameter(torch.tensor(W)), torch.nn.Parameter(torch.tensor(B))
    optimizer = getattr(torch.optim, name)([w, b], **options)
    for _ in range(10):
        w.grad, b.grad = map(torch.tensor, slopes(w.detach().numpy(), b.detach().numpy()))
        optimizer.step()
    found.append([w.tolist(), b.tolist()])
one = torch.nn.Parameter(torch.ones(2))
rates = schedules(torch.optim.lr_scheduler, lambda: torch.optim.SGD([one], lr=0.05, momentum=0.9))
print(json.dumps([found, rates]))
"""

JAX = """
import jax, jax_helpers
import jax.numpy as jnp
from flax import nnx
jax.config.update("jax_enable_x64", True)
found = []
for name, options in CASES:
    w, b = nnx.Param(jnp.asarray(W)), nnx.Param(jnp.asarray(B))
    optimizer = getattr(jax_helpers, name)([w, b], **options)
    for _ in range(10):
        grads = tuple(map(jnp.asarray, slopes(np.asarray(w[...]), np.asarray(b[...]))))
        optimizer.update((w, b), grads)
    assert w[...].dtype == jnp.float32
    found.append([w[...].tolist(), b[...].tolist()])
one = nnx.Param(jnp.ones(2, jnp.float32))
rates = schedules(jax_helpers, lambda: jax_helpers.SGD([one], lr=0.05, momentum=0.9))
state = optimizer.state_dict()
optimizer.load_state_dict(state)
print(json.dumps([found, rates]))
"""


def shown(python: Path, script: str, folder: Path) -> Any:
    ran = subprocess.run([python, "-c", script], cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


def test_steps_and_rates_are_torchs(tmp_path: Path, torch_python: Interpreter, jax_python: Interpreter) -> None:
    lines = [
        "import torch",
        "import torch.optim.lr_scheduler as S",
        f"A = {[f'torch.optim.{name}([])' for name in NAMES]}",
    ]
    lines.append(f"B = {[f'S.{name}' for name in schedulers.OPTIONS]}")
    source = "\n".join(lines).replace("'", "")
    done = convert_sources({PurePosixPath("program.py"): source.encode()}, load_target("jax"))
    for name, helper in done.helpers.items():
        (tmp_path / name).write_text(helper)
    expected, rates = shown(torch_python.python, COMMON + TORCH, tmp_path)
    found, own_rates = shown(jax_python.python, COMMON + JAX, tmp_path)
    for (name, options), mine, theirs in zip(CASES, found, expected, strict=True):
        for one, other in zip(mine, theirs, strict=True):
            flat = [[v for row in part for v in (row if isinstance(row, list) else [row])] for part in (one, other)]
            assert flat[0] == pytest.approx(flat[1], rel=2e-5, abs=2e-6), f"{name} {options}"
    assert own_rates == rates
