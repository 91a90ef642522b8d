"""Methods whose own gradient is wrong in the target, of what nothing says to be a tensor."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PIPE = """
    import torch

    class Frames:
        def __init__(self, size, step):
            self.size, self.step = size, step
        def __call__(self, t):
            return t.unfold(-1, self.size, self.step)

    class Pipe:
        def __init__(self, *parts):
            self.parts = parts
        def __call__(self, t):
            for part in self.parts:
                t = part(t)
            return t

    def gradient(f):
        x = torch.tensor([-2.0, -0.5, 0.5, 2.0], requires_grad=True)
        f(x).sum().backward()
        return x.grad
    show(gradient(Pipe(Frames(2, 1), lambda t: t ** 2)), gradient(Pipe(Frames(2, 2), torch.exp)))
    show(gradient(Pipe(lambda t: t * 2, lambda t: t.diag_embed(), lambda t: t ** 2)))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_windows_and_diagonals(target: str, agrees: Callable[..., object]) -> None:
    agrees(PIPE, target)
