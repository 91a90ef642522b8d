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
from probing import close, fails, probe

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


@probe(
    "OneFlow's processes are one group, started by python -m oneflow.distributed.launch; leave groups out",
    namesakes=(),
)
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


@probe(
    "OneFlow's spawned processes are each alone; start those that train together by python -m "
    "oneflow.distributed.launch, others by oneflow.multiprocessing.spawn itself",
    namesakes=("spawn",),
)
def spawned(names: list[str]) -> None:
    assert importlib.util.find_spec("oneflow.distributed.launch") is not None
    assert "nprocs" in inspect.signature(oneflow.multiprocessing.spawn).parameters
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "spawning.py")
        script.write_text(SPAWNED)
        subprocess.run([sys.executable, str(script), folder], capture_output=True, check=True)
        assert [Path(folder, rank).read_text() for rank in "01"] == ["1", "1"]


@probe("OneFlow has no exceptions of its processes; catch RuntimeError")
def exceptions(names: list[str]) -> None:
    fails(RuntimeError, lambda: oneflow.comm.send(oneflow.ones(2), 5))
    assert named(oneflow.comm, "error") == named(oneflow.distributed, "error") == []


@probe("OneFlow's oneflow.comm sends and receives at once; call oneflow.comm.send and oneflow.comm.recv in order")
def at_once(names: list[str]) -> None:
    assert named(oneflow.comm, "send", "recv") == ["recv", "send"]
    assert "async_op" not in str(oneflow.comm.send.__doc__)


@probe("OneFlow's oneflow.comm.all_reduce sums alone; for others reduce what oneflow.comm.all_gather gives")
def sums(names: list[str]) -> None:
    assert list(inspect.signature(oneflow.comm.all_reduce).parameters) == ["tensor"]
    assert list(inspect.signature(oneflow.comm.all_gather).parameters) == ["tensor_list", "tensor"]


@probe(
    "OneFlow's oneflow.comm has no such collective; use oneflow.comm.all_gather, all_reduce, all_to_all or "
    "reduce_scatter for each tensor"
)
def collectives(names: list[str]) -> None:
    of_lists = (oneflow.comm.all_gather, oneflow.comm.all_to_all, oneflow.comm.reduce_scatter)
    taken = [list(inspect.signature(function).parameters) for function in of_lists]
    assert taken == [["tensor_list", "tensor"], ["output_tensor_list", "input_tensor_list"], ["output", "input_list"]]
    assert named(oneflow.comm, "single", "coalesced") == []
    assert oneflow.comm.all_reduce(oneflow.ones(2)) is None


@probe("OneFlow's oneflow.comm passes tensors alone; pass objects through files, or as tensors of their bytes")
def objects(names: list[str]) -> None:
    assert named(oneflow.comm, "object") == []
    x = oneflow.tensor(list(b"any"), dtype=oneflow.uint8)
    assert bytes(x.numpy()) == b"any"


@probe("OneFlow has nothing that watches its processes; leave it out, oneflow.comm.barrier() waits for all")
def watched(names: list[str]) -> None:
    assert named(oneflow.distributed, "debug", "monitor") == named(oneflow.comm, "debug", "monitor") == []
    assert oneflow.comm.barrier() is None


@probe("OneFlow has its own backend, and no others to ask for; remove the question")
def backends(names: list[str]) -> None:
    assert named(oneflow.distributed, "available", "backend") == named(oneflow.env, "available", "backend") == []
    close(oneflow.ones(2), [1, 1])
