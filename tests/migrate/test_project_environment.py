"""A project's own environments: what its files ask for beside a shared interpreter, which stays as it is."""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from migrate.environments import available_interpreter
from migrate.environments.build import build
from migrate.environments.project import interpreter_for, own_interpreter
from migrate.errors import Unusable
from migrate.project_environment import build_for, needs_of

pytestmark = pytest.mark.framework


def wheel(folder: Path, name: str, version: str, *needs: str) -> None:
    """A package of one module that says its version."""
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}.py", f"VERSION = {version!r}\n")
        lines = [f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {one}" for one in needs)]
        archive.writestr(f"{info}/METADATA", "\n".join(["Metadata-Version: 2.1", *lines, ""]))
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Packages of a folder, and nothing else."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    wheel(folder, "blocks", "2.0", "gears>=1")
    wheel(folder, "gears", "1.3", "torch>=1.0")
    wheel(folder, "toyframework", "9.9")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    return folder


def says(python: Path, code: str) -> str:
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def contents(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*") if "__pycache__" not in path.parts)


def test_what_files_ask_for(project: Path) -> None:
    (project / "requirements.txt").write_text(
        "torch==1.7.0\ntorchvision\nnumpy<2  # old\n\n--extra-index-url https://x.invalid\n-r more.txt\n"
        "git+https://x.invalid/a.git\nPillow>=6; python_version >= '3'\nwinonly; sys_platform == 'win32'\n"
    )
    (project / "pyproject.toml").write_text('[project]\nname = "a"\ndependencies = ["einops>=0.6", "numpy"]\n')
    (project / "setup.cfg").write_text("[options]\ninstall_requires =\n    tqdm\n")
    (project / "setup.py").write_text(
        "from setuptools import setup\nNEEDS = ['scipy', 'torch>=1']\nsetup(install_requires=NEEDS)\n"
    )
    found = needs_of(project)
    assert found.files == ["requirements.txt", "pyproject.toml", "setup.cfg", "setup.py"]
    assert [str(item) for item in found.wanted.values()] == ["numpy<2", 'Pillow>=6; python_version >= "3"',
                                                             "einops>=0.6", "tqdm", "scipy"]  # fmt: skip
    assert list(found.left_out) == [
        "torch==1.7.0", "torchvision", "--extra-index-url https://x.invalid", "git+https://x.invalid/a.git", "torch>=1"
    ]  # fmt: skip


def test_a_conda_environment(project: Path) -> None:
    (project / "conda_env.yml").write_text(
        "name: a\nchannels:\n  - defaults\ndependencies:\n  - python=3.7\n  - pytorch\n  - scikit-image>=0.17\n"
        "  - conda-forge::tqdm\n  - pip:\n    - termcolor==1.1\n    - torchvision\n    - tqdm\n"
        "    - git+git://x.invalid/a.git\nprefix: /home/a\n"
    )
    found = needs_of(project, ["einops>=0.6"])
    assert found.files == ["conda_env.yml"]
    assert [str(item) for item in found.wanted.values()] == ["einops>=0.6", "termcolor==1.1", "tqdm"]
    assert list(found.left_out) == ["torchvision", "git+git://x.invalid/a.git", "scikit-image"]


def test_what_no_file_names_is_added(toy, empty_home, index: Path, project: Path, run_migrate) -> None:
    target = toy()
    build(target)
    done = run_migrate("env", target, "--for", project, "--add", "blocks", "--path", MIGRATE_HOME=empty_home)
    assert done.returncode == 0, done.stderr
    assert says(Path(done.stdout.strip()), "import blocks; print(blocks.VERSION)") == "2.0"
    done = run_migrate("env", target, "--add", "blocks", MIGRATE_HOME=empty_home)
    assert (done.returncode, "--add goes with --for" in done.stderr) == (2, True), done.stderr


def test_a_setup_that_is_no_python(project: Path) -> None:
    (project / "setup.py").write_text("print 'old'\n")
    with pytest.raises(Unusable, match=r"setup.py: .*line 1"):
        needs_of(project)


def test_packages_beside_a_shared_interpreter(toy, empty_home, index: Path, project: Path, run_migrate) -> None:
    target = toy()
    shared = build(target)
    before = contents(empty_home / "envs")
    (project / "requirements.txt").write_text("torch\nblocks==1.0\ntoyframework>=2\n")
    told: list[str] = []
    own = build_for(project, target, tell=told.append)
    assert (
        says(own.python, "import blocks, gears, toyframework as t; print(blocks.VERSION, t.__version__)") == "2.0 1.5"
    )
    assert contents(empty_home / "envs") == before  # nothing was added to the shared one
    assert "kept: toyframework 1.5 of the shared interpreter; the project asks for toyframework>=2" in told
    assert "those versions cannot be had together here: taking others of the same packages" in told
    assert any(line.startswith("gears stands on torch and will not import here") for line in told)
    assert (own.version, own.env) == (shared.version, shared.env)
    # It is taken for this project, unless another is given, and for no other.
    assert interpreter_for(target, project).python == own.python
    assert interpreter_for(target, project, shared.python).python == shared.python
    assert interpreter_for(target, empty_home) == available_interpreter(target)
    # Asked for again it is there; another list is another environment.
    done = run_migrate("env", target, "--for", project, "--path", MIGRATE_HOME=empty_home)
    assert (done.returncode, done.stdout.strip()) == (0, str(own.python)), done.stderr
    (project / "requirements.txt").write_text("gears\n")
    told.clear()
    build_for(project, target, tell=told.append)
    assert any(line.startswith("installing gears") for line in told)
    assert subprocess.run([own.python, "-c", "import blocks"], capture_output=True, check=False).returncode
    # Where the shared one is another, it is out of date and not taken.
    manifest = own.python.parents[1] / "environment.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "shared": ["/elsewhere", "1.5"]}))
    assert own_interpreter(target, project) is None


def test_what_cannot_be_had(toy, empty_home, index: Path, project: Path) -> None:
    target = toy()
    with pytest.raises(Unusable, match=r"no requirements\.txt, pyproject\.toml, setup\.cfg, setup\.py or env"):
        build_for(project, target)
    with pytest.raises(Unusable, match=r"--add \./blocks is not a package's name"):
        build_for(project, target, added=["./blocks"])
    (project / "requirements.txt").write_text("no-such-package\n")
    with pytest.raises(Unusable, match="uv pip failed") as caught:
        build_for(project, target)
    assert caught.value.mend.endswith(f"migrate env {target} --for {project}")
    assert own_interpreter(target, project) is None
    (project / "pyproject.toml").write_text("[project\n")
    with pytest.raises(Unusable, match=r"pyproject.toml: "):
        needs_of(project)


@pytest.mark.parametrize("asked", ["blocks==1.0\nnowhere-to-be-had==3\n", "nowhere-to-be-had\nblocks\n"])
def test_without_what_cannot_be_had(asked: str, toy, empty_home, index: Path, project: Path) -> None:
    """One package that no index has does not keep the others from being there, with versions asked for or without."""
    target = toy()
    build(target)
    (project / "requirements.txt").write_text(asked)
    told: list[str] = []
    build_for(project, target, tell=told.append)
    assert says(interpreter_for(target, project).python, "import blocks; print(blocks.VERSION)") == "2.0"
    assert len([line for line in told if line.startswith("left out: nowhere-to-be-had (it cannot be had here: ")]) == 1


def test_check_offers_it_and_takes_it(
    run_migrate, torch_python, paddle_python, empty_home, index: Path, project: Path, tmp_path: Path
) -> None:
    """Both sides' stand on the shared ones, in a home of its own."""
    empty_home.mkdir()
    (empty_home / "envs").symlink_to(paddle_python.python.parents[2])
    (project / "requirements.txt").write_text("torch\nblocks\n")
    (project / "net.py").write_text("import blocks\n\n\ndef double(x):\n    return x * float(blocks.VERSION)\n")
    assert run_migrate("convert", project, "--to", "paddle", "-o", tmp_path / "out").returncode == 0
    options = ["--to", "paddle", "--entry", "net:double", "--input", "float32[3,4]", "--level", "outputs"]
    missing = run_migrate("check", project, tmp_path / "out", *options, MIGRATE_HOME=empty_home)
    assert missing.returncode == 2
    assert f"mend: migrate env torch --for {project}, with what the project asks for" in missing.stderr
    done = run_migrate("env", "--for", project, MIGRATE_HOME=empty_home)
    assert done.returncode == 0, done.stderr
    assert "paddle: 3" in done.stdout
    found = run_migrate("check", project, tmp_path / "out", *options, MIGRATE_HOME=empty_home)
    assert found.returncode == 0, found.stdout + found.stderr


def test_what_stands_in_for_a_package_comes_too(toy, empty_home, index: Path, project: Path) -> None:
    target = toy()
    place = Path(target) / "__init__.py"
    instead = "requirements={'torch': 'toyframework', 'gears': 'blocks>=2'}"
    place.write_text(place.read_text().replace("    modules=", f"    {instead},\n    modules="))
    build(target)
    (project / "requirements.txt").write_text("torch\ngears\n")
    own = build_for(project, target)
    assert says(own.python, "import blocks, gears; print(blocks.VERSION)") == "2.0"


def test_smoke_imports_with_the_projects_own(toy, empty_home, index: Path, project: Path, run_migrate) -> None:
    target = toy()
    build(target)
    (project / "a.py").write_text("import torch\nimport blocks\n\nprint(blocks.VERSION)\n")
    (project / "requirements.txt").write_text("blocks\n")
    command = ("convert", project, "--to", target, "--force", "-o", project.with_name("out"), "--smoke")
    done = run_migrate(*command, MIGRATE_HOME=empty_home)
    assert "No module named 'blocks'" in done.stderr
    assert f"migrate env {target} --for {project}" in done.stderr
    build_for(project, target)
    done = run_migrate(*command, MIGRATE_HOME=empty_home)
    assert "imported 1 of 1 converted modules with Toy" in done.stderr
    assert "--for" not in done.stderr
