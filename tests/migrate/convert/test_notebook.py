"""Notebooks: code cells are converted, magics kept, outputs cleared only where their cell changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from migrate.convert import notebook

CELLS = [
    {"cell_type": "markdown", "source": ["# torch.ones"], "metadata": {}},
    {
        "cell_type": "code",
        "source": ["%matplotlib inline\n", "import torch\n", "x = torch.ones(2, 3)  # twos"],
        "outputs": [{"output_type": "stream", "text": ["old"]}],
        "execution_count": 3,
        "metadata": {},
    },
    {
        "cell_type": "code",
        "source": ["files = !ls\n", "y = x.view(-1)\n", "if True:\n", "    %time y\n", "x?"],
        "outputs": [],
        "execution_count": None,
        "metadata": {},
    },
    {"cell_type": "code", "source": ["%%bash\n", "ls *.pt"], "outputs": [1], "execution_count": 4, "metadata": {}},
    {"cell_type": "code", "source": "print('ünïcode')", "outputs": [7], "execution_count": 5, "metadata": {}},
]


def of(text: str) -> bytes:
    """A notebook of one cell."""
    cell = {"cell_type": "code", "source": text, "outputs": [], "execution_count": None, "metadata": {}}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def book(indent: int | None = 1) -> bytes:
    document = {"cells": CELLS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(document, indent=indent, ensure_ascii=False) + "\n").encode()


def test_cells_are_converted_in_place(convert, tmp_path: Path) -> None:
    source = tmp_path / "study"
    source.mkdir()
    (source / "a.ipynb").write_bytes(book())
    done = convert(source)
    assert done.code == 0
    text = (tmp_path / "study-paddle" / "a.ipynb").read_text(encoding="utf-8")
    cells = json.loads(text)["cells"]
    assert cells[0] == CELLS[0]
    assert cells[1]["source"] == ["%matplotlib inline\n", "import paddle\n", "x = paddle.ones([2, 3])  # twos"]
    assert cells[1]["outputs"] == []
    assert cells[1]["execution_count"] is None
    assert cells[2]["source"] == ["files = !ls\n", "y = x.reshape([-1])\n", "if True:\n", "    %time y\n", "x?"]
    assert cells[3] == CELLS[3]
    assert cells[4] == CELLS[4]
    assert "ünïcode" in text
    assert text.startswith('{\n "cells"')


def test_a_notebook_without_torch_is_copied(convert, tmp_path: Path) -> None:
    source = tmp_path / "study"
    source.mkdir()
    data = book().replace(b"torch", b"numpy")
    (source / "a.ipynb").write_bytes(data)
    (source / "b.py").write_text("import torch\n")
    assert convert(source).code == 0
    assert (tmp_path / "study-paddle" / "a.ipynb").read_bytes() == data


def test_a_broken_notebook_is_one_row(convert, tmp_path: Path) -> None:
    source = tmp_path / "study"
    source.mkdir()
    (source / "a.ipynb").write_text('{"cells": "import torch"}')
    (source / "b.py").write_text("import torch\nx = torch.ones(2)\n")
    done = convert(source)
    assert done.code == 1
    assert "failed   a.ipynb: not a notebook of format 4" in done.err
    assert (tmp_path / "study-paddle" / "b.py").read_text() == "import paddle\nx = paddle.ones([2])\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%%time\nx = 1", "pass  # migrate-magic:%%time\nx = 1"),
        ("x = 5 % 3", "x = 5 % 3"),
        ("%%html\n<b>", None),
        ("def f(:", None),
        ("a, b = !cat x", "pass  # migrate-magic:a, b = !cat x"),
    ],
)
def test_what_is_not_python_is_hidden(text: str, expected: str | None) -> None:
    assert notebook.hidden(text) == expected
    if expected is not None:
        assert notebook.restored(expected) == text


def test_lines_are_counted_by_cell() -> None:
    source = notebook.to_source(book())
    line = source.decode().splitlines().index("y = x.view(-1)") + 1
    assert notebook.line_in_cell(source, line) == (3, 2)


def test_a_notebook_by_itself(convert, tmp_path: Path) -> None:
    source = tmp_path / "study.ipynb"
    source.write_bytes(of("import torch\nx = torch.ones(2, 3)\nx.sum(dim=1)"))
    assert convert(source).code == 0
    converted = (tmp_path / "study-paddle.ipynb").read_text()
    assert "x.sum(axis=1)" in converted
    assert "import paddle" in converted
    assert convert(source, "-o", tmp_path / "b.ipynb", "--diff").code == 0
    assert not (tmp_path / "b.ipynb").exists()
    source.write_bytes(of("x = 1"))
    assert convert(source, "-o", tmp_path / "plain.ipynb").code == 0
    assert (tmp_path / "plain.ipynb").exists()
    source.write_text('{"nbformat": 3}')
    done = convert(source, "-o", tmp_path / "plain.ipynb", "--force")
    assert done.code == 2
    assert "not a notebook of format 4" in done.err
    assert "copied" not in done.err
    assert "x = 1" in (tmp_path / "plain.ipynb").read_text()
