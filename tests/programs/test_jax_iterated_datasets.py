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
