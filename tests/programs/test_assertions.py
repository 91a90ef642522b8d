"""Programs that hold tensors against each other as torch's own tests do."""

from __future__ import annotations

import pytest

PROGRAM = """
    import torch

    def told(actual, expected, **how):
        try:
            torch.testing.assert_close(actual, expected, **how)
            return "same"
        except AssertionError:
            return "differ"
        except ValueError:
            return "no such question"

    x = torch.tensor([1.0, 2.0, float("nan")])
    near = x + 1e-6
    show(told(x, near, equal_nan=True), told(x, near), told(x[:2], near[:2]), told(x[:2], x[:1]))
    show(told(x[:2], x[:2] + 1e-3), told(x[:2], x[:2] + 1e-3, rtol=1e-2, atol=0.0))
    show(told(torch.tensor([1, 2]), torch.tensor([1, 3])), told(torch.tensor([1, 2]), torch.tensor([1, 2])))
    show(told(x[:2], x[:2].double()), told(x[:2], x[:2].double(), check_dtype=False))
    show(told(x[:2].double(), x[:2].double() + 1e-6), told(torch.tensor(True), torch.tensor(False)))
"""
ALLCLOSE = """
    import torch
    x = torch.tensor([1.0, float("nan")])
    torch.testing.assert_allclose(x, x.double())
    torch.testing.assert_allclose(x, x + 1e-3, 1e-2, 0.0)
    try:
        torch.testing.assert_allclose(x, x + 1e-3)
    except AssertionError:
        show("differ")
"""

OF_ONE = """
    import torch

    def told(*given, **named):
        try:
            return torch._assert_async(*given, **named)
        except RuntimeError as error:
            return str(error)

    x = torch.tensor([1.0, 2.0])
    show(told(x.sum()), told((x > 0).all(), "positive"), told(x[:1] * 0), told((x > 1).all(), assert_msg="above"))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_of_one_element(agrees, target):
    agrees(OF_ONE, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", [PROGRAM, ALLCLOSE], ids=["close", "allclose"])
def test_assertions(agrees, program, target):
    agrees(program, target)


def test_containers(agrees):
    program = """
        import torch
        x = {"a": [torch.ones(2), torch.zeros(1)], "b": (1.0, 2)}
        torch.testing.assert_close(x, {"a": [torch.ones(2), torch.zeros(1)], "b": (1.0, 2)})
        try:
            torch.testing.assert_close(x, {"a": [torch.ones(2), torch.ones(1)], "b": (1.0, 2)})
        except AssertionError:
            show("differ")
    """
    agrees(program, "oneflow")
