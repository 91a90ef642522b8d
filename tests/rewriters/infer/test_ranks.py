"""Known ranks: jaxtyping's annotations, overloads by rank, and rules for calling a module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

TOY_POOL = """
from rewriters.rule import Rank

@rule(torch.nn.functional.max_pool2d)
def max_pool2d(input: Rank[3], kernel_size):
    return toy.pool(input[None], kernel_size)[0]

@rule(torch.nn.functional.max_pool2d)
def max_pool2d(input, kernel_size):
    return toy.pool(input, kernel_size)

alias(torch.Tensor, "toy.Array")
"""
SOURCE = """
import torch
import torch.nn.functional as F
from jaxtyping import Float

def pool(x: Float[torch.Tensor, "{axes}"]):
    return F.max_pool2d(x, 2)
"""


@pytest.mark.parametrize(
    ("axes", "becomes"),
    [
        ("3 height width", "toy.pool(x[None], 2)[0]"),
        ("#b c *_", "toy.pool(x, 2)"),
        ("batch 3 height width", "toy.pool(x, 2)"),
        ("... height width", "toy.pool(x, 2)"),
        ("", "toy.pool(x, 2)"),
    ],
)
def test_an_overload_is_taken_where_the_rank_is_known_to_fit(
    axes: str, becomes: str, toy_target: Callable[..., Any], converted: Callable[..., str]
) -> None:
    text = converted(SOURCE.format(axes=axes), toy_target(TOY_POOL))
    assert f"return {becomes}\n" in text


def test_an_unknown_rank_takes_the_plain_overload(
    toy_target: Callable[..., Any], converted: Callable[..., str]
) -> None:
    source = "import torch.nn.functional as F\n\ndef pool(x):\n    return F.max_pool2d(x, 2)\n"
    assert "return toy.pool(x, 2)\n" in converted(source, toy_target(TOY_POOL))


def test_the_helper_decides_by_the_rank_at_run_time(
    toy_target: Callable[..., Any], conversion: Callable[..., Any], execute: Callable[..., dict[str, Any]]
) -> None:
    source = "import torch.nn.functional as F\n\ndef pool(*given):\n    return F.max_pool2d(*given)\n"
    done = conversion(source, toy_target(TOY_POOL))
    scope = execute(done, pool=lambda x, size: x[..., ::size, ::size] * x.ndim, Array=np.ndarray)
    image = np.ones((3, 4, 4))
    assert (scope["pool"](image, 2) == 4).all()
    assert scope["pool"](image, 2).shape == (3, 2, 2)
    assert (scope["pool"](image[0], 2) == 2).all()


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [('Int[torch.Tensor, "n"]', "int"), ('Float32[torch.Tensor, "n"]', "float"), ('Shaped[torch.Tensor, "n"]', "any")],
)
def test_jaxtyping_says_the_kind_of_dtype(
    annotation: str, kind: str, toy_target: Callable[..., Any], converted: Callable[..., str]
) -> None:
    rules = """
    from rewriters.rule import FloatTensor, IntTensor

    @rule(torch.exp)
    def exp(input: IntTensor):
        return toy.of_int(input)

    @rule(torch.exp)
    def exp(input: FloatTensor):
        return toy.of_float(input)

    alias(torch.Tensor, "toy.Array")
    """
    word = annotation.partition("[")[0]
    source = f"import torch\nfrom jaxtyping import {word}\n\ndef f(x: {annotation}):\n    return torch.exp(x)\n"
    text = converted(source, toy_target(rules))
    assert {"int": "toy.of_int(x)", "float": "toy.of_float(x)", "any": "toy_helpers.exp(x)"}[kind] in text


MODULE = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, x):
        one = torch.zeros(3, 8, 8)
        return self.conv(x), self.conv(one), self.conv(torch.ones(2, 3, 8, 8)), self.conv(*x)
"""


def test_calling_a_module_has_a_rule_where_the_rank_is_known(converted: Callable[..., str]) -> None:
    text = converted(MODULE)
    assert (
        "return self.conv(x), self.conv(one.unsqueeze(0)).squeeze(0), self.conv(paddle.ones([2, 3, 8, 8])), "
        "self.conv(*x)" in text
    )


def test_a_package_is_refused_below_what_else_answers(
    toy_target: Callable[..., Any], sites: Callable[..., Any]
) -> None:
    target = toy_target(
        """
        @rule(torch.fft.fft)
        def fft(input):
            return toy.fft(input)

        refuse("torch.fft.*", "Toy has fft alone; use it")
        """
    )
    source = "import torch\n\n\ndef f(x):\n    return torch.fft.fft(x), torch.fft.ifft(x)\n"
    found = {site.api: (site.outcome, site.detail) for site in sites(source, target)}
    assert found["torch.fft.fft"][0] == "inlined"
    assert found["torch.fft.ifft"] == ("marked", "Toy has fft alone; use it")


def test_a_rule_may_ask_for_a_dtype(converted: Callable[..., str]) -> None:
    calls = "a = torch.randint(0, 5, (2,), dtype=torch.long)\nb = torch.randint(5, (2,), dtype=torch.float32)"
    source = f"import torch\n{calls}\n"
    text = converted(source)
    assert "a = paddle.randint(0, 5, (2,), dtype=paddle.int64)\n" in text
    assert "b = paddle.randint(0, 5, (2,)).astype(paddle.float32)\n" in text.replace(
        "dtype=paddle.float32", "paddle.float32"
    )
