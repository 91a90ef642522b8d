"""A target that says how its modules are imported: rules and output name them so, wherever torch has its names."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from rewriters.convert import Conversion, convert_sources
from rewriters.target import load_target

INIT = """
from rewriters.target import Environment, Target

TARGET = Target(
    name="toy", title="Toy", package="toy",
    environment=Environment(python="3.11", requirements=(), module="toy"),
    modules={"torch": "toy.numbers", "torch.nn": "layers.core", "torch.nn.functional": "toy.f"},
    imports={"toy": "import toy", "toy.numbers": "import toy.numbers as tn", "layers.core": "from layers import core"},
    setting=("toy.wide()", "wide numbers"),
)
"""
RULES = """
import toy
import toy.numbers as tn
import torch
from layers import core
from rewriters.rule import alias, rule

alias(torch.Tensor, "toy.Array")
alias(torch.float32, "tn.float32")

@rule(torch.cat)
def cat(tensors, dim=0):
    return tn.concatenate(tensors, axis=dim)

@rule(torch.nn.functional.relu)
def relu(input, inplace=False):
    return toy.f.relu(input)

@rule(torch.nn.Linear)
def Linear(in_features, out_features):
    return core.Dense(in_features, out_features, kind=tn.float32)

@rule(torch.flip)
def flip(input, dims):
    for dim in dims:
        input = tn.turn(input, dim)
    return input
"""


@pytest.fixture
def convert(tmp_path: Path):
    folder = tmp_path / "toy"
    (folder / "rules").mkdir(parents=True)
    (folder / "__init__.py").write_text(INIT)
    (folder / "rules" / "all.py").write_text(RULES)

    def convert(**files: str) -> Conversion:
        sources = {PurePosixPath(f"{name}.py"): text.encode() for name, text in files.items()}
        return convert_sources(sources, load_target(str(folder)))

    return convert


def text_of(done: Conversion, name: str = "a") -> str:
    return done.files[PurePosixPath(f"{name}.py")].decode()


def test_names_are_spelled_as_the_target_says(convert) -> None:
    source = """import math
import torch
import torch.nn as nn
from torch.nn import Linear
import torch.nn.functional as F


def f(x: torch.Tensor, other=nn.Linear(2, 3)):
    return F.relu(torch.cat([x, x], dim=1)), Linear(3, 4), torch.float32
"""
    assert (
        text_of(convert(a=source))
        == """import math
import toy
import toy.numbers as tn
from layers import core
import toy_helpers  # noqa: F401  wide numbers


def f(x: toy.Array, other=core.Dense(2, 3, kind=tn.float32)):
    return toy.f.relu(tn.concatenate([x, x], axis=1)), core.Dense(3, 4, kind=tn.float32), tn.float32
"""
    )


def test_the_helper_module_makes_the_setting_and_imports_as_rules_do(convert) -> None:
    done = convert(a="import torch\n\n\ndef f(x: torch.Tensor):\n    return torch.flip(x, [0])\n")
    assert "import toy\nimport toy_helpers\n" in text_of(done)
    helper = done.helpers[PurePosixPath("toy_helpers.py")]
    assert "import toy\nimport toy.numbers as tn\n\ntoy.wide()  # wide numbers\n" in helper
    assert "        input = tn.turn(input, dim)\n" in helper


def test_a_name_that_means_something_else_is_left_alone(convert) -> None:
    source = "import torch\n\n\ndef f(tn):\n    return torch.cat(tn)\n"
    assert "import toy.numbers as tn_\n" in text_of(convert(a=source))
    assert "return tn_.concatenate(tn, axis=0)" in text_of(convert(a=source))


def test_files_import_for_themselves_what_another_handed_on(convert) -> None:
    done = convert(a="import torch.nn as nn\n", b="from a import nn\n\nlayer = nn.Linear(2, 3)\n")
    assert "from layers import core" in text_of(done, "b")
    assert "from a import" not in text_of(done, "b")


def test_what_is_looked_up_by_a_computed_name_raises(convert) -> None:
    done = convert(a="import torch.nn as nn\n\n\ndef f(name):\n    return getattr(nn, name)()\n")
    assert "getattr(toy_helpers.torch.nn, name)()" in text_of(done)
    assert "# migrate: " in text_of(done)
