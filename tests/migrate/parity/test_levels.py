"""The levels of a check on real frameworks: fixtures pass all of them, and what is wrong is found at its layer."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath

import pytest

from checks.parity.report import DIFFERS, SAME, SKIPPED, WARNED
from migrate.parity import Request, Session, check_parity, compare
from rewriters.convert import convert_sources
from rewriters.target import load_target

TORCH = Path(__file__).parent / "torch"
FIXTURES = Path(__file__).parents[3] / "fixtures"
TARGETS = ["paddle", "oneflow"]


def convert(folder, target, out):
    """Convert the Python files of a folder."""
    sources = {PurePosixPath(path.relative_to(folder).as_posix()): path.read_bytes() for path in folder.rglob("*.py")}
    done = convert_sources(sources, load_target(target))
    files = {**done.files, **{path: text.encode() for path, text in done.helpers.items()}}
    for path, data in files.items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_bytes(data)
    return out


@pytest.fixture
def pythons(python_of, torch_python):
    """Interpreters of torch and of a target, as a Request takes them."""

    def pythons(target):
        return {"torch_python": torch_python.python, "target_python": python_of(target).python}

    return pythons


@pytest.fixture
def ask(pythons, tmp_path):
    """A request for an entry of a fixture, which is converted, or of torch/zoo.py, which was by hand."""

    def ask(folder, target, entry, *inputs, **options):
        converted = TORCH.with_name(target) if folder == TORCH else convert(folder, target, tmp_path / "converted")
        return Request(folder, converted, load_target(target), entry, inputs, **pythons(target), **options)

    return ask


def by_name(level):
    return {level.name: level for level in level.levels}


@pytest.mark.parametrize("target", TARGETS)
def test_gpt_passes_all_levels(ask, target):
    report = check_parity(
        ask(
            FIXTURES / "gpt",
            target,
            "model:GPT(GPTConfig(n_layer=1, n_head=2, n_embd=32, block_size=16, dropout=0.1))",
            "int64[4,16]<96",
            "int64[4,16]<96",
            train=20,
            optimizer="optim:configure_optimizer(0.003, 0.1)",
            scheduler="optim:warmup_cosine(5, 20)",
        )
    )
    (entry,) = report.entries
    assert [level.name for level in entry.levels] == ["outputs", "activations", "gradients", "steps"]
    *others, trained = entry.levels
    assert {level.verdict for level in others} == {SAME}
    assert trained.verdict in (SAME, WARNED)
    rows = {(row.name, row.kind): row for row in by_name(entry)["activations"].rows}
    assert rows["h.0.attn", "layer"].where.startswith("model.py:")
    assert ("h.0.mlp.gelu", "alone") in rows
    gradients = {row.name: row for row in by_name(entry)["gradients"].rows}
    assert gradients["h.0.attn.c_attn.weight"].shape == (96, 32)  # torch's layout, whatever the target's
    curve = by_name(entry)["steps"].curve
    assert len(curve.torch) == len(curve.target) == 20
    assert curve.target == pytest.approx(curve.torch, rel=1e-5)


@pytest.mark.parametrize(("target", "verdict"), [("paddle", WARNED), ("oneflow", SAME)])
def test_resnet_passes_all_levels(ask, target, verdict):
    entry = "models.resnet:ResNet(Bottleneck, [1, 1, 1, 1])"
    report = check_parity(ask(FIXTURES / "resnet", target, entry, "float32[4,3,64,64]", train=3))
    assert report.verdict == "parity"
    levels = by_name(report.entries[0])
    assert levels["outputs"].verdict == SAME
    assert levels["gradients"].verdict in (SAME, WARNED)  # a unit at 0 may go either way
    curve = levels["steps"].curve
    assert curve.target == pytest.approx(curve.torch, rel=1e-4)
    variance = next(row for row in levels["steps"].rows if row.name == "layer4.0.bn3.running_var")
    if target == "paddle":  # its running variance is the biased one
        assert variance.verdict == verdict
        assert variance.cause == "agrees when the running variance is biased (n in place of n - 1)"
        assert variance.ratio < 4
        assert "times the noise floor" in variance.differences[0].text
    else:
        assert not variance.cause


@pytest.mark.parametrize("target", TARGETS)
def test_a_model_may_call_its_parts_layers(ask, target, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "net.py").write_text(
        "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.layers = nn.Sequential(nn.Linear(3, 4), nn.ReLU())\n\n"
        "    def forward(self, x):\n        return self.layers(x).mean(1)\n"
    )
    report = check_parity(ask(source, target, "net:Net", "float32[2,3]"))
    assert report.verdict == "parity"
    assert ("layers.0", "layer") in {(row.name, row.kind) for row in by_name(report.entries[0])["activations"].rows}


FAULTS = {
    "epsilon": ("eps=1e-6", "eps=1e-5", "norm", "eps=1e-05"),
    "gelu": ("nn.GELU()", 'nn.GELU(approximate="tanh")', "act", "approximate='tanh'"),
    "axis": ("nn.Softmax(dim=-1)", "nn.Softmax(dim=1)", "soft", "dim=1"),
    "padding": ("3, padding=1)", "3, padding=2)", "conv", "padding=(2, 2)"),
    "counted": ("stride=1, padding=1)", "stride=1, padding=1, count_include_pad=False)", "pool", "count_include_pad"),
    "corners": ("align_corners=False", "align_corners=True", "", "interpolate has align_corners=True"),
    "ddof": ("unbiased=False", "unbiased=True", "", "var has ddof=1"),
    "train mode": ("self.bn(self.conv(x))", "self.bn.train()(self.conv(x))", "bn", "training=True"),
    "transposed": ("nn.Linear(16, 16)", "Flipped(16, 16)", "square", "the weight is transposed"),
}


def planted(request, folder, right, wrong, more=""):
    """A copy of the conversion with a fault."""
    shutil.copytree(request.converted, folder)
    text = (folder / "zoo.py").read_text()
    assert right in text
    (folder / "zoo.py").write_text(text.replace(right, wrong) + more)
    return folder


FLIPPED = """
class Flipped(nn.Linear):
    def forward(self, x):
        return F.linear(x, self.weight.t(), self.bias)
"""


def test_faults_are_found_at_their_layer_with_their_cause(ask, tmp_path):
    request = ask(TORCH, "oneflow", "zoo:Zoo", "float32[4,3,8,8]", levels=("outputs",))
    with Session(request) as session:
        assert compare(session).verdict == "parity"
        for name, (right, wrong, layer, cause) in FAULTS.items():
            folder = planted(request, tmp_path / name, right, wrong, FLIPPED)
            (level,) = compare(session, folder).entries[0].levels
            assert level.verdict == DIFFERS, name
            assert (level.culprit.layer, cause in level.culprit.cause) == (layer, True), (name, level.culprit)
            line = dict(level.culprit.lines)[int(level.culprit.where.rpartition(":")[2])]
            assert "def forward" in line or layer in line, (name, line)


def test_a_detached_gradient_and_a_layer_that_raises(ask, tmp_path):
    levels = ("outputs", "activations", "gradients", "double")
    request = ask(TORCH, "oneflow", "zoo:Zoo", "float32[4,3,8,8]", levels=levels)
    with Session(request) as session:
        folder = planted(request, tmp_path / "detached", "self.conv(x)", "self.conv(x).detach()")
        entry = by_name(compare(session, folder).entries[0])
        assert entry["outputs"].verdict == SAME
        rows = {row.name: row for row in entry["gradients"].rows}
        assert rows["conv.weight"].verdict == DIFFERS
        assert "no gradient reaches it in the target" in rows["conv.weight"].note
        assert rows["square.weight"].verdict == SAME
        assert entry["gradients"].culprit.layer == "conv"

        folder = planted(request, tmp_path / "raises", "self.soft(self", "self.missing(self")
        entry = by_name(compare(session, folder).entries[0])
        failure = entry["outputs"].failure
        assert (failure.verdict, failure.kind, failure.stage) == (DIFFERS, "AttributeError", "forward")
        assert failure.where.startswith(str(folder / "zoo.py"))
        assert any("missing" in line for line in failure.stderr)
        assert entry["outputs"].culprit.layer == ""
        assert entry["outputs"].culprit.where.startswith("zoo.py:")
        assert {row.kind for row in entry["activations"].rows} == {"alone"}
        assert {row.verdict for row in entry["activations"].rows} == {SAME}
        assert entry["gradients"].verdict == SKIPPED


@pytest.mark.parametrize("target", TARGETS)
def test_second_gradients_and_dropout(ask, target):
    request = ask(
        TORCH,
        target,
        "zoo:Dropped",
        "float32[16,8]",
        train=2,
        levels=("double", "steps"),
        optimizer="adamw",
        loss="zoo:loss(3.0)",
    )
    levels = by_name(check_parity(request).entries[0])
    assert {row.name for row in levels["double"].rows} >= {"input 0", "first.weight", "last.bias"}
    assert levels["double"].verdict == SAME
    assert levels["steps"].verdict in (SAME, WARNED)
    assert levels["steps"].rows[0].kind == "loss"


def test_randomness_that_cannot_be_replayed_is_named(ask):
    request = ask(TORCH, "oneflow", "zoo:Noisy", "float32[3,4]", train=1, levels=("outputs", "steps"))
    levels = by_name(check_parity(request).entries[0])
    assert levels["outputs"].verdict == SAME
    assert levels["steps"].verdict == SKIPPED
    assert levels["steps"].skipped.startswith("jitter (Jitter): draws random numbers that cannot be replayed")


ATTENTION = """
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.2, batch_first=True)

    def forward(self, x):
        x = self.layer(x)
        q = x.view(2, 5, 2, 8).transpose(1, 2)
        return F.scaled_dot_product_attention(q, q, q, is_causal=True, dropout_p=0.3 if self.training else 0.0)
"""


def test_the_dropout_inside_of_attention_is_replayed(ask, tmp_path):
    """torch's kernels draw it unseen; over two steps other masks would show."""
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "net.py").write_text(ATTENTION)
    request = ask(tmp_path / "source", "paddle", "net:Net", "float32[2,5,16]", train=2, levels=("steps",))
    assert by_name(check_parity(request).entries[0])["steps"].verdict == SAME
