"""A name of a type annotates as the type does: ``Size = Tuple[int, int]``."""

from __future__ import annotations

import pytest

PROGRAM = """
    from typing import Dict, List, Optional, Tuple, TypeAlias, Union
    import torch
    from torch import Tensor, nn

    Size_ = Tuple[int, int]
    OptTensor = Optional[Tensor]
    Sizes: TypeAlias = List[int]
    Number = int | float
    Tables = Dict[str, OptTensor]

    class Net(nn.Module):
        def forward(self, x, size: Size_, mask: OptTensor, sizes: Sizes, n: Number, of: Tables):
            H, W = size
            if mask is not None:
                x = x + mask.view(-1, 1)
            for s in sizes:
                x = x * (s % 3) + s // -2
            y = of["y"].view(-1, 2).max(1)[0]
            return x.view(H, -1).sum(0).tolist(), -W % 7, n // 3, n % -3, y.tolist()

    show(globals()["Net"]()(torch.ones(4, 6), (8, 3), torch.ones(4), [1, 2, 5], -5, {"y": torch.arange(4.0)}))
    show(isinstance(3, Number), Size_ == Tuple[int, int], OptTensor is not None)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_names_of_types(agrees, target):
    agrees(PROGRAM, target)
