"""requirements*.txt: what becomes of torch's distributions."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from migrate.convert.requirements import convert_requirements, is_requirements

from .conftest import write

PADDLE = {"torch": "paddlepaddle>=3.3"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("torch", "paddlepaddle>=3.3"),
        ("torch>=2.0,<3", "paddlepaddle>=3.3"),
        ("Torch == 2.1.0+cpu", "paddlepaddle>=3.3"),
        ("torch[opt-einsum]>=2  # the framework", "paddlepaddle>=3.3  # the framework"),
        ("torch>=2; python_version >= '3.10'  # new", 'paddlepaddle>=3.3; python_version >= "3.10"  # new'),
        ("torch @ https://example.org/torch-2.1-cp310-none-any.whl", "paddlepaddle>=3.3"),
        ("\ufefftorch", "paddlepaddle>=3.3"),
    ],
)
def test_torch(line, expected):
    assert convert_requirements(line, PADDLE, "PaddlePaddle") == (expected, [])


@pytest.mark.parametrize(
    "line",
    [
        "",
        "# torch is the framework",
        "numpy>=1.24  # not torch",
        "torch-geometric",
        "pytorch",
        "-r base.txt",
        "--extra-index-url https://example.org/whl/torch",
        "-e .",
        "./torch",
        "git+https://example.org/torch.git",
        "https://example.org/torch-2.1-cp310-none-any.whl",
    ],
)
def test_what_stays(line):
    assert convert_requirements(line + "\r\n", PADDLE, "PaddlePaddle") == (line + "\r\n", [])


def test_what_has_no_counterpart_is_marked():
    text = "numpy\r\ntorchvision>=0.15  # images\r\ntorch\r\npytorch_lightning"
    new, marked = convert_requirements(text, PADDLE, "PaddlePaddle")
    lines = new.split("\r\n")
    assert marked == [2, 4]
    assert lines[0] == "numpy"
    assert lines[1].startswith("# migrate: no-counterpart torchvision ")
    assert lines[2] == "torchvision>=0.15  # images"
    assert lines[3] == "paddlepaddle>=3.3"
    assert lines[4].startswith("# migrate: no-counterpart pytorch-lightning ")
    assert lines[4].endswith("\npytorch_lightning")


def test_a_line_with_hashes_is_marked():
    text = "torch==2.4.0 --hash=sha256:abc\nnumpy==2.0 \\\n    --hash=sha256:def\n"
    new, marked = convert_requirements(text, PADDLE, "PaddlePaddle")
    assert marked == [1]
    assert new.endswith(text)


def test_a_target_that_needs_nothing_instead():
    text = "numpy\ntorch>=2\ntorch  # why\n"
    assert convert_requirements(text, {"torch": ""}, "Toy") == ("numpy\n# why\n", [])


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("requirements.txt", True),
        ("requirements-dev.txt", True),
        ("requirements.in", True),
        ("dev-requirements.txt", True),
        ("docs/requirements_gpu.txt", True),
        ("notes.txt", False),
        ("requirements.md", False),
    ],
)
def test_which_files(name, is_one):
    assert is_requirements(PurePosixPath(name)) is is_one


def test_marked_lines_are_in_the_report(convert, tmp_path):
    source = write(tmp_path / "net", {"requirements/dev-requirements.txt": "torch\ntorchvision\n", "a.py": ""})
    done = convert(source)
    assert done.code == 0
    assert "marked   requirements/dev-requirements.txt:2: torchvision" in done.err
    write(source, {"requirements.txt": "torch  # caf\xe9\n".encode("latin-1")})
    done = convert(source)
    assert done.code == 1
    assert "failed   requirements.txt: not UTF-8" in done.err
    assert (tmp_path / "net-paddle" / "requirements.txt").read_bytes() == "torch  # caf\xe9\n".encode("latin-1")
