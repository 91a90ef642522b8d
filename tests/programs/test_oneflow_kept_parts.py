"""Parts of tensors that objects keep: OneFlow's ``.data`` forgets where a part begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

WAYS = {
    "attribute": "box.x = {}",
    "dict": "vars(box)['x'] = {}",
    "its own dict": "box.__dict__['x'] = {}",
    "a computed name": "setattr(box, name, {})",
    "a computed key": "vars(box)[name] = {}",
    "an update": "box.__dict__.update({{'x': {}}})",
    "keywords": "box = Named(x={})",
    "a namespace": "box = types.SimpleNamespace(x={})",
    "an argument": "box = Made({})",
    "another dict": "held['x'] = {}; box.__dict__ = held",
}
PROGRAM = """
    import types
    import torch

    class Box:
        pass

    class Made:
        def __init__(self, x):
            self.x = x

    class Named:
        def __init__(self, **words):
            for name, value in words.items():
                setattr(self, name, value)

    class Other:
        def __init__(self):
            self.data = [1, 2]

    name, held = "".join(["x"]), {{}}
    box = Box()
    whole = torch.arange(12.0).reshape(4, 3)
    {}
    box.x.data[0].zero_()
    first = box.x.data
    first[1, 1:].fill_(7)
    show(whole, box.x, box.x.data[0], box.x.data.view(-1))
    {}
    show(box.x.data[0])
"""


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_agrees(agrees: Callable[..., Any], way: str) -> None:
    agrees(PROGRAM.format(way.format("whole[1:]"), way.format("Other()")), "oneflow")


def test_what_is_flattened_of_an_item(agrees: Callable[..., Any]) -> None:
    program = """
        from dataclasses import dataclass
        import torch
        a = torch.eye(2)

        @dataclass
        class Config:
            data: torch.Tensor
            size: torch.Tensor

        rows = Config(a, a).size
        head = rows[1]
        part = torch.flatten(head)
        own = part.data
        own[1] -= 1.0
        show(own)

        def raised(rows):
            part = torch.flatten(rows[1]).view(2)
            own = part.data
            own[0] += 2
            return own

        show(raised(rows))
    """
    agrees(program, "oneflow")
