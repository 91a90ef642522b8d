"""Runs that only calibrate the noise floor end no comparison: one that fails is left out and named."""

import json
from pathlib import Path

import pytest

HEAD = "import {0}\nfrom {0} import nn\n\n\n"
LENET = """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Conv2d(1, 6, 5)
        self.last = nn.Linear(24, 10)

    def forward(self, x):
        x = self.features(x)[:, :, ::2, ::2]
        return self.last(nn.functional.max_pool2d(x, 2).view(x.size(0), -1))
"""
# Refuses to be calibrated but in double precision without noise.
ONLY_SO = """calls = []


def scale(x):
    calls.append(x)
    if len(calls) > 2:
        raise ValueError("called often enough")
    return x * 2.5
"""
PLAIN = "def scale(x):\n    return x * 2.5\n"


@pytest.fixture
def check(run_migrate, torch_python, paddle_python, tmp_path):
    """Check a program that is converted, or one that is written so."""

    def check(text: str, entry: str, spec: str, *options: str, written: str = "", to: str = "paddle"):
        for name in ("net", "there"):
            (tmp_path / name).mkdir()
        (tmp_path / "net" / "model.py").write_text(HEAD.format("torch") + text)
        if written:
            (tmp_path / "there" / "model.py").write_text(HEAD.format(to) + written)
        else:
            assert run_migrate("convert", tmp_path / "net", "--to", to, "-o", tmp_path / "there").returncode == 0
        sides = ["--torch-python", torch_python.python, "--target-python", paddle_python.python]
        words = ["--to", to, "--entry", entry, "--input", spec, "--json", tmp_path / "report.json", *options]
        done = run_migrate("check", tmp_path / "net", tmp_path / "there", *sides, *words)
        assert done.returncode == 0, done.stdout + done.stderr
        (entry,) = json.loads(Path(tmp_path / "report.json").read_text())["entries"]
        return done.stdout, entry

    return check


def test_views_that_another_layout_has_not(check) -> None:
    shown, entry = check(LENET, "model:Net()", "float32[2,1,12,12]")
    assert entry["reference"].startswith("float64; the floor is without channels_last: RuntimeError: view size")
    assert "few runs" not in entry["reference"]
    assert [level["name"] for level in entry["levels"]] == ["outputs", "activations", "gradients"]
    assert "the floor is without channels_last" in shown


def test_what_refuses_most_runs(check) -> None:
    _, entry = check(ONLY_SO, "model:scale", "float32[3,4]", "--level", "outputs", written=PLAIN)
    said = entry["reference"]
    assert "the floor is without half-ulp noise: ValueError: called often enough" in said
    assert "few runs are left to measure it by: it may be low" in said
