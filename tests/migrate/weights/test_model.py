"""describe.py, run as migrate runs it: what a model consists of, and how a model that cannot be built is reported."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

import checks.worker.entry
from migrate.errors import Unusable
from migrate.weights.carry.model import DESCRIBE, describe_model
from migrate.weights.layout_file import find_model, read_layout, write_layout

SOURCE = """\
import torch
from torch import nn

class Square(nn.Linear):
    pass

class Tied(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.embed = nn.Embedding(7, width)
        self.norm = nn.BatchNorm1d(width)
        self.attention = nn.MultiheadAttention(width, 2)
        self.square = Square(width, width)
        self.head = nn.Linear(width, 7, bias=False)
        self.head.weight = self.embed.weight
        self.scale = nn.Parameter(torch.ones(width))
        self.register_buffer("mask", torch.ones(3, 3, dtype=torch.bool))
        self.register_buffer("scratch", torch.ones(3), persistent=False)
        self.alias = self.norm
        print("built")

    def get_extra_state(self):
        return {"note": 1}

def needs_values():
    layer = nn.Linear(2, 2)
    layer.bias.data[0] = layer.weight.sum().item()
    return layer

def fails():
    x = 1
    return x / 0

def number(value=3):
    return value

WIDTH = 8

class nested:
    make = staticmethod(lambda n: nn.Linear(n, n))

instance = nn.Linear(5, 1)
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    package = folder / "nets"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "tied.py").write_text(SOURCE)
    (package / "wants.py").write_text("import no_such_package_here\n")
    (package / "broken.py").write_text("def f(:\n")
    return folder


@pytest.fixture(scope="module")
def describe(project, torch_python):
    """Once for each model: torch is slow to import."""
    return cache(lambda spec: describe_model(spec, project, torch_python.python))


def test_every_entry_of_the_state_dict_with_its_owner(describe):
    model = describe("nets.tied:Tied(width=6)")
    entries = {entry.name: entry for entry in model.entries}
    assert list(entries)[:4] == ["scale", "mask", "embed.weight", "norm.weight"]
    assert "scratch" not in entries
    assert entries["mask"].dtype == "bool"
    assert entries["scale"].classes == ("nets.tied.Tied", "torch.nn.Module")
    assert entries["embed.weight"].shape == (7, 6)
    assert entries["embed.weight"].classes[0] == "torch.nn.Embedding"
    assert entries["norm.running_var"].attribute == "running_var"
    assert entries["norm.running_var"].module == "norm"
    assert entries["square.weight"].classes == ("nets.tied.Square", "torch.nn.Linear", "torch.nn.Module")
    assert "torch.nn.Linear" in entries["attention.out_proj.weight"].classes
    assert entries["attention.in_proj_weight"].classes[0] == "torch.nn.MultiheadAttention"
    assert ("embed.weight", "head.weight") in model.tied
    assert ("norm.weight", "alias.weight") in model.tied
    assert not any("_extra_state" in name for name in entries)
    assert model.note == ""


def test_a_constructor_that_needs_values_is_built_on_the_cpu_and_that_is_said(describe):
    model = describe("nets.tied:needs_values")
    assert [entry.name for entry in model.entries] == ["weight", "bias"]
    assert "built on the CPU" in model.note


def test_nested_names_positional_literals_and_instances(describe):
    assert describe("nets.tied:nested.make(3)").entries[0].shape == (3, 3)
    assert describe("nets.tied:instance").entries[0].shape == (1, 5)


def test_arguments_may_be_names_and_calls_of_the_module(describe):
    assert describe("nets.tied:nested.make(number(WIDTH))").entries[0].shape == (8, 8)


def test_modules_with_what_they_were_made_with(describe):
    model = describe("nets.tied:Tied")
    assert model.modules["attention"].config["num_heads"] == 2
    assert model.modules["attention"].config["batch_first"] is False
    assert model.modules["embed"].classes[0] == "torch.nn.Embedding"
    assert model.modules[""].config == {}
    assert next(iter(model.modules)) == ""


def test_a_layout_file_says_the_same(project, torch_python, describe, tmp_path):
    path = tmp_path / "layout.json"
    write_layout(path, "nets.tied:Tied(width=6)", project, torch_python.python)
    assert read_layout(path) == describe("nets.tied:Tied(width=6)")
    assert find_model(None, path) == read_layout(path)
    assert find_model(None, None) is None
    with pytest.raises(Unusable, match="--model and --layout"):
        find_model("nets.tied:Tied", path, project)


@pytest.mark.parametrize("text", ["{", "[]", '{"layout": 99}', '{"layout": 1}', '{"layout": 1, "entries": [1]}'])
def test_a_layout_file_that_is_none(text, tmp_path):
    path = tmp_path / "layout.json"
    path.write_text(text)
    with pytest.raises(Unusable, match="layout"):
        read_layout(path)
    with pytest.raises(Unusable, match="No such file"):
        read_layout(tmp_path / "absent.json")


def test_nothing_is_written_into_the_project(describe, project):
    describe("nets.tied:Tied")
    assert not list(project.rglob("__pycache__"))


FAILURES = [
    ("nets.absent:Net", "no module 'nets.absent' in", "--project"),
    ("absent:Net", "no module 'absent' in", "--project"),
    ("nets.wants:Net", r"wants\.py:1: importing nets\.wants raised ModuleNotFoundError", "install"),
    ("nets.broken:Net", r"broken\.py:1: importing nets\.broken raised SyntaxError", ""),
    ("nets.tied:Tidy", "has no 'Tidy'", "Tied"),
    ("nets.tied:fails", r"tied\.py:32: building nets\.tied:fails raised ZeroDivisionError", ""),
    ("nets.tied:number", "gives a int", "MODULE:CALLABLE"),
    ("nets.tied:Tied(depth=3)", "raised TypeError.*depth", ""),
    ("nets.tied:Tied(width=print(1))", "has no attribute 'print'", ""),
    ("nets.tied:Tied(width=[n for n in ()])", "ListComp is not a literal, a name, or a call", "add a function"),
    ("nets.tied:Tied(**{'width': 1})", r"\*\* is not taken", "add a function"),
    ("nets.tied:Tied if 1 else 2", "not the name of a callable", "MODULE:CALLABLE"),
    ("nets.tied:Tied(", "not an expression", "MODULE:CALLABLE"),
    ("nets.tied", "names no callable", "MODULE:CALLABLE"),
]
REFUSALS = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from describe import CannotBuild, _load, build
for spec in sys.argv[4:]:
    try:
        build(spec, Path(sys.argv[2]), _load(Path(sys.argv[3])))
    except CannotBuild as error:
        print(json.dumps([str(error), error.mend]))
"""


def test_what_cannot_be_built_and_why(project, torch_python, run_python):
    """In one process, for torch is slow to import."""
    out = run_python(
        torch_python,
        REFUSALS,
        DESCRIBE.parent,
        project.resolve(),
        checks.worker.entry.__file__,
        *(spec for spec, _, _ in FAILURES),
    )
    refusals = [json.loads(line) for line in out.splitlines() if line.startswith("[")]
    assert len(refusals) == len(FAILURES)
    for (spec, says, mend), (message, mended) in zip(FAILURES, refusals, strict=True):
        assert re.search(says, message), (spec, message)
        assert mend in mended, (spec, mended)


def test_a_failure_comes_back_as_unusable(describe):
    with pytest.raises(Unusable, match=r"tied\.py:32: building nets\.tied:fails raised ZeroDivisionError"):
        describe("nets.tied:fails")
    with pytest.raises(Unusable, match=r"no module 'nets\.absent'") as error:
        describe("nets.absent:Net")
    assert "--project" in error.value.mend


def test_a_project_that_is_not_there(torch_python, tmp_path):
    with pytest.raises(Unusable, match="not a folder"):
        describe_model("a:b", tmp_path / "absent", torch_python.python)
