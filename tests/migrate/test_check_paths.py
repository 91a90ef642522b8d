"""Folders beside the projects that ``check`` imports from: --path, ``paths`` in a parity.toml, PYTHONPATH."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from migrate.errors import Unusable
from migrate.parity.paths import TARGET, TORCH, by_side, job

MODEL = "import torch\nfrom blocks import scale\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
MODEL += "        return scale(x)\n"
BLOCKS = "def scale(x):\n    return x * {}\n"


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def project(tmp_path, run_migrate):
    """A project that imports from beside itself, converted, and what lies there for both sides."""
    source = write(tmp_path / "net", {"model.py": MODEL})
    assert run_migrate("convert", source, "--to", "paddle", "-o", tmp_path / "net-paddle").returncode == 0
    write(tmp_path, {"both/blocks.py": BLOCKS.format(2), "other/blocks.py": BLOCKS.format(3)})
    return tmp_path


@pytest.fixture
def check(project, run_migrate, torch_python, paddle_python):
    sides = ["--torch-python", torch_python.python, "--target-python", paddle_python.python]
    entry = ["--entry", "model:Net()", "--input", "float32[2,3]", "--level", "outputs"]
    return lambda *options: run_migrate("check", project / "net", project / "net-paddle", *sides, *entry, *options)


def test_a_folder_for_both_sides_or_for_one(check, project):
    both, other = project / "both", project / "other"
    missing = check()
    assert (missing.returncode, "No module named 'blocks'" in missing.stderr) == (2, True), missing.stderr
    assert "if blocks lies beside the project, give its folder: --path DIR" in missing.stderr
    assert check("--path", both).returncode == 0
    assert check("--path", f"torch:{both}", "--path", f"paddle:{both}").returncode == 0
    assert check("--path", f"torch:{both}", "--path", f"target:{other}").returncode == 1
    standing = write(project, {"standing/blocks.py": f"import torch\n\n\n{BLOCKS.format(2)}"}) / "standing"
    lacking = check("--path", f"torch:{both}", "--path", f"target:{standing}")
    assert lacking.returncode == 2
    assert "imports stands on torch: migrate convert --with PACKAGE brings over" in lacking.stderr


def test_a_file_names_them(project, run_migrate, torch_python, paddle_python, monkeypatch):
    monkeypatch.chdir(project)
    sides = ["--torch-python", torch_python.python]
    done = run_migrate("check", "--init", "net", "net-paddle", "--path", "both", *sides)
    assert "1 models with inputs" in done.stdout, done.stdout + done.stderr
    assert 'paths = ["both"]' in Path("parity.toml").read_text()
    done = run_migrate("check", *sides, "--target-python", paddle_python.python, "--level", "outputs")
    assert done.returncode == 0, done.stdout + done.stderr


def test_pythonpath_comes_last(project, torch_python, paddle_python):
    write(project, {"inherited/numpy.py": "raise ImportError('not this one')\n"})
    write(project, {"inherited/blocks.py": BLOCKS.format(2)})
    command = [sys.executable, "-m", "migrate", "check", str(project / "net"), str(project / "net-paddle")]
    command += ["--entry", "model:Net()", "--input", "float32[2,3]", "--level", "outputs"]
    command += ["--torch-python", str(torch_python.python), "--target-python", str(paddle_python.python)]
    # The command itself must not find its own numpy there.
    code = "import os, sys, runpy, numpy; os.environ['PYTHONPATH'] = sys.argv.pop(1); sys.argv[0] = 'migrate'; "
    code += "runpy.run_module('migrate', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", code, str(project / "inherited"), *command[3:]],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("lib", "torch:odd"):
        Path(name).mkdir()
    lib = str(tmp_path / "lib")
    assert by_side(["lib"], "paddle") == {TORCH: [lib], TARGET: [lib]}
    assert by_side(["torch:lib", "paddle:lib"], "paddle") == {TORCH: [lib], TARGET: [lib]}
    assert by_side(["target:lib"], "oneflow") == {TORCH: [], TARGET: [lib]}
    with pytest.raises(Unusable, match="--path oneflow:lib: no such folder"):
        by_side(["oneflow:lib"], "paddle")
    inherited = os.pathsep.join([lib, "", str(tmp_path / "absent")])
    assert job(["a"], {"PYTHONPATH": inherited}) == {"first": ["a"], "last": [lib]}


def test_a_script_imports_from_beside_it(tmp_path, run_migrate, torch_python, paddle_python):
    """As Python has it, where its folder is no package: convert --smoke, check, weights."""
    text = "import torch\nfrom beside import SIZE\n\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n"
    text += "        super().__init__()\n        self.line = torch.nn.Linear(SIZE, 2)\n\n"
    text += "    def forward(self, x):\n        return self.line(x)\n"
    source = write(tmp_path / "net", {"deep/train.py": text, "deep/beside.py": "import torch\n\nSIZE = 3\n"})
    out = tmp_path / "net-paddle"
    done = run_migrate("convert", source, "--to", "paddle", "-o", out, "--smoke")
    assert (done.returncode, "imported 2 of 2 converted modules" in done.stderr) == (0, True), done.stderr
    sides = ["--torch-python", torch_python.python, "--target-python", paddle_python.python]
    done = run_migrate(
        "check", source, out, *sides, "--entry", "deep.train:Net", "--input", "float32[2,3]", "--level", "outputs"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    state = "import torch; torch.save({'line.weight': torch.ones(2, 3), 'line.bias': torch.ones(2)}, 'model.pt')"
    subprocess.run([torch_python.python, "-c", state], cwd=tmp_path, check=True)
    done = run_migrate(
        "weights", tmp_path / "model.pt", "--to", "paddle", "--project", source, "--model", "deep.train:Net"
    )
    assert done.returncode == 0, done.stdout + done.stderr
