"""What inference does not know to be a tensor means what it does in torch all the same, or is marked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

TARGETS = ["paddle", "oneflow"]
# Whatever these functions are given, nothing says that it is a tensor.
HIDDEN = """
import types
import torch
class Bag:
    def __init__(self, **kw): self.__dict__.update(kw)
class Base:
    data = 0
    def __init__(self): self.data = 0
    def make(self): return [1, 2]
    def first(self): return {use_data}
    def second(self): return {use_make}
class Derived(Base):
    def __init__(self):
        super().__init__()
        self.data = torch.arange(6.0).view(2, 3)
    def make(self): return torch.arange(6.0).view(2, 3)
def call(x): return {use_x}
x = torch.tensor([[3., 1., 2.], [4., 6., 5.]])
show(Derived().first(), Derived().second(), call(vars(Bag(w=x))["w"]), call(types.SimpleNamespace(w=x).w))
for key in {{x: 1}}: show(call(key))
for one in Bag(w=x).__dict__.values(): show(call(one))
"""
USES = {
    "max by axis": "{}.max(1)[0]",
    "min by axis": "{}.min(1)[1]",
    "sort": "{}.sort()[0]",
    "sort by axis": "{}.sort(1)[0]",
    "median": "{}.median(1)[0]",
    "split": "[part.sum() for part in {}.split(1)]",
    "std": "{}.std(1)",
    "norm": "[{0}.norm(p=2, dim=(0, 1)), {0}.norm(p=1, dim=1)]",
    "repeat_interleave": "{}.repeat_interleave(2)",
    "words of a copy": '{}.to("cpu", non_blocking=True)',
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("use", sorted(USES))
def test_methods_mean_what_they_do_in_torch(agrees, use: str, target: str) -> None:
    parts = {"use_data": "self.data", "use_make": "self.make()", "use_x": "x"}
    agrees(HIDDEN.format(**{name: USES[use].format(text) for name, text in parts.items()}), target)


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_no_tensor_keeps_its_own_method(agrees, target: str) -> None:
    program = """
        import torch
        class Own:
            def max(self, x): return ["own", x]
            def split(self, n): return n
        def call(x): return x.max(1), x.split(2)
        def words(x): return x.split(",")
        show(call(Own()), words("a,b"), torch.ones(1))
    """
    assert "method(" not in agrees(program, target).converted["program.py"].partition("def words")[2]


def test_looked_up_by_a_computed_name_is_marked(outcome) -> None:
    program = """
        import operator
        import torch
        def call(x, c): return getattr(x, "split" if c else "chunk")(2), operator.methodcaller("split", 2)(x)
        show(len(call(torch.ones(4), True)[0]))
    """
    assert "# migrate: differs" in outcome(program, "paddle").converted["program.py"]


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_used_as_tensors_alone_are_is_changed(agrees, target: str) -> None:
    program = """
        import types
        import torch
        def fill(x): x.chunk(2)[1].copy_(torch.zeros(1, 3))
        def turned(x): return x.transpose(1, 2), 1 - x.float(), x.size()[1:], x.view(x.size(0) * 2, -1).numpy()
        for x in vars(types.SimpleNamespace(w=torch.ones(2, 3))).values():
            fill(x)
            show(x)
        for x in vars(types.SimpleNamespace(w=torch.arange(12).view(2, 3, 2))).values():
            show(*turned(x)[:2], turned(x)[3], tuple(turned(x)[2]))
    """
    agrees(program, target)


def test_pieces_that_copy_changes_are_marked(outcome) -> None:
    """Paddle's chunk copies: what torch writes through is not written there."""
    program = """
        import types
        import torch
        def fill(x, n): x.chunk(n)[1].copy_(torch.zeros(1, 3))
        for x in vars(types.SimpleNamespace(w=torch.ones(2, 3))).values():
            fill(x, *[2])
            show(x)
    """
    assert "# migrate: differs" in outcome(program, "paddle").converted["program.py"]


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_what_tensors_alone_can_be_used_for_shows_one(agrees: Callable[..., object], target: str) -> None:
    text = agrees(
        """
        import types
        import numpy as np
        import torch

        def told(x): return x.size(0), x.masked_fill(x > 1, 0), x.mean(dim=0), x.flatten(0)
        def rows(x):
            n, m = x.size()
            return x.view(m, n), x.float().sum(dim=1, keepdim=True)
        def nearest(x, y): return torch.cdist(x, y).min(1)[0], x.max(1)[0]
        def plain(x): return x.view(x.dtype), x.mean(axis=0)
        def fitted(x, deep): return x.unsqueeze(0).transpose(1, 2) if deep else x

        held = vars(types.SimpleNamespace(a=torch.arange(6.0).reshape(2, 3), b=torch.ones(2, 3)))
        uses = {"told": told, "rows": rows, "fitted": lambda x: fitted(x, True)}
        for use in uses.values():
            for x in held.values():
                show(use(x))
        show(nearest(*held.values()), fitted([1], False), [float(one.sum()) for one in plain(np.ones((2, 2)))])
        """,
        target,
    ).converted["program.py"]  # type: ignore[attr-defined]
    assert "method(" not in text
    assert target != "paddle" or "x.size(" not in text


def test_pieces_that_copy_are_changed_through_a_tensor_that_a_use_shows(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import types
        import torch
        def fill(x): x.chunk(3, dim=-1)[2].copy_(torch.zeros(2, 1))
        for x in vars(types.SimpleNamespace(w=torch.ones(2, 3))).values():
            fill(x)
            show(x)
        """,
        "paddle",
    )


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_a_method_that_is_looked_up_by_a_text_is_the_one_of_that_name(
    agrees: Callable[..., object], target: str
) -> None:
    agrees(
        """
        import torch

        class Own:
            def abs(self): return 3

        def shaped(x):
            return getattr(x, "unsqueeze")(0), getattr(x, "dim")()

        x = -torch.ones(2)
        show(getattr(x, "abs")(), getattr(x + 1, "max")(0)[0], getattr(x, "view")(2, 1), getattr(x, "numel")())
        show(shaped(x), getattr(Own(), "abs")())
        """,
        target,
    )
