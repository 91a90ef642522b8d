"""Training goes on in the target where torch stopped: with the optimizer's state the losses coincide, else not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from migrate.environments import Interpreter, available_interpreter
from migrate.errors import Unusable
from migrate.weights.carry.model import DESCRIBE
from migrate.weights.convert import convert_checkpoint
from migrate.weights.writers.formats import format_named

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.square = nn.Linear(6, 6)
        self.norm = nn.LayerNorm(6)
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        return self.head(relu(self.norm(self.square(x))))

def losses(optimizer, tensor):
    dice = np.random.default_rng(STEP)
    found = []
    for _ in range(6):
        x, y = (tensor(dice.normal(size=(8, n)).astype(np.float32)) for n in (6, 3))
        loss = ((model(x) - y) ** 2).mean()
        CLEAR
        loss.backward()
        optimizer.step()
        found.append(float(loss.item()))
    return found
"""
TORCH = (
    """
import importlib.util, json, sys
import numpy as np, torch
from torch import nn, relu
"""
    + NET.replace("CLEAR", "optimizer.zero_grad()").replace("STEP", "step")
    + """
spec = importlib.util.spec_from_file_location("describe", sys.argv[1])
describe = importlib.util.module_from_spec(spec)
spec.loader.exec_module(describe)
kinds = {
    "adamw": lambda p: torch.optim.AdamW(p, lr=0.03, betas=(0.8, 0.95), weight_decay=0.1),
    "amsgrad": lambda p: torch.optim.Adam(p, lr=0.03, amsgrad=True),
    "momentum": lambda p: torch.optim.SGD(p, lr=0.03, momentum=0.9, weight_decay=0.01),
    "nesterov": lambda p: torch.optim.SGD(p, lr=0.03, momentum=0.9, nesterov=True),
    "rmsprop": lambda p: torch.optim.RMSprop(p, lr=0.03),
    "groups": lambda p: torch.optim.SGD([{"params": [q]} for q in p], lr=0.03, momentum=0.9),
    "named": lambda p: torch.optim.SGD(
        [{"params": [(n, q) for n, q in model.named_parameters() if (q.ndim > 1) == wide]} for wide in (True, False)],
        lr=0.03, momentum=0.9,
    ),
    "one": lambda p: torch.optim.SGD([model.head.weight], lr=0.03, momentum=0.9),
}
continued = {}
for kind, make in kinds.items():
    torch.manual_seed(0)
    model = Net()
    optimizer = make(model.parameters())
    step = 0
    losses(optimizer, torch.from_numpy)
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, f"{sys.argv[2]}/{kind}.pt")
    step = 1
    continued[kind] = losses(optimizer, torch.from_numpy)
described = {"layout": 1, "model": "net:Net", "note": "", **describe.describe(model)}
json.dump(described, open(f"{sys.argv[2]}/layout.json", "w"))
print(json.dumps(continued))
"""
)
PADDLE = (
    """
import json, sys
import numpy as np, paddle
from paddle import nn
from paddle.nn.functional import relu
paddle.set_device("cpu")
"""
    + NET.replace("nn.Module", "nn.Layer").replace("CLEAR", "optimizer.clear_grad()").replace("STEP", "1")
    + """
kinds = {
    "adamw": lambda p: paddle.optimizer.AdamW(0.03, 0.8, 0.95, parameters=p, weight_decay=0.1),
    "amsgrad": lambda p: paddle.optimizer.Adam(0.03, parameters=p, amsgrad=True),
    "momentum": lambda p: paddle.optimizer.Momentum(0.03, 0.9, parameters=p, weight_decay=0.01),
    "nesterov": lambda p: paddle.optimizer.Momentum(0.03, 0.9, parameters=p, use_nesterov=True),
    "named": lambda p: paddle.optimizer.Momentum(0.03, 0.9, parameters=p),
}
found = []
for kind, weights, loader in json.loads(sys.argv[1]):
    model = Net()
    model.set_state_dict(paddle.load(weights))
    optimizer = kinds[kind](model.parameters())
    exec(loader)
    found.append(losses(optimizer, paddle.to_tensor))
print(json.dumps(found))
"""
)
ONEFLOW = (
    """
import json, sys
import numpy as np, oneflow
from oneflow import nn, relu
"""
    + NET.replace("CLEAR", "optimizer.zero_grad()").replace("STEP", "1")
    + """
kinds = {
    "adamw": lambda p: oneflow.optim.AdamW(p, lr=0.03, betas=(0.8, 0.95), weight_decay=0.1),
    "amsgrad": lambda p: oneflow.optim.Adam(p, lr=0.03, amsgrad=True),
    "momentum": lambda p: oneflow.optim.SGD(p, lr=0.03, momentum=0.9, weight_decay=0.01),
    "nesterov": lambda p: oneflow.optim.SGD(p, lr=0.03, momentum=0.9, nesterov=True),
    "named": lambda p: oneflow.optim.SGD(p, lr=0.03, momentum=0.9),
}
found = []
for kind, weights, loader in json.loads(sys.argv[1]):
    model = Net()
    model.load_state_dict(oneflow.load(weights))
    optimizer = kinds[kind](model.parameters())
    exec(loader)
    found.append(losses(optimizer, oneflow.tensor))
print(json.dumps(found))
"""
)
# Converted as a project is: optimizers are the output's own.
JAX_PROJECT = (
    """
import numpy as np
import torch
from torch import nn, relu
"""
    + NET.replace("CLEAR", "optimizer.zero_grad()")
    .replace("STEP", "1")
    .replace("def losses(optimizer, tensor):", "def losses(model: Net, optimizer: torch.optim.Optimizer):")
    .replace("(tensor(dice", "(torch.from_numpy(dice")
    + """
def make(kind, model: Net):
    p = model.parameters()
    if kind == "adamw":
        return torch.optim.AdamW(p, lr=0.03, betas=(0.8, 0.95), weight_decay=0.1)
    if kind == "amsgrad":
        return torch.optim.Adam(p, lr=0.03, amsgrad=True)
    if kind == "momentum":
        return torch.optim.SGD(p, lr=0.03, momentum=0.9, weight_decay=0.01)
    return torch.optim.SGD(p, lr=0.03, momentum=0.9, nesterov=kind == "nesterov")
"""
)
JAX = """
import json, sys
sys.path.insert(0, sys.argv[2])
import safetensors.flax
from flax import nnx
from project import Net, losses, make
found = []
for kind, loader, loader_of_optimizer in json.loads(sys.argv[1]):
    model = Net()
    exec(loader)
    optimizer = make(kind, model)
    exec(loader_of_optimizer)
    found.append(losses(model, optimizer))
print(json.dumps(found))
"""
RELATIVE = 5e-6
SCRIPTS = {"paddle": PADDLE, "oneflow": ONEFLOW}


def run(interpreter: Interpreter, script: str, *arguments: object) -> Any:
    done = subprocess.run(
        [str(interpreter.python), "-W", "ignore", "-c", script, *map(str, arguments)],
        env=interpreter.environ(),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


@pytest.fixture(scope="module")
def stopped(torch_python: Interpreter, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[float]]]:
    """A folder with KIND.pt after six steps, and the losses of six more in torch."""
    folder = tmp_path_factory.mktemp("stopped")
    return folder, run(torch_python, TORCH, DESCRIBE, folder)


KINDS = ("adamw", "momentum", "nesterov", "amsgrad", "named")


@pytest.mark.parametrize("target", SCRIPTS)
def test_training_goes_on_where_torch_stopped(target, stopped, tmp_path):
    """All in one process, as no model has the global parameter names of a first one then."""
    interpreter = available_interpreter(target)
    if interpreter is None:
        pytest.skip(f"no interpreter has {target}: migrate env {target}")
    folder, continued = stopped
    runs = []
    for kind in KINDS:
        output = tmp_path / f"{kind}{format_named(target).suffix}"
        checkpoint, layout = folder / f"{kind}.pt", folder / "layout.json"
        written = convert_checkpoint(checkpoint, output, to=target, layout=layout, key="model", optimizer="optimizer")
        assert written.optimizer
        assert written.optimizer.exists()
        assert not written.leftovers
        runs.append((kind, str(output), written.load_optimizer))
    *found, anew = run(interpreter, SCRIPTS[target], json.dumps([*runs, (*runs[0][:2], "")]))
    for kind, losses in zip(KINDS, found, strict=True):
        np.testing.assert_allclose(losses, continued[kind], rtol=RELATIVE, err_msg=kind)
    assert np.abs(np.array(anew) / continued[KINDS[0]] - 1).max() > 1e-3  # the state matters


def test_training_goes_on_in_the_output_for_jax(jax_python: Interpreter, stopped, tmp_path):
    folder, continued = stopped
    (tmp_path / "project.py").write_text(JAX_PROJECT)
    command = [
        sys.executable,
        "-m",
        "migrate",
        "convert",
        tmp_path / "project.py",
        "--to",
        "jax",
        "-o",
        tmp_path / "out",
    ]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    runs = []
    for kind in KINDS:
        written = convert_checkpoint(
            folder / f"{kind}.pt",
            tmp_path / f"{kind}.jax.safetensors",
            to="jax",
            layout=folder / "layout.json",
            key="model",
            optimizer="optimizer",
        )
        assert written.optimizer == tmp_path / f"{kind}.optim.safetensors"
        runs.append((kind, written.load, written.load_optimizer))
    *found, anew = run(jax_python, JAX, json.dumps([*runs, (*runs[0][:2], "")]), tmp_path / "out")
    for kind, losses in zip(KINDS, found, strict=True):
        np.testing.assert_allclose(losses, continued[kind], rtol=RELATIVE, err_msg=kind)
    assert np.abs(np.array(anew) / continued[KINDS[0]] - 1).max() > 1e-3


REFUSALS = [
    ("momentum", "jax.orbax", "write it --to jax"),
    ("rmsprop", "paddle", "'square_avg' of square.weight has no place in PaddlePaddle's optimizers"),
    ("groups", "paddle", "6 parameter groups do not say which parameter is in which"),
    ("one", "paddle", "has 1 parameters, net:Net has 6"),
    ("momentum", "mlx", "is not carried to mlx"),
    ("momentum", "safetensors", "is not carried to safetensors"),
]


@pytest.mark.parametrize(("kind", "target", "says"), REFUSALS)
def test_what_is_not_certain_or_has_no_place_is_refused(kind, target, says, stopped, tmp_path):
    folder, _ = stopped
    with pytest.raises(Unusable, match=says) as error:
        convert_checkpoint(
            folder / f"{kind}.pt",
            tmp_path / "out",
            to=target,
            layout=folder / "layout.json",
            key="model",
            optimizer="optimizer",
        )
    assert error.value.mend
    assert not list(tmp_path.iterdir())


def test_a_key_that_is_not_there_lists_what_is(stopped, tmp_path):
    folder, _ = stopped
    with pytest.raises(Unusable, match="no optimizer's state under --optimizer optim") as error:
        convert_checkpoint(
            folder / "adamw.pt", tmp_path / "x.pdparams", layout=folder / "layout.json", key="model", optimizer="optim"
        )
    assert error.value.mend == "there are: optimizer"
