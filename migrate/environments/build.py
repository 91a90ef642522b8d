"""Building a framework's interpreter with uv, aside, and putting it in place when it works."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import uv
from filelock import FileLock, Timeout

from migrate.environments import (
    MANIFEST,
    Interpreter,
    cached_interpreter,
    environment_for,
    folder_of,
    interpreter_in,
    probe_import,
    python_in,
)
from migrate.errors import Unusable

Tell = Callable[[str], None]


def build(name: str, *, rebuild: bool = False, tell: Tell = lambda line: None) -> Interpreter:
    """The cached interpreter of "torch" or a target, built when it is missing, half-made, or ``rebuild`` says so.

    ``tell`` is handed one line for each step and each line that uv prints. Two builders of one environment wait for
    each other; a build that was killed is started anew; a build that fails leaves the finished one as it was.

    Raises Unusable with uv's last lines, or with what importing the framework printed.
    """
    folder = folder_of(name)
    if not rebuild and (found := cached_interpreter(name)):
        return found
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locked(folder, tell):
            # Whoever held the lock may have built it meanwhile.
            if not rebuild and (found := cached_interpreter(name)):
                return found
            return _build(name, folder, tell)
    except OSError as error:
        raise Unusable(
            f"{error.filename or folder}: {error.strerror or error}",
            "make room or permit writing there, or set MIGRATE_HOME to a folder that can be written",
        ) from None


def find_python(minor: str) -> Path | None:
    """A CPython of that minor version ("3.10"): the running one, one on PATH, one of pyenv's; None leaves it to uv."""
    return next((path for path in _pythons(minor) if _is_python(path, minor)), None)


def _pythons(minor: str) -> Iterator[Path]:
    yield Path(sys.executable)
    for folder in os.get_exec_path():
        yield Path(folder) / f"python{minor}"
    # pyenv's shim on PATH refuses to start versions that are not activated; their own executables do.
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from sorted(versions.glob(f"{minor}.*/bin/python"), key=_patch, reverse=True)


def _patch(python: Path) -> int:
    patch = python.parent.parent.name.rsplit(".", 1)[-1]
    return int(patch) if patch.isdigit() else -1


def _is_python(path: Path, minor: str) -> bool:
    if not path.is_file():
        return False
    code = "import sys; print(sys.implementation.name, *sys.version_info[:2])"
    try:
        done = subprocess.run([path, "-I", "-c", code], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.stdout.split() == ["cpython", *minor.split(".")]


@contextmanager
def locked(folder: Path, tell: Tell) -> Iterator[None]:
    """One builder at a time; the system lets go of the lock when a builder is killed."""
    lock = FileLock(folder.with_name(f"{folder.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        tell(f"another migrate is building {folder}: waiting for it")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _build(name: str, folder: Path, tell: Tell) -> Interpreter:
    """Build aside, try it, put it in place. Called with the lock held, so leftovers are nobody's."""
    environment = environment_for(name)
    aside, old = folder.with_name(f"{folder.name}.partial"), folder.with_name(f"{folder.name}.old")
    _remove(aside)
    _remove(old)

    python = find_python(environment.python)
    base = str(python or environment.python)
    tell(f"building {folder}")
    tell(f"Python {environment.python}: {python or 'none found here, uv fetches one'}")
    # Relocatable, because it is renamed once it is complete.
    run_uv(["venv", "--quiet", "--relocatable", "--python", base, str(aside)], name, folder, tell)
    tell(f"installing {' '.join(environment.requirements)}")
    where = ["--python", str(python_in(aside)), *links()]
    for option, lines in (("build-constraints", environment.build), ("constraints", environment.bounds)):
        if lines:
            constraints = aside / f"{option}.txt"
            constraints.write_text("\n".join(lines))
            where += [f"--{option}", str(constraints)]
    run_uv(["pip", "install", *where, *environment.requirements], name, folder, tell)

    tell(f"importing {environment.module}")
    version = probe_import(interpreter_in(name, aside, "unknown"))
    (aside / MANIFEST).write_text(json.dumps({"version": version, **asdict(environment)}, indent=2) + "\n")
    if folder.exists():
        folder.rename(old)
    aside.rename(folder)
    _remove(old)
    return interpreter_in(name, folder, version)


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


def links() -> list[str]:
    """Options of uv for the wheels that PIP_FIND_LINKS names."""
    return [part for link in os.environ.get("PIP_FIND_LINKS", "").split() for part in ("--find-links", link)]


def run_uv(arguments: list[str], name: str, folder: Path, tell: Tell, again: str = "") -> None:
    """Run uv, handing its lines on as they come. Raises Unusable with the last of them.

    again: the command that does all this; "" for the one of the framework's own environment.
    """
    last: deque[str] = deque(maxlen=20)
    # Not in the current directory: a project there may configure uv for itself.
    with subprocess.Popen(
        [uv.find_uv_bin(), *arguments],
        cwd=folder.parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout
        for line in process.stdout:
            last.append(line.rstrip())
            tell(line.rstrip())
    if process.returncode != 0:
        said = "\n".join(f"    {line}" for line in last)
        again = again or f"migrate env {name}"
        mend = f"see to what uv says above, then: {again}"
        if arguments[0] == "venv":
            python = environment_for(name).python
            mend = f"install CPython {python} so that python{python} is on PATH, then: {again}"
        raise Unusable(f"uv {arguments[0]} failed for {name} (exit status {process.returncode})\n{said}", mend)
