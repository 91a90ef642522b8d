"""To JAX: dtypes that are looked up in sets and dicts, or told apart by identity."""

from __future__ import annotations

from collections.abc import Callable

LOOKED_UP = """
    import torch
    from collections import Counter

    x = torch.ones(2)
    FLOATS = {torch.float32, torch.float16}
    NAMES = {torch.float32: "f32", torch.int64: "i64"}
    show(x.dtype in {torch.float32}, x.dtype in FLOATS, x.dtype in (torch.float32,), x.dtype in NAMES)
    show(NAMES[torch.int64], NAMES[x.dtype], NAMES.get(x.dtype, "none"))

    def is_half(t):
        return t.dtype in {torch.float16, torch.bfloat16}

    def count(d):
        table = {}
        table[d] = 1
        return table.get(torch.float32, 0)

    show(is_half(torch.ones(1, dtype=torch.bfloat16)), is_half(x))
    show(count(x.dtype), count(torch.float32), count(torch.int64))
    show(len({t.dtype for t in [x, x * 2]} | {torch.float32}), Counter(t.dtype for t in [x, x])[torch.float32])
    show(torch.float32 in {t.dtype for t in [x]})
"""

TOLD_APART = """
    import torch

    x = torch.ones(2)
    show(x.dtype is torch.float32, x.dtype is torch.float, x.dtype is not torch.float16)
    KINDS = {"fp32": torch.float32, "fp16": torch.float16}

    def cast(t, name):
        kind = KINDS[name]
        if t.dtype is kind:
            return "same"
        return t.to(kind)

    class Scale(torch.nn.Module):
        def __init__(self, dtype=torch.float32):
            super().__init__()
            self.dtype = dtype
            self.w = torch.nn.Parameter(torch.ones(2, dtype=dtype))

        def forward(self, x):
            assert x.dtype == self.dtype
            return x.to(self.dtype) * self.w

    show(cast(x, "fp32"), cast(x, "fp16"), torch.zeros(2, dtype=KINDS["fp16"]))
    show(Scale()(x), Scale(torch.float64).w.dtype is torch.float64)
"""


def test_dtypes_that_are_looked_up(agrees: Callable[..., object]) -> None:
    agrees(LOOKED_UP, "jax")


def test_dtypes_that_are_told_apart(agrees: Callable[..., object]) -> None:
    agrees(TOLD_APART, "jax")


def test_names_stay_plain_where_none_is_looked_up(agrees: Callable[..., object]) -> None:
    found = agrees(
        """
        import torch

        HALF = (torch.float16, torch.bfloat16)
        x = torch.ones(2, dtype=torch.float16)
        show(x.dtype in HALF, x.dtype == torch.float16, x.to(torch.float32))
        """,
        "jax",
    )
    assert "jnp.dtype(" not in found.converted["program.py"]  # type: ignore[attr-defined]
