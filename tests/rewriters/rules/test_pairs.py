"""Functions that give a pair of values and indices: where the source only takes its parts, no pair is made."""

from __future__ import annotations

from collections.abc import Callable

import pytest

RULES = """
    alias(torch.Tensor, "toy.Array")

    @rule(torch.Tensor.max)
    def max(self, dim: int, keepdim=False):
        return Values(toy.max(self, dim), toy.argmax(self, dim))

    @rule(torch.Tensor.kthvalue)
    def kthvalue(self, k, dim=-1, keepdim=False):
        return Values(*toy.kth(self, k, dim))

    @rule(torch.histc)
    def histc(input, bins=100, min=0, max=0):
        if bins is None:
            bins = 1
        return toy.hist(input, bins, min, max)
"""
INLINED = {
    "v, i = x.max(1)": "v, i = toy.max(x, 1), toy.argmax(x, 1)",
    "v = x.max(1)[0]": "v = toy.max(x, 1)",
    "v = x.max(1).values": "v = toy.max(x, 1)",
    "i = x.max(1).indices  # where": "i = toy.argmax(x, 1)  # where",
    "i = x.max(1)[1] + 1": "i = toy.argmax(x, 1) + 1",
    "v, _ = x.kthvalue(3)": "v, _ = toy.kth(x, 3, -1)",
    "v = x.kthvalue(3).values.max(0)[0]": "v = toy.max(toy.kth(x, 3, -1)[0], 0)",
    "v = x.kthvalue(3)[1]": "v = toy.kth(x, 3, -1)[1]",
}
CALLED = {
    "pair = x.max(1)": "pair = toy_helpers.torch_max(x, 1)",
    "v, *_ = x.max(1)": "v, *_ = toy_helpers.torch_max(x, 1)",
    "v, i = g().max(1)": "v, i = toy_helpers.torch_max(g(), 1)",
    "v = x.max(1)[-1]": "v = toy_helpers.torch_max(x, 1)[-1]",
}


def snippet(line: str, tensor: str, imports: str) -> str:
    return f"{imports}\ndef g() -> {tensor}: ...\ndef f(x: {tensor}):\n    {line}\n"


@pytest.mark.parametrize(("line", "expected"), INLINED.items())
def test_inlined(
    toy_target: Callable[..., object], check_converted: Callable[..., None], line: str, expected: str
) -> None:
    before = snippet(line, "torch.Tensor", "import torch")
    check_converted(before, snippet(expected, "toy.Array", "import toy"), toy_target(RULES))


@pytest.mark.parametrize(("line", "expected"), CALLED.items())
def test_called(
    toy_target: Callable[..., object], check_converted: Callable[..., None], line: str, expected: str
) -> None:
    after = snippet(expected, "toy.Array", "import toy\nimport toy_helpers")
    check_converted(snippet(line, "torch.Tensor", "import torch"), after, toy_target(RULES), helpers=("torch_max",))


def test_a_parameter_is_no_rule(toy_target: Callable[..., object], conversion: Callable[..., object]) -> None:
    """``max`` is a parameter of histc: the rule of that name is not meant."""
    done = conversion("import torch\ndef f(x, b):\n    return torch.histc(x, b, 0, 1)\n", toy_target(RULES))
    text = next(iter(done.helpers.values()))  # type: ignore[attr-defined]
    assert "return toy.hist(input, bins, min, max)" in text
