"""--assume and [tool.migrate] assume: every answer that convert itself names decides what it says it decides."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

# Each file leaves a `.transpose` open, which is written otherwise of a tensor; by where the unknown comes from.
OPEN = {
    "a parameter": "def f(x):\n    return x.transpose(1, 0)\n",
    "what is computed from a parameter": "def f(x):\n    y = x + 1\n    return y.transpose(1, 0)\n",
    "a list": "def f(x):\n    return [y.transpose(1, 0) for y in x]\n",
    "the rest of the arguments": "def f(*x):\n    return x[0].transpose(1, 0)\nf(unknown())\n",
    "a dict": "def f(x):\n    return x['a'].transpose(1, 0)\n",
    "a model": "def f(model, x):\n    return model(x).transpose(1, 0)\n",
    "a library": "import kit\ndef f():\n    return kit.load(3).transpose(1, 0)\n",
    "an attribute": "class A:\n    def __init__(self, x):\n        self.x = x\n\n    def g(self):\n"
    "        return self.x.transpose(1, 0)\n",
    "a model in an attribute": "class A(torch.nn.Module):\n    def __init__(self, m):\n        super().__init__()\n"
    "        self.m = m\n\n    def forward(self, x: torch.Tensor):\n        return self.m(x).transpose(1, 0)\n",
    "a function": "import kit\ndef g():\n    if kit.ready():\n        return kit.a()\n    return kit.b()\n"
    "def f():\n    return g().transpose(1, 0)\n",
    "a decorated function": "import kit\n@kit.wrapped\ndef g(x):\n    return x\n\ndef f():\n"
    "    return g(1).transpose(1, 0)\n",
    "a variable": "def f():\n    with unknown() as x:\n        return x.transpose(1, 0)\n",
    "a file's variable": "x = unknown()\ny = x.transpose(1, 0)\n",
    "an attribute of a variable": "def f(batch):\n    return batch.image.transpose(1, 0)\n",
    "a nested function": "def f():\n    def g(x):\n        return x.transpose(1, 0)\n    return g\n",
}


def project(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "net"
    folder.mkdir()
    (folder / "a.py").write_text("import torch\n" + text)
    return folder


def report_of(convert, folder: Path, *options: str) -> dict:
    path = folder.parent / "report.json"
    assert convert(folder, "--report", str(path), "-o", str(folder.parent / "out"), *options).code == 0
    return json.loads(path.read_text())


def answers_in(mend: str) -> list[str]:
    return re.findall(r"--assume '([^']+)'", mend)


@pytest.mark.parametrize("name", OPEN)
def test_each_answer_that_is_advised_decides(convert, tmp_path: Path, name: str) -> None:
    folder = project(tmp_path, OPEN[name])
    before = report_of(convert, folder)
    (question,) = before["unknown"]
    assert before["sites"]["unknown"] == 1
    advised = answers_in(question["mend"])
    assert advised == [question["answer"]]
    after = report_of(convert, folder, "--assume", advised[0])
    assert after["sites"]["unknown"] == 0
    assert after["unknown"] == []
    assert "transpose" not in (tmp_path / "out" / "a.py").read_text()


ANNOTATED = {
    "a parameter": ("f(x)", "f(x: {})"),
    "a list": ("f(x)", "f(x: {})"),
    "a dict": ("f(x)", "f(x: {})"),
    "an attribute": ("self.x = x", "self.x: {} = x"),
    "a function": ("def g():", "def g() -> {}:"),
    "a variable": ("    with unknown() as x:", "    x: {}\n    with unknown() as x:"),
    "a nested function": ("g(x)", "g(x: {})"),
}


@pytest.mark.parametrize("name", [name for name in ANNOTATED if name != "a variable"])
def test_each_annotation_that_is_advised_decides(convert, tmp_path: Path, name: str) -> None:
    folder = project(tmp_path, OPEN[name])
    (question,) = report_of(convert, folder)["unknown"]
    said = re.search(r"annotate it as ([\w.\[\], ]+?), or|`-> ([\w.\[\], ]+)`", question["mend"])
    assert said is not None
    old, new = ANNOTATED[name]
    text = OPEN[name].replace(old, new.format(said[1] or said[2]))
    assert text != OPEN[name]
    (folder / "a.py").write_text("import torch\n" + text)
    assert report_of(convert, folder)["sites"]["unknown"] == 0


def test_of_what_is_no_tensor_nothing_is_reported(convert, tmp_path: Path) -> None:
    folder = project(tmp_path, "def f(x):\n    return x.split(','), x.view(3)\n")
    assert report_of(convert, folder)["sites"]["unknown"]
    after = report_of(convert, folder, "--assume", "not-tensor:f.x")
    assert after["sites"]["unknown"] == 0
    assert "x.split(','), x.view(3)" in (tmp_path / "out" / "a.py").read_text()


def test_what_tensors_and_modules_have_is_asked_for_as_either(convert, tmp_path: Path) -> None:
    folder = project(tmp_path, "def f(model):\n    model.to(torch.device('cuda'))\n")
    (question,) = report_of(convert, folder)["unknown"]
    advised = answers_in(question["mend"])
    assert advised == ["module:a:f.model", "tensor:a:f.model"]
    assert "torch.nn.Module or torch.Tensor" in question["mend"]
    for one in advised:
        assert report_of(convert, folder, "--assume", one)["sites"]["unknown"] == 0


def test_what_the_code_says_stands(convert, tmp_path: Path) -> None:
    folder = project(tmp_path, "def f():\n    x = 'a,b'\n    return x.split(',')\n")
    report_of(convert, folder, "--assume", "tensor:f.x")
    assert "x.split(',')" in (tmp_path / "out" / "a.py").read_text()


def test_the_project_itself_may_answer(convert, tmp_path: Path) -> None:
    folder = project(tmp_path, OPEN["a parameter"])
    (folder / "pyproject.toml").write_text('[tool.migrate]\nassume = ["tensor:f.x"]\n')
    assert report_of(convert, folder)["sites"]["unknown"] == 0


def test_a_file_alone_passes_by_answers_about_others(convert, tmp_path: Path) -> None:
    folder = project(tmp_path, OPEN["a parameter"])
    (folder / "b.py").write_text("def g(y):\n    return y\n")
    (folder / "pyproject.toml").write_text('[tool.migrate]\nassume = ["tensor:b:g.y"]\n')
    assert convert(folder / "a.py", "-o", str(tmp_path / "a.py")).code == 0


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (["tensor:f.z"], ["tensor:f.z names nothing", "FUNCTION.VARIABLE"]),
        (["tensor:g.x"], ["tensor:g.x names nothing"]),
        (["tensor:fn.x"], ["names nothing", "there is f"]),
        (["tensor:b:f.x"], ["tensor:b:f.x names nothing"]),
        (["tensor:kit.load()"], ["names nothing"]),
        (["tenso:f.x"], ["'tenso:f.x' has no kind of answer", "not-tensor"]),
        (["f.x"], ["'f.x' is no KIND:NAME"]),
        (["tensor:f.x y-"], ["names nothing that Python could"]),
        (["tensor:f.x", "not-tensor:f.x"], ["contradict each other"]),
    ],
)
def test_bad_answers(convert, tmp_path: Path, answers: list[str], words: list[str]) -> None:
    folder = project(tmp_path, OPEN["a parameter"])
    done = convert(folder, *(part for one in answers for part in ("--assume", one)))
    assert done.code == 2
    assert all(word in done.err for word in words), done.err
    assert not (tmp_path / "net-paddle").exists()


def test_what_would_differ_silently_comes_first(convert, tmp_path: Path) -> None:
    body = "def g(a, b, c):\n    a.transpose(1, 0)\n    c.view(2)\n    return b.layout\n"
    folder = project(tmp_path, body)
    report = report_of(convert, folder)
    risks = {site["api"]: site["risk"] for file in report["files"] for site in file["sites"] if site.get("risk")}
    assert risks[".layout"] == "differs"
    assert report["unknown"][0]["answer"] == "tensor:a:g.b"
    assert report["unknown"][0]["differs"] == 1
    assert report["unknown"][0]["places"] == ["a.py:5:12"]
    told = convert(folder, "--diff").err
    assert "would differ silently" in told
    assert "silent   a.py:5: .layout: the parameter g.b (a.py:2) decides" in told
    assert "unknown  of 2 more all would be the same: nothing to do" in told
    assert "unknown  a.py:4" not in told
    assert told.count("a.py:5: .layout") == 1, "once"


def test_silent_uses_that_one_answer_decides_are_told_together(convert, tmp_path: Path) -> None:
    body = "def g(b):\n    b.view(2)\n    print(b.layout)\n    return b.layout\n"
    told = convert(project(tmp_path, body), "--diff").err
    assert "silent   a.py:4, a.py:5 and 1 more: .layout, .view: 2 would differ silently, 1 would be the same" in told


def test_what_is_counted_stands_on_one_line_where_it_is_piped(
    convert, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS")
    body = "def g(b):\n" + "    b.view(2)\n" * 100 + "    return b.layout\n"
    told = re.sub(" +\n", "\n", convert(project(tmp_path, body), "--diff").err)
    assert "100  uses of torch left as they stand: tried, and the same whether this is a tensor or not\n" in told
    assert "  1  uses of torch left as they stand: not known whether the receiver is a tensor\n" in told
