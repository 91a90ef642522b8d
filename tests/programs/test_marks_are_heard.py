"""What was not converted stops the program: no ``except`` of its own takes another way in silence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

CAUGHT = """
    import torch

    def step(x: torch.Tensor):
        try:
            return {call}
        except {caught}:
            return x * 0

    show(1)
    show(step(torch.ones(2, 2)))
"""
CALLS = {
    "paddle": ["torch.lobpcg(torch.eye(9))", "x.storage()"],
    "oneflow": ["torch.linalg.eigvals(x)"],
}


@pytest.mark.parametrize(
    "caught", ["Exception", "RuntimeError", "NotImplementedError", "(TypeError, NotImplementedError)"]
)
@pytest.mark.parametrize(("target", "call"), [(target, call) for target, calls in CALLS.items() for call in calls])
def test_an_except_of_the_program(outcome, target, call, caught):
    found = outcome(CAUGHT.format(call=call, caught=caught), target)
    assert found.verdict == "marked", str(found)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_a_helper_that_decides_at_run_time(outcome, target):
    source = """
        import torch

        def pick(x: torch.Tensor, maximize):
            try:
                return torch.optim.{name}([x], lr=0.1, {option}=maximize)
            except Exception:
                return "other way"

        x = torch.ones(2, requires_grad=True)
        show(pick(x, False) == "other way")
        show(pick(x, True) == "other way")
    """
    option = {"paddle": ("SGD", "maximize"), "oneflow": ("Adam", "maximize")}[target]
    found = outcome(source.format(name=option[0], option=option[1]), target)
    assert found.verdict == "marked", str(found)


@pytest.mark.parametrize("call", ["torch.finfo(torch.float8_e4m3fn)", "torch.finfo(type=torch.float8_e4m3fn).max"])
def test_a_constant_of_a_dtype_that_is_absent_ends_no_import(
    agrees: Callable[..., object], outcome: Callable[..., Outcome], call: str
) -> None:
    files = {
        "pack/__init__.py": "",
        "pack/limits.py": f"import torch\n\nSMALL = {call}\nLARGE = torch.finfo(torch.float32).max\n",
    }
    agrees({**files, "program.py": "from pack.limits import LARGE\n\nshow(LARGE)\n"}, "oneflow")
    used = outcome({**files, "program.py": "from pack.limits import SMALL\n\nshow(SMALL == 1)\n"}, "oneflow")
    assert used.verdict == "marked", str(used)
