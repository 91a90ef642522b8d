"""What is a mask at times and a number at others, and containers of what may be no parameter."""

from __future__ import annotations

from collections.abc import Callable

import pytest

MASKS = """
    import torch

    def basis(x, grid, k=0):
        if k == 0:
            value = (x >= grid[:-1]) * (x < grid[1:])
        else:
            value = (x - grid[:-1]) / (grid[1:] - grid[:-1])
        return torch.nan_to_num(value)

    grid = torch.tensor([0.0, 1.0, 1.0, 2.0])
    show(basis(torch.tensor([0.5]), grid), basis(torch.tensor([1.0]), grid, 1))
    show(torch.nan_to_num(torch.tensor([True])), torch.tensor([float("nan"), 1.0]).nan_to_num(2.0))
"""
COUNTS = """
    import torch

    def scaled(k, s=None, cut=None):
        if s is None:
            s = k.sum()
        if cut is None:
            cut = k.argmax()
        counts = k.count_nonzero(-2)
        rows = torch.arange(3.0)[: counts.tolist()[0] * counts[0] + cut]
        return (counts.tolist()[0] * counts) * s, counts.tolist()[0] * counts + s, rows

    show(*scaled(torch.tensor([[0.373]])))
"""
METHODS_OF_FLOATS = """
    import torch

    def totals(a, s=None):
        if s is None:
            s = a.sum()
        return a, s

    a, s = totals(torch.empty(3).fill_(0.7))
    grown = s.expm1()
    show(grown // 0.9, grown.sigmoid() // 0.3)
    half = grown.sqrt().tanh()
    half //= 2
    show(half)
"""
CONTAINER = """
    import torch
    from torch import nn

    made = nn.ParameterDict([("c", nn.Parameter(torch.ones(2))), ("b", None)])
    show(list(made), made["b"])
    made = nn.ParameterDict({"b": nn.Parameter(torch.ones(2)), "none": None, "a": torch.zeros(1)})
    show(list(made), len(made), made["none"], made["a"], isinstance(made["a"], nn.Parameter), "none" in made)
    made["n"] = 3
    show([name for name, _ in made.items()], made["n"], made.get("x", 7), len(list(made.parameters())), made.n)
    show(made.pop("b"), list(made.keys()), len(list(made.values())))
    del made["none"]
    show(list(made), sorted(made.state_dict()))
    made.clear()
    show(len(made), len(list(made.parameters())))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_masks(agrees: Callable[..., object], target: str) -> None:
    agrees(MASKS, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_counts_beside_what_is_a_sum_at_times(agrees: Callable[..., object], target: str) -> None:
    agrees(COUNTS, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_what_a_tensors_method_gives_is_one_at_times(agrees: Callable[..., object], target: str) -> None:
    """Of what is a tensor at times; also where it gives floating-point numbers alone."""
    agrees(METHODS_OF_FLOATS, target)


def test_parameters_and_what_is_none(agrees: Callable[..., object]) -> None:
    agrees(CONTAINER, "paddle")


RECURSIVE = """
import torch
def basis(x, k):
    if k == 0:
        value = (x > 0) * (x < 1)
    else:
        lower = basis(x, k - 1)
        value = x / 2 * lower[:3] + (1 - x) * lower
    return torch.nan_to_num(value)
x = torch.linspace(-1, 1, 3)
show(basis(x, 2), basis(x, 0))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_what_calls_itself_gives_another_kind_at_its_end(agrees: Callable[..., object], target: str) -> None:
    agrees(RECURSIVE, target)
