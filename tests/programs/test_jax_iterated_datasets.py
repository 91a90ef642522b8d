"""To JAX: datasets that are looped over, whose arrays raise no IndexError; parts of a Sequential that go."""

from __future__ import annotations

from collections.abc import Callable


def test_datasets_end(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch.utils.data import DataLoader, Dataset, IterableDataset, TensorDataset

        class Rows(Dataset):
            def __init__(self):
                self.x = torch.arange(3.0)

            def __len__(self):
                return 3

            def __getitem__(self, i):
                return self.x[i], i

        class Names(Dataset):
            def __getitem__(self, i):
                return ["a", "b"][i]

        class Counting(IterableDataset):
            def __iter__(self):
                return iter(range(3))

        show([a for a, b in Rows()], list(Names()), list(Counting()), list(zip(Rows(), Names())))
        show([x + y for x, y in TensorDataset(torch.ones(2), torch.zeros(2))], list(DataLoader(Counting(), 2)))
        """,
        "jax",
    )


def test_parts_of_a_sequential_go(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn

        net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Dropout(0.1), nn.Linear(3, 2))
        del net[1]
        show([n for n, _ in net.named_modules()], net[1].training)
        del net[-1]
        show(len(net), list(net.state_dict()))
        both = nn.Sequential(nn.Linear(2, 2)) + nn.Sequential(nn.ReLU())
        both += nn.Sequential(nn.Tanh())
        show(len(both), [type(m).__name__ for m in both], both(torch.ones(1, 2)).shape)
        """,
        "jax",
    )


def test_objects_that_have_items_and_no_iterator(agrees: Callable[..., object]) -> None:
    found = agrees(
        """
        import torch
        from torch.utils.data import Dataset

        class Rows(object):
            def __init__(self, data):
                self.data = data

            def __getitem__(self, i):
                return self.data[i]

        class Pairs:
            def __init__(self, x, y):
                self.x, self.y = x, y

            def __len__(self):
                return len(self.x)

            def __getitem__(self, i):
                return self.x[i] * 2, self.y[i]

        class Endless(Dataset):
            def __init__(self, n):
                self.places = torch.arange(n)

            def __getitem__(self, i):
                return self.places[i] + 1

        class Plain:
            def __init__(self):
                self.x = torch.ones(3)

            def __getitem__(self, i):
                return self.x[i]

        rows = Rows(torch.arange(6.0).view(3, 2))
        total = torch.zeros(2)
        for r in rows:
            total += r
        show(total, [r.sum() for r in rows], list(rows))
        a, b, c = rows
        show(a, b, c, rows[1:], rows[-1])
        for i, (x, y) in enumerate(Pairs(torch.arange(3.0), torch.arange(3))):
            show(i, x, y)
        show([p for p in Endless(3)], Plain()[1])
        """,
        "jax",
    )
    assert "return self.x[i]\n" in found.converted["program.py"]
