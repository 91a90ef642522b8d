"""Keywords that a target does not know: left out where they ask for nothing, by place where it calls them otherwise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

SETUP = "import torch\n\nx = torch.ones(2, 3)\nlayer = torch.nn.ELU()\n"
# target -> what stands there -> what becomes of it.
GIVEN = {
    "paddle": {
        "torch.full((2, 3), 1.5, pin_memory=False, layout=torch.strided)": "paddle.full((2, 3), 1.5)",
        "torch.zeros_like(x, memory_format=torch.preserve_format)": "paddle.zeros_like(x)",
        "x.clone(memory_format=torch.contiguous_format)": "x.clone()",
        "torch.angle(input=x)": "paddle.angle(x)",
        "torch.linalg.det(A=x)": "paddle.linalg.det(x)",
        "torch.nn.ConvTranspose2d(4, 5, 3, dtype=None)": "paddle.nn.Conv2DTranspose(4, 5, 3)",
        "torch.nn.ConvTranspose2d(4, 5, 3, 1, 0, 0, 1, True, 1, 'zeros', None, None)": (
            "paddle.nn.Conv2DTranspose(4, 5, 3, 1, 0, 0, groups=1, dilation=1)"
        ),
        "layer(input=x)": "layer(x)",
        "torch.nn.MSELoss()(input=x, target=x)": "paddle.nn.MSELoss()(x, x)",
        "torch.nn.MSELoss()(x, target=x)": "paddle.nn.MSELoss()(x, x)",
        "torch.nn.MSELoss()(target=x, input=x)": "paddle.nn.MSELoss()(x, x)",
        "torch.hsplit(indices=[1], input=x)": "paddle.hsplit(x, [1])",
        "torch.nn.functional.avg_pool1d(x.view(1, 2, 3), 2, stride=())": (
            "paddle.nn.functional.avg_pool1d(x.reshape([1, 2, 3]), 2)"
        ),
    },
    "oneflow": {
        "torch.acos(input=x)": "torch.acos(x)",
        "torch.allclose(x, x, 0.1, 0.2)": "torch.allclose(x, x, rtol=0.1, atol=0.2)",
        "torch.unbind(dim=1, input=x)": "torch.unbind(x, dim=1)",
        "torch.unsqueeze(x, axis=0)": "torch.unsqueeze(x, dim=0)",
        "torch.full_like(x, 2, memory_format=torch.preserve_format)": "torch.full_like(x, 2)",
        "torch.rand((3,), pin_memory=False, layout=torch.strided)": "torch.rand((3,))",
        "torch.eye(3, layout=torch.strided, dtype=torch.float32)": "torch.eye(3, dtype=torch.float32)",
        "layer(input=x)": "layer(x)",
        "torch.unsafe_split(x, split_size=2)": "torch.split(x, 2)",
    },
}


@pytest.mark.parametrize("target", GIVEN)
def test_keywords(target: str, converted: Callable[..., str]) -> None:
    found = converted(SETUP + "".join(f"y = {call}\n" for call in GIVEN[target]), target).split("\n")
    lines = [line.removeprefix("y = ") for line in found if line.startswith("y = ")]
    assert dict(zip(GIVEN[target], lines, strict=True)) == GIVEN[target]
    assert not any("migrate:" in line for line in found)


def test_what_asks_for_something_is_marked(converted: Callable[..., str]) -> None:
    text = converted("import torch\n\nx = torch.ones(2, 3)\ny = torch.angle(x, layout=torch.sparse_coo)\n")
    assert "migrate:" in text


def test_arguments_with_effects_keep_their_order(converted: Callable[..., str]) -> None:
    text = converted("import torch\n\ny = torch.unbind(dim=f(), input=g)\n", "oneflow")
    assert "dim=f(), input=g" in text


def test_arguments_of_a_layer_with_effects_keep_their_order(converted: Callable[..., str]) -> None:
    text = converted("import torch\n\nloss = torch.nn.MSELoss()\ny = loss(target=f(), input=g())\n")
    assert "target=f(), input=g()" in text


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_a_call_with_out_as_a_statement_is_an_expression(target: str, converted: Callable[..., str]) -> None:
    """Its rule may give several statements, which cannot stand inside another call."""
    head = "import torch\n\n\ndef f(x: torch.Tensor, out: torch.Tensor):\n"
    compile(converted(head + "    torch.igamma(x, x, out=out)\n    return out\n", target), "f.py", "exec")
