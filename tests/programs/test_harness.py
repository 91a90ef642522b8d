"""The harness itself: what agrees, what differs, what raises, what is marked, what crashes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from checks.programs.judge import difference
from checks.programs.side import Side
from migrate.environments import Interpreter
from migrate.programs import TORCH_RUNTIME

TARGETS = ("paddle", "oneflow")


@pytest.mark.parametrize("target", TARGETS)
def test_agrees(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn

        x = torch.arange(6.0).view(2, 3)
        layer = nn.Linear(3, 2)
        nn.init.constant_(layer.weight, 0.5)
        nn.init.zeros_(layer.bias)
        show(x.sum(dim=1), layer(x), {"a": [x.shape[0], 1.5, None, True, "text"]}, x.dtype)
        """,
        target,
    )


@pytest.mark.parametrize("target", TARGETS)
def test_tells_what_differs(outcome: Callable[..., object], target: str) -> None:
    module = {"paddle": "paddle", "oneflow": "oneflow"}[target]
    found = outcome(f"import sys\nimport torch\nshow(1)\nshow('{module}' in sys.modules)", target)
    assert (found.verdict, found.detail) == ("differs", "show[1][0]: False against True")  # type: ignore[attr-defined]


@pytest.mark.parametrize("target", TARGETS)
def test_errors_and_crashes(outcome: Callable[..., object], target: str) -> None:
    package = {"paddle": "paddle", "oneflow": "oneflow"}[target]
    raises = f"import sys\nimport torch\nif '{package}' in sys.modules:\n    raise ValueError('no')\nshow(1)"
    found = outcome(raises, target)
    assert found.verdict == "raises"  # type: ignore[attr-defined]
    assert "ValueError: no (program.py:4" in found.detail  # type: ignore[attr-defined]
    crashes = raises.replace("raise ValueError('no')", "import os; os.abort()")
    assert outcome(crashes, target).verdict == "raises"  # type: ignore[attr-defined]
    hangs = raises.replace("raise ValueError('no')", "import time; time.sleep(60)")
    assert "no result within 1 s" in outcome(hangs, target, seconds=1).detail  # type: ignore[attr-defined]
    # Both fail: that is the same.
    assert outcome("import torch\nshow(1)\nraise KeyError(1)", target).verdict == "agrees"  # type: ignore[attr-defined]


def test_a_worker_that_dies_between_two_programs(torch_python: Interpreter, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import os\nshow(os.getpid())\n")
    side = Side(torch_python.python, torch_python.env, TORCH_RUNTIME, tmp_path / "log")
    try:
        first = side.run(tmp_path, "program.py")
        assert side.process is not None
        os.kill(first.shown[0][0], signal.SIGKILL)
        side.process.process.wait()
        second = side.run(tmp_path, "program.py")
    finally:
        side.close()
    assert first.crash == second.crash == ""
    assert first.shown != second.shown


@pytest.mark.parametrize("target", TARGETS)
def test_several_files(agrees: Callable[..., object], target: str) -> None:
    files = {
        "program.py": "import torch\nfrom part import f\nshow(f(torch.ones(2)))",
        "part.py": "def f(x):\n    return x.add(1)",
    }
    agrees(files, target)


def test_difference() -> None:
    assert difference([1.0, 2.0], [1.0, 2.0 + 1e-6]) == ""
    assert difference([1, 2], [1, 2.0]) == "[1]: 2 against 2.0"
    assert difference({"tensor": "int64"}, {"tensor": "float32"}) == ": tensor int64 against float32"
    assert difference([float("nan")], [float("nan")]) == ""
    assert difference([1.0], [float("inf")]) == "[0]: 1.0 against inf"
    assert difference([True], [1]) == "[0]: True against 1"
    half = {"tensor": "float16", "shape": [1], "values": [1.4287109375]}
    assert difference(half, half | {"values": [1.427734375]}) == ""
    assert difference(half, half | {"values": [1.42]}) == "[0]: 1.4287109375 against 1.42"
    assert difference({**half, "tensor": "float32"}, {**half, "tensor": "float32", "values": [1.427734375]})
