"""What numpy computes of what is not known, beside tensors: a number of its own is of float64, and torch's of none."""

from __future__ import annotations

from collections.abc import Callable


def test_numbers_that_numpy_computes_of_settings(agrees: Callable[..., object]) -> None:
    program = """
        import numpy as np
        import torch
        from torch import nn


        class Config:
            def __init__(self, **given):
                for name, value in given.items():
                    setattr(self, name, value)


        class Attention(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.config = config
                self.scale = 1.0 / np.sqrt(config.width)
                self.root = np.sqrt(config.width)
                self.size = np.prod(config.shape)
                self.layer = nn.Linear(4, 4)
                self.table = nn.Embedding(3, 4)

            def set_table(self, new):
                self.table = new

            def forward(self, x, ids=None):
                y = self.layer(x)
                found = [y * self.scale, y / self.root, y - self.size, torch.where(y > 0, y, self.root)]
                if ids is not None:
                    kept = self.table(ids)
                    kept *= np.sqrt(self.config.width)
                    found += [kept, torch.mul(y, self.scale)]
                return found


        def attend(q, k, width):
            scores = q @ k.transpose(-2, -1) / np.sqrt(width)
            scores = scores - np.log(width)
            return scores


        def scaled(rows, by):
            rows *= np.sqrt(by)
            return rows * np.sqrt(by)


        model = Attention(Config(width=4, shape=(2, 3)))
        for given in (None, torch.tensor([0, 1])):
            show([y.dtype == torch.float32 for y in model(torch.ones(2, 4), given)])
        show(attend(torch.ones(2, 4), torch.ones(3, 4), 4), scaled(torch.ones(3), 4))
        array = np.ones(3)
        show(scaled(array, 4).tolist(), array.tolist())
    """
    agrees(program, "jax")
