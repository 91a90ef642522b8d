"""Checkpoints that the installed torch writes, and its own reading of them."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from filelock import FileLock

from migrate.environments import Interpreter
from migrate.weights.convert import convert_checkpoint
from rewriters.convert import convert_sources
from rewriters.target import load_target

HERE = Path(__file__).parent


def run_script(interpreter: Interpreter, script: str, *arguments: object, cwd: Path | None = None) -> str:
    """Run Python source in the interpreter; its stdout."""
    done = subprocess.run(
        [str(interpreter.python), "-c", script, *map(str, arguments)],
        env=interpreter.environ(),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="session")
def run_python() -> Any:
    return run_script


@pytest.fixture(scope="session")
def checkpoints(torch_python: Interpreter, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of checkpoints; see make_checkpoints.py. Not to be written to. Parallel workers share it."""
    root = tmp_path_factory.getbasetemp()
    folder = (root.parent if "PYTEST_XDIST_WORKER" in os.environ else root) / "checkpoints"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            make_checkpoints(torch_python, folder.with_name("checkpoints.partial")).rename(folder)
    return folder


def make_checkpoints(torch_python: Interpreter, folder: Path) -> Path:
    folder.mkdir()
    # From its file: TorchScript asks for the source of the classes.
    script = "import runpy, sys; runpy.run_path(sys.argv.pop(1), run_name='__main__')"
    run_script(torch_python, script, HERE / "make_checkpoints.py", folder)
    return folder


@pytest.fixture
def damaged(checkpoints: Path, tmp_path: Path) -> Path:
    """plain.pt with a flipped bit in its last storage: reading it fails when most has been read."""
    source = checkpoints / "plain.pt"
    data = bytearray(source.read_bytes())
    with zipfile.ZipFile(source) as archive:
        last = archive.getinfo("plain/data/6")
    data[last.header_offset + 30 + sum(struct.unpack_from("<HH", data, last.header_offset + 26))] ^= 1
    path = tmp_path / "damaged.pt"
    path.write_bytes(data)
    return path


@pytest.fixture(scope="session")
def as_torch_reads(checkpoints: Path) -> Any:
    """``as_torch_reads("dtypes.pt")``: name -> array, as torch.load(weights_only=True) has it."""

    def read(name: str) -> dict[str, np.ndarray]:
        index = json.loads((checkpoints / f"{name}.json").read_text())
        data = (checkpoints / f"{name}.bytes").read_bytes()
        arrays = {}
        for tensor in index:
            dtype = np.dtype(getattr(ml_dtypes, tensor["dtype"], tensor["dtype"]))
            count = int(np.prod(tensor["shape"]))
            arrays[tensor["name"]] = np.frombuffer(data, dtype, count, tensor["at"]).reshape(tensor["shape"])
        return arrays

    return read


@pytest.fixture
def in_jax(torch_python: Interpreter, jax_python: Interpreter, tmp_path: Path) -> Callable[[bytes, str, str], Any]:
    """Saves a model of ``net.py`` as ``net.pt`` in torch, carries it over to JAX with the project: what both print.

    Takes the text of ``net.py``, which has a ``make()``, and what torch and JAX run; the latter's ``{load}`` is what
    loads the weights.
    """

    def run(net: bytes, saving: str, loading: str) -> tuple[Any, Any]:
        (tmp_path / "net.py").write_bytes(net)
        theirs = json.loads(run_script(torch_python, saving, cwd=tmp_path))
        output = tmp_path / "net.jax.safetensors"
        written = convert_checkpoint(tmp_path / "net.pt", output, model="net:make", project=tmp_path)
        made = convert_sources({PurePosixPath("net.py"): net}, load_target("jax"))
        folder = tmp_path / "converted"
        folder.mkdir()
        for path, data in made.files.items():
            (folder / path).write_bytes(data)
        for path, text in made.helpers.items():
            (folder / path).write_text(text)
        return json.loads(run_script(jax_python, loading.format(load=written.load), cwd=folder)), theirs

    return run
