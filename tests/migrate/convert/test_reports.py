"""--report in its formats, --explain, --jobs and the cache."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

SOURCE = (
    "import torch\n\n\ndef f(x: torch.Tensor, y):\n    z = x.symeig()\n"
    "    return y.view(1), x.view(2, 3), torch.cat([z])\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "net"
    folder.mkdir()
    (folder / "a.py").write_text(SOURCE)
    (folder / "b.py").write_text("import torch\n\n\ndef broken(:\n")
    return folder


def test_sarif(convert, project: Path, tmp_path: Path) -> None:
    assert convert(project, "--report", str(tmp_path / "out.sarif")).code == 1
    run = json.loads((tmp_path / "out.sarif").read_text())["runs"][0]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert rules == {"marked", "differs", "noted", "unknown", "failed", "eager"}
    found = [
        (
            result["ruleId"],
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            result["locations"][0]["physicalLocation"]["region"]["startLine"],
        )
        for result in run["results"]
    ]
    assert found == [("marked", "a.py", 5), ("unknown", "a.py", 6), ("failed", "b.py", 1)]


def test_markdown(convert, project: Path, tmp_path: Path) -> None:
    assert convert(project, "--report", str(tmp_path / "out.md")).code == 1
    text = (tmp_path / "out.md").read_text()
    assert "2 files: 1 converted, 0 unchanged, 1 failed." in text
    assert "* `a.py:5` `torch.Tensor.symeig`: " in text
    assert "* `a.py:6` .view would be the same if this is a tensor: the parameter f.y (a.py:4) decides: " in text


def test_one_line_is_told_once(convert, tmp_path: Path) -> None:
    text = "import torch\n\nboth = torch.hub.load('a', 'b'), torch.hub.load('c', 'd')\n"
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "a.py").write_text(text)
    done = convert(tmp_path / "repo", "--to", "paddle", "-o", tmp_path / "out")
    assert done.err.count("marked   a.py:3") == 1, done.err


def test_an_unknown_format_is_refused_before_any_work(convert, project: Path, tmp_path: Path) -> None:
    done = convert(project, "--report", str(tmp_path / "out.xml"))
    assert done.code == 2
    assert ".json, .sarif, .md" in done.err
    assert not (tmp_path / "net-paddle").exists()


def test_explain(convert, project: Path, tmp_path: Path) -> None:
    done = convert(project, "--explain", "a.py:6")
    assert done.code == 0
    assert (
        "a.py:6:12: .view left as it stands: the parameter f.y (a.py:4) decides: annotate it as torch.Tensor"
        in done.out
    )
    assert "a.py:6:23: torch.Tensor.view rewritten in place by shapes.py:" in done.out
    assert "a.py:6:37: torch.cat rewritten in place by joining.py:" in done.out
    assert not (tmp_path / "net-paddle").exists()
    assert "no use of torch is known" in convert(project, "--explain", "a.py:2").out
    assert convert(project, "--explain", "c.py:2").code == 2
    assert convert(project, "--explain", "a.py").code == 2


def test_what_a_rule_leaves_as_it_was_needs_no_change(convert, tmp_path: Path) -> None:
    (tmp_path / "same.py").write_text("import torch\nx = torch.zeros(3)\ny = torch.cat([x, x], 0)\n")
    assert (
        "same.py:3:5: torch.cat is the same in the target (joining.py:"
        in convert(tmp_path / "same.py", "--to", "oneflow", "--explain", "same.py:3").out
    )


def test_processes_and_the_cache_change_nothing(convert, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(8):
        # Long lines: several processes are taken for bytes of source.
        body = "\n".join(f"    x = x.view({n}, -1)  # {number}{'.' * 500}" for n in range(1, 120))
        (folder / f"f{number}.py").write_text(f"import torch\n\n\ndef f(x: torch.Tensor):\n{body}\n    return x\n")
    monkeypatch.setenv("MIGRATE_HOME", str(tmp_path / "home"))
    texts = {}
    for name, words in {"one": ["--jobs", "1"], "again": ["--jobs", "1"], "two": ["--jobs", "2"]}.items():
        if name == "two":
            monkeypatch.setenv("MIGRATE_HOME", str(tmp_path / "other"))
        assert convert(folder, "-o", str(tmp_path / name), *words).code == 0
        texts[name] = {p.name: p.read_bytes() for p in (tmp_path / name).glob("*.py")}
    assert texts["one"] == texts["again"] == texts["two"]
    assert b"x = x.reshape([7, -1])  # 3" in texts["one"]["f3.py"]
    entries = sorted((tmp_path / "home" / "converted").iterdir())
    assert len(entries) == 8
    entries[0].write_bytes(b"damaged")
    assert convert(folder, "-o", str(tmp_path / "mended"), "--jobs", "1").code == 0
    assert {p.name: p.read_bytes() for p in (tmp_path / "mended").glob("*.py")} == texts["one"]
