"""``convert --smoke``: what is written is imported with the target, and what fails there with torch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from migrate.environments import Interpreter
from migrate.errors import Unusable
from migrate.importing import Failure, import_all
from tests.migrate.convert.conftest import Done, write

Convert = Callable[..., Done]
PACKAGES = ["tqdm", "sympy", "mpmath", "jinja2", "scipy", "pytest", "iniconfig", "mypy", "rich", "libcst"]
"""Some of them torch's interpreter has."""
GOOD = "import torch\n\n\ndef f(x):\n    return torch.cat([x, x], dim=1)\n"


@pytest.fixture
def both(torch_python: Interpreter, paddle_python: Interpreter) -> None:
    """Interpreters of torch and Paddle."""


def test_what_imports_with_torch_alone_is_told(convert: Convert, tmp_path: Path, both: None) -> None:
    files = {"good.py": GOOD, "lost.py": "import torch\nimport not_there\n\nx = torch.ones(2, 2)\n"}
    files |= {
        "made.py": "import torch.fx\n\nnodes = list(torch.fx.Graph().nodes)\n",
        "two.py": "import torch\nfrom made import nodes\n",
    }
    files |= {"lost_too.py": "import torch\n\n\nimport not_there\n\nx = torch.ones(2, 2)\n"}
    files |= {"align/__init__.py": "import torch\nfrom align.core import path\n\nx = torch.ones(2)\n"}
    files |= {"not-a-name.py": "import torch\n\nopen('here', 'w').write(str(torch.ones(2)))\n"}
    files |= {"writes.py": "import torch\n\nopen('here', 'w').write(str(torch.ones(2)))\n"}
    project, out = write(tmp_path / "repo", files), tmp_path / "out"
    done = convert(project, "--to", "paddle", "--smoke", "-o", out)
    assert done.code == 1, done.err
    assert "imported 2 of 7 converted modules with PaddlePaddle" in done.err
    assert f"fails: made and 1 more: {out.resolve()}/made.py" in done.err
    assert "NotConvertedError: torch.fx" in done.err
    assert (
        f"fails with torch too: lost and 1 more: {out.resolve()}/lost.py:2: "
        "ModuleNotFoundError: No module named 'not_there'" in done.err
    )
    assert "align.core: the project's own, and not there" in done.err
    assert "--add PACKAGE there, for each of not_there by its package's name" in done.err
    assert not (out / "here").exists()
    assert not list(out.rglob("__pycache__"))


def test_what_the_target_s_interpreter_alone_lacks_is_no_failure(
    convert: Convert, tmp_path: Path, both: None, torch_python: Interpreter, paddle_python: Interpreter
) -> None:
    def found_by(interpreter: Interpreter) -> set[str]:
        return {name for name, failure in import_all(interpreter.python, PACKAGES, []).items() if failure is None}

    lacking = sorted(found_by(torch_python) - found_by(paddle_python))
    if not lacking:
        pytest.skip("Paddle's interpreter has all that torch's has")
    name = lacking[0]
    files = {"bar.py": f"import torch\nimport {name}\n\nx = torch.ones(2)\n"}
    files |= {"uses.py": "import torch\nfrom bar import x\n", "good.py": GOOD}
    project = write(tmp_path / "repo", files)
    done = convert(project, "--to", "paddle", "--smoke", "-o", tmp_path / "out")
    assert done.code == 0, done.err
    assert "imported 1 of 3 converted modules with PaddlePaddle" in done.err
    assert f"\nlacks {name}, which torch's interpreter has: bar and 1 more" in done.err
    assert f"interpreters of its own: migrate env paddle --for {project}" in done.err
    assert f"--add PACKAGE there, for each of {name}" in done.err
    write(project, {f"{name}.txt": "the project's own, built elsewhere"})
    done = convert(project, "--to", "paddle", "--smoke", "-o", tmp_path / "again")
    assert (done.code, f"No module named '{name}'" in done.err) == (1, True), done.err


def test_all_is_well(convert: Convert, tmp_path: Path, both: None) -> None:
    package = (
        write(tmp_path / "repo", {"own/__init__.py": "from own.a import f\nimport torch\n", "own/a.py": GOOD}) / "own"
    )
    done = convert(package, "--to", "paddle", "--smoke", "-o", tmp_path / "other-name")
    assert done.code == 0, done.err
    assert "imported 2 of 2 converted modules with PaddlePaddle" in done.err
    single = write(tmp_path / "alone", {"a.py": GOOD}) / "a.py"
    done = convert(single, "--to", "paddle", "--smoke", "-o", tmp_path / "b.py")
    assert (done.code, "imported 1 of 1" in done.err) == (0, True), done.err
    scripts = {"work/run.py": "from layers.b import f\nimport torch\n", "work/layers/b.py": GOOD}
    scripts |= {"work/layers/inner/c.py": "from layers.b import f\nimport tools\nimport torch\n", "work/tools.py": GOOD}
    below = write(tmp_path / "below", scripts)
    done = convert(below, "--to", "paddle", "--smoke", "-o", tmp_path / "out")
    assert (done.code, "imported 4 of 4" in done.err) == (0, True), done.err
    beside = "import sys\nimport torch\n\nsys.path.append('parts')\nfrom losses import f\n"
    added = write(tmp_path / "added", {"net.py": beside, "parts/losses.py": GOOD})
    done = convert(added, "--to", "paddle", "--smoke", "-o", tmp_path / "out")
    assert (done.code, "imported 2 of 2" in done.err) == (0, True), done.err


def test_scripts_take_their_defaults_and_none_trains(convert: Convert, tmp_path: Path, both: None) -> None:
    asks = "import argparse\nimport torch\n\nparser = argparse.ArgumentParser()\n"
    asks += "parser.add_argument('--n', type=int, default=2)\n"
    asks += "x = torch.ones(parser.parse_args().n)\n"
    trains = f"{asks}\nfor epoch in range(10**9):\n    loss = x.sum()\n    loss.backward()\n"
    project = write(tmp_path / "repo", {"asks.py": asks, "trains.py": trains})
    done = convert(project, "--to", "paddle", "--smoke", "-o", tmp_path / "out")
    assert done.code == 0, done.err
    assert "imported 1 of 1 converted modules" in done.err
    assert "not imported: trains: it runs a training loop when it is imported" in done.err


def test_nothing_is_written_that_could_be_imported(convert: Convert, tmp_path: Path, both: None) -> None:
    done = convert(write(tmp_path / "repo", {"a.py": GOOD}), "--to", "paddle", "--smoke", "--diff")
    assert done.code == 2
    assert "--smoke imports what was written" in done.err


def test_what_ends_or_hangs_is_one_failure(torch_python: Interpreter, tmp_path: Path) -> None:
    files = {
        "a.py": "",
        "dies.py": "import os\nos._exit(3)\n",
        "sleeps.py": "import time\ntime.sleep(600)\n",
        "z.py": "",
    }
    found = import_all(torch_python.python, ["a", "dies", "sleeps", "z"], [write(tmp_path, files)], hangs=5)
    assert found == {
        "a": None,
        "dies": Failure("", "ends the process with 3"),
        "sleeps": Failure("", "hangs for 5 s"),
        "z": None,
    }
    with pytest.raises(Unusable, match="importing does not start"):
        import_all("false", ["a"], [tmp_path])


def test_a_slow_module_gets_the_whole_time(torch_python: Interpreter, tmp_path: Path) -> None:
    slow = "import time\ntime.sleep(3)\n"
    names = ["a", "b", "c", "d"]
    folder = write(tmp_path, {f"{name}.py": slow for name in names})
    assert import_all(torch_python.python, names, [folder], hangs=5) == dict.fromkeys(names)
