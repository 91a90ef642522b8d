"""Optimizers, schedules, averages, loaders and what writes down how training goes."""

from __future__ import annotations

import inspect

import oneflow
from framework import named, wanting_gradient
from probing import close, fails, probe


def trained(kind: type, **options: float) -> tuple[float, float]:
    """The loss before and after 20 steps of an optimizer."""
    x = oneflow.tensor([3.0, -2.0]).requires_grad_()
    optimizer = kind([x], **options)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = (x * x).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses[0], losses[-1]


@probe()
def optimizers(names: list[str]) -> None:
    for kind in (oneflow.optim.Adam, oneflow.optim.AdamW):
        before, after = trained(kind, lr=0.1)
        assert after < before / 2


@probe(namesakes=("adadelta", "adagrad", "adam", "adamw", "rmsprop", "sgd"))
def functional(names: list[str]) -> None:
    for name in ("adadelta", "adagrad", "adam", "adamw", "rmsprop", "sgd"):
        module = getattr(oneflow.nn.optimizer, name)
        assert inspect.ismodule(module)
        assert not hasattr(module, name)


@probe()
def states(names: list[str]) -> None:
    x = wanting_gradient(2)
    optimizers = [oneflow.optim.SGD([x], lr=0.1, momentum=0.9) for _ in range(2)]
    (x * x).sum().backward()
    optimizers[0].step()
    optimizers[1].load_state_dict(optimizers[0].state_dict())
    found = [optimizer.state_dict()["state"][0]["momentum_buf"] for optimizer in optimizers]
    close(*found)


@probe()
def averages(names: list[str]) -> None:
    assert named(oneflow.optim, "swa", "average", "ema") == []
    kept, param, decay = oneflow.nn.Parameter(oneflow.zeros(2)), oneflow.nn.Parameter(oneflow.ones(2)), 0.9
    kept.data.mul_(decay).add_(param.data * (1 - decay))
    close(kept, [0.1, 0.1])


@probe()
def schedules(names: list[str]) -> None:
    assert named(oneflow.optim.lr_scheduler, "swa") == []
    optimizer = oneflow.optim.SGD([wanting_gradient(2)], lr=1.0)
    schedule = oneflow.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 0.5**step)
    schedule.step()
    assert optimizer.param_groups[0]["lr"] == 0.5


@probe(namesakes=("IterDataPipe",))
def pipes(names: list[str]) -> None:
    assert oneflow.utils.data.IterDataPipe is oneflow.utils.data.IterableDataset

    class Numbers(oneflow.utils.data.IterableDataset):
        def __iter__(self):
            return iter(range(3))

    fails(AttributeError, lambda: Numbers().shuffle())
    fails(AttributeError, lambda: Numbers().map(float))
    assert [batch.item() for batch in oneflow.utils.data.DataLoader(Numbers())] == [0, 1, 2]


@probe()
def map_pipes(names: list[str]) -> None:
    class Numbers(oneflow.utils.data.Dataset):
        def __len__(self):
            return 3

        def __getitem__(self, index):
            return index

    assert [batch.item() for batch in oneflow.utils.data.DataLoader(Numbers())] == [0, 1, 2]


@probe()
def saved_hooks(names: list[str]) -> None:
    import os
    import tempfile

    x, seen = wanting_gradient(2), []
    x.register_hook(lambda grad: seen.append(1))
    with tempfile.TemporaryDirectory() as folder:
        oneflow.save({"x": x}, os.path.join(folder, "x"))
        read = oneflow.load(os.path.join(folder, "x"))["x"]
    read = read.detach().requires_grad_()
    read.sum().backward()
    assert seen == []


@probe(elsewhere=("FileWriter",))
def events(names: list[str]) -> None:
    assert named(oneflow.utils, "board") == []  # converted sources write with tensorboardX, which is not installed here
