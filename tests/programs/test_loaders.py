"""Loaders whose batches hold no tensor give them all the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TARGETS = ("paddle", "oneflow")
LOADERS = {
    "strings": "DataLoader(['a', 'b', 'c'], batch_size=2)",
    "a text": "DataLoader('abc', batch_size=2, drop_last=True)",
    "lists": "DataLoader([1, 2, 3], batch_size=2, collate_fn=lambda items: items)",
    "lengths": "DataLoader(numbers, 2, collate_fn=len)",
    "objects": "DataLoader(numbers, batch_size=2, collate_fn=lambda items: {'n': [str(i) for i in items]})",
    "pairs": "DataLoader([(torch.ones(2), 'a'), (torch.zeros(2), 'b')], batch_size=2)",
    "tensors": "DataLoader(numbers, batch_size=2, collate_fn=lambda items: torch.tensor(items) * 2)",
    "arrays": "DataLoader(numbers, batch_size=3, collate_fn=lambda items: (torch.tensor(items), items))",
    "a sampler": "DataLoader(numbers, sampler=[2, 0, 1], batch_size=2, collate_fn=lambda items: items)",
    "batches": "DataLoader(numbers, batch_sampler=[[0, 1], [2]], collate_fn=lambda items: items)",
    "none given": "DataLoader(numbers, batch_size=2, collate_fn=None)",
}


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("target", TARGETS)
def test_batches_come(agrees: Callable[..., object], target: str, loader: str) -> None:
    agrees(
        f"""
        import torch
        from torch.utils.data import DataLoader

        numbers = [5, 6, 7]
        loader = {LOADERS[loader]}
        for turn in range(2):
            for batch in loader:
                show(turn, batch)
        show(len(loader), next(iter(loader)), len(loader.dataset))
        """,
        target,
    )


@pytest.mark.parametrize("target", TARGETS)
def test_settings_are_carried_over(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch
        from torch.utils.data import DataLoader

        torch.backends.cudnn.benchmark = True
        words = {"num_workers": 1, "pin_memory": True, "persistent_workers": True}
        for collate in (None, lambda items: items):
            loader = DataLoader([5, 6, 7], batch_size=2, collate_fn=collate, prefetch_factor=3, **words)
            show(loader.prefetch_factor)
        torch.backends.cudnn.benchmark = False
        """,
        target,
    )


OWN_SAMPLERS = """
    import torch
    from torch.utils.data import Sampler, DataLoader, TensorDataset, BatchSampler
    class A(Sampler):
        def __iter__(self):
            yield [0, 2]
            yield [1]
        def __len__(self):
            return 2
    class B(Sampler):
        def __init__(self, n):
            super().__init__()
            self.n = n
        def __iter__(self):
            return iter(range(self.n)[::-1])
        def __len__(self):
            return self.n
    class C(torch.utils.data.Sampler[int]):
        def __init__(self, source):
            self.source = source
        def __iter__(self):
            return iter([1])
        def __len__(self):
            return 1
    class E(Sampler[int]):
        def __init__(self, source):
            self.source = source
        def __iter__(self):
            return iter([0])
        def __len__(self):
            return 1
    d = TensorDataset(torch.arange(3.0))
    show([b for (b,) in DataLoader(d, batch_sampler=A())])
    show([b for (b,) in DataLoader(d, batch_size=2, sampler=B(3))])
    show([b for (b,) in DataLoader(d, sampler=C(d))], [b for (b,) in DataLoader(d, sampler=E(d))])
    show(list(BatchSampler(B(3), 2, True)), isinstance(A(), Sampler), isinstance(d, Sampler))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_own_samplers_are_made_of_nothing(target: str, agrees: Callable[..., object]) -> None:
    agrees(OWN_SAMPLERS, target)


UNBATCHED = """
import torch
class Samples(torch.utils.data.Dataset):
    def __len__(self):
        return 2
    def __getitem__(self, i):
        return torch.full((3,), 1.5 * i).numpy(), i
for x, place in torch.utils.data.DataLoader(Samples(), batch_size=None):
    show(x.view(3, 1), x.add(1).clamp(max=2), place)
"""


@pytest.mark.parametrize("target", ["paddle", "jax"])
def test_arrays_that_are_not_batched_are_tensors(agrees: Callable[..., object], target: str) -> None:
    agrees(UNBATCHED, target)
