"""Numbers of numpy's at one time, Python's or tensors at another: they count with a dtype of their own, as in torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PROGRAMS = {
    "where": """
        import numpy as np
        import torch
        def pick(c, x, n):
            return torch.where(c, x, n)
        c = torch.tensor([True, False])
        for n in (0.5, np.float64(0.25), 2, np.int64(3), np.float32(1.5)):
            show(pick(c, torch.ones(2), n), pick(c, torch.tensor([1, 2]), n))
    """,
    "where, a tensor too": """
        import numpy as np
        import torch
        def pick(c, x, n):
            return torch.where(c, x, n)
        c = torch.tensor([True, False])
        show(pick(c, torch.ones(2), 0.5), pick(c, torch.ones(2), torch.zeros(2)))
        show(pick(c, torch.tensor([1, 2]), np.float64(0.5)))
    """,
    "an attribute": """
        import numpy as np
        import torch
        class Fill:
            def __init__(self, number):
                self.number = number
            def run(self, c, x):
                made = torch.full((2,), self.number), torch.tensor([self.number, 1]), torch.tensor(self.number)
                return torch.where(c, x, self.number), made
        c = torch.tensor([True, False])
        for number in (0.5, np.float64(0.5), np.mean([1.0, 2.0])):
            show(Fill(number).run(c, torch.ones(2)))
    """,
    "operators and functions": """
        import numpy as np
        import torch
        def both(x, n):
            return x * n, n * x, x + n, torch.maximum(x, torch.as_tensor(n)), x.clamp(max=n), torch.full_like(x, n)
        for n in (0.5, np.float64(0.25), 2, np.int64(3)):
            show(both(torch.ones(2), n), torch.tensor([1, 2]) * n, torch.tensor([1, 2]) + n)
    """,
    "no dtype at times": """
        import numpy as np
        import torch
        def make(values, dtype=None):
            return torch.tensor(values, dtype=dtype), torch.as_tensor(values, dtype=dtype)
        for values in ([np.float64(0.5), 1.0], [1, 2], np.arange(3.0), 0.5, [[np.float32(1.0)], [2.0]]):
            show(make(values), make(values, dtype=torch.float32))
    """,
    "atan2 by either name": """
        import torch
        x, wide = torch.tensor([1.0, 2.0]), torch.tensor(0.5, dtype=torch.float64)
        show(x.atan2(wide), x.arctan2(wide), torch.atan2(x, wide), torch.arctan2(x, wide))
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_numbers_of_numpy_keep_their_dtype(agrees: Callable[..., Any], program: str) -> None:
    agrees(program, "paddle")


def test_a_dtype_that_is_given_stays_plain(agrees: Callable[..., Any]) -> None:
    ran = agrees(
        """
        import torch
        def make(values, dtype=torch.float32):
            return torch.tensor(values, dtype=dtype)
        show(make([1, 2]), make([1.5], dtype=torch.float64))
        """,
        "paddle",
    )
    assert "paddle_helpers" not in ran.converted["program.py"]
