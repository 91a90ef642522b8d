"""torch.distributed and torch.multiprocessing: groups, launching, parallel layers. One process, on a CPU."""

from __future__ import annotations

import importlib.util
import inspect
import json
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import paddle
import paddle.distributed as dist
from probing import close, fails, probe

TWO = """
import json
import sys

import paddle
import paddle.distributed as dist

def work(path):
    dist.init_parallel_env()
    x = paddle.to_tensor([dist.get_rank() + 1.0])
    dist.all_reduce(x, group=None)
    both = dist.new_group([0, 1])
    parts = [dist.new_group([rank]) for rank in (0, 1)]
    try:
        both.ranks = [0]
    except AttributeError:
        found = [x.item(), dist.get_backend(both), both.ranks, [part.ranks for part in parts]]
    if dist.get_rank() == 0:
        with open(path, "w") as file:
            json.dump(found, file)
        raise KeyError("mine")

if __name__ == "__main__":
    try:
        dist.spawn(work, args=sys.argv[1:], nprocs=2, backend="gloo")
    except Exception as error:
        assert type(error) is Exception
        assert "KeyError: 'mine'" in str(error)
        print("caught")
"""


@cache
def in_two_processes() -> tuple[list[Any], str]:
    """What two processes in one group find, and what is printed when the first of them fails."""
    with tempfile.TemporaryDirectory() as folder:
        script, answer = Path(folder, "spawning.py"), Path(folder, "answer.json")
        script.write_text(TWO)
        ran = subprocess.run(
            [sys.executable, str(script), str(answer)], cwd=folder, capture_output=True, text=True, check=True
        )
        return json.loads(answer.read_text()), ran.stdout


@probe(namesakes=("Backend",))
def backend(names: list[str]) -> None:
    from paddle.jit.dy2static.utils import Backend

    assert {member.name for member in Backend} == {"CINN", "PHI", "PCC"}  # compilers of static graphs
    fails(RuntimeError, lambda: paddle.distributed.get_backend(), "not initialized")
    assert in_two_processes()[0][1] == "GLOO"


@probe()
def parts_of_groups(names: list[str]) -> None:
    taken = list(inspect.signature(paddle.distributed.new_group).parameters)
    assert taken == ["ranks", "backend", "timeout", "nccl_comm_init_option", "nccl_config"]
    assert type(dist.new_group([0])) is dist.communication.group.Group


@probe(namesakes=("group",))
def default_group(names: list[str]) -> None:
    assert inspect.ismodule(dist.communication.group)
    fails(AttributeError, lambda: dist.communication.group.WORLD)
    for function in (dist.broadcast, dist.all_gather, dist.barrier):
        assert inspect.signature(function).parameters["group"].default is None
    assert in_two_processes()[0][0] == 3  # the sum over both


@probe()
def groups_counted(names: list[str]) -> None:
    counting = [name for name in dir(dist) if "count" in name.lower() and "group" in name.lower()]
    assert counting == []
    made = [dist.new_group([0]), dist.new_group([0])]
    assert len({group.id for group in made}) == 2


@probe()
def smaller_group(names: list[str]) -> None:
    assert callable(paddle.distributed.new_group)
    assert in_two_processes()[0][2] == [0, 1]  # after another list was assigned, in vain


@probe()
def parts(names: list[str]) -> None:
    assert not any("split" in name for name in dir(paddle.distributed.new_group([0])))
    assert in_two_processes()[0][3] == [[0], [1]]


@probe()
def launched(names: list[str]) -> None:
    assert importlib.util.find_spec("paddle.distributed.launch.__main__") is not None
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "train.py")
        script.write_text("import os; open('rank', 'w').write(os.environ['PADDLE_TRAINER_ID'])\n")
        words = ["--nproc_per_node", "1", "--log_dir", folder, str(script)]
        subprocess.run(
            [sys.executable, "-m", "paddle.distributed.launch", *words], cwd=folder, capture_output=True, check=True
        )
        assert Path(folder, "rank").read_text() == "0"


@probe()
def failed_process(names: list[str]) -> None:
    assert callable(paddle.distributed.spawn)
    assert in_two_processes()[1].endswith("caught\n")


@probe(namesakes=("gather", "scatter"))
def parallel(names: list[str]) -> None:
    # of one tensor's rows, where torch.nn.parallel's are of tensors on several GPUs
    x = paddle.to_tensor([[1.0], [2.0], [3.0]])
    close(paddle.gather(x, paddle.to_tensor([2, 0])), [[3.0], [1.0]])
    close(paddle.scatter(x, paddle.to_tensor([1]), paddle.to_tensor([[5.0]])), [[1.0], [5.0], [3.0]])
    layer = paddle.nn.Linear(3, 2)
    taken = inspect.signature(paddle.DataParallel).parameters
    assert "device_ids" not in taken
    close(paddle.DataParallel(layer)(paddle.ones([4, 3])), layer(paddle.ones([4, 3])))
