"""Uses of what is not known that no tensor takes are none of torch's; torch itself says so."""

from __future__ import annotations

import os

import pytest
import torch

from rewriters.report import Outcome, Risk
from rewriters.rewrite.others_uses import READ_ONLY

# What torch raises for, if x is a tensor.
REFUSED = """
x.split(",")
x.split()
x.index("@")
x.transpose(2, 0, 1)
x.mean + 1
-x.var
x.mean[0]
x.values[1:]
x.mode.upper()
[a for a in x.values]
x.size < 3
len(x.values)
torch.pow(x.mean, 2)
torch.exp(x.mean)
x.name + ".txt"
x.name[0]
x.name.upper()
os.path.join("a", x.name)
x.topk()
x.clamp(1, 2, 3)
x.mean(sideways=1)
x.solve(x)
x.symeig()
print(x.mean, x.covariance)
"""
# What says the same of each tensor.
INDIFFERENT = """
x.type == "cuda"
x.type != y.type
not x.cuda
x.mode in ("a", "b")
1 if x.cuda else 2
x.name == "exp"
[x.name]
{x.name: 1}
f"{x.name}"
f(x.name)
f(label=x.name)
"""
# What may be a tensor's.
OPEN = """
x.name
f(x.mean)
x.name is None
"%s" % x.name
1 if x.name else 2
x.sum(axis=1)
x.view(2, 3, 4, 5, 6, 7, 8)
x.new_zeros([2], dtype=torch.float64)
x.mean
x.to("cpu")
"""


def lines(text: str) -> list[str]:
    return text.strip().split("\n")


def run(line: str, **names: object) -> object:
    """What torch gives for a line."""
    held = dict(names)
    exec(f"found = {line}", held)  # noqa: S102
    return held["found"]


@pytest.fixture
def left(sites):
    def check(line: str) -> list[str]:
        found = sites(f"import os\nimport torch\ndef g(x, y, f):\n    return {line}\n")
        return [site.api for site in found if site.outcome == Outcome.UNKNOWN]

    return check


@pytest.mark.parametrize("line", lines(REFUSED))
def test_torch_refuses(line, left):
    with pytest.raises((TypeError, AttributeError, RuntimeError)):
        run(line, torch=torch, os=os, x=torch.ones(2, 2))
    assert not left(line)


@pytest.mark.parametrize("line", lines(INDIFFERENT))
def test_indifferent(line, left):
    given = [run(line, x=torch.ones(n), y=torch.ones(n), f=lambda *given, **named: (given, named)) for n in (1, 2)]
    assert given[0] == given[1]
    assert not left(line)


# In a try, where a use does not say by itself that something is a tensor.
CAUGHT = "    try:\n        return {}\n    finally:\n        pass\n"


@pytest.mark.parametrize("line", lines(OPEN))
def test_open(line, sites):
    found = sites(f"import torch\ndef g(x, y, f):\n{CAUGHT.format(line)}")
    assert [site.api for site in found if site.outcome == Outcome.UNKNOWN]


def test_named_for_a_value(sites):
    source = """
    import torch
    def g(dist, other):
        w, h = other.size; w, h = other.mode
        mean = dist.mean
        print(mean.shape)
        add = other.mean
        return add(1)
    """
    found = [(site.line, site.api) for site in sites(source) if site.outcome == Outcome.UNKNOWN]
    assert found == [(7, ".mean")]


def test_stored_and_handed_on_as_no_method_is(sites):
    source = """
    import torch
    class Sampler:
        def __init__(self, spec, frame, other):
            self.batch = batch = spec.size
            print(f"{spec.size}", frame.fit(frame.values))
            self.rows = frame.values
            size = other.size
            self.sized = other.size
            print(size(0), self.sized(1))
    """
    found = [(site.line, site.api) for site in sites(source) if site.outcome == Outcome.UNKNOWN]
    assert found == [(8, ".size"), (9, ".size")]


def test_of_a_device(left):
    assert not left("f(x.device.type)")
    assert left("f(x.type)")


BESIDE = """
def g(dist, other, held, fresh, tried, names, loops, f):
    mean, variance = dist.mean, dist.variance
    print(dist.std)
    print(f(other.mean))
    print(other.stddev)
    if other.lower:
        print(other.max)
    print(held.mean)
    if held.kind:
        print(held.median)
    if tried and held.mark:
        print(f(tried.mode))  # left
    if names.kind is None:
        print(names.mode)
    while f(names) and tried.kind:
        print(tried.max)  # left
    for one in loops.parts or held.kinds:
        print(loops.std)
    if fresh.next if names.more else 1:
        print(fresh.std)  # left
    elif held.kind:
        print(names.mean)
    print(fresh.mean)  # left
    fresh = other.next
    print(fresh.stddev)
    try:
        print(tried.mean)  # left
        print(tried.stddev)
    except AttributeError:
        pass
    for one in dist.parts:
        print(one.mean, one.marked)  # left
        one.marked = 1
    return [print(one.mean) for one in dist.parts]  # left
options, rebound = what()
print(options.mean, options.kind)
if options.kinds == 1:
    print(options.mode)
print(rebound.mean)  # left
rebound = what()
print(rebound.kind)
def reading():
    print(options.std)  # left
"""


def test_beside_what_tensors_lack(sites):
    """What is read of the same thing, and no tensor has, says that it is none."""
    wanted = [number for number, line in enumerate(BESIDE.split("\n"), 1) if "# left" in line]
    found = sites("import torch" + BESIDE)
    assert [site.line for site in found if site.outcome == Outcome.UNKNOWN] == wanted


# Of each target: a call of what is not known, and what it would do of a tensor; "" where it looks at run time.
RISKS = {
    "x.to(device)": (Risk.SAME, Risk.SAME),
    "x.to(torch.float64)": (Risk.SAME, Risk.SAME),
    "x.backward()": (Risk.SAME, Risk.SAME),
    "x.cuda()": (Risk.SAME, Risk.SAME),
    "x.view(2, 3, 4, 5)": (Risk.SAME, Risk.SAME),
    "x.reshape(a, -1)": (Risk.SAME, Risk.SAME),
    "x.type(torch.float64)": ("", Risk.SAME),
    "x.permute(0, 2, 3, 1)": (Risk.SAME, Risk.SAME),
    "x.expand(*sizes)": (Risk.SAME, Risk.SAME),
    "x.reshape(2, *sizes)": (Risk.SAME, Risk.SAME),
    "x.reshape(shape=sizes)": (Risk.SAME, ""),
    "x[:, 0].std()": (Risk.SAME, Risk.SAME),
    "x[0].std()": (Risk.SAME, Risk.DIFFERS),  # of what has no axes
    "x.clamp(max=1)": (Risk.SAME, Risk.SAME),
    "x.copy_(y)": ("", ""),
    "x.to_dense()": ("", ""),
    "x.flatten()": (Risk.SAME, Risk.DIFFERS),  # of what has no axes
    "x.flatten(0, -1)": (Risk.SAME, Risk.DIFFERS),
    "x.flatten(2)": (Risk.SAME, Risk.SAME),
    "x.flatten(start_dim=1)": (Risk.SAME, Risk.SAME),
    "x.topk(3, dim=-1)": (Risk.SAME, Risk.SAME),
}


@pytest.mark.parametrize("line", RISKS)
def test_risks(line, sites):
    for target, risk in zip(("paddle", "oneflow"), RISKS[line], strict=True):
        found = sites(f"import torch\ndef g(x, y, device, sizes):\n{CAUGHT.format(line)}", target)
        left = [site.risk for site in found if site.outcome == Outcome.UNKNOWN]
        assert left == ([risk] if risk else []), target
        assert risk or any(site.outcome == Outcome.HELPER for site in found), target


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_moves_stay_as_they_stand(target, converted):
    """What no machine without a GPU can try, and is said to be the same: the rule for tensors leaves it."""
    source = "import torch\nx = torch.zeros(2)\nx.cuda()\n"
    assert converted(source, target).endswith("x.cuda()\n")


def test_what_no_tensor_takes(sites):
    """Storing to these is no use of a tensor's: torch refuses it whatever is stored."""
    kept = []
    for name in sorted(READ_ONLY):
        for value in (True, "x", torch.ones(2), None):
            with pytest.raises((AttributeError, RuntimeError, TypeError)):
                setattr(torch.ones(2, 2), name, value)
        kept.append(f"    x.{name} = y")
    found = sites("import torch\ndef g(x, y):\n" + "\n".join(kept) + "\n")
    assert [site.api for site in found if site.outcome == Outcome.UNKNOWN] == []


def test_no_helper_where_nothing_of_torch_s_can_be_meant(converted) -> None:
    """Calls that no tensor takes, attributes beside others that layers lack, Python's own names, other libraries."""
    source = """import torch
import tensorflow as tf
from torch import nn


class Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        out_ch, mult = config.model.out_ch, tuple(config.model.ch_mult)
        in_channels = config.model.in_channels
        self.width = in_channels * out_ch


def put(queue, item):
    queue.put(item)


def is_text(value):
    return isinstance(value, torch._six.string_classes)


def add(x):
    y = tf.ones(3)
    y += x
    return y
"""
    for target in ("paddle", "oneflow"):
        text = converted(source, target)
        assert "in_channels = config.model.in_channels" in text
        assert "    queue.put(item)" in text
        assert "isinstance(value, str)" in text
        assert "    y += x" in text
        assert "helpers" not in text
    assert "in_channels_of_any(block)" in converted("import torch\n\n\ndef f(block):\n    return block.in_channels\n")
    stored = source.replace("self.width", "self.model")  # what the file stores to may be another thing each time
    assert "in_channels_of_any(config.model)" in converted(stored)
