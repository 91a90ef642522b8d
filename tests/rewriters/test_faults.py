"""A fault of the engine, or of a target's passes, at one file: that file stays as it was, the others are converted."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from rewriters.convert import Conversion, convert_sources
from rewriters.infer.statements import Interpreter
from rewriters.target import load_target

FILES = {
    "first.py": b"import torch\nfrom second import half\n\nx = half(torch.ones(2)).view(1, 2)\n",
    "second.py": b"import torch\n\ndef half(x: torch.Tensor):\n    return torch.div(x, 2)\n",
    "third.py": b"import torch\nfrom second import half\n\nprint(half(torch.zeros(1)).numel())\n",
}
TARGET = """
from rewriters.target import Environment, Target

TARGET = Target(
    name="fragile",
    title="Fragile",
    package="fragile",
    environment=Environment(python="3.11", requirements=(), module="fragile"),
    modules={"torch": "fragile"},
)
"""
RULES = """
import fragile
import torch

from rewriters.rule import rule


@rule(torch.ones)
def ones(size):
    return fragile.ones([size])
"""
PASSES = """
def keys(project, module):
    if module.name == "second":
        return {}["what is not there"]
    return {}
"""


def converted(target: str) -> Conversion:
    return convert_sources({PurePosixPath(path): data for path, data in FILES.items()}, load_target(target))


def check(done: Conversion, fault: str) -> None:
    outcomes = {report.path: report.status for report in done.reports}
    assert outcomes == {"first.py": "converted", "second.py": "failed", "third.py": "converted"}
    (failed,) = [report for report in done.reports if report.status == "failed"]
    assert failed.error.startswith(f"second.py: {fault} in the converter:")
    assert done.files[PurePosixPath("second.py")] == FILES["second.py"]


def test_a_fault_of_a_targets_passes(tmp_path: Path) -> None:
    folder = tmp_path / "fragile"
    for path, text in {"__init__.py": TARGET, "rules/making.py": RULES, "passes.py": PASSES}.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    done = converted(str(folder))
    check(done, "KeyError")
    assert b"fragile.ones([2])" in done.files[PurePosixPath("first.py")]


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_a_fault_of_inference(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Interpreter.run

    def fail(self: Interpreter) -> None:
        if self.module.name == "second":
            raise AssertionError("no such scope")
        run(self)

    monkeypatch.setattr(Interpreter, "run", fail)
    check(converted(target), "AssertionError")
