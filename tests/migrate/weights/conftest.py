"""Checkpoints that the installed torch writes, and its own reading of them."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from filelock import FileLock

from migrate.environments import Interpreter

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
