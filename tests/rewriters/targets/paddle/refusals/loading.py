"""torch.utils.data and torch.utils.tensorboard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
import paddle
from probing import close, fails, probe


@probe()
def iterated(names: list[str]) -> None:
    class Squares(paddle.io.IterableDataset):
        def __iter__(self) -> Iterator[Any]:
            yield from (numpy.float32(number**2) for number in range(4))

    found = [batch.tolist() for batch in iter(paddle.io.DataLoader(Squares(), batch_size=2))]
    assert found == [[0.0, 1.0], [4.0, 9.0]]


@probe()
def indexed(names: list[str]) -> None:
    class Squares(paddle.io.Dataset):
        def __len__(self) -> int:
            return 4

        def __getitem__(self, index: int) -> Any:
            return numpy.float32(index**2)

    assert len(paddle.io.DataLoader(Squares(), batch_size=2)) == 2


@probe(namesakes=("collate",))
def collated(names: list[str]) -> None:
    module = paddle.io.dataloader.collate  # of which torch's function has the name
    fails(TypeError, lambda: module([1, 2]), "not callable")
    pairs = [(paddle.ones([2]), 1), (paddle.zeros([2]), 0)]
    tensors, labels = module.default_collate_fn(pairs)
    close(tensors, [[1, 1], [0, 0]])
    assert labels.tolist() == [1, 0]


@probe()
def shuffled(names: list[str]) -> None:
    def order(numpys: int, paddles: int) -> list[int]:
        numpy.random.seed(numpys)
        paddle.seed(paddles)
        return [int(index) for index in paddle.io.RandomSampler(list(range(50)))]

    assert order(1, 1) == order(1, 2)
    assert order(1, 1) != order(2, 1)


@probe(elsewhere=("FileWriter",))
def event_files(names: list[str]) -> None:
    fails(AttributeError, lambda: paddle.utils.tensorboard)
