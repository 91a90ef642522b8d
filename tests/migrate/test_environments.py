"""Finding and building interpreters: a toy framework for the mechanics, the real ones for the proof."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from migrate.environments import (
    MANIFEST,
    available_interpreter,
    cached_interpreter,
    environment_for,
    find_interpreter,
    folder_of,
    known_environments,
    probe_import,
)
from migrate.environments.build import build, find_python
from migrate.errors import Unusable
from rewriters.target import known_targets, load_target

pytestmark = pytest.mark.framework


def libraries(folder: Path) -> str:
    return str(next(folder.glob("lib/python*/site-packages")) / "toyframework/lib")


def install_in_running(target: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the toy framework where this very interpreter finds it."""
    with zipfile.ZipFile(next(Path(target).glob("*.whl"))) as wheel:
        wheel.extractall(folder)
    monkeypatch.syspath_prepend(str(folder))


# Names


def test_known_environments_are_torch_the_targets_and_what_runs_exports() -> None:
    targets = ["jax", "keras", "mindspore", "mlx", "oneflow", "paddle"]
    assert known_environments() == ["torch", *targets, "onnxruntime", "openvino", "triton", "nncf", "paddle2onnx"]
    assert environment_for("torch").module == "torch"
    assert environment_for("oneflow").python == "3.10"


@pytest.mark.parametrize("arguments", [("env", "tensorflow"), ("doctor", "--to", "tensorflow")])
def test_unknown_target_lists_the_known_ones(run_migrate, arguments) -> None:
    done = run_migrate(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "unknown environment 'tensorflow'; known: torch, jax, keras, mindspore, mlx, oneflow, paddle" in done.stderr


def test_another_pin_is_another_folder(toy, empty_home) -> None:
    one, other = folder_of(toy(folder="one")), folder_of(toy(folder="other", python="3.10.1"))
    assert one.parent == other.parent == empty_home / "envs"
    assert one != other


# Finding


def test_missing_framework_says_how_to_get_it(empty_home) -> None:
    with pytest.raises(Unusable) as caught:
        find_interpreter("paddle")
    assert caught.value.message == "no interpreter has paddle"
    assert caught.value.mend == "migrate env paddle"


def test_order_is_override_then_running_then_cached(toy, empty_home, tmp_path, monkeypatch) -> None:
    target = toy()
    cached = build(target)
    assert find_interpreter(target) == cached

    install_in_running(target, tmp_path / "site", monkeypatch)
    running = find_interpreter(target)
    assert (running.python, running.version) == (Path(sys.executable), "1.5")
    assert running.env["LD_LIBRARY_PATH"].split(":")[0] == str(tmp_path / "site/toyframework/lib")

    override = find_interpreter(target, cached.python)
    assert (override.python, override.version, override.env) == (cached.python, cached.version, cached.env)
    assert "toyframework" not in sys.modules, "finding must not import the framework"


def test_running_interpreter_of_another_version_is_passed_over(toy, empty_home, tmp_path, monkeypatch) -> None:
    target = toy(python="3.99")
    install_in_running(target, tmp_path / "site", monkeypatch)
    with pytest.raises(Unusable, match="no interpreter has toyframework"):
        find_interpreter(target)


def test_folder_of_that_name_is_not_a_framework(toy, empty_home, tmp_path, monkeypatch) -> None:
    (tmp_path / "toyframework").mkdir()
    (tmp_path / "toyframework/__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Unusable, match="no interpreter has toyframework"):
        find_interpreter(toy())


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("nowhere/python", "nowhere/python: not an executable file"),
        (sys.executable, "has no toyframework"),
        ("/bin/cat", "/bin/cat: looking for packages failed"),
        ("/bin/echo", "/bin/echo: did not answer as a Python would"),
    ],
)
def test_unusable_override(toy, override, message) -> None:
    with pytest.raises(Unusable, match=re.escape(message)) as caught:
        find_interpreter(toy(), Path(override))
    assert "give an interpreter that has toyframework" in caught.value.mend


def test_base_python_gone(toy, empty_home) -> None:
    target = toy()
    python = build(target).python
    python.unlink()
    python.symlink_to("/nowhere/python")
    assert cached_interpreter(target) is None
    assert build(target).python.exists()


def test_the_users_library_path_is_kept(toy, empty_home, monkeypatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/cuda/lib")
    target = toy()
    found = build(target)
    assert found.env == {"LD_LIBRARY_PATH": f"{libraries(folder_of(target))}:/opt/cuda/lib"}
    assert found.environ()["LD_LIBRARY_PATH"] == found.env["LD_LIBRARY_PATH"]


def test_command_imports_neither_torch_nor_a_framework(toy, empty_home) -> None:
    target = toy()
    build(target)
    command = [sys.executable, "-X", "importtime", "-m", "migrate", "env"]
    for name, module in ((target, "toyframework"), ("torch", "torch")):
        if name == "torch":
            pytest.importorskip("torch")
        done = subprocess.run([*command, name, "--path"], capture_output=True, text=True, check=True)
        imported = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}
        assert "migrate.environments" in imported
        assert module not in imported


# Finding a Python


def stand_in(path: Path, answer: str) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\n{answer}\n")
    path.chmod(0o755)
    return path


def test_pyenv_is_searched_past_its_shim(tmp_path, monkeypatch) -> None:
    stand_in(tmp_path / "shims/python3.99", "echo 'pyenv: python3.99: command not found' >&2; exit 127")
    stand_in(tmp_path / "versions/3.99.2/bin/python", "echo cpython 3 99")
    newest = stand_in(tmp_path / "versions/3.99.10/bin/python", "echo cpython 3 99")
    stand_in(tmp_path / "versions/3.99.11/bin/python", "echo pypy 3 99")
    monkeypatch.setenv("PATH", f"{tmp_path / 'shims'}:{os.environ['PATH']}")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert find_python("3.99") == newest
    assert find_python("3.98") is None


def test_running_python_comes_first() -> None:
    assert find_python(f"{sys.version_info[0]}.{sys.version_info[1]}") == Path(sys.executable)


# Building


def test_env_is_idempotent(toy, empty_home, run_migrate) -> None:
    target = toy()
    first = run_migrate("env", target, "--path")
    assert first.returncode == 0, first.stderr
    assert f"building {folder_of(target)}" in first.stderr
    python = Path(first.stdout.strip())
    assert python == folder_of(target) / "bin/python"
    built = (folder_of(target) / MANIFEST).stat()

    second = run_migrate("env", target, "--path")
    assert (second.returncode, second.stdout, second.stderr) == (0, first.stdout, "")
    now = (folder_of(target) / MANIFEST).stat()
    assert (now.st_ino, now.st_mtime_ns) == (built.st_ino, built.st_mtime_ns)

    third = run_migrate("env", target)
    assert third.stdout == f"{target}: 1.5 in {python} (migrate env)\n"

    again = run_migrate("env", target, "--rebuild")
    assert again.returncode == 0, again.stderr
    assert (folder_of(target) / MANIFEST).stat().st_ino != built.st_ino
    assert sorted(path.name for path in folder_of(target).parent.iterdir()) == [
        folder_of(target).name,
        f"{folder_of(target).name}.lock",
    ]


def test_interpreter_works_where_it_was_renamed_to(toy, empty_home) -> None:
    found = build(toy())
    code = "import sys, toyframework; print(sys.prefix, toyframework.__file__)"
    done = subprocess.run([found.python, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == str(found.python.parent.parent)
    assert ".partial" not in done.stdout


@pytest.mark.parametrize("leftover", ["", ".partial", ".old"])
def test_half_made_folder_is_made_anew(toy, empty_home, leftover) -> None:
    target = toy()
    folder = folder_of(target)
    half = folder.with_name(folder.name + leftover)
    (half / "bin").mkdir(parents=True)
    (half / "bin/python").symlink_to(sys.executable)
    assert cached_interpreter(target) is None
    assert probe_import(build(target)) == "1.5"
    assert not half.exists() or half == folder


def test_killed_build_is_made_anew(toy, empty_home) -> None:
    target = toy()
    partial = folder_of(target).with_name(folder_of(target).name + ".partial")
    process = subprocess.Popen(
        [sys.executable, "-m", "migrate", "env", target],
        env={**os.environ, "TOY_SECONDS": "600"},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr
    for line in process.stderr:
        if line.startswith("importing toyframework"):
            break
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stderr.close()
    assert partial.is_dir()
    assert cached_interpreter(target) is None

    assert probe_import(build(target)) == "1.5"
    assert not partial.exists()


def test_concurrent_builders_wait_for_each_other(toy, empty_home) -> None:
    target = toy()
    command = [sys.executable, "-m", "migrate", "env", target, "--path"]
    variables = {**os.environ, "TOY_SECONDS": "2"}
    processes = [
        subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert outputs[0][0] == outputs[1][0] == f"{folder_of(target)}/bin/python\n"
    said = "".join(stderr for _, stderr in outputs)
    assert said.splitlines().count(f"building {folder_of(target)}") == 1
    assert said.count("waiting for it") == 1


def test_framework_that_does_not_import_is_not_put_in_place(toy, empty_home, run_migrate) -> None:
    target = toy(source="raise ImportError('libtoy.so.9: cannot open shared object file')")
    done = run_migrate("env", target)
    assert done.returncode == 2
    assert "ImportError: libtoy.so.9: cannot open shared object file" in done.stderr
    assert f"mend: migrate env {target} --rebuild" in done.stderr
    assert cached_interpreter(target) is None


def test_failed_rebuild_keeps_the_finished_one(toy, empty_home) -> None:
    target = toy()
    found = build(target)
    next(Path(target).glob("*.whl")).unlink()
    with pytest.raises(Unusable, match="uv pip failed") as caught:
        build(target, rebuild=True)
    assert "toyframework" in caught.value.message
    assert caught.value.mend.endswith(f"migrate env {target}")
    assert cached_interpreter(target) == found
    assert probe_import(found) == "1.5"


def test_home_that_can_not_be_written(toy, tmp_path, run_migrate) -> None:
    (tmp_path / "file").write_text("")
    done = run_migrate("env", toy(), MIGRATE_HOME=tmp_path / "file")
    assert done.returncode == 2
    assert str(tmp_path / "file") in done.stderr
    assert "set MIGRATE_HOME" in done.stderr


def test_import_that_never_ends_is_stopped(toy, empty_home, monkeypatch) -> None:
    found = build(toy())
    monkeypatch.setenv("TOY_SECONDS", "600")
    started = time.monotonic()
    with pytest.raises(Unusable, match="no answer about toyframework within 1 s"):
        probe_import(found, timeout=1)
    assert time.monotonic() - started < 30


# The real ones


@pytest.mark.parametrize("name", known_environments())
def test_real_framework_imports(name, python_of) -> None:
    if name not in known_targets() or not load_target(name).weights_only:
        interpreter = python_of(name)
    else:
        interpreter = available_interpreter(name)
        if interpreter is None:
            pytest.skip(f"no interpreter has {name}: migrate env {name}")
    environment = environment_for(name)
    pinned = environment.requirements[0].split("==")[1]
    for version in (interpreter.version, probe_import(interpreter)):
        assert re.split("[+-]", version)[0] == pinned
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([interpreter.python, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == environment.python
    for bound in map(Requirement, environment.bounds):
        code = f"from importlib.metadata import version; print(version({bound.name!r}))"
        done = subprocess.run([interpreter.python, "-c", code], capture_output=True, text=True, check=True)
        assert bound.specifier.contains(done.stdout.strip())
    for folder in environment.libraries:
        assert f"site-packages/{folder}" in interpreter.env["LD_LIBRARY_PATH"]
    assert find_interpreter(name, interpreter.python).env == interpreter.env
