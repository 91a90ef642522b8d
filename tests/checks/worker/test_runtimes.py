"""mypy holds every framework's runtime to what the worker says that it gives."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

import rewriters

ROOT = Path(rewriters.__file__).parents[1]
TARGETS = sorted((ROOT / "rewriters" / "targets").glob("*/worker/*runtime.py"))
GIVEN = {
    **{
        path: {"runtime": "Taped", "static_runtime": "SavedGraphs", "export_runtime": "SavingOwn"}[path.stem]
        for path in TARGETS
    },
    ROOT / "rewriters/targets/jax/worker/runtime.py": "Functional",
    ROOT / "rewriters/torch/worker/export_runtime.py": "Saving",
    ROOT / "rewriters/torch/worker/runtime.py": "Reference",
    ROOT / "rewriters/torch/worker/static_runtime.py": "Graphs",
}
NAMES = {path: str(path.relative_to(ROOT / "rewriters")) for path in GIVEN}
# OneFlow's runtime with a fault: (what stands there, what stands there then, the member that is told).
FAULTS = {
    "no function": ("def leaf(array):", "def leave(array):", "leaf"),
    "no parameter": ("def seed(number):", "def seed():", "seed"),
    "another type": ('LEVELS = ("outputs"', 'LEVELS = (1, "outputs"', "LEVELS"),
}
# What is in the functions is the framework's business, and mypy does not have it.
SETTINGS = """
[mypy]
python_version = 3.10
ignore_missing_imports = true
[mypy-given.*]
ignore_errors = true
[mypy-torch.*,numpy.*]
follow_imports = skip
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> dict[str, str]:
    """What mypy says of each runtime, and of each with a fault; nothing where all is well. It is asked once, however
    many processes the tests run in.
    """
    if worker_id == "master":
        return what_mypy_says(tmp_path_factory.mktemp("runtimes"))
    shared = tmp_path_factory.getbasetemp().parent / "runtimes.json"
    with FileLock(f"{shared}.lock"):
        if not shared.exists():
            shared.write_text(json.dumps(what_mypy_says(tmp_path_factory.mktemp("runtimes"))))
        said: dict[str, str] = json.loads(shared.read_text())
    return said


def what_mypy_says(folder: Path) -> dict[str, str]:
    oneflow = (ROOT / "rewriters/targets/oneflow/worker/runtime.py").read_text(encoding="utf-8")
    texts = {NAMES[path]: (path.read_text(encoding="utf-8"), protocol) for path, protocol in GIVEN.items()}
    texts |= {name: (oneflow.replace(old, new), "Taped") for name, (old, new, _) in FAULTS.items()}
    (folder / "given").mkdir()
    (folder / "given" / "__init__.py").touch()
    (folder / "mypy.ini").write_text(SETTINGS, encoding="utf-8")
    lines = []
    for number, (text, protocol) in enumerate(texts.values()):
        (folder / "given" / f"given{number}.py").write_text(text, encoding="utf-8")
        held = f"import given.given{number}, checks.worker.runtime"
        lines.append(f"{held}; held{number}: checks.worker.runtime.{protocol} = given.given{number}\n")
    (folder / "held.py").write_text("".join(lines), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "held.py"],
        cwd=folder, env={**os.environ, "MYPYPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr  # the faults
    said = dict.fromkeys(texts, "")
    for line in done.stdout.splitlines():
        found = re.match(r"held\.py:(\d+): ", line)
        if found:
            said[list(texts)[int(found[1]) - 1]] += line + "\n"
    return said


@pytest.mark.parametrize("name", NAMES.values())
def test_a_runtime_gives_what_the_worker_asks_for(name: str, told: dict[str, str]) -> None:
    assert told[name] == ""


@pytest.mark.parametrize("name", FAULTS)
def test_what_a_runtime_lacks_is_told(name: str, told: dict[str, str]) -> None:
    assert FAULTS[name][2] in told[name]
