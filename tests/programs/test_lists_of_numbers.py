"""Lists of numpy's numbers, of Python's, and of both: torch goes by the dtypes of numpy's."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "by what a function gives": """
        import numpy as np
        import torch

        def lists():
            yield [np.float64(0.5), 1.0]
            yield [0.5, np.float64(1.0)]
            yield [np.float64(0.5), np.float64(2.0)]
            yield [0.25, 0.5]
            yield [np.int32(3), 4]
            yield [np.float16(3), 4.5]
            yield [1, np.float32(4.5)]
            yield [[1.5, np.float64(4.5)], [2.5, 3.5]]
            yield (np.float32(1), np.float64(2))
            yield [np.bool_(True), False]
            yield [True, np.int32(2)]
            yield [np.array([1.0, 2.0]), np.array([1.0, 2.0])]

        for values in lists():
            show(torch.tensor(values), torch.tensor(data=values), torch.tensor(values, dtype=None))
    """,
    "one by one": """
        import numpy as np
        import torch

        xs = []
        a = np.arange(4.0)
        for i in range(4):
            xs.append(a[i] if i % 2 else 0.5)
        t = torch.tensor(xs)
        show(t.element_size(), t / 3)
        xs.reverse()
        t = torch.tensor(xs)
        show(t.element_size(), t / 3)
    """,
    "written out": """
        import numpy as np
        import torch

        t = torch.tensor([np.float64(0.1), 0.2]); show(t.element_size(), t)
        t = torch.tensor([0.1, np.float64(0.2)]); show(t.element_size(), t)
        t = torch.tensor([np.mean([1.0, 2.0]), 0.2]); show(t.element_size(), t)
        t = torch.tensor(np.float64(0.1)); show(t.element_size(), t)
        t = torch.tensor([np.int32(1), 2]); show(t.element_size(), t)
        t = torch.FloatTensor([np.float64(0.1), 0.2]); show(t.element_size(), t)
    """,
    "with a dtype": """
        import numpy as np
        import torch

        def values(k):
            return [np.float64(0.5), 1.0] if k else [1, np.int32(2)]

        for k in (0, 1):
            show(torch.tensor(values(k), dtype=torch.float32), torch.tensor(values(k), dtype=torch.int64))
    """,
}
PADDLE = {
    "by the other functions": """
        import numpy as np
        import torch

        def values(k):
            return [np.float64(0.5), 1.0] if k else [1, np.int32(2)]

        for k in (0, 1):
            show(torch.as_tensor(values(k)), torch.asarray(values(k)), torch.as_tensor(values(k), dtype=torch.int64))
            show(torch.as_tensor(values(k), dtype=torch.float32), torch.asarray(values(k), dtype=torch.float64))
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(program, target)


@pytest.mark.parametrize("program", PADDLE.values(), ids=PADDLE)
def test_agrees_in_paddle(agrees: Callable[..., object], program: str) -> None:
    agrees(program, "paddle")


SEQUENCES = """
import collections
import torch
d = collections.deque(maxlen=3)
for i in range(4):
    d.appendleft(float(i))
show(torch.tensor(d), torch.tensor(d, dtype=torch.float64), torch.as_tensor(d), torch.tensor(list(d)))
show(torch.stack(list(collections.deque([torch.ones(2)]))))
class Buf:
    def __init__(self):
        self.rews = collections.deque(maxlen=2)
    def mean(self):
        return torch.tensor(self.rews).mean()
b = Buf(); b.rews.append(1.0); b.rews.append(3.0)
show(b.mean(), torch.tensor(range(3)), torch.tensor({0: 1.5, 1: 2.5}.values().__iter__().__length_hint__()))
q = collections.deque([torch.ones(2), torch.zeros(2)])
show(torch.stack(tuple(q)), torch.cat(list(q)))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_other_sequences_are_data_too(agrees, target):
    agrees(SEQUENCES, target)
