"""Which files are taken, and how each arrives: encodings, modes, links, what is ignored."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from .conftest import CONVERTED_MODEL, MODEL, refused, tree, write

NOTEBOOK = {
    "cells": [{"cell_type": "code", "source": ["import torch\n", "x = torch.cat([], dim=0)"], "metadata": {}}],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture
def names(convert, project):
    """Convert ``project`` with these options; the names of what is in the output."""

    def names(*options):
        done = convert(project, *options)
        assert done.code == 0, done.err
        found = tree(project.with_name("net-paddle"))
        return {name for name, data in found.items() if data is not None and not name.startswith(".migrate")}

    return names


PLAIN = {"model.py", "README.md", "requirements.txt"}


def test_what_git_ignores_is_left_out(names, project):
    files = {
        ".gitignore": "runs/\n*.ckpt\n/top.py\n",
        "runs/log.txt": "",
        "a.ckpt": "",
        "top.py": "",
        "sub/top.py": "",
        "sub/.gitignore": "*.log\n!keep.ckpt\n",
        "sub/a.log": "",
        "sub/keep.ckpt": "",
        "other/a.log": "",
    }
    write(project, files)
    kept = {".gitignore", "sub/.gitignore", "sub/top.py", "sub/keep.ckpt", "other/a.log"}
    assert names() == PLAIN | kept


def test_exclude(names, project):
    write(project, {"tests/test_a.py": "", "sub/tests/a.py": "", "sub/big.bin": "", "old/a.py": ""})
    assert names("--exclude", "/tests", "--exclude", "*.bin", "--exclude", "old/") == PLAIN | {"sub/tests/a.py"}


def test_what_is_nobodys_source(names, project):
    others = {
        ".git/config": "",
        "__pycache__/model.cpython-311.pyc": "",
        "node_modules/a.py": "",
        ".venv/a.py": "",
        "myenv/pyvenv.cfg": "",
        "myenv/lib/a.py": "",
        ".out.x1y2.partial/a.py": "",
    }
    write(project, others)
    assert names() == PLAIN


def test_links_stay_links(convert, project):
    (project / "alias.py").symlink_to("model.py")
    (project / "sub").mkdir()
    (project / "sub" / "up").symlink_to("..")
    (project / "dangling").symlink_to("not/there")
    for _ in range(2):
        assert convert(project).code == 0
    out = project.with_name("net-paddle")
    assert (out / "alias.py").readlink() == Path("model.py")
    assert (out / "alias.py").read_text() == CONVERTED_MODEL
    assert (out / "sub" / "up").readlink() == Path("..")
    assert (out / "dangling").readlink() == Path("not/there")


def test_empty_folders_are_kept(convert, project):
    (project / "logs" / "deep").mkdir(parents=True)
    (project / "cache" / "__pycache__").mkdir(parents=True)
    for _ in range(2):
        assert convert(project).code == 0
    out = project.with_name("net-paddle")
    assert (out / "logs" / "deep").is_dir()
    assert (out / "cache").is_dir()
    assert not (out / "cache" / "__pycache__").exists()


def test_a_folder_without_python(convert, tmp_path):
    (tmp_path / "net").mkdir()
    done = convert(tmp_path / "net")
    assert done.code == 0
    assert "0 converted, 0 unchanged, 0 failed" in done.err


def test_modes_are_kept(convert, project):
    write(project, {"run.sh": "#!/bin/sh\n", "plain.py": "x = 1\n"})
    for name, mode in {"run.sh": 0o750, "model.py": 0o755, "plain.py": 0o644, "README.md": 0o600}.items():
        (project / name).chmod(mode)
    assert convert(project).code == 0
    assert convert(project / "model.py").code == 0
    out = project.with_name("net-paddle")
    found = {
        name: stat.S_IMODE((out / name).stat().st_mode) for name in ("run.sh", "model.py", "plain.py", "README.md")
    }
    assert found == {"run.sh": 0o750, "model.py": 0o755, "plain.py": 0o644, "README.md": 0o600}
    assert stat.S_IMODE((project / "model-paddle.py").stat().st_mode) == 0o755
    assert stat.S_IMODE(out.stat().st_mode) == 0o777 & ~current_umask()


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_line_endings_and_encodings(convert, tmp_path):
    dos = MODEL.replace("\n", "\r\n").encode()
    latin = "# -*- coding: latin-1 -*-\nimport torch\nname = 'caf\xe9'\nx = torch.cat([], dim=0)\n".encode("latin-1")
    files = {
        "dos.py": dos,
        "bom.py": b"\xef\xbb\xbf" + MODEL.encode(),
        "latin.py": latin,
        "raw.bin": b"torch\x00\xff\r\n",
    }
    source = write(tmp_path / "net", files)
    assert convert(source).code == 0
    out = tmp_path / "net-paddle"
    assert (out / "dos.py").read_bytes() == CONVERTED_MODEL.replace("\n", "\r\n").encode()
    assert (out / "bom.py").read_bytes() == b"\xef\xbb\xbf" + CONVERTED_MODEL.encode()
    expected = latin.replace(b"import torch", b"import paddle").replace(b"torch.cat", b"paddle.concat")
    assert (out / "latin.py").read_bytes() == expected.replace(b"dim=0", b"axis=0")
    assert (out / "raw.bin").read_bytes() == b"torch\x00\xff\r\n"


def test_python_without_torch_is_the_same_bytes(convert, tmp_path):
    odd = b"# coding: latin-1\r\nx = 'caf\xe9'   \r\n\x0c\nif x :\n\ty=(1 ,)"
    source = write(tmp_path / "net", {"odd.py": odd, "empty.py": b""})
    assert convert(source).code == 0
    assert (tmp_path / "net-paddle" / "odd.py").read_bytes() == odd
    assert (tmp_path / "net-paddle" / "empty.py").read_bytes() == b""


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b"import torch\nx = '\xff'\n", "odd.py: cannot be decoded"),
        (b"# coding: no-such\nimport torch\n", "odd.py: cannot be decoded"),
        (b"import torch\n\x00\n", "odd.py: "),
        (b"import torch\nx = " + b"(" * 500 + b")" * 500, "odd.py"),
    ],
    ids=["utf-8", "cookie", "null", "nesting"],
)
def test_a_file_that_is_not_python_is_one_row(convert, project, content, where):
    write(project, {"odd.py": content})
    done = convert(project)
    assert done.code == 1
    assert "1 failed" in done.err
    assert f"failed   {where}" in done.err
    assert (project.with_name("net-paddle") / "odd.py").read_bytes() == content
    assert (project.with_name("net-paddle") / "model.py").read_text() == CONVERTED_MODEL


def test_what_is_not_python_and_has_no_torch_stays_as_it_is(convert, project):
    content = b"print 'of Python 2'\n"
    write(project, {"old.py": content})
    done = convert(project)
    assert (done.code, "0 failed" in done.err) == (0, True), done.err
    assert (project.with_name("net-paddle") / "old.py").read_bytes() == content


@pytest.mark.parametrize(
    "deep",
    [
        "x = " + " + ".join(["1"] * 2000),
        "x = " + "-" * 2000 + "1",
        "x = 1\nif x:\n    pass\n" + "".join(f"elif x == {i}:\n    y = torch.zeros({i})\n" for i in range(800)),
        "x = y" + ".append(1)" * 1000,
    ],
    ids=["sum", "minus", "elif", "chain"],
)
def test_deeply_nested_source(convert, project, deep):
    write(project, {"deep.py": f"import torch\n{deep}\nz = torch.cat([], dim=0)\n"})
    assert convert(project).code == 0
    assert (project.with_name("net-paddle") / "deep.py").read_text().endswith("z = paddle.concat([], axis=0)\n")
    assert (project.with_name("net-paddle") / "model.py").read_text() == CONVERTED_MODEL


def test_names_that_are_not_text(convert, project):
    name = os.fsdecode(b"caf\xe9 \xff.py")
    write(project, {name: MODEL, "sp ace/[x]{y}.py": MODEL})
    done = convert(project, "--report", project.parent / "report.json")
    assert done.code == 0, done.err
    out = project.with_name("net-paddle")
    assert (out / name).read_text() == (out / "sp ace" / "[x]{y}.py").read_text() == CONVERTED_MODEL
    write(project, {name: "import torch\n)"})
    assert convert(project).code == 1


def test_special_files_are_left_out(names, project):
    os.mkfifo(project / "pipe.py")
    assert names() == PLAIN


def test_a_file_of_the_helper_modules_name(convert, project):
    write(project, {"f.py": "import torch\nx = torch.cat(*[])\n", "paddle_helpers.py": "mine = 1\n"})
    assert refused(convert(project), "net/paddle_helpers.py: ", "rename it")


def test_notebooks_are_converted_or_reported(convert, project):
    write(project, {"play.ipynb": json.dumps(NOTEBOOK), "plain.ipynb": json.dumps({**NOTEBOOK, "cells": []})})
    done = convert(project)
    assert done.code == 0
    out = project.with_name("net-paddle") / "play.ipynb"
    converted = "paddle.concat([], axis=0)" in "".join(json.loads(out.read_text())["cells"][0]["source"])
    assert converted or "failed   play.ipynb" in done.err
    assert "failed   plain.ipynb" not in done.err


def test_settings(names, project):
    write(project, {"pyproject.toml": '[tool.migrate]\nexclude = ["/sub", "*.bin"]\n', "sub/a.py": "", "x/a.bin": ""})
    assert names() == PLAIN | {"pyproject.toml"}


def test_target_from_the_settings(convert, project):
    write(project, {"pyproject.toml": '[tool.migrate]\ntarget = "oneflow"\n'})
    assert convert(project).code == 0
    assert "oneflow" in (project.with_name("net-oneflow") / "model.py").read_text()
    assert convert(project, "--to", "paddle").code == 0
    assert (project.with_name("net-paddle") / "model.py").read_text() == CONVERTED_MODEL


def test_settings_of_the_repository_hold_for_what_is_inside(convert, project):
    text = '[tool.migrate]\ntarget = "oneflow"\nexclude = ["net/sub"]\n'
    write(project.parent, {"pyproject.toml": text, "net/sub/a.py": "", "net/pyproject.toml": "[project]\n"})
    assert convert(project, "-o", project.parent / "out").code == 0
    assert not (project.parent / "out" / "sub").exists()
    assert "oneflow" in (project.parent / "out" / "model.py").read_text()
    (project / ".git").mkdir()  # a repository of its own
    assert convert(project, "-o", project.parent / "own").code == 0
    assert "paddle" in (project.parent / "own" / "model.py").read_text()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[tool.migrate]\ntaget = 'paddle'\n", ["[tool.migrate] has no taget", "known: target"]),
        ("[tool.migrate]\ntarget = 'padle'\n", ["unknown target 'padle'"]),
        ("[tool.migrate]\ntarget = 3\n", ["target is not a string"]),
        ("[tool.migrate]\nrules = 'rules.py'\n", ["rules is not a list of strings"]),
        ("[tool.migrate]\nexclude = [1]\n", ["exclude is not a list of strings"]),
        ("[tool.migrate]\nrules = ['none.py']\n", ["none.py: no such rule file"]),
        ("[tool]\nmigrate = 1\n", ["tool.migrate is not a table"]),
        ("[tool.migrate\n", ["pyproject.toml: "]),
    ],
)
def test_bad_settings(convert, project, text, words):
    write(project, {"pyproject.toml": text})
    assert refused(convert(project), *words)
    assert not project.with_name("net-paddle").exists()
