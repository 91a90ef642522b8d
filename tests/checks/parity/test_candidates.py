from __future__ import annotations

import pytest

from checks.parity.candidates import find_candidates

NETS = """
import torch.nn as nn
from torch.nn import Module

class Block(nn.Module):
    pass

class Base(Module):
    pass

class Net(Base):
    def __init__(self):
        self.block = Block()

class Alone(nn.Module):
    pass

class Config:
    pass

def _hidden():
    return Net()

def build():
    model = Net()
    return model

def build_more(n=2):
    return build()

def total(x):
    return x.sum()
"""


@pytest.fixture
def project(tmp_path):
    def write(**files):
        for name, text in files.items():
            path = tmp_path / (name.replace("__", "/") + ".py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        found = find_candidates(tmp_path)
        return [f"{item.module}:{item.name}" for item in found.models], found.left_out

    return write


def test_what_stands_by_itself(project):
    """Not the part of a model, nor a base class, nor what a factory already gives."""
    models, left_out = project(nets=NETS)
    assert models == ["nets:Alone", "nets:build_more"]
    assert left_out == []


def test_packages_scripts_and_faults(project):
    models, left_out = project(
        pkg__net=NETS,
        pkg__test_net=NETS,
        tests__net=NETS,
        script="import torch\\nclass N(torch.nn.Module): pass\\nfor x in y:\\n    loss.backward()\\n".replace(
            "\\n", "\n"
        ),
        register="import torch\nclass R(torch.nn.Module): pass\nfor x in y:\n    table[x] = 1\n",
        broken="\ndef f(:\n",
    )
    assert models == ["pkg.net:Alone", "pkg.net:build_more", "register:R"]
    assert left_out == [
        "broken.py:2: invalid syntax (<unknown>, line 2)",
        "script.py:3: importing this file runs a training loop",
    ]


def test_what_scripts_make_a_model_with(tmp_path):
    (tmp_path / "net.py").write_text("import torch\nclass Net(torch.nn.Module):\n    def forward(self, x): return x\n")
    (tmp_path / "run.py").write_text(
        "from net import Net\nparser.add_argument('--hidden', default=8)\nparser.add_argument('--levels', default=3)\n"
        "sizes = [args.hidden] * (args.levels - 1) + [4]\n"
        "def main(data):\n    net = Net(data.shape[1], sizes, kernel=args.levels // 2, drop=0.1, other=find())\n"
    )
    (model,) = find_candidates(tmp_path).models
    assert model.given == {"1": [8, 8, 4], "kernel": 1, "drop": 0.1}


TABLES = """
import argparse
import torch.nn as nn

DEFAULT_SIZES = {"width": 8, "depth": 2, "made": object()}
other = {"left": 3}
parser = argparse.ArgumentParser()
parser.add_argument("--depth", default=4)
parser.add_argument("--rate")

def net_defaults():
    return dict(heads=4, rate=0.5, name="a")

def larger_defaults():
    found = net_defaults()
    found["large"] = 16
    return found

def hyperparameters():
    return tf.contrib.training.HParams(filters=32)
"""


def test_settings_in_tables(tmp_path):
    """Defaults of the command line come first, what it leaves open is what a table of defaults says."""
    (tmp_path / "nets.py").write_text(TABLES)
    (tmp_path / "config.json").write_text('{"net": {"groups": 3, "depth": 9}, "list": [{"deep": 1}]}')
    (tmp_path / "broken.json").write_text("{")
    found = {key: value for key, value in find_candidates(tmp_path).settings.items() if key not in ("net", "list")}
    assert found == {
        "depth": 4,
        "rate": 0.5,
        "width": 8,
        "heads": 4,
        "name": "a",
        "large": 16,
        "filters": 32,
        "groups": 3,
    }
