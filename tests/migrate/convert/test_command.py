"""``migrate convert``: what is converted, what it prints, how it ends."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from .conftest import BROKEN, CONVERTED_MODEL, MARKED, MODEL, refused, tree, write


def test_folder_of_scripts(convert, project):
    done = convert(project, "--to", "paddle")
    assert (done.code, done.out) == (0, "")
    out = project.with_name("net-paddle")
    assert (out / "model.py").read_text() == CONVERTED_MODEL
    assert (out / "README.md").read_text() == "# Net\n"
    assert (out / "requirements.txt").read_text() == "numpy\npaddlepaddle>=3.3\n"
    assert f"wrote {out}" in done.err
    assert "2 converted, 0 unchanged, 0 failed" in done.err


def test_one_file_into_a_folder(convert, project, tmp_path):
    """``-o out`` names a folder, there already or not; ``-o new.py`` a file."""
    for out, file in (("out", "out/model.py"), ("out", "out/model.py"), ("new.py", "new.py"), ("a/b", "a/b/model.py")):
        assert convert(project / "model.py", "-o", tmp_path / out).code == 0
        assert (tmp_path / file).read_text() == CONVERTED_MODEL
    write(tmp_path, {"text": "kept"})
    assert refused(convert(project / "model.py", "-o", tmp_path / "text"), "text")
    assert (tmp_path / "text").read_text() == "kept"


def test_package(convert, tmp_path):
    helper = "import torch\n\n\ndef f(*args):\n    return torch.cat(*args)\n"
    write(tmp_path / "pkg", {"__init__.py": "from .sub.a import f\n", "sub/__init__.py": "", "sub/a.py": helper})
    assert convert(tmp_path / "pkg", "-o", tmp_path / "out" / "pkg").code == 0
    out = tmp_path / "out" / "pkg"
    assert (out / "paddle_helpers.py").is_file()
    assert "from .. import paddle_helpers\n" in (out / "sub" / "a.py").read_text()
    assert (out / "sub" / "__init__.py").read_bytes() == b""


def test_a_package_without_a_file_that_says_so(convert, tmp_path):
    """What imports relatively is found from the folder above it, and so is its helper module."""
    helper = "import torch\n\n\ndef f(*args):\n    return torch.cat(*args)\n"
    files = {"net/a.py": "from .b import f\n", "net/b.py": helper, "main.py": f"import net.c\n{helper}"}
    files |= {"net/c.py": "x = 1\n", "scripts/run.py": helper}
    write(tmp_path / "repo", files)
    assert convert(tmp_path / "repo", "-o", tmp_path / "out").code == 0
    found = [str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("paddle_helpers.py")]
    assert sorted(name for name in found if ".migrate" not in name) == [
        "paddle_helpers.py",
        "scripts/paddle_helpers.py",
    ]


def test_single_file(convert, tmp_path):
    file = write(tmp_path, {"model.py": MODEL, "other.py": MODEL}) / "model.py"
    assert convert(file).code == 0
    assert (tmp_path / "model-paddle.py").read_text() == CONVERTED_MODEL
    assert sorted(tree(tmp_path)) == ["model-paddle.py", "model.py", "other.py"]


def test_a_fault_of_the_converter_is_not_the_files(convert, tmp_path, monkeypatch):
    file = write(tmp_path, {"model.py": f"{MODEL}# not in the cache\n"}) / "model.py"

    def fail(text):
        raise SyntaxError("unmatched ')'", ("model.py", 3, 1, "x = f)", 3, 2))

    monkeypatch.setattr("rewriters.component.check", fail)
    done = convert(file, "--to", "paddle")
    refused(
        done,
        "the converted text does not parse",
        "unmatched ')': x = f)",
        f"report this as a fault of migrate, with {file}",
    )
    assert "correct the file" not in done.err


def test_single_file_with_its_helper_module(convert, tmp_path):
    file = write(tmp_path, {"f.py": "import torch\n\n\ndef f(*args):\n    return torch.cat(*args)\n"}) / "f.py"
    assert convert(file, "-o", tmp_path / "new" / "g.py").code == 0
    assert sorted(tree(tmp_path / "new")) == ["g.py", "paddle_helpers.py"]
    (tmp_path / "folder").mkdir()
    assert convert(file, "-o", tmp_path / "folder").code == 0
    assert sorted(tree(tmp_path / "folder")) == ["f.py", "paddle_helpers.py"]


def test_single_file_does_not_replace_another(convert, tmp_path):
    file = write(tmp_path, {"model.py": MODEL, "mine.py": "# mine\n"}) / "model.py"
    assert refused(convert(file, "-o", tmp_path / "mine.py"), "mine.py: exists", "--force")
    assert (tmp_path / "mine.py").read_text() == "# mine\n"
    assert convert(file, "-o", tmp_path / "mine.py", "--force").code == 0
    assert convert(file, "-o", tmp_path / "mine.py").code == 0  # the same again: nothing is lost


def test_current_folder(convert, project, monkeypatch):
    monkeypatch.chdir(project)
    assert convert(".").code == 0
    assert (project.with_name("net-paddle") / "model.py").read_text() == CONVERTED_MODEL
    (project / "sub").mkdir()
    monkeypatch.chdir(project / "sub")
    assert convert("..", "--to", "oneflow").code == 0
    assert (project.with_name("net-oneflow") / "model.py").is_file()


def test_the_source_is_left_alone(convert, project):
    before = tree(project)
    convert(project)
    assert tree(project) == before


def test_diff_writes_nothing_and_applies(convert, tmp_path):
    files = {
        "model.py": MODEL,
        "f.py": "import torch\n\n\ndef f(*args):\n    return torch.cat(*args)",  # no newline at the end
        "dos.py": MODEL.replace("\n", "\r\n"),
        "feed.py": "import torch\n\x0c\nx = torch.zeros(2)  # \u2028 and \x85\n",
        "latin.py": "# -*- coding: latin-1 -*-\nimport torch\nx = torch.zeros(2)  # caf\xe9\n".encode("latin-1"),
        "requirements.txt": "torch",
    }
    source = write(tmp_path / "net", files)
    before = tree(tmp_path)
    done = convert(source, "--diff", "-o", tmp_path / "out")
    assert done.code == 0
    assert tree(tmp_path) == before
    patched = shutil.copytree(source, tmp_path / "patched")
    assert "+++ b/paddle_helpers.py\n" in done.out
    # bytes, which capfd would decode
    ran = subprocess.run(
        [sys.executable, "-m", "migrate", "convert", source, "--diff"], capture_output=True, check=True
    )
    subprocess.run(["git", "apply", "-p1", "-"], input=ran.stdout, cwd=patched, check=True, capture_output=True)
    assert convert(source, "-o", tmp_path / "out").code == 0
    shutil.rmtree(tmp_path / "out" / ".migrate")
    assert tree(patched) == tree(tmp_path / "out")


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"a.py": MODEL}, 0),
        ({"a.py": "import torch\n\n\ndef f(thing):\n    return thing.view(2)\n"}, 0),  # unknown is no mark
        ({"a.py": MARKED}, 1),
        ({"a.py": MODEL, "b.py": BROKEN}, 1),
        ({"a.py": MODEL, "requirements.txt": "torchvision\n"}, 1),
    ],
    ids=["clean", "unknown", "marked", "failed", "requirements"],
)
def test_strict(convert, tmp_path, files, code):
    source = write(tmp_path / "net", files)
    assert convert(source).code == (1 if "b.py" in files else 0)
    assert convert(source, "--strict").code == code
    assert convert(source, "--strict", "--diff").code == code


def test_marked_sites_are_named_and_stay_importable(convert, tmp_path):
    source = write(tmp_path / "net", {"a.py": MARKED})
    done = convert(source)
    assert "marked   a.py:5: torch.parse_ir: " in done.err
    converted = (tmp_path / "net-paddle" / "a.py").read_text()
    assert "    # migrate: refused " in converted
    compile(converted, "a.py", "exec")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["net", "--to", "padle"], ["unknown target 'padle'; known: jax, keras, mindspore, mlx, oneflow, paddle"]),
        (["none"], ["none: no such file or folder"]),
        (["net/README.md"], ["net/README.md: not a Python file"]),
        (["broken.py"], ["broken.py:4: "]),
        (["net", "-o", "net"], ["net: is the source itself"]),
        (["net/model.py", "-o", "net", "--force"], ["net/model.py: is the source itself"]),
        (["net", "-o", ".", "--force"], [".: holds the source"]),
        (["net", "--rules", "none.py"], ["none.py: no such rule file"]),
        (["net", "--rules", "broken.py"], ["broken.py:4: "]),
        (["net", "--rules", "binary.py"], ["binary.py: cannot be read"]),
        (["net", "--report", "net"], ["net: is a folder"]),
        (["/dev/null"], ["/dev/null"]),
    ],
)
def test_bad_usage(convert, project, monkeypatch, arguments, words):
    monkeypatch.chdir(project.parent)
    write(project.parent, {"broken.py": BROKEN, "binary.py": b"\xff\xfe\x00"})
    before = tree(project.parent)
    assert refused(convert(*arguments), *words)
    assert tree(project.parent) == before


def test_options_that_do_not_exist(convert, project):
    done = convert(project, "--no-such")
    assert done.code == 2
    assert "--no-such" in done.err
    assert convert().code == 2


def test_an_error_in_a_single_file_is_located_as_it_was_given(convert, tmp_path, monkeypatch):
    monkeypatch.chdir(write(tmp_path, {"deep/broken.py": BROKEN}))
    assert refused(convert("deep/broken.py"), "migrate: deep/broken.py:4: ")


def test_a_file_with_a_syntax_error_does_not_end_the_run(convert, tmp_path):
    source = write(tmp_path / "net", {"model.py": MODEL, "sub/broken.py": BROKEN, "zlast.py": MODEL})
    done = convert(source)
    assert done.code == 1
    assert "2 converted, 0 unchanged, 1 failed" in done.err
    assert "sub/broken.py:4: " in done.err
    out = tmp_path / "net-paddle"
    assert (out / "sub" / "broken.py").read_text() == BROKEN
    assert (out / "model.py").read_text() == (out / "zlast.py").read_text() == CONVERTED_MODEL


def test_report(convert, tmp_path):
    sources = {"a.py": MODEL, "b.py": MARKED, "c.py": BROKEN, "requirements.txt": "torch\ntorchvision\n"}
    source = write(tmp_path / "net", sources)
    report = tmp_path / "reports" / "todo.json"
    assert convert(source, "--report", report).code == 1
    found = json.loads(report.read_text())
    assert sorted(found) == ["files", "migrate", "sites", "target", "unknown"]
    assert found["target"] == "paddle"
    rows = {row["path"]: row for row in found["files"]}
    assert {name: row["status"] for name, row in rows.items()} == {
        "a.py": "converted",
        "b.py": "converted",
        "c.py": "failed",
        "requirements.txt": "converted",
    }
    assert rows["c.py"]["error"].startswith("c.py:4: ")
    sites = [site for row in rows.values() for site in row["sites"]]
    assert all(sorted(site) == ["api", "column", "detail", "line", "outcome"] for site in sites)
    counted = Counter(site["outcome"] for site in sites)
    outcomes = ("same", "inlined", "helper", "marked", "differs", "unknown")
    assert found["sites"] == {name: counted[name] for name in outcomes}
    assert counted["marked"] == 2
    (marked,) = [site for site in rows["b.py"]["sites"] if site["outcome"] == "marked"]
    assert (marked["line"], marked["api"]) == (5, "torch.parse_ir")
    lines = {site["line"] for site in rows["a.py"]["sites"]}
    assert {7, 10, 13} <= lines
    assert convert(source, "--report", report, "--diff").code == 1  # replaces the last report


RULES = """
import paddle
import torch
from rewriters.rule import rule


@rule(torch.cat)
def cat(tensors, dim=0):
    return paddle.joined(tensors, axis=dim)
"""


@pytest.mark.parametrize("how", ["option", "settings"])
def test_rules_of_the_project_win(convert, project, how):
    file = write(project.parent, {"own/my_rules.py": RULES}) / "own" / "my_rules.py"
    if how == "settings":
        write(project, {"pyproject.toml": '[tool.migrate]\nrules = ["../own/my_rules.py"]\n'})
    assert convert(project, *(["--rules", file] if how == "option" else [])).code == 0
    converted = (project.with_name("net-paddle") / "model.py").read_text()
    assert converted == CONVERTED_MODEL.replace("paddle.concat", "paddle.joined")


def test_both_targets(convert, project):
    assert convert(project, "--to", "oneflow").code == 0
    converted = (project.with_name("net-oneflow") / "model.py").read_text()
    imports = MODEL.replace("import torch\n", "import oneflow as torch\n")
    assert converted == imports.replace("import torch.nn as nn", "import oneflow.nn as nn")


def test_same_input_same_bytes_and_no_path_of_this_machine(convert, tmp_path):
    sources = {"a.py": MODEL, "b.py": MARKED, "c.py": BROKEN, "f.py": "import torch\nx = torch.cat(*[])\n"}
    outs = []
    for name in ("one", "two"):
        source = write(tmp_path / name / "net", sources)
        out = tmp_path / name / "out"
        assert convert(source, "-o", out, "--report", out.with_name("report.json")).code == 1
        outs.append(tree(tmp_path / name))
    assert outs[0] == outs[1]
    text = b"".join(data for data in outs[0].values() if isinstance(data, bytes))
    for path in (tmp_path, Path(__file__).parents[3], Path.home()):
        assert str(path).encode() not in text
