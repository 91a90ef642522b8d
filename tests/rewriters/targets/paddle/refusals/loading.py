"""torch.utils.data and torch.utils.tensorboard."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import paddle
from probing import close, fails, probe


@probe("Paddle has no data pipes; derive from paddle.io.IterableDataset")
def iterated(names: list[str]) -> None:
    class Squares(paddle.io.IterableDataset):
        def __iter__(self) -> Iterator[Any]:
            yield from (numpy.float32(number**2) for number in range(4))

    found = [batch.tolist() for batch in iter(paddle.io.DataLoader(Squares(), batch_size=2))]
    assert found == [[0.0, 1.0], [4.0, 9.0]]


@probe("Paddle has no data pipes; derive from paddle.io.Dataset")
def indexed(names: list[str]) -> None:
    class Squares(paddle.io.Dataset):
        def __len__(self) -> int:
            return 4

        def __getitem__(self, index: int) -> Any:
            return numpy.float32(index**2)

    assert len(paddle.io.DataLoader(Squares(), batch_size=2)) == 2


@probe(
    "the inside of torch's collate; use paddle.io.dataloader.collate.default_collate_fn",
    namesakes=("collate",),
)
def collated(names: list[str]) -> None:
    module = paddle.io.dataloader.collate  # of which torch's function has the name
    fails(TypeError, lambda: module([1, 2]), "not callable")
    pairs = [(paddle.ones([2]), 1), (paddle.zeros([2]), 0)]
    tensors, labels = module.default_collate_fn(pairs)
    close(tensors, [[1, 1], [0, 0]])
    assert labels.tolist() == [1, 0]


@probe("the inside of torch's loader; Paddle's prints a worker's error and raises SystemError: remove it")
def failing_worker(names: list[str]) -> None:
    # a process of its own: Paddle's thread that reads from the worker dies with a traceback
    code = """\
import paddle

class Broken(paddle.io.Dataset):
    def __len__(self):
        return 2
    def __getitem__(self, index):
        raise KeyError("mine")

try:
    for _ in paddle.io.DataLoader(Broken(), num_workers=1):
        pass
except SystemError:
    print("caught")
"""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "reading.py")
        script.write_text(code)
        said = ""
        for _ in range(6):  # on a busy machine Paddle ends the worker before it has printed
            ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, timeout=120)
            assert ran.stdout.endswith("caught\n"), ran.stderr
            said += ran.stderr
            if "DataLoader worker(0) caught KeyError" in said:
                return
    raise AssertionError(said)


@probe("Paddle shuffles by numpy's random numbers; seed them with numpy.random.seed(...)")
def shuffled(names: list[str]) -> None:
    def order(numpys: int, paddles: int) -> list[int]:
        numpy.random.seed(numpys)
        paddle.seed(paddles)
        return [int(index) for index in paddle.io.RandomSampler(list(range(50)))]

    assert order(1, 1) == order(1, 2)
    assert order(1, 1) != order(2, 1)


@probe(
    "tensorboardX.FileWriter(logdir) takes tensorboardX's own events; write them so, or use SummaryWriter",
    elsewhere=("FileWriter",),  # tensorboardX is not in this environment
)
def event_files(names: list[str]) -> None:
    fails(AttributeError, lambda: paddle.utils.tensorboard)
