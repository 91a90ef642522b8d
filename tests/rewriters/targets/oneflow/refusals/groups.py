"""torch.distributed and torch.multiprocessing: one process, on a CPU, and two that are started."""

from __future__ import annotations

import importlib.util
import inspect
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import oneflow
import oneflow.distributed
from framework import named
from probing import probe

LAUNCHED = """
import sys
from pathlib import Path

import oneflow

Path(sys.argv[1], str(oneflow.env.get_rank())).write_text(str(oneflow.env.get_world_size()))
"""

SPAWNED = """
import sys
from pathlib import Path

import oneflow

def work(rank, folder):
    Path(folder, str(rank)).write_text(str(oneflow.env.get_world_size()))

if __name__ == "__main__":
    oneflow.multiprocessing.spawn(work, args=(sys.argv[1],), nprocs=2)
"""


@probe(namesakes=())
def groups(names: list[str]) -> None:
    assert named(oneflow.comm, "group") == named(oneflow.distributed, "group") == named(oneflow.env, "group") == []
    assert "group" not in inspect.signature(oneflow.comm.all_reduce).parameters
    assert importlib.util.find_spec("oneflow.distributed.launch") is not None
    with tempfile.TemporaryDirectory() as folder, socket.socket() as held:
        script = Path(folder, "train.py")
        script.write_text(LAUNCHED)
        held.bind(("127.0.0.1", 0))
        words = ["--nproc_per_node", "2", "--master_port", str(held.getsockname()[1]), str(script), folder]
        held.close()
        subprocess.run([sys.executable, "-m", "oneflow.distributed.launch", *words], capture_output=True, check=True)
        assert [Path(folder, rank).read_text() for rank in "01"] == ["2", "2"]


@probe(namesakes=("spawn",))
def spawned(names: list[str]) -> None:
    assert importlib.util.find_spec("oneflow.distributed.launch") is not None
    assert "nprocs" in inspect.signature(oneflow.multiprocessing.spawn).parameters
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "spawning.py")
        script.write_text(SPAWNED)
        subprocess.run([sys.executable, str(script), folder], capture_output=True, check=True)
        assert [Path(folder, rank).read_text() for rank in "01"] == ["1", "1"]


@probe()
def collectives(names: list[str]) -> None:
    of_lists = (oneflow.comm.all_gather, oneflow.comm.all_to_all, oneflow.comm.reduce_scatter)
    taken = [list(inspect.signature(function).parameters) for function in of_lists]
    assert taken == [["tensor_list", "tensor"], ["output_tensor_list", "input_tensor_list"], ["output", "input_list"]]
    assert named(oneflow.comm, "single", "coalesced") == []
    assert oneflow.comm.all_reduce(oneflow.ones(2)) is None


@probe()
def objects(names: list[str]) -> None:
    assert named(oneflow.comm, "object") == []
    x = oneflow.tensor(list(b"any"), dtype=oneflow.uint8)
    assert bytes(x.numpy()) == b"any"
