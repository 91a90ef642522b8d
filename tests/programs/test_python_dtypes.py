"""Python's types where torch takes a dtype: int is int64, float float64, complex complex128."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

TARGETS = ("paddle", "oneflow", "jax")
PROGRAMS = {
    "casts": "show(x.to(int), (x * 2.7).to(float), x.to(bool), (x * 2.7).to(dtype=int), x.to('cpu', int))",
    "made": """\
        show(torch.zeros(3, dtype=float), torch.empty(3, dtype=int).dtype, torch.ones(2, 2, dtype=bool))
        show(torch.tensor([1, 2], dtype=float), torch.arange(3, dtype=float), torch.full((2,), 3.5, dtype=int))
        show(torch.eye(2, dtype=int), torch.randperm(3, dtype=float).dtype, torch.tril_indices(2, 2, dtype=int))
        """,
    "made alike": """\
        x = torch.arange(3)
        show(torch.zeros_like(x, dtype=float), x.new_zeros(2, dtype=float), x.new_tensor([1.5], dtype=int))
        """,
    "computed": """\
        x = torch.tensor([1.5, 2.7])
        show(x.sum(dtype=float), x.mean(dtype=float), x.cumsum(0, dtype=int), x.prod(dtype=float), x.softmax(0, float))
        """,
    "computed with": """\
        x, m, i = torch.arange(3), torch.ones(3, dtype=bool), torch.zeros(3, dtype=int)
        show(x.to(float) / 2, x.to(float) + torch.ones(3), m + m, m.sum(), (i + 1) // 2, i * 1.5)
        """,
    "layers": "show(nn.Linear(2, 2, dtype=float).weight.dtype, nn.Linear(2, 2).to(float).weight.dtype)",
    "asked for": "show(torch.can_cast(int, float), torch.promote_types(int, float), x.dtype == float)",
    "no dtypes": """\
        show(np.zeros(3, dtype=int), np.array([1, 2]).astype(float), list(map(float, [1])))
        show(isinstance(x.sum().item(), float))
        float = torch.zeros
        show(float(2), float(2, dtype=int))
        """,
    "held by names": """
        kind = float
        show(x.to(kind), x.to("cpu", kind), torch.zeros(3, dtype=kind), x.sum(dtype=kind), x.softmax(0, kind))
        show(nn.Linear(2, 1).to(kind).weight.dtype == torch.float64)
        show(nn.Linear(2, 1, dtype=kind).bias.dtype == torch.float64)
        for each in [int, float, bool]: show((x * 2.7).to(each), torch.ones(2, dtype=each))
        kinds = {"a": int, "b": torch.float32}
        for name in kinds: show(x.to(kinds[name]), torch.zeros(2, dtype=kinds[name]))
        """,
    "by default": """
        def made(kind=int): return torch.zeros(3, dtype=kind)
        show(made(), made(float), made(bool), made(torch.float64))
        def cast(x, kind=None): return x.to(kind) if kind else x.sum(dtype=kind)
        show(cast(x), cast(x, int), cast(x, torch.float64))
        def number(text, kind=int): return kind(text)
        show(number("2"), number(3, float), number(4, str))
        """,
    "in keywords": """
        def made(**kw): return torch.zeros(3, **kw)
        show(made(dtype=int), made(), made(dtype=bool), made(dtype=torch.float64, requires_grad=True))
        kw = {"dtype": int}
        show(torch.ones(2, **kw))
        """,
    "in attributes": """
        class Made:
            kind = float
            def __init__(self, own=bool): self.own = own
            def all(self, x): return x.to(self.kind), torch.zeros(2, dtype=self.own), x.to("cpu", self.kind)
        show(Made().all(x), Made(int).all(x), Made(torch.float32).all(x))
        def moved(net: nn.Module, kind): return net.to(dtype=kind)
        show(moved(nn.Linear(2, 1), float).weight.dtype == torch.float64)
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("target", TARGETS)
def test_agrees(agrees: Callable[..., object], target: str, program: str) -> None:
    head = ["import numpy as np", "import torch", "import torch.nn as nn", "x = torch.ones(2)"]
    agrees("\n".join([*head, dedent(program)]), target)


def test_a_dtype_is_never_none(outcome: Callable[..., object]) -> None:
    found = outcome("import torch\nshow(torch.tril_indices(2, 2, dtype=int))", "paddle")
    assert "if int is None" not in found.converted["program.py"]  # type: ignore[attr-defined]


def test_the_target_is_imported_where_only_names_were(outcome: Callable[..., object]) -> None:
    found = outcome("from torch import zeros as made\nshow(made(3, dtype=float))", "oneflow")
    assert "made(3, dtype=oneflow.float64)" in found.converted["program.py"]  # type: ignore[attr-defined]
    assert found.verdict == "agrees"  # type: ignore[attr-defined]
