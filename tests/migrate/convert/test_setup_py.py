"""setup.py: what setup() requires becomes the target's, wherever the list stands, and all else stays."""

from __future__ import annotations

import pytest

from migrate.convert.setup_py import convert_setup_py, setup_py_requirements

from .conftest import write

MAPPING = {"torch": "paddlepaddle>=3.3"}
SETUP = """\
from setuptools import setup
REQUIRED = ["numpy", 'torch>=1.7',  # the framework
            "torchvision"]
if "torch" in REQUIRED:
    print("with torch")
setup(
    install_requires=REQUIRED,
    tests_require=REQUIRED,
    extras_require={"all": ["torch[extra]>=2; python_version > '3'"], "none": []},
    keywords=["torch"],
)
"""
EXPECTED = SETUP.replace("'torch>=1.7'", "'paddlepaddle>=3.3'").replace(
    "\"torch[extra]>=2; python_version > '3'\"", "'paddlepaddle>=3.3; python_version > \"3\"'"
)


def test_its_lists_and_nothing_else() -> None:
    new, marked = convert_setup_py(SETUP.encode(), MAPPING, "PaddlePaddle")
    assert new.decode() == EXPECTED
    assert marked == [3]
    compile(new, "setup.py", "exec")
    assert setup_py_requirements(SETUP) == ["numpy", "torch>=1.7", "torchvision"]


@pytest.mark.parametrize("text", ["setup(install_requires=read())\n", "setup(**options)\n", "setup(\n"])
def test_what_is_not_known_stays(text: str) -> None:
    assert convert_setup_py(text.encode(), MAPPING, "PaddlePaddle") == (text.encode(), [])


def test_its_encoding_stays() -> None:
    text = "# -*- coding: latin-1 -*-\n# Fran\xe7ois\nsetup(install_requires=['torch'])\r\n"
    new, _ = convert_setup_py(text.encode("latin-1"), MAPPING, "PaddlePaddle")
    assert new == text.replace("'torch'", "'paddlepaddle>=3.3'").encode("latin-1")


def test_it_is_converted_with_the_project(convert, project) -> None:
    write(project, {"setup.py": SETUP})
    done = convert(project)
    assert done.code == 0
    text = project.with_name("net-paddle").joinpath("setup.py").read_text()
    assert "'paddlepaddle>=3.3',  # the framework" in text
    assert "setup.py:3" in done.out + done.err
