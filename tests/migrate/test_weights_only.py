"""Targets that weights are carried to, and code is not: each command says so, and what to do instead."""

from __future__ import annotations

import pytest

from migrate.environments import environment_for
from rewriters.target import known_targets, load_target

ONLY = [name for name in known_targets() if load_target(name).weights_only]


def test_which_they_are() -> None:
    assert ONLY == ["keras", "mindspore", "mlx"]
    assert {environment_for(name).python for name in ONLY} == {"3.11"}


@pytest.mark.parametrize(
    ("arguments", "says", "mend"),
    [
        (("convert", "{here}/net.py"), "code is not rewritten to it", "migrate weights CHECKPOINT --to mlx"),
        (("rules",), "carried are the weights of torch.nn.BatchNorm1d,", "migrate weights CHECKPOINT --to mlx"),
        (("check", "{here}", "{here}", "--entry", "net:f"), "no conversion to check", "compare the outputs"),
    ],
)
def test_commands_on_code_refuse_them(arguments, says, mend, run_migrate, tmp_path) -> None:
    (tmp_path / "net.py").write_text("import torch\n")
    done = run_migrate(*(argument.format(here=tmp_path) for argument in arguments), "--to", "mlx")
    assert done.returncode == 2
    assert says in done.stderr
    assert mend in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["net.py"]


def test_their_weights_need_the_model(run_migrate, tmp_path) -> None:
    import numpy as np
    from safetensors.numpy import save_file

    save_file({"weight": np.ones((2, 2), np.float32)}, tmp_path / "x.safetensors")
    done = run_migrate("weights", tmp_path / "x.safetensors", "--to", "jax")
    assert done.returncode == 2
    assert "give --model MODULE:CALLABLE" in done.stderr
