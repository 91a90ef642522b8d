"""``migrate check`` as a user runs it: torch, Paddle and OneFlow in processes of their own."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
MODELS = HERE / "parity"
TARGETS = ["paddle", "oneflow"]

NUMPY_TARGET = """
from rewriters.target import Environment, Target

TARGET = Target(
    name="numpy",
    title="Numpy",
    package="numpy",
    environment=Environment(python="3.11", requirements=("numpy",), module="numpy"),
    modules={"torch": "numpy"},
)
"""


@pytest.fixture
def target_python(request):
    """name -> the interpreter of that target."""
    return lambda name: request.getfixturevalue(f"{name}_python").python


@pytest.fixture
def check(run_migrate, torch_python, target_python):
    """Check MODELS/torch against MODELS/TARGET; the finished process."""

    def check(target, *options):
        sides = ["--torch-python", torch_python.python, "--target-python", target_python(target)]
        return run_migrate("check", MODELS / "torch", MODELS / target, "--to", target, *sides, *options)

    return check


@pytest.fixture
def check_numpy(run_migrate, torch_python, tmp_path):
    """Check MODELS/torch against MODELS/numpy: a target that is numpy alone, in a folder of its own."""
    folder = tmp_path / "numpy_target"
    (folder / "rules").mkdir(parents=True)
    (folder / "__init__.py").write_text(NUMPY_TARGET)
    shutil.copy(HERE.parent / "checks" / "numpy_runtime.py", folder / "runtime.py")

    def check(*options):
        sides = ["--torch-python", torch_python.python, "--target-python", sys.executable]
        return run_migrate("check", MODELS / "torch", MODELS / "numpy", "--to", folder, *sides, *options)

    return check


def refused(done, *words):
    """The command ended with status 2 and a mend, and its message has the words."""
    assert done.returncode == 2, done.stdout + done.stderr
    assert re.search(r"^migrate: .*^  mend: \S", done.stderr, re.MULTILINE | re.DOTALL), done.stderr
    for word in words:
        assert word in done.stderr, done.stderr
    assert "Traceback (most recent call last)" not in done.stderr.partition("\n")[0]
    return True


CLEAN = ("--entry", "nets:Clean", "--input", "float32[2,3,16,16]", "--input", "tokens=float32[2,16,64]")


@pytest.mark.parametrize("target", TARGETS)
def test_clean_ports_have_parity(check, target, tmp_path):
    report = tmp_path / "report.json"
    done = check(target, *CLEAN, "--json", report)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "parity: 3 outputs agree with torch" in done.stdout.splitlines()[-1]
    found = json.loads(report.read_text())
    rows = {row["output"]: row for row in found["rows"]}
    assert rows["output['conv']"]["shape"] == [2, 10]
    assert rows["output['block']"]["dtype"] == "float32"
    assert all(0 < rows[name]["ratio"] < 4 for name in ("output['conv']", "output['block']"))
    assert rows["output['best']"]["max_abs"] == 0
    assert (found["verdict"], found["reference"], found["seed"]) == ("parity", "float64", 0)
    assert found["torch"]["framework"].startswith("2.")
    assert found["target"]["name"] == target
    assert list(tmp_path.iterdir()) == [report]


@pytest.mark.parametrize("target", TARGETS)
def test_planted_faults_are_caught_and_reordered_arithmetic_is_not(check, target, tmp_path):
    report = tmp_path / "report.json"
    done = check(target, "--entry", "nets:Planted", "--input", "float32[8,64]", "--json", report)
    assert done.returncode == 1, done.stdout + done.stderr
    rows = {row["output"]: row for row in json.loads(report.read_text())["rows"]}
    verdicts = {name.removeprefix("output")[2:-2]: row["verdict"] for name, row in rows.items()}
    assert verdicts == {
        "right": "same",
        "reassociated": "same",
        "epsilon": "differs",
        "gelu": "differs",
        "untransposed": "differs",
        "variance": "differs",
        "nan": "differs",
        "dtype": "differs",
        "shape": "differs",
        "argmax": "differs",
        "parts": "differs",
    }
    ratios = {name: rows[f"output['{name}']"]["ratio"] for name in ("epsilon", "gelu", "untransposed", "variance")}
    assert all(ratio > 20 for ratio in ratios.values()), ratios
    notes = {name: rows[f"output['{name}']"]["note"] for name in ("nan", "dtype", "shape", "argmax", "parts")}
    assert re.fullmatch(r"NaN at \d+ of 512 elements where torch has none.*", notes["nan"])
    assert notes["dtype"] == "dtype: torch bool, the target float32"
    assert notes["shape"] == "shape: torch [8, 1], the target [8]"
    assert notes["argmax"].endswith("of 8 elements differ")
    assert notes["parts"] == "structure: torch returns sequence of 2, the target tensor float32[8, 64]"
    assert done.stdout.splitlines()[-1].startswith("differs: 9 of 11 outputs, first output['epsilon']: ")


def checkpoint(torch_python, path, edit=""):
    """A checkpoint of a trained ConvNet, as a training script with DataParallel leaves it."""
    code = f"""
import sys, torch
sys.path.insert(0, {str(MODELS / "torch")!r})
sys.dont_write_bytecode = True
from nets import ConvNet
torch.manual_seed(7)
model = ConvNet(width=4)
model.train()
for _ in range(3):
    model(torch.randn(4, 3, 8, 8))
state = {{"module." + name: value for name, value in model.state_dict().items()}}
{edit}
torch.save({{"model": state, "epoch": 3}}, {str(path)!r})
"""
    subprocess.run([torch_python.python, "-c", code], check=True, timeout=120)
    return path


CONV = ("--entry", "nets:ConvNet(width=4)", "--input", "float32[2,3,8,8]")


def test_trained_weights(check, torch_python, tmp_path):
    file = checkpoint(torch_python, tmp_path / "trained.pt")
    report = tmp_path / "report.json"
    done = check("oneflow", *CONV, "--weights", file, "--json", report)
    assert done.returncode == 0, done.stdout + done.stderr
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    assert json.loads(report.read_text())["weights"] == {"file": str(file), "sha256": sha256}
    assert sha256[:12] in done.stdout


def test_weights_that_do_not_fit(check, torch_python, tmp_path):
    edit = """
del state['module.conv1.weight']
state['module.extra'] = torch.ones(1)
state['module.head.bias'] = torch.ones(3)
"""
    done = check("oneflow", *CONV, "--weights", checkpoint(torch_python, tmp_path / "trained.pt", edit))
    parts = "missing conv1.weight; unexpected extra; of another shape head.bias: [10] here, [3] given"
    assert refused(done, f"the weights do not fit the torch model: {parts}")


def test_weights_that_are_none(check, tmp_path):
    (tmp_path / "notes.pt").write_text("not a checkpoint")
    assert refused(check("oneflow", *CONV, "--weights", tmp_path / "notes.pt"), "notes.pt")
    assert refused(check("oneflow", *CONV, "--weights", tmp_path / "none.pt"), "none.pt does not exist")


X = ("--input", "float32[4,64]")


def test_plain_functions(check_numpy):
    done = check_numpy("--entry", "small:scale", *X, "--input", "by=float32[64]")
    assert done.returncode == 0, done.stdout + done.stderr


def test_code_that_asks_for_float32_still_has_a_double_precision_reference(check_numpy, tmp_path):
    report = tmp_path / "report.json"
    done = check_numpy("--entry", "small:wide", "--input", "float32[8,64]", "--json", report)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(report.read_text())["reference"] == "float64"


def test_model_that_refuses_double_precision_needs_a_tolerance(check_numpy):
    entry = ("--entry", "small:single", *X)
    assert refused(check_numpy(*entry), "double precision", "float32 only", "--rtol")
    done = check_numpy(*entry, "--rtol", "1e-6")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "reference: float32, AssertionError: float32 only" in done.stdout


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("crashes", ["Numpy crashed (SIGABRT) (forward: float32)", "the last words"]),
        ("leaves", ["Numpy ended with exit status 7"]),
        ("raises", ["ValueError: no such axis", f"{MODELS}/numpy/small.py:", "mend: mend "]),
        ("torch_raises", ["torch fails in forward: float32", "only in torch"]),
        ("Distribution", ["returns a torch.distributions.normal.Normal, which holds no tensor"]),
        ("Nothing", ["returns what holds no tensor in torch"]),
    ],
)
def test_sides_that_fail(check_numpy, tmp_path, entry, words):
    report = tmp_path / "report.json"
    report.write_text("{}")
    assert refused(check_numpy("--entry", f"small:{entry}", *X, "--json", report), *words)
    assert report.read_text() == "{}"


def test_hang_is_ended_and_located(check_numpy):
    done = check_numpy("--entry", "small:hangs", *X, "--timeout", "10")
    assert refused(
        done, "Numpy did not end within 10 s (forward: float32)", "in hangs", "mend: give a longer --timeout"
    )


def test_something_odd_from_the_target_is_a_difference(check_numpy):
    done = check_numpy("--entry", "small:another_type", *X)
    assert done.returncode == 1
    assert "torch returns tensor float32[4, 64], the target sequence of 2" in done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--entry", "nets:Clean", "--input", "flot32[2]"], ["'flot32[2]': unknown dtype", "mend: --input is "]),
        (["--entry", "nets:Clean", "--input", "int64[2]"], ["integers need an upper bound"]),
        (["--entry", "nets.py"], ["names no callable", "mend: --entry is MODULE:CALLABLE"]),
        (["--entry", "nets:Clean", "--json", "/dev/null"], ["/dev/null is not a regular file"]),
        (["--entry", "nets:Clean", "--json", "/no/such/folder/x.json"], ["/no/such/folder is not a folder"]),
        (["--entry", "nets:Clean", "--to", "padle"], ["unknown target 'padle'; known: oneflow, paddle"]),
        (["--entry", "nets:Clean", "--target-python", "/no/python"], ["/no/python: not an executable file"]),
        (["--entry", "nuts:Clean"], ["nuts:Clean does not import with torch", "No module named 'nuts'"]),
        (["--entry", "nets:Cleen"], ["has no attribute 'Cleen'"]),
        (["--entry", "nets:Block", *X], ["needs arguments: width, heads", "nets:Block(width=..., heads=...)"]),
        (["--entry", "nets:ConvNet"], ["ConvNet.forward(x) does not take these 0 inputs", "mend: give one --input"]),
        (["--entry", "small:scale"], ["scale(x, by=2.0) does not take these 0 inputs"]),
    ],
)
def test_bad_usage(check_numpy, options, words):
    assert refused(check_numpy(*options), *words)


def test_folders_and_records(run_migrate, tmp_path):
    done = run_migrate("check", tmp_path / "none", tmp_path, "--entry", "m:f")
    assert refused(done, "none is not a folder")
    (tmp_path / ".migrate").mkdir()
    (tmp_path / ".migrate" / "conversion.json").write_text(json.dumps({"target": "torchish"}))
    done = run_migrate("check", tmp_path, tmp_path, "--entry", "m:f")
    assert refused(done, "unknown target 'torchish'")
    (tmp_path / ".migrate" / "conversion.json").write_text("[]")
    assert refused(run_migrate("check", tmp_path, tmp_path, "--entry", "m:f"), "conversion.json names no target")
