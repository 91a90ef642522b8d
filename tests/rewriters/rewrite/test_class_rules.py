"""Rules on classes: what the target lacks is emitted whole, and named wherever torch's class was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

RULES = """
    alias(torch.nn.Module, "toy.Layer")

    def scaled(x, factor):
        return x * factor

    @rule(torch.nn.RMSNorm, layout={})
    class RMSNorm(toy.Layer):
        # torch's own, of what toy has
        def __init__(self, normalized_shape, eps=None):
            super().__init__()
            self.eps = eps

        def forward(self, x):
            return scaled(x, 2)
"""


def test_call_base_and_isinstance(toy_target: Callable[..., object], check_converted: Callable[..., None]) -> None:
    source = """
        import torch
        from torch import nn

        class Mine(nn.RMSNorm):
            pass

        norm = nn.RMSNorm(4, eps=1e-6)  # kept
        kinds = {"rms": nn.RMSNorm}
        print(isinstance(norm, (nn.RMSNorm, Mine)))
    """
    expected = """
        import toy
        import toy_helpers

        class Mine(toy_helpers.RMSNorm):
            pass

        norm = toy_helpers.RMSNorm(4, eps=1e-6)  # kept
        kinds = {"rms": toy_helpers.RMSNorm}
        print(isinstance(norm, (toy_helpers.RMSNorm, Mine)))
    """
    check_converted(source, expected, toy_target(RULES), helpers=("scaled",))


def test_it_runs(
    toy_target: Callable[..., object], conversion: Callable[..., object], execute: Callable[..., Any]
) -> None:
    class Layer:
        pass

    done = conversion("import torch\nresult = torch.nn.RMSNorm(4, eps=3)\n", toy_target(RULES))
    found = execute(done, Layer=Layer)
    assert (found["result"].eps, found["result"].forward(4)) == (3, 8)


SEVERAL = """
    @rule(torch.nn.Linear)
    def Linear(in_features, out_features, bias: bool = True):
        return toy.Linear(in_features, out_features)

    @rule(torch.nn.Linear)
    def Linear(in_features, out_features, bias):
        return toy.Affine(in_features, out_features, bias)
"""


def test_isinstance_of_several(toy_target: Callable[..., object], check_converted: Callable[..., None]) -> None:
    """Torch's class is several in the target: an instance of it is one of any."""
    check_converted(
        "from torch import nn\nprint(isinstance(m, nn.Linear), isinstance(m, (nn.Linear, int)))\n",
        "import toy\nprint(isinstance(m, (toy.Linear, toy.Affine)), isinstance(m, ((toy.Linear, toy.Affine), int)))\n",
        toy_target(SEVERAL),
    )


def test_names_of_classes_to_test_for(toy_target: Callable[..., object], check_converted: Callable[..., None]) -> None:
    """What is read elsewhere too may be called there."""
    check_converted(
        """
        from torch import nn
        KINDS = (nn.Linear, int)
        MADE = (nn.Linear,)
        class Net:
            LEAVES = nn.Linear
            def f(self, m):
                white: tuple = (nn.Linear,)
                if isinstance(m, white) or isinstance(m, MADE):
                    return isinstance(m, self.LEAVES), issubclass(m, (KINDS, str))
        layers = [make(1, 2) for make in MADE]
        """,
        """
        import toy
        import toy_helpers
        KINDS = ((toy.Linear, toy.Affine), int)
        MADE = (toy_helpers.Linear,)
        class Net:
            LEAVES = (toy.Linear, toy.Affine)
            def f(self, m):
                white: tuple = ((toy.Linear, toy.Affine),)
                if isinstance(m, white) or isinstance(m, MADE):
                    return isinstance(m, self.LEAVES), issubclass(m, (KINDS, str))
        layers = [make(1, 2) for make in MADE]
        """,
        toy_target(SEVERAL),
        ("Linear", "torch_class"),
    )
