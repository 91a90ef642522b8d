"""describe.py, run as migrate runs it: what a model consists of, and how a model that cannot be built is reported."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from migrate.errors import Unusable
from migrate.weights.model import DESCRIBE, describe_model

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

def number():
    return 3

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


@pytest.fixture
def describe(project, torch_python):
    return lambda spec: describe_model(spec, project, torch_python.python)


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
    ("nets.tied:Tied(width=print(1))", "no literal", "add a function"),
    ("nets.tied:Tied(**{'width': 1})", "no literal", "add a function"),
    ("nets.tied:Tied if 1 else 2", "names no callable", "MODULE:CALLABLE"),
    ("nets.tied:Tied(", "no Python expression", "MODULE:CALLABLE"),
    ("nets.tied", "names no callable", "MODULE:CALLABLE"),
]
REFUSALS = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from describe import CannotBuild, build
for spec in sys.argv[3:]:
    try:
        build(spec, Path(sys.argv[2]))
    except CannotBuild as error:
        print(json.dumps([str(error), error.mend]))
"""


def test_what_cannot_be_built_and_why(project, torch_python, run_python):
    """In one process, for torch is slow to import."""
    out = run_python(torch_python, REFUSALS, DESCRIBE.parent, project.resolve(), *(spec for spec, _, _ in FAILURES))
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
