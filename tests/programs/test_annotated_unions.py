"""Annotations that name a tensor beside what nothing is known of, and what is a dtype by the way it is made."""

from __future__ import annotations

import pytest

AMONG = """
from __future__ import annotations
from typing import Any, Dict, List, Optional, Union
from types import SimpleNamespace
from dataclasses import dataclass
import torch
from torch import Tensor

Features = Dict[str, Union[Tensor, Any]]
Thing = Union[Tensor, SimpleNamespace]

def hidden(t):
    return SimpleNamespace(t=t).t

def total(features: dict[str, Tensor | Any]):
    kept = features["mask"]
    kept += 1
    held = features["w"]
    held //= 2
    return features

def scaled(x: Thing, y: Optional[Union[Tensor, Any]] = None, *more: Tensor | Any, **rest: Tensor | Any):
    x *= 2
    if y is not None:
        y -= 1
    for z in more:
        z += 3
    for z in rest.values():
        z += 5

def of(features: Features, items: List[Union[Tensor, Any]]):
    m = features["m"]
    m += 1
    for item in items:
        item *= 2

@dataclass
class Held:
    t: Tensor | Any
    n: Optional[Union[Tensor, Any]] = None

def grow(h: Held):
    h.t += 1

a, b = hidden(torch.ones(2)), hidden(torch.ones(2, dtype=torch.int64) * 5)
f = hidden({"mask": a, "w": b})
total(f)
show(a, b)
c, d, e, g = (hidden(torch.ones(2)) for _ in range(4))
scaled(c, d, e, k=g)
show(c, d, e, g)
of(hidden({"m": a}), hidden([b]))
show(a, b)
h = Held(hidden(a))
grow(h)
show(a, h.t)
"""
# Of torch's schemas, whose dtypes are integers.
DTYPES = """
import torch
def pick(a, b, flag):
    d = torch.promote_types(a.dtype, b.dtype)
    if d.is_floating_point:
        a = a.to(d)
    e = torch.result_type(a, 2)
    k = torch.promote_types(torch.int32, torch.uint8)
    show(d == torch.float64, e == torch.float32, k.is_floating_point, e.is_complex, k.itemsize)
    return a * b
show(pick(torch.ones(2), torch.ones(2).double(), True))
show(pick(torch.ones(2).int(), torch.ones(2).long(), True))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", [AMONG, DTYPES], ids=["a tensor among others", "promoted dtypes"])
def test_annotated(program, target, agrees):
    agrees(program, target)
