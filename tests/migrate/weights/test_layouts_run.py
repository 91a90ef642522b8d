"""Layouts proved by running: networks written by hand in each target load what was carried, and give torch's outputs.

The networks are in layouts/: torch_networks.py and TARGET_networks.py. Torch's outputs are of double precision.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from migrate.environments import Interpreter, available_interpreter
from migrate.errors import Unusable
from migrate.weights.carry.model import DESCRIBE
from migrate.weights.convert import convert_checkpoint
from migrate.weights.writers.formats import format_named

NETWORKS = Path(__file__).with_name("layouts")
RELATIVE = 5e-6
"""Of the largest output. Single precision's own error was measured at 3e-8 to 3e-6 (MindSpore's tanh)."""

ALL = {"convolutions", "transposed", "groupedtransposed", "dense", "norms", "recurrent", "gated", "muted", "both"}
ALL |= {"attention", "cross", "unbiased"}
GROUPS = "groups"
REFUSED = {
    "paddle": {},
    "oneflow": {},
    "jax": {},
    "mlx": {"groupedtransposed": GROUPS, "both": "one direction"},
    "keras": {"groupedtransposed": GROUPS},
    "mindspore": {},
}
"""What a target's classes cannot hold, with what is said."""
RUN_ELSEWHERE = {
    "muted": {"paddle", "oneflow", "jax", "mlx", "keras", "mindspore"},
    "unbiased": {"paddle", "jax"},
    "attention": {"oneflow", "jax"},
    "cross": {"oneflow", "jax"},
    **{name: {"jax"} for name in ("groupedtransposed", "recurrent", "gated", "both")},
}
"""Where another network proves the same layout; OneFlow's attention, Paddle's recurrent layers without biases, and what
JAX has in torch's layout, are classes of the rules, which the proof runs."""
QUIET = {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": "--xla_backend_optimization_level=0", "CUDA_VISIBLE_DEVICES": ""}


@dataclass(frozen=True)
class Networks:
    """Torch's side. folder: with NAME.pt, NAME.npz and NAME.json of each network."""

    folder: Path

    def carry(self, name: str, target: str, folder: Path) -> Path:
        """Writes the network's weights for the target, and what is said to read them; where."""
        output = folder / f"{name}{format_named(target).suffix}"
        layout = self.folder / f"{name}.json"
        written = convert_checkpoint(self.folder / f"{name}.pt", output, to=target, layout=layout)
        output.with_name(f"{output.name}.load").write_text(written.load)
        return output


@pytest.fixture(scope="session")
def networks(torch_python: Interpreter, tmp_path_factory: pytest.TempPathFactory) -> Networks:
    folder = tmp_path_factory.mktemp("networks")
    run(torch_python, "torch_networks.py", DESCRIBE, folder)
    return Networks(folder)


def run(interpreter: Interpreter, script: str, *arguments: object) -> None:
    done = subprocess.run(
        [str(interpreter.python), "-W", "ignore", str(NETWORKS / script), *map(str, arguments)],
        env={**interpreter.environ(), **QUIET, "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-4000:]


@pytest.mark.parametrize("target", REFUSED)
def test_networks_agree_with_torch(target: str, networks: Networks, tmp_path: Path) -> None:
    interpreter = available_interpreter(target)
    if interpreter is None:
        pytest.skip(f"no interpreter has {target}: migrate env {target}")
    names = sorted(name for name in ALL - set(REFUSED[target]) if target not in RUN_ELSEWHERE.get(name, ()))
    for name in names:
        networks.carry(name, target, tmp_path)
        os.link(networks.folder / f"{name}.npz", tmp_path / f"{name}.npz")
    run(interpreter, f"{target}_networks.py", tmp_path, format_named(target).suffix, *names)
    errors, seen = {}, 0
    for name in names:
        with np.load(networks.folder / f"{name}.npz") as torchs, np.load(tmp_path / f"{name}.outputs.npz") as ours:
            for key in (key for key in torchs.files if key.startswith("out.")):
                expected, found = torchs[key], ours[key.removeprefix("out.")]
                assert found.shape == expected.shape, (name, key)
                error = float(np.abs(found - expected).max() / np.abs(expected).max())
                seen += 1
                if not error <= RELATIVE:
                    errors[f"{name} {key}"] = error
    assert not errors
    assert seen >= 2 * len(names)


@pytest.mark.parametrize(
    ("target", "name", "says"), [(target, *item) for target, of in REFUSED.items() for item in of.items()]
)
def test_what_a_class_cannot_hold_is_refused(target: str, name: str, says: str, networks: Networks, tmp_path: Path):
    with pytest.raises(Unusable, match=says) as error:
        networks.carry(name, target, tmp_path)
    assert error.value.mend
    assert not list(tmp_path.iterdir())
