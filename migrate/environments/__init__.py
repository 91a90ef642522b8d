"""Interpreters in which torch and the targets run: which there are, and how to start them.

A framework wants its own Python and its own numpy, so each runs in an interpreter of its own, in a process of its own.
Finding one is quick and imports no framework; ``migrate.environments.build`` makes one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from migrate import backends
from migrate.environments import probe as environment_probe
from migrate.errors import Unusable
from rewriters.storing import home
from rewriters.target import Environment, UnknownTarget, known_targets, load_target
from rewriters.torch import ENVIRONMENT as TORCH

MANIFEST = "environment.json"
"""Written last into a finished environment: a folder without it is half-made."""

BUILT = "migrate env"
"""The origin of an interpreter that is ours to build again."""

LOCATE_SECONDS = 30
IMPORT_SECONDS = 180


@dataclass(frozen=True)
class Interpreter:
    """A Python that has a framework.

    name:     "torch", the target or the back end, as it was asked for.
    python:   the executable; its symbolic links are kept, since a virtual environment is known by them.
    version:  of the framework, "unknown" when its distribution does not say.
    env:      variables that it must be started with.
    origin:   how it was found, for reports.
    """

    name: str
    python: Path
    version: str
    env: Mapping[str, str]
    origin: str

    def environ(self) -> dict[str, str]:
        """The whole environment for a subprocess: this process's with ``env`` over it."""
        return {**os.environ, **self.env}


def known_environments() -> list[str]:
    """Names that ``migrate env`` takes: torch, the targets, back ends and what converts to their formats."""
    return ["torch", *known_targets(), *backends.environments()]


def environment_for(name: str) -> Environment:
    """The environment of "torch", of a target or a back end, or of the target in the folder of that path.

    Raises Unusable, listing the known names.
    """
    if name == "torch":
        return TORCH
    if (found := backends.environments().get(name)) is not None:
        return found
    try:
        return load_target(name).environment
    except UnknownTarget:
        raise Unusable(
            f"unknown environment {name!r}; known: {', '.join(known_environments())}",
            "give one of these, or the path of a target's folder",
        ) from None


def folder_of(name: str) -> Path:
    """The folder of the environment in the cache, there or not: another pin is another folder."""
    environment = environment_for(name)
    label = name if name in known_environments() else load_target(name).name
    bounds = [environment.bounds] if environment.bounds else []
    pins = json.dumps([environment.python, environment.requirements, *bounds])
    return home() / "envs" / f"{label}-{hashlib.sha256(pins.encode()).hexdigest()[:8]}"


def find_interpreter(name: str, override: Path | None = None) -> Interpreter:
    """The interpreter for "torch" or a target, found without importing the framework.

    ``override`` (``--target-python``) if given, else the running interpreter when the framework is installed in it and
    its Python is the one wanted, else the cached environment.

    Raises Unusable, whose mend is the command that makes one.
    """
    environment = environment_for(name)
    if override is not None:
        return _overridden(name, environment, override)
    found = available_interpreter(name)
    if found is None:
        raise Unusable(f"no interpreter has {environment.module}", f"migrate env {name}")
    return found


def available_interpreter(name: str) -> Interpreter | None:
    """As find_interpreter without an override, but None when there is none."""
    return _running(name, environment_for(name)) or cached_interpreter(name)


def cached_interpreter(name: str) -> Interpreter | None:
    """The finished environment in the cache, None when there is none or its base Python has gone."""
    folder = folder_of(name)
    if not (folder / MANIFEST).is_file() or not python_in(folder).exists():
        return None
    return interpreter_in(name, folder, json.loads((folder / MANIFEST).read_text())["version"])


def interpreter_in(name: str, folder: Path, version: str) -> Interpreter:
    """The interpreter of an environment that ``migrate env`` made in this folder."""
    packages = [*folder.glob("lib/python*/site-packages"), *folder.glob("Lib/site-packages")]
    wanted = [base / part for part in environment_for(name).libraries for base in packages]
    return Interpreter(name, python_in(folder), version, _variables([str(p) for p in wanted if p.is_dir()]), BUILT)


def probe_import(interpreter: Interpreter, timeout: float = IMPORT_SECONDS) -> str:
    """Import the framework in a fresh process of the interpreter.

    Returns its version. Raises Unusable with the last lines that the import printed.
    """
    name, variables = interpreter.name, interpreter.environ()
    mend = f"migrate env {name}"
    if interpreter.origin == BUILT:
        mend += " --rebuild"
        # The folder is ours to write: with the compiled modules kept, every later import takes half the time.
        variables.pop("PYTHONDONTWRITEBYTECODE", None)
    found = _ask(interpreter.python, environment_for(name), variables, timeout, mend, importing=True)
    return str(found["version"])


def python_in(folder: Path) -> Path:
    """The executable of a virtual environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def distribution_of(environment: Environment) -> str:
    """The framework's distribution: by convention the first requirement."""
    return re.split(r"[^\w.-]", environment.requirements[0], maxsplit=1)[0]


def _running(name: str, environment: Environment) -> Interpreter | None:
    if environment.python != f"{sys.version_info[0]}.{sys.version_info[1]}":
        return None
    found = environment_probe.locate(environment.module, distribution_of(environment), list(environment.libraries))
    # Without a distribution it is some folder of that name, such as one in the current directory.
    if found["origin"] is None or found["version"] is None:
        return None
    return _located(name, Path(sys.executable), found, "the interpreter that runs migrate")


def _overridden(name: str, environment: Environment, override: Path) -> Interpreter:
    mend = f"give an interpreter that has {environment.module}, or none to use the one of: migrate env {name}"
    python = shutil.which(override)
    if python is None:
        raise Unusable(f"{override}: not an executable file", mend)
    executable = Path(python).absolute()
    found = _ask(executable, environment, dict(os.environ), LOCATE_SECONDS, mend, importing=False)
    if found["origin"] is None:
        raise Unusable(f"{executable}: has no {environment.module}", mend)
    return _located(name, executable, found, "given")


def _located(name: str, python: Path, found: dict[str, Any], origin: str) -> Interpreter:
    return Interpreter(name, python, found["version"] or "unknown", _variables(found["libraries"]), origin)


def _variables(libraries: list[str]) -> dict[str, str]:
    """What makes the loader search these folders first, and then wherever it would have."""
    if not libraries:
        return {}
    before = [os.environ["LD_LIBRARY_PATH"]] if os.environ.get("LD_LIBRARY_PATH") else []
    return {"LD_LIBRARY_PATH": os.pathsep.join([*libraries, *before])}


def _ask(
    python: Path, environment: Environment, variables: dict[str, str], timeout: float, mend: str, *, importing: bool
) -> dict[str, Any]:
    """Run the probe in ``python``; its answer."""
    asked = {
        "module": environment.module,
        "distribution": distribution_of(environment),
        "libraries": environment.libraries,
        "import": importing,
    }
    command = [str(python), environment_probe.__file__, json.dumps(asked)]
    try:
        done = subprocess.run(
            command, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        raise Unusable(f"{python}: no answer about {environment.module} within {timeout:.0f} s", mend) from None
    except OSError as error:
        raise Unusable(f"{python}: can not be started: {error.strerror}", mend) from None
    if done.returncode != 0:
        last = "\n".join(f"    {line}" for line in done.stderr.strip().splitlines()[-8:])
        doing = f"importing {environment.module}" if importing else "looking for packages"
        raise Unusable(f"{python}: {doing} failed (exit status {done.returncode})\n{last}", mend)
    try:
        answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        raise Unusable(f"{python}: did not answer as a Python would", mend) from None
    return answer
