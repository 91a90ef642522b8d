"""Workers in real processes, with numpy as the framework."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from checks.parity.process import Interpreter, Process, SideFailed
from checks.starting import fixed_environment
from checks.worker import arrays
from checks.worker.side.store import Reader

RUNTIME = Path(__file__).parents[1] / "numpy_runtime.py"
HERE = Interpreter("numpy", Path(sys.executable))

MODEL = """
import os, sys, time, signal
import numpy as np


class Net:
    training = True

    def __init__(self, size=3, scale=1.0):
        self.weight = np.random.rand(size) * scale

    def forward(self, x):
        return x * self.weight, {"training": self.training}

    __call__ = forward


class Needs:
    def __init__(self, width, depth, bias=True):
        pass


class Config:
    def __init__(self, size):
        self.size = size


def from_config(config):
    return Net(config.size)


def number():
    return 3


def plain(x, y=None):
    return x + (1 if y is None else y)


def raises(x):
    raise ValueError("no such luck")


def hangs(x):
    while True:
        time.sleep(0.05)


def aborts(x):
    print("about to abort", file=sys.stderr)
    os.abort()


def killed(x):
    os.kill(os.getpid(), signal.SIGKILL)


def leaves(x):
    os._exit(7)


def seen(x):
    return {"hash": os.environ["PYTHONHASHSEED"], "cwd": os.path.basename(os.getcwd()), "argv": len(sys.argv)}, x


constant = 3
"""


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "nets.py").write_text(MODEL)
    # Modules of the project may be called as ours are.
    (folder / "arrays.py").write_text("NAME = 'of the project'\n")
    (folder / "worker.py").write_text("import arrays\nfrom nets import plain\nassert arrays.NAME\n")
    (folder / "script.py").write_text("import sys\nsys.exit('usage: script.py')\n")
    (folder / "broken.py").write_text("import json\n\ndef f(:\n    pass\n")
    (folder / "lacking.py").write_text("import json\nimport no_such_module_anywhere\n")
    return folder


@pytest.fixture
def process(tmp_path):
    """``process(timeout)``: a worker; all are closed in the end."""
    opened = []

    def start(timeout=30):
        opened.append(Process(HERE, {"runtime": str(RUNTIME), "threads": 1}, tmp_path / "out", timeout))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


@pytest.fixture
def run(project, tmp_path, process):
    """What an entry returns: the answer to ``open``, and its record."""

    def run(entry, inputs=None, timeout=30, seed=0, noisy=False, running=None, **state):
        inputs = {"0": np.arange(3.0)} if inputs is None else inputs
        arrays.write(tmp_path / "inputs", {f"0:{name}": array for name, array in inputs.items()})
        arguments = {
            "positional": [{"tensor": name} for name in inputs if name.isdigit()],
            "keywords": {name: {"tensor": name} for name in inputs if not name.isdigit()},
        }
        worker = running or process(timeout)
        opened = worker.call("open", project=str(project), entry=entry, seed=seed, **arguments)
        worker.call("state", **state, **arguments)
        folder = {"folder": str(tmp_path / "run"), "inputs": str(tmp_path / "inputs")}
        noise = str(tmp_path / "inputs") if noisy else None
        opened["summary"] = worker.call("forward", layers=False, noisy=noise, **folder, **arguments)
        return opened, Reader(tmp_path / "run" / "own")

    return run


def fails(run, entry, **options):
    with pytest.raises(SideFailed) as caught:
        run(entry, **options)
    return caught.value


def test_model_is_built_evaluated_and_run(run):
    opened, found = run("nets:Net")
    assert opened["kind"] == "module"
    assert list(found.arrays(found.find(""))) == ["[0]", "[1]['training']"]
    assert not found.get("", "[1]['training']")
    assert found.get("", "[0]").shape == (3,)


def test_seed_fixes_the_weights(run):
    first = run("nets:Net")[1].get("", "[0]").copy()
    assert np.array_equal(run("nets:Net")[1].get("", "[0]"), first)
    assert not np.array_equal(run("nets:Net", seed=1)[1].get("", "[0]"), first)


def test_arguments_are_literals_and_names_of_the_module(run):
    small = run("nets:Net(2, scale=-1.0)", {"0": np.ones(2)})[1].get("", "[0]")
    assert small.shape == (2,)
    assert (small < 0).all()
    assert run("nets:from_config(Config(size=2))", {"0": np.ones(2)})[1].get("", "[0]").shape == (2,)


def test_plain_functions_take_the_inputs(run):
    assert run("nets:plain")[1].get("").tolist() == [1, 2, 3]
    opened, found = run("nets:plain", {"0": np.ones(1), "y": np.ones(1) * 5})
    assert opened["kind"] == "function"
    assert found.get("").tolist() == [6]


def test_environment_is_fixed_and_the_project_undisturbed(run, project):
    nodes = run("nets:seen")[1].find("")["nodes"]
    assert nodes["[0]['hash']"]["value"] == "'0'"
    assert nodes["[0]['cwd']"]["value"] == "'project'"
    run("worker:plain")
    assert not list(project.rglob("__pycache__"))


def test_one_process_runs_entry_after_entry_of_a_project_that_changes(run, process, project):
    worker = process()
    assert run("nets:plain", running=worker)[1].get("").tolist() == [1, 2, 3]
    (project / "nets.py").write_text("def plain(x):\n    return x + 10\n")
    assert run("nets:plain", running=worker)[1].get("").tolist() == [10, 11, 12]


def test_variants_are_measured_against_double_precision(run):
    summary = run("nets:plain", noisy=True)[0]["summary"]
    assert summary["terms"] == {":": {"half-ulp noise": 0.0, "doubled": pytest.approx(np.sqrt(5 / 3))}}


def test_state_is_exported_and_loaded(run, tmp_path):
    run("nets:Net", export=str(tmp_path / "state"))
    state = arrays.read(tmp_path / "state")
    assert list(state) == ["weight"]
    arrays.write(tmp_path / "other", {"weight": np.array([1.0, 2.0, 3.0])})
    assert run("nets:Net", state=str(tmp_path / "other"))[1].get("", "[0]").tolist() == [0, 2, 6]


@pytest.mark.parametrize(
    ("state", "detail"),
    [
        ({}, {"missing": ["weight"], "unexpected": [], "shapes": []}),
        ({"weight": np.ones(3), "bias": np.ones(3)}, {"missing": [], "unexpected": ["bias"], "shapes": []}),
        ({"weight": np.ones(4)}, {"missing": [], "unexpected": [], "shapes": ["weight: [3] here, [4] given"]}),
    ],
)
def test_state_that_does_not_fit(run, tmp_path, state, detail):
    arrays.write(tmp_path / "wrong", state)
    error = fails(run, "nets:Net", state=str(tmp_path / "wrong"))
    assert (error.stage, error.detail) == ("state", detail)


def test_exception_names_the_line_of_the_project(run, project):
    error = fails(run, "nets:raises")
    assert (error.stage, error.kind, error.message) == ("forward", "ValueError", "no such luck")
    line = next(number for number, text in enumerate(MODEL.splitlines(), 1) if "no such luck" in text)
    assert error.where == f"{project}/nets.py:{line}"
    assert "no such luck" in error.stderr


def test_hang_is_ended_and_says_where(run):
    begun = time.monotonic()
    error = fails(run, "nets:hangs", timeout=1.5)
    assert time.monotonic() - begun < 6
    assert (error.kind, error.stage) == ("timeout", "forward")
    assert "in hangs" in error.stderr


def test_crash_shows_the_last_lines(run):
    error = fails(run, "nets:aborts")
    assert (error.kind, error.message) == ("died", "crashed (SIGABRT)")
    assert "about to abort" in error.stderr or "in aborts" in error.stderr


def test_kill_is_taken_for_lack_of_memory(run):
    error = fails(run, "nets:killed")
    assert error.kind == "memory"
    assert "ran out of memory" in error.message


def test_a_dead_process_takes_no_more_commands(run, process):
    worker = process()
    fails(run, "nets:leaves", running=worker)
    assert not worker.alive
    with pytest.raises(SideFailed, match="has ended before"):
        worker.call("hello")


def test_a_failure_leaves_the_process_running(run, process):
    worker = process()
    fails(run, "nets:raises", running=worker)
    assert worker.alive
    assert run("nets:plain", running=worker)[1].get("").tolist() == [1, 2, 3]


def test_exit_status_without_a_result(run):
    assert fails(run, "nets:leaves").message == "ended with exit status 7"


@pytest.mark.parametrize(
    ("entry", "stage", "kind", "detail"),
    [
        ("no_such_module:f", "import", "ModuleNotFoundError", {"module": "no_such_module"}),
        ("lacking:f", "import", "ModuleNotFoundError", {"module": "no_such_module_anywhere"}),
        ("broken:f", "import", "SyntaxError", {}),
        ("script:main", "import", "SystemExit", {}),
        ("nets:Nut", "entry", "", {"missing": "Nut"}),
        ("nets:Needs", "build", "", {"needs": ["width", "depth"]}),
        ("nets:from_config", "forward", "", {"needs": ["config"]}),
        ("nets:constant", "build", "", {"odd": "int"}),
        ("nets:number()", "build", "", {"odd": "int"}),
        ("nets:number", "inputs", "", {"needs": []}),
        ("nets:Net(3, 4, 5)", "build", "TypeError", {}),
    ],
)
def test_entries_that_cannot_be_run(run, entry, stage, kind, detail):
    error = fails(run, entry)
    assert (error.stage, error.kind, error.detail) == (stage, kind, detail)


def test_syntax_error_names_its_line(run, project):
    assert fails(run, "broken:f").where == f"{project}/broken.py:3"


def test_wrong_number_of_inputs(run):
    error = fails(run, "nets:plain", inputs={str(number): np.ones(1) for number in range(3)})
    assert (error.stage, error.detail) == ("inputs", {"needs": ["x"]})
    assert error.message == "plain(x, y=None) does not take these 3 inputs: too many positional arguments"
    error = fails(run, "nets:Net", inputs={})
    assert (error.stage, error.detail) == ("inputs", {"needs": []})
    assert error.message == "Net.forward(x) does not take these 0 inputs: missing a required argument: 'x'"


def test_missing_interpreter(run, tmp_path):
    with pytest.raises(SideFailed, match="No such file"):
        Process(Interpreter("numpy", tmp_path / "python"), {"threads": 1}, tmp_path / "out", 5)


def test_fixed_environment_keeps_what_the_interpreter_needs(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    env = fixed_environment(2, {"LD_LIBRARY_PATH": "/libs"})
    assert "PYTHONPATH" not in env
    assert (env["OMP_NUM_THREADS"], env["LD_LIBRARY_PATH"], env["PATH"]) == ("2", "/libs", os.environ["PATH"])
