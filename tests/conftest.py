"""Interpreters that tests of all packages run frameworks in."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from migrate.environments import Interpreter, available_interpreter
from migrate.environments.build import build

QUICK = "not framework"  # as ``make quick`` chooses tests
quick = False


def pytest_configure(config: pytest.Config) -> None:
    global quick
    quick = config.getoption("markexpr") == QUICK


@cache
def _interpreter(name: str) -> Interpreter:
    """Built when missing, and shared by all runs on this machine; parallel workers wait for one another."""
    if quick:
        pytest.fail(f"it runs {name} and is not marked: ask for the fixture `python_of` instead", pytrace=False)
    return available_interpreter(name) or build(name)


# Fixtures that give, or run, a framework's interpreter.
FRAMEWORKS = {
    "python_of", "torch_python", "paddle_python", "oneflow_python", "jax_python", "outcome", "agrees", "announced",
    "paddle2onnx_python", "onnxruntime_python", "openvino_python", "triton_python", "nncf_python",
}  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what runs a framework, so that ``make quick`` leaves it out."""
    for item in items:
        module = getattr(item, "module", None)
        if FRAMEWORKS & set(getattr(item, "fixturenames", ())) or hasattr(module, "torch"):
            item.add_marker("framework")


@pytest.fixture(scope="session")
def python_of() -> Callable[[str], Interpreter]:
    """``python_of("paddle")``, for a test that has the name as a parameter."""
    return _interpreter


@pytest.fixture(scope="session")
def torch_python() -> Interpreter:
    return _interpreter("torch")


@pytest.fixture(scope="session")
def paddle_python() -> Interpreter:
    return _interpreter("paddle")


@pytest.fixture(scope="session")
def jax_python() -> Interpreter:
    return _interpreter("jax")


@pytest.fixture(scope="session")
def oneflow_python() -> Interpreter:
    return _interpreter("oneflow")


@pytest.fixture(scope="session")
def paddle2onnx_python() -> Interpreter:
    return _interpreter("paddle2onnx")


@pytest.fixture(scope="session")
def onnxruntime_python() -> Interpreter:
    return _interpreter("onnxruntime")


@pytest.fixture(scope="session")
def openvino_python() -> Interpreter:
    return _interpreter("openvino")


@pytest.fixture(scope="session")
def triton_python() -> Interpreter:
    return _interpreter("triton")


@pytest.fixture(scope="session")
def nncf_python() -> Interpreter:
    return _interpreter("nncf")


@pytest.fixture(scope="session")
def run_migrate() -> Callable[..., subprocess.CompletedProcess[str]]:
    """``run_migrate("env", "torch", MIGRATE_HOME=...)``: the command as a user runs it, with these variables added."""

    def run(*arguments: Any, timeout: float = 300, **variables: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "migrate", *map(str, arguments)],
            env={**os.environ, "COLUMNS": "300", **{name: str(value) for name, value in variables.items()}},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
        )

    return run
