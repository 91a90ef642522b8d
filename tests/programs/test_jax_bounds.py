"""What docs/jax.md names to look for indices that are out of bounds finds them in what was converted."""

from __future__ import annotations

import subprocess
from pathlib import Path, PurePosixPath

from migrate.environments import Interpreter
from rewriters.convert import convert_sources
from rewriters.target import load_target

PROGRAM = b"""
import torch

layer = torch.nn.Embedding(3, 2)

def item(x: torch.Tensor, i: torch.Tensor): return x[i]
def stored(x: torch.Tensor, i: torch.Tensor):
    x = x.clone()
    x[i] = 0.0
    return x
def gathered(x: torch.Tensor, i: torch.Tensor): return x.gather(0, i)
def looked_up(x: torch.Tensor, i: torch.Tensor): return layer(i)
"""
LOOKED = """
import jax.numpy as jnp
from jax.experimental import checkify
import program
for one in (program.item, program.stored, program.gathered, program.looked_up):
    for place in (1, 7):
        found, _ = checkify.checkify(one, errors=checkify.index_checks)(jnp.arange(3.0), jnp.array([place]))
        print(found.get() is not None)
"""


def test_checkify_finds_indices_out_of_bounds(jax_python: Interpreter, tmp_path: Path) -> None:
    made = convert_sources({PurePosixPath("program.py"): PROGRAM}, load_target("jax"))
    for path, data in made.files.items():
        (tmp_path / path).write_bytes(data)
    for path, text in made.helpers.items():
        (tmp_path / path).write_text(text)
    ran = subprocess.run(
        [str(jax_python.python), "-c", LOOKED], env=jax_python.environ(), cwd=tmp_path, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == ["False", "True"] * 4
