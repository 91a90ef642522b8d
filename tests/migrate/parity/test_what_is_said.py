"""Text, table and verdict say the same: crashes, what cannot be compared, what is compared once, what proves little."""

from __future__ import annotations

import pytest

from checks.parity.compare import Tolerance
from checks.parity.report import DIFFERS, SAME, WARNED
from migrate.parity import check_parity
from migrate.reports import wording

CRASHING = """
import os
import torch
from torch import nn


class Fatal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3

    @staticmethod
    def backward(ctx, grad):
        return grad * 3  # BACKWARD


class Inner(nn.Module):
    def forward(self, x):
        return x * 2  # INNER


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.inner, self.last = nn.Linear(6, 6), Inner(), nn.Linear(6, 5)

    def forward(self, x):
        return Fatal.apply(self.last(self.inner(self.first(x))))
"""


def by_name(report):
    (entry,) = report.entries
    return {level.name: level for level in entry.levels}


def broken(request, line):
    """Have the converted line end its process."""
    path = request.converted / "net.py"
    text = path.read_text()
    found = next(row for row in text.splitlines() if line in row)
    indent = found[: len(found) - len(found.lstrip())]
    path.write_text(text.replace(found, f"{indent}os.abort()\n{found}"))
    return text[: text.index(found)].count("\n") + 1


def test_a_crash_at_one_level_leaves_the_others_their_rows(program):
    request = program(CRASHING, "paddle", "net:Net", "float32[3,6]", train=1)
    at = broken(request, "# BACKWARD")
    report = check_parity(request)
    levels = by_name(report)
    assert [levels[name].verdict for name in ("outputs", "activations")] == [SAME, SAME]
    for name in ("gradients", "steps"):
        failure = levels[name].failure
        assert (failure.verdict, failure.kind, failure.message) == (DIFFERS, "died", "crashed (SIGABRT)")
        assert failure.where == f"{request.converted}/net.py:{at}"
    assert report.verdict == "differs"
    assert wording.summary(report) == "differs: gradients: PaddlePaddle crashed (SIGABRT)"
    ((names, _),) = wording.failures(report.entries[0])  # one error, once
    assert names == "gradients, steps"


def test_a_layer_that_crashes_alone_is_a_row(program):
    request = program(CRASHING, "oneflow", "net:Net", "float32[3,6]", levels=("outputs", "activations"))
    broken(request, "# INNER")
    levels = by_name(check_parity(request))
    rows = {(row.name, row.kind): row for row in levels["activations"].rows}
    assert rows["inner", "alone"].verdict == DIFFERS
    assert rows["inner", "alone"].text == "alone, it crashed (SIGABRT)"
    assert [rows[name, "alone"].verdict for name in ("first", "last")] == [SAME, SAME]
    assert levels["outputs"].failure.verdict == DIFFERS


WATCHED = """
from torch import nn


class Odd(nn.Module):
    def forward(self, x):
        return x + 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.odd, self.last = Odd(), nn.Linear(4, 3)

    def forward(self, x):
        return self.last(self.odd(x))
"""
# What looks at its layers ends the process.
UNSEEN = """
import os
from paddle import nn


class Odd(nn.Layer):
    def register_forward_pre_hook(self, *args, **kwargs):
        os.abort()

    def forward(self, x):
        return x + 1


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.odd, self.last = Odd(), nn.Linear(4, 3)

    def forward(self, x):
        return self.last(self.odd(x))
"""


def test_outputs_are_compared_where_looking_at_layers_crashes(program):
    report = check_parity(program(WATCHED, "paddle", "net:Net", "float32[3,4]", written=UNSEEN))
    levels = by_name(report)
    assert (levels["outputs"].verdict, levels["gradients"].verdict) == (SAME, SAME)
    assert levels["activations"].failure.kind == "died"
    assert {row.name: row.verdict for row in levels["activations"].rows if row.kind == "alone"} == {
        "odd": SAME, "last": SAME
    }  # fmt: skip


DRAWING = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear(4, 3)

    def forward(self, x):
        return self.last(x) + torch.poisson(torch.ones(x.shape[0], 3))
"""


def test_what_cannot_be_compared_counts_for_nothing(program):
    report = check_parity(program(DRAWING, "paddle", "net:Net", "float32[2,4]"))
    levels = by_name(report)
    assert {row.ratio for row in levels["outputs"].rows} == {None}
    assert [row.verdict for row in levels["activations"].rows if row.kind == "alone"] == [SAME]
    said = wording.summary(report)
    assert said.startswith("parity: 1 comparison agrees with torch; the worst, last, alone, stands at ")
    assert said.endswith("not compared in full: outputs, activations, gradients")
    nothing = check_parity(program(DRAWING, "paddle", "net:Net", "float32[2,4]", levels=("outputs",)))
    assert nothing.verdict == "failed"
    assert "nothing could be compared: outputs: the model itself: draws random" in wording.summary(nothing)


TWICE = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, tie=False):
        super().__init__()
        self.table = nn.Embedding(9, 4)
        self.norm = nn.BatchNorm1d(4)
        self.again = self.norm
        self.head = nn.Linear(4, 9)
        if tie:
            self.head.weight = self.table.weight

    def forward(self, ids):
        return self.head(self.again(self.norm(self.table(ids))))
"""


@pytest.mark.parametrize("tie", [False, True])
def test_a_tensor_of_two_names_is_compared_once(program, tie):
    report = check_parity(program(TWICE, "paddle", f"net:Net({tie})", "int64[7]<9", train=2))
    levels = by_name(report)
    assert report.verdict == "parity"
    names = [row.name for row in levels["steps"].rows if row.step == 2 and row.name != "loss"]
    weights = ["table.weight", "norm.weight", "norm.bias", *(() if tie else ("head.weight",)), "head.bias"]
    assert names == ["parameters", *weights, "buffers", "norm.running_mean", "norm.running_var"]
    # The running variance is warned of under its one name, and all that is of it in one line.
    rest, (line,) = wording.related([row for row in levels["steps"].rows if row.verdict == WARNED])
    assert rest == []
    assert line.startswith("warn: 2 buffers, 1 running_var: agrees when the running variance is biased")


SINGLE = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.head = nn.Linear(4, 6), nn.BatchNorm1d(6), nn.Linear(6, 2)

    def forward(self, x):
        if x.dtype != torch.float32 or self.head.weight.dtype != torch.float32:
            raise TypeError("float32 alone")
        return self.head(torch.relu(self.norm(self.first(x))))
"""


def test_the_biased_variance_is_known_without_double_precision(program):
    for rtol, verdict in ((1e-3, "parity"), (1e-12, "differs")):
        tolerance = Tolerance(rtol, 1e-6 if rtol == 1e-3 else 0.0)
        request = program(SINGLE, "paddle", "net:Net", "float32[7,4]", train=3, tolerance=tolerance)
        report = check_parity(request)
        assert report.verdict == verdict, wording.summary(report)
        rows = {row.name: row for row in by_name(report)["steps"].rows if row.step == 3}
        if verdict == "parity":
            assert rows["norm.running_var"].verdict == WARNED
            assert rows["norm.running_var"].cause == "agrees when the running variance is biased (n in place of n - 1)"
        else:
            assert rows["norm.running_var"].verdict == DIFFERS


UNFILLED = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        before = [torch.randn(64) * 50 for _ in range(20)]
        del before
        self.weight = nn.Parameter(torch.empty(64))
        self.other = nn.Parameter(torch.Tensor(8, 8))
        self.register_buffer("cache", torch.empty(64), persistent=False)
        self.late = torch.empty(1, 8).expand(8, 8)

    def forward(self, x):
        if max(float(self.weight.abs().max()), float(self.other.abs().max())) > 0.25:
            raise ValueError("what was in the memory before")
        return self.weight * x + self.cache * 0, self.other + self.late * 0
"""


def test_memory_that_nobody_filled_is_no_weight(program):
    report = check_parity(program(UNFILLED, "paddle", "net:Net", "float32[3,64]", levels=("outputs",)))
    assert report.verdict == "parity", wording.summary(report)


SATURATED = """
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.LogSigmoid()

    def forward(self, x):
        return self.act(x), F.softplus(-x), F.binary_cross_entropy_with_logits(x, (x > 15).float(), reduction="none")
"""


def test_noise_of_what_is_next_to_nothing_is_no_difference(program):
    """Between 10 and 20 they are 1e-9 to 4e-5, made of numbers near 1: Paddle's stand 6e-8 away."""
    request = program(SATURATED, "paddle", "net:Net", "10<=float32[3,40]<20", levels=("outputs", "activations"))
    levels = by_name(check_parity(request))
    assert {row.verdict for level in levels.values() for row in level.rows} == {SAME}
    text = (request.converted / "net.py").read_text()
    assert "LogSigmoid()" in text
    (request.converted / "net.py").write_text(text.replace("self.act(x)", "self.act(x - 3)"))
    assert by_name(check_parity(request))["outputs"].rows[0].verdict == DIFFERS


CONSTANT = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, gain=1e-9):
        super().__init__()
        self.first, self.last = nn.Linear(6, 8), nn.Linear(8, 3)
        with torch.no_grad():
            self.first.weight.mul_(gain)

    def forward(self, x):
        return self.last(torch.tanh(self.first(x)))
"""


@pytest.mark.parametrize(("gain", "said"), [(1e-9, True), (1.0, False)])
def test_outputs_that_hardly_depend_on_inputs(program, gain, said):
    request = program(CONSTANT, "oneflow", f"net:Net({gain})", "float32[3,6]", levels=("outputs",))
    (row,) = by_name(check_parity(request))["outputs"].rows
    assert row.note.startswith("hardly depends on the inputs") == said


def test_crashes_and_skips_have_their_exit_status(program, run_migrate):
    request = program(CRASHING, "paddle", "net:Net", "float32[3,6]")
    broken(request, "# BACKWARD")
    sides = ["--torch-python", request.torch_python, "--target-python", request.target_python]
    asked = ["--entry", request.entry, "--input", *request.inputs]
    done = run_migrate("check", request.source, request.converted, "--to", "paddle", *sides, *asked)
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.count("crashed (SIGABRT)") == 3  # its row, where, the last line
    assert done.stdout.splitlines()[-1] == "differs: gradients: PaddlePaddle crashed (SIGABRT)"


NOT_CONVERTED = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(4, 4)

    def forward(self, x):
        torch.fx.Graph()  # HERE
        return self.line(x)
"""


def test_what_was_not_converted_is_told_by_its_own_line(program):
    """Not by the helper module's, which raises: nothing is to be mended there."""
    request = program(NOT_CONVERTED, "paddle", "net:Net", "float32[2,4]", levels=("outputs",))
    lines = (request.converted / "net.py").read_text().splitlines()
    at = next(number for number, line in enumerate(lines, 1) if "# HERE" in line)
    failure = by_name(check_parity(request))["outputs"].failure
    assert (failure.kind, failure.where) == ("NotConvertedError", f"{request.converted.resolve()}/net.py:{at}")
    assert failure.mend == f"the comment `# migrate:` above {failure.where} says why, and what to do instead"
    assert "# migrate:" in lines[at - 2]
