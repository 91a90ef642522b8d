"""``migrate check`` as a user runs it: torch, Paddle and OneFlow in processes of their own."""

from __future__ import annotations

import hashlib
import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

pytestmark = pytest.mark.framework

HERE = Path(__file__).parent
MODELS = HERE / "parity"

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
def target_python(python_of):
    """name -> the interpreter of that target."""
    return lambda name: python_of(name).python


@pytest.fixture
def check(run_migrate, torch_python, target_python):
    """Check MODELS/torch against MODELS/TARGET; the finished process."""

    def check(target, *options):
        sides = ["--torch-python", torch_python.python, "--target-python", target_python(target)]
        return run_migrate("check", MODELS / "torch", MODELS / target, "--to", target, *sides, *options)

    return check


@pytest.fixture
def numpy_target(tmp_path):
    """A target that is numpy alone, in a folder of its own."""
    folder = tmp_path / "numpy_target"
    (folder / "rules").mkdir(parents=True)
    (folder / "worker").mkdir()
    (folder / "__init__.py").write_text(NUMPY_TARGET)
    shutil.copy(HERE.parent / "checks" / "numpy_runtime.py", folder / "worker" / "runtime.py")
    return folder


@pytest.fixture
def check_numpy(run_migrate, torch_python, numpy_target):
    """Check MODELS/torch against MODELS/numpy."""

    def check(*options):
        sides = ["--torch-python", torch_python.python, "--target-python", sys.executable]
        return run_migrate(
            "check", MODELS / "torch", MODELS / "numpy", "--to", numpy_target, *sides, *OUTPUTS, *options
        )

    return check


def refused(done, *words):
    """The command ended with status 2 and a mend, and its message has the words."""
    assert done.returncode == 2, done.stdout + done.stderr
    assert re.search(r"^migrate: .*^  mend: \S", done.stderr, re.MULTILINE | re.DOTALL), done.stderr
    for word in words:
        assert word in done.stderr, done.stderr
    assert "Traceback (most recent call last)" not in done.stderr.partition("\n")[0]
    return True


def outputs(report):
    """Name -> row of the outputs in a report's JSON."""
    (entry,) = json.loads(report.read_text())["entries"]
    return {row["name"]: row for row in entry["levels"][0]["rows"]}


OUTPUTS = ("--level", "outputs")
CLEAN = ("--entry", "nets:Clean", "--input", "float32[2,3,16,16]", "--input", "tokens=float32[2,16,64]")


def test_clean_ports_have_parity(check, tmp_path):
    target, report = "oneflow", tmp_path / "report.json"
    done = check(target, *CLEAN, "--json", report)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.match(r"parity: \d+ comparisons agree with torch; the worst, ", done.stdout.splitlines()[-1])
    found = json.loads(report.read_text())
    rows = outputs(report)
    assert rows["output['conv']"]["shape"] == [2, 10]
    assert rows["output['block']"]["dtype"] == "float32"
    assert all(0 < rows[name]["ratio"] < 4 for name in ("output['conv']", "output['block']"))
    assert rows["output['best']"]["max_abs"] == 0
    (entry,) = found["entries"]
    assert (found["verdict"], entry["reference"], entry["seed"]) == ("parity", "float64", 0)
    assert [level["name"] for level in entry["levels"]] == ["outputs", "activations", "gradients"]
    assert {level["verdict"] for level in entry["levels"]} == {"same"}
    assert found["torch"]["framework"].startswith("2.")
    assert found["target"]["name"] == target
    assert list(tmp_path.iterdir()) == [report]


def test_planted_faults_are_caught_and_reordered_arithmetic_is_not(check, tmp_path):
    report = tmp_path / "report.json"
    done = check("paddle", "--entry", "nets:Planted", "--input", "float32[8,64]", *OUTPUTS, "--json", report)
    assert done.returncode == 1, done.stdout + done.stderr
    rows = outputs(report)
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
    notes = {
        name: rows[f"output['{name}']"]["differences"][0]["text"]
        for name in ("nan", "dtype", "shape", "argmax", "parts")
    }
    assert re.fullmatch(r"NaN at \d+ of 512 elements where torch has none.*", notes["nan"])
    assert notes["dtype"] == "dtype: torch bool, the target float32"
    assert notes["shape"] == "shape: torch [8, 1], the target [8]"
    assert notes["argmax"].endswith("of 8 elements differ")
    assert notes["parts"] == "structure: torch returns sequence of 2, the target tensor float32[8, 64]"
    assert done.stdout.splitlines()[-1].startswith("differs: 9 of 11 comparisons, first outputs: output['epsilon']: ")


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
    done = check("oneflow", *CONV, *OUTPUTS, "--weights", file, "--json", report)
    assert done.returncode == 0, done.stdout + done.stderr
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    (entry,) = json.loads(report.read_text())["entries"]
    assert entry["weights"] == {"file": str(file), "sha256": sha256}
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
    assert json.loads(report.read_text())["entries"][0]["reference"] == "float64"


def test_products_of_groups_have_a_double_precision_reference(check_numpy, tmp_path):
    report = tmp_path / "report.json"
    done = check_numpy("--entry", "small:grouped", "--input", "float32[6,4]", "--json", report)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(report.read_text())["entries"][0]["reference"] == "float64"


def test_model_that_refuses_double_precision_needs_a_tolerance(check_numpy):
    entry = ("--entry", "small:single", *X)
    assert refused(check_numpy(*entry), "double precision", "float32 only", "--rtol")
    done = check_numpy(*entry, "--rtol", "1e-6")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "reference: float32, AssertionError: float32 only" in done.stdout


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("torch_raises", ["torch fails in forward", "small.py:14: RuntimeError: only in torch"]),
        ("Distribution", ["returns a torch.distributions.normal.Normal, which holds no tensor"]),
        ("Nothing", ["returns what holds no tensor in torch"]),
    ],
)
def test_torch_sides_that_fail(check_numpy, tmp_path, entry, words):
    report = tmp_path / "report.json"
    report.write_text("{}")
    assert refused(check_numpy("--entry", f"small:{entry}", *X, "--json", report), *words)
    assert report.read_text() == "{}"


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("crashes", ["Numpy crashed (SIGABRT) (forward)", "in crashes"]),
        ("leaves", ["Numpy ended with exit status 7"]),
        ("raises", [f"Numpy (forward) at {MODELS}/numpy/small.py:29: ValueError: no such axis", "  mend: mend "]),
    ],
)
def test_converted_code_that_fails_is_a_difference(check_numpy, tmp_path, entry, words):
    page, cases = tmp_path / "report.html", tmp_path / "report.xml"
    done = check_numpy("--entry", f"small:{entry}", *X, "--html", page, "--junit", cases)
    assert done.returncode == 1, done.stdout + done.stderr
    for word in words:
        assert word in done.stdout, done.stdout
    assert html.escape(words[0]).replace("&#x27;", "&#39;") in page.read_text()
    (found,) = ElementTree.parse(cases).iter("failure")
    assert words[0] in found.get("message")


def test_hang_is_ended_and_located(check_numpy):
    done = check_numpy("--entry", "small:hangs", *X, "--timeout", "10")
    assert refused(done, "Numpy did not end within 10 s (forward)", "mend: give a longer --timeout")
    assert "in hangs" in done.stdout


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
        (["--entry", "nets:Clean", "--to", "padle"], ["unknown target 'padle'; known: "]),
        (["--entry", "nets:Clean", "--target-python", "/no/python"], ["/no/python: not an executable file"]),
        (["--entry", "nuts:Clean"], ["nuts:Clean does not import with torch", "No module named 'nuts'"]),
        (["--entry", "nets:Block", *X], ["needs arguments: width, heads", "nets:Block(width=..., heads=...)"]),
        (["--entry", "nets:ConvNet"], ["ConvNet.forward(x) does not take these 0 inputs", "mend: give one --input"]),
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


CHECKS = """
source = {torch!r}
converted = {numpy!r}

[[check]]
name = "scaling"
entry = "small:scale"
inputs = ["float32[4,64]", "by=2.5"]
levels = ["outputs"]

[[check]]
entry = "small:wide"
inputs = ["batch.npz"]
levels = ["outputs"]
"""


@pytest.fixture
def check_file(run_migrate, torch_python, numpy_target, tmp_path, monkeypatch):
    """Write a parity.toml into the current folder and check what it says."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small").mkdir()
    np.savez(tmp_path / "batch.npz", np.ones((8, 64), np.float32))

    def check(text, *options):
        filled = text.replace("{torch!r}", repr(str(MODELS / "torch"))).replace(
            "{numpy!r}", repr(str(MODELS / "numpy"))
        )
        (tmp_path / "parity.toml").write_text(filled)
        sides = ["--to", numpy_target, "--torch-python", torch_python.python, "--target-python", sys.executable]
        return run_migrate("check", *sides, *options)

    return check


def test_entries_of_a_file_run_one_after_another(check_file, tmp_path):
    report = tmp_path / "report.json"
    done = check_file(CHECKS, "--json", report)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "parity: 2 comparisons agree with torch" in done.stdout
    scaling, wide = json.loads(report.read_text())["entries"]
    assert (scaling["name"], scaling["inputs"]) == ("scaling", ["float32[4,64]", "by=2.5"])
    assert (wide["name"], wide["inputs"]) == ("small:wide", ["batch.npz"])
    told = [line.split() for line in done.stderr.splitlines() if " of 2 " in line]
    assert [(line[0], line[3], line[-1]) for line in told] == [
        ("1", "parity", "scaling"),
        ("2", "parity", "small:wide"),
    ]
    assert check_file(CHECKS, "parity.toml").returncode == 0
    for side in ("torch", "target"):  # in the same processes
        assert "framework" in scaling["seconds"][side]
        assert "framework" not in wide["seconds"][side]


def test_an_entry_that_cannot_run_is_one_row_of_several(check_file, tmp_path):
    report = tmp_path / "report.json"
    done = check_file(CHECKS.replace("small:wide", "small:absent"), "--json", report)
    assert refused(done, "parity.toml:11: small:absent is not there")
    good, bad = json.loads(report.read_text())["entries"]
    assert (good["verdict"], bad["verdict"]) == ("same", "failed")
    assert re.search(r"^1 of 2  parity .*\n2 of 2  failed .*small:absent$", done.stderr, re.MULTILINE)
    assert bad["failure"]["mend"].startswith("name a class or function of small")


@pytest.mark.parametrize(
    ("old", "new", "options", "words"),
    [
        ("small:scale", "small:", [], ["parity.toml:5: ", "names no callable"]),
        ('"by=2.5"', '"by=f32[2]"', [], ["parity.toml:5: ", "unknown dtype 'f32'"]),
        ('levels = ["outputs"]', 'levels = ["output"]', [], ["parity.toml:5: unknown level 'output'"]),
        ('"by=2.5"', '"none.npz"', [], ["parity.toml:5: ", "none.npz does not exist"]),
        ("converted =", "# converted =", [], ["parity.toml does not name the converted folder"]),
        ("", "", ["--input", "float32[2]"], ["--input belongs to one --entry"]),
    ],
)
def test_faults_of_a_file(check_file, old, new, options, words):
    first = CHECKS.rpartition("[[check]]")[0]
    assert refused(check_file(first.replace(old, new) if old else first, *options), *words)


def test_nothing_says_what_to_check(run_migrate, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refused(run_migrate("check"), "no --entry, and no", "--init SOURCE write a parity.toml")
    assert refused(run_migrate("check", "--entry", "m:f"), "--entry needs both folders")
