"""pyproject.toml, setup.cfg, environment.yml: torch's requirement becomes the target's, all else stays."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from migrate.convert.dependency_files import convert_dependencies, is_dependency_file

MAPPING = {"torch": "paddlepaddle>=3.3"}

CASES = [
    (
        "pyproject.toml",
        '[project]\nname = "x"  # ours\ndependencies = [\n'
        "  \"torch>=2; python_version > '3'\",  # the framework\n  'numpy',\n]\n"
        '[project.optional-dependencies]\nvision = ["torchvision"]\n[tool.x]\ny = "torch>=2.1"\n',
        '[project]\nname = "x"  # ours\ndependencies = [\n'
        "  'paddlepaddle>=3.3; python_version > \"3\"',  # the framework\n  'numpy',\n]\n"
        '[project.optional-dependencies]\nvision = ["torchvision"]\n[tool.x]\ny = "torch>=2.1"\n',
        [8],
    ),
    (
        "setup.cfg",
        "[metadata]\nname = x\n[options]\ninstall_requires =\n    torch>=2\n    numpy\n",
        "[metadata]\nname = x\n[options]\ninstall_requires =\n    paddlepaddle>=3.3\n    numpy\n",
        [],
    ),
    (
        "environment.yml",
        "channels:\n  - pytorch\ndependencies:\n  - python=3.9\n  - pytorch=1.13  # gpu\n  - torchvision\n"
        "  - pytorch-lightning\n  - pip:\n    - torch==2.1\n    - einops\n",
        "channels:\n  - pytorch\ndependencies:\n  - python=3.9\n  - paddlepaddle>=3.3  # gpu\n  - torchvision\n"
        "  - pytorch-lightning\n  - pip:\n    - paddlepaddle>=3.3\n    - einops\n",
        [6],
    ),
]


@pytest.mark.parametrize(("name", "text", "expected", "marked"), CASES, ids=[case[0] for case in CASES])
def test_requirements_change_and_nothing_else(name: str, text: str, expected: str, marked: list[int]) -> None:
    assert convert_dependencies(PurePosixPath(name), text, MAPPING, "PaddlePaddle") == (expected, marked)


@pytest.mark.parametrize(("name", "text"), [("pyproject.toml", "[project\n"), ("setup.cfg", "no section\n")])
def test_a_file_that_is_not_of_its_format(name: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        convert_dependencies(PurePosixPath(name), text, MAPPING, "PaddlePaddle")


def test_by_name() -> None:
    assert is_dependency_file(PurePosixPath("a/requirements-dev.txt"))
    assert is_dependency_file(PurePosixPath("a/setup.cfg"))
    assert is_dependency_file(PurePosixPath("a/conda_env.yml"))
    assert is_dependency_file(PurePosixPath("a/environment-gpu.yaml"))
    assert not is_dependency_file(PurePosixPath("a/envs.yml"))
    assert not is_dependency_file(PurePosixPath("a/setup.py"))
