"""Statements that have no counterpart because none is needed go, with their lines."""

from __future__ import annotations

from collections.abc import Callable

import pytest

RULES = """
    @rule("torch.backends.cudnn.benchmark=")
    def benchmark(value):
        pass

    @rule("torch.backends.cudnn.deterministic=")
    def deterministic(value):
        toy.set_flag("deterministic", value)

    @rule(torch.set_num_threads)
    def set_num_threads(n):
        pass

    @rule(torch.compile)
    def compile(model, *, backend=None):
        return model

    @rule(torch.zeros)
    def zeros(*size):
        return toy.zeros(size)
"""
CASES = {
    "import torch\ntorch.backends.cudnn.benchmark = True\nx = 1\n": "x = 1\n",
    "import torch\nif a:\n    torch.backends.cudnn.benchmark = True\n": "if a:\n    pass\n",
    "import torch\ntorch.backends.cudnn.benchmark = True  # fast\nx = 1\n": "# fast\nx = 1\n",
    "import torch\nx = 1; torch.set_num_threads(4)\n": "x = 1; pass\n",
    "import torch\ndef f():\n    torch.set_num_threads(4)\n    return 1\n": "def f():\n    return 1\n",
    "import torch\nif a:\n    f()\n    net = torch.compile(net)\n": "if a:\n    f()\n",
    "import torch\nother = torch.compile(net)\n": "other = net\n",
    "import torch\na.net = torch.compile(a.net)\n": "a.net = a.net\n",
    "from torch.backends import cudnn\ncudnn.benchmark = True\nx = 1\n": "x = 1\n",
    "import torch.backends.cudnn as cudnn\ncudnn.deterministic = seed > 0\n": (
        'import toy\ntoy.set_flag("deterministic", seed > 0)\n'
    ),
}


@pytest.mark.parametrize(("source", "expected"), CASES.items())
def test_removed(
    toy_target: Callable[..., object], check_converted: Callable[..., None], source: str, expected: str
) -> None:
    check_converted(source, expected, toy_target(RULES))


def test_what_acts_is_kept(toy_target: Callable[..., object], converted: Callable[..., str]) -> None:
    """A value with an effect is not dropped with the statement."""
    text = converted("import torch\ntorch.backends.cudnn.benchmark = ask()\n", toy_target(RULES))
    assert "ask()" in text


KERNELS = {
    "paddle": ["FLAGS_cudnn_exhaustive_search", "FLAGS_cudnn_deterministic"],
    "oneflow": ["enable_conv_heuristic_search_algo"],
}


@pytest.mark.parametrize("target", KERNELS)
def test_settings_of_torchs_kernels_are_the_targets(target: str, converted: Callable[..., str]) -> None:
    source = """
    import torch.backends.cudnn as cudnn
    import torch

    cudnn.benchmark = True
    torch.backends.cudnn.deterministic = True
    x = torch.zeros(2)
    """
    text = converted(source, target)
    assert "cudnn.benchmark" not in text
    assert "cudnn.deterministic" not in text
    assert all(name in text for name in KERNELS[target])
    assert "zeros" in text


@pytest.mark.parametrize("target", KERNELS)
def test_settings_that_are_computed_are_no_less_converted(target: str, converted: Callable[..., str]) -> None:
    text = converted(
        "import os\nimport torch\ntorch.backends.cudnn.benchmark = bool(int(os.getenv('FAST', 1)))\n", target
    )
    assert "# migrate:" not in text
    assert "bool(int(os.getenv('FAST', 1)))" in text
