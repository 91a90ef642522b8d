"""Kinds of dtypes and ranks: what the inference says of an expression is what torch computes."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
import torch

from rewriters.infer.project import Project
from rewriters.infer.values import (
    ANY_KIND,
    AT_TIMES,
    COMPLEX,
    FLOATING,
    INT,
    INTEGRAL,
    Items,
    ModuleInfo,
    Series,
    Tensor,
    Value,
)
from rewriters.tables.results import kind_of
from rewriters.text.source_text import Source

SETUP = """
import math
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
i = torch.arange(1, 7).view(2, 3)
f = torch.rand(2, 3) + 0.5
d = torch.rand(2, 3, dtype=torch.float64)
b = f > 1
c = torch.zeros(2, 3, dtype=torch.complex64)
s = torch.tensor(1.5)
n = 2
embedding = nn.Embedding(9, 4)
linear = nn.Linear(3, 5)
"""

EXPRESSIONS = """
F.gaussian_nll_loss(f, f, f) | F.gaussian_nll_loss(f, f, f, reduction="none")
F.multilabel_soft_margin_loss(f, b.float()) | F.multilabel_soft_margin_loss(f, b.float(), reduction="none")
torch.column_stack((s, s)) | torch.column_stack((f[0], f[0])) | torch.hstack((s, s)) | torch.vstack((f[None], f[None]))
F.linear(f[0], f[0]) | torch.linalg.vector_norm(f) | torch.svd(f[None]) | torch.tensordot(f, f, 2)
i | f | d | b | c | s | i + f | f + i | i * 2 | i * 2.5 | i / 2 | i / i | i // 2 | f // 2 | i ** 2 | b + b | b * 1.0
i + s | i + c | -i | ~b | b & b | i == f | i < 2 | i.eq(2) | b | i[0] | i[:, None] | i[None] | i[0, 1] | i[..., 0]
f[b] | f[torch.tensor([0, 1])] | i.float() | f.long() | f.bool() | f.half() | i.to(torch.float32) | f.to("cpu")
f.to(torch.device("cpu")) | f.type_as(i) | i.type(torch.float32) | f.to(i) | torch.zeros(2, 3) | torch.zeros((2, 3))
torch.zeros(2, dtype=torch.long) | torch.ones(n, n) | torch.full((2, 2), 3) | torch.full((2, 2), 3.0)
torch.full((2,), 1, dtype=torch.float32) | torch.eye(3) | torch.arange(5) | torch.arange(0, 1, 0.1)
torch.arange(0, 5.0) | torch.linspace(0, 1, 5) | torch.randint(0, 5, (2, 3)) | torch.randperm(5) | torch.tensor(1)
torch.tensor([1, 2]) | torch.tensor([[1.0, 2.0]]) | torch.tensor([True]) | torch.tensor([1, 2.0])
torch.zeros_like(i) | torch.ones_like(f) | torch.rand_like(f) | torch.zeros_like(i, dtype=torch.float32)
i.new_zeros(2, 3) | f.new_tensor([1, 2]) | i.new_full((2, 2), 1) | torch.exp(i) | torch.exp(f) | i.sqrt() | f.sqrt()
torch.sigmoid(i) | i.sin() | c.abs() | torch.abs(i) | i.sum() | b.sum() | f.sum() | i.sum(0) | i.sum(dim=1)
f.sum(1, keepdim=True) | f.mean() | f.mean(0) | f.mean(dim=(0, 1)) | i.prod() | b.any() | b.all(0) | f.argmax()
f.argmax(1) | f.argmin(dim=0) | f.max() | i.max() | f.max(1) | f.min(dim=0) | f.sort() | f.topk(2) | f.argsort()
torch.max(f, i) | torch.maximum(i, i) | f.cumsum(0) | i.cumsum(0) | i.clamp(0, 3) | f.clamp(min=0) | i.clamp(0.5, 2.5)
i.view(3, 2) | i.view(-1) | i.reshape(6) | i.reshape((3, 2)) | f.permute(1, 0) | f.transpose(0, 1) | f.t() | f.T
f.flatten() | f.unsqueeze(0) | f.squeeze() | f.expand(4, 2, 3) | f.repeat(2, 1, 1) | f.contiguous() | f.clone()
f.detach() | i.data | f.masked_fill(b, 0.0) | i.masked_fill(b, 0) | torch.where(b, f, i) | torch.where(b, i, i)
torch.where(b) | torch.cat([i, f]) | torch.cat([i, i]) | torch.stack([f, f]) | torch.stack([i, i], 1) | f @ f.t()
torch.matmul(f, f.T) | torch.mm(f, f.T) | torch.einsum("ij,kj->ik", f, f) | F.softmax(f, dim=-1) | f.softmax(-1)
torch.softmax(f, 0) | F.relu(f) | F.relu(i) | F.one_hot(i) | F.cross_entropy(f, torch.tensor([0, 1])) | embedding(i)
linear(f) | F.linear(f, linear.weight) | F.pad(i, (1, 1)) | torch.nonzero(i) | i.nonzero() | torch.multinomial(f, 1)
torch.bernoulli(f / 2) | f.std() | f.var(0) | f.norm() | torch.norm(f, dim=1) | torch.logsumexp(f, 1) | f.round()
f.floor() | i.float().mean() | torch.pow(i, 2) | torch.pow(f, 2) | torch.pow(2, f) | f.gather(1, i[:, :1] * 0)
f.index_select(0, torch.tensor([1])) | torch.gather(f, 1, i[:, :1] * 0) | torch.outer(f[0], f[0]) | f.chunk(2)
f.split(1) | f.unbind(0) | torch.meshgrid(i[0], i[0], indexing="ij") | torch.tril(f) | f.triu()
torch.floor_divide(i, 2) | torch.div(i, 2) | torch.div(i, 2, rounding_mode="floor") | torch.add(i, f)
torch.add(i, 1, alpha=2) | torch.mul(i, 0.5) | torch.eq(i, f) | torch.isnan(f) | torch.isfinite(i)
torch.logical_and(b, i) | torch.logical_not(i) | torch.count_nonzero(f) | torch.bincount(i[0]) | torch.unique(i)
torch.flip(i, [0]) | torch.roll(f, 1) | f.lerp(f, 0.5) | torch.addcmul(f, f, f) | f.add(i) | i.add_(1) | f.mul_(2)
f.unfold(1, 2, 1) | f.diagonal() | f.real | c.real | c.conj() | torch.view_as_real(c) | torch.polar(f, f) | f.rsqrt()
f.log() | i.log() | f.reciprocal() | i.square() | torch.tanh(f) | f.erf() | s.item() | f.numel() | f.size(0)
torch.tensor(f.tolist()) | torch.tensor(np.ones(2)) | torch.from_numpy(np.arange(3)) | torch.as_tensor(i)
nn.Parameter(f) | nn.Parameter(torch.zeros(2)) | torch.fft.rfft(f) | torch.fft.fft(f) | torch.linalg.norm(f)
nn.Flatten()(i) | nn.Identity()(i) | nn.ReLU()(f) | nn.CrossEntropyLoss()(f, torch.tensor([0, 1]))
torch.triu(torch.ones(3, 3), diagonal=1).bool()
"""
CALLS = [text.strip() for line in EXPRESSIONS.strip().splitlines() for text in line.split(" | ")]
# What the promotion of users' code hangs on must be known, not merely not wrong.
KNOWN = {
    "i + f": FLOATING, "torch.arange(5)": INTEGRAL, "i / 2": FLOATING, "f.long()": INTEGRAL, "f.argmax(1)": INTEGRAL,
    "torch.randint(0, 5, (2, 3))": INTEGRAL, "i[:, None]": INTEGRAL, "embedding(i)": FLOATING, "f.sqrt()": FLOATING,
    "torch.arange(0, some)": INTEGRAL, "torch.arange(0, some, 2)": INTEGRAL, "torch.arange(0, f, step=0.5)": FLOATING,
    "torch.arange(start=some, end=some + 1)": INTEGRAL,
    "i.view(3, 2)": INTEGRAL, "torch.cat([i, i])": INTEGRAL, "f.softmax(-1)": FLOATING, "i.float().mean()": FLOATING,
}  # fmt: skip


def analysed(text: str) -> ast.Module:
    """The text behind SETUP, with values at its nodes."""
    source = Source((SETUP + text).encode())
    Project([ModuleInfo(Path("snippet.py"), "snippet", source.tree, source.nodes)]).infer()
    return source.tree


def inferred(text: str) -> Value:
    """The value of an expression after SETUP."""
    last = analysed(f"result = {text}\n").body[-1]
    assert isinstance(last, ast.Assign)
    found: Value = last.value.v  # type: ignore[attr-defined]
    return found


def agrees(value: Value, actual: Any) -> bool:
    """Whether the inference admits what came out."""
    if isinstance(value, Tensor):
        ranks = value.ndim is None or value.ndim == actual.ndim
        return isinstance(actual, torch.Tensor) and bool(value.kinds & kind_of(actual.dtype)) and ranks
    if isinstance(value, Items):
        return all(agrees(part, inner) for part, inner in zip(value.values, actual, strict=True))
    if isinstance(value, Series):
        return all(agrees(value.element, inner) for inner in actual)
    return True


@pytest.mark.parametrize("text", CALLS)
def test_as_torch_computes(text: str) -> None:
    scope: dict[str, Any] = {}
    exec(SETUP, scope)  # noqa: S102
    actual = eval(text, scope)  # noqa: S307
    value = inferred(text)
    assert agrees(value, actual), (value, actual)


@pytest.mark.parametrize(("text", "kinds"), KNOWN.items())
def test_known(text: str, kinds: int) -> None:
    value = inferred(text)
    assert isinstance(value, Tensor)
    assert value.kinds == kinds


def test_most_are_known() -> None:
    """The table would be of no use if it said nothing."""
    values = [value for value in map(inferred, CALLS) if isinstance(value, Tensor)]
    assert sum(value.kinds != ANY_KIND for value in values) > 0.8 * len(values)
    assert sum(value.ndim is not None for value in values) > 0.5 * len(values)


def test_loop_chain() -> None:
    """What is bound from what is bound in a loop: each link takes another round."""
    text = "x = y = z = w = i\nfor _ in range(9):\n    w = z\n    z = y\n    y = x\n    x = x * 1.5\nresult = w\n"
    tree = analysed(text)
    assert tree.body[-1].value.v.kinds == INTEGRAL | FLOATING  # type: ignore[attr-defined]


def test_shape_unpacked() -> None:
    """``B, T, C = x.shape`` says that x has three axes."""
    text = "def g(x: torch.Tensor):\n    B, T, C = x.size()\n    result = x\n    C, x = x.shape\n    other = x\n"
    body = analysed(text).body[-1].body  # type: ignore[attr-defined]
    assert body[1].value.v.ndim == 3
    assert not isinstance(body[3].value.v, Tensor)


def held(text: str, name: str) -> Value:
    """What a name holds where a program reads it last."""
    tree = analysed(text)
    read = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
    found: Value = max(read, key=lambda node: (node.lineno, node.col_offset)).v  # type: ignore[attr-defined]
    return found


def test_what_an_annotated_parameter_is_handed_on_to_is_a_tensor_where_nothing_calls_it() -> None:
    found = held(
        "def given(v):\n    seen = v\n    return v\n\n\ndef uncalled(x: torch.Tensor):\n    return given(x)\n", "seen"
    )
    assert isinstance(found, Tensor)


@pytest.mark.parametrize("name", ['f"table_{k}"', '"table_" + str(k)', '"table_%d" % k'])
def test_a_numbered_name_is_no_other(name: str) -> None:
    text = f"""
class M(nn.Module):
    def __init__(self):
        super().__init__()
        for k in range(3):
            self.register_buffer({name}, f)
        self.register_buffer("table_of_places", i)

    def forward(self, x):
        numbered = self.table_1
        return numbered, self.table_of_places

places = M()(f)[1]
result = places
"""
    places, numbered = held(text, "places"), held(text, "numbered")
    assert isinstance(places, Tensor) and places.kinds == INTEGRAL  # noqa: PT018
    assert isinstance(numbered, Tensor) and numbered.kinds == FLOATING  # noqa: PT018


def test_a_backward_is_given_gradients_and_what_forward_has_kept() -> None:
    text = """
class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, places):
        ctx.save_for_backward(x, places)
        ctx.scale = 2
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        kept, places = ctx.saved_tensors
        factor = ctx.scale
        return grad * factor + 0 * kept, places

made = Scaled.apply(f, i)
result = made
"""
    grad, kept, places, made = (held(text, name) for name in ("grad", "kept", "places", "made"))
    assert [value.kinds for value in (kept, places, made) if isinstance(value, Tensor)] == [
        FLOATING,
        INTEGRAL,
        FLOATING,
    ]
    assert isinstance(grad, Tensor) and grad.kinds & FLOATING and not grad.kinds & INTEGRAL  # noqa: PT018
    assert held(text, "factor") == INT


@pytest.mark.parametrize(
    "call", ["torch.utils.checkpoint.checkpoint(g, f, i)", "torch.jit.wait(torch.jit.fork(g, f, i))"]
)
def test_what_torch_calls_is_called(call: str) -> None:
    found = held(f"def g(x, y):\n    given = y\n    return x * given\nmade = {call}\nresult = made\n", "made")
    assert isinstance(found, Tensor)
    assert (found.kinds, found.ndim) == (FLOATING, 2)


def test_what_is_of_integers_at_times_is_remembered() -> None:
    found = held("def g(x):\n    seen = x\n    return seen\ng(i)\ndef h(y: torch.Tensor):\n    g(y)\n", "seen")
    assert isinstance(found, Tensor)
    assert (found.kinds, found.hints) == (ANY_KIND, AT_TIMES)


def test_a_backward_is_given_gradients_whatever_forward_gives() -> None:
    text = """
class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.load("a")

    @staticmethod
    def backward(ctx, grad):
        return grad

made = Own.apply(f)
result = made
"""
    grad = held(text, "grad")
    assert isinstance(grad, Tensor)
    assert grad.kinds == FLOATING | COMPLEX


@pytest.mark.parametrize(
    ("call", "kinds"),
    {
        "F.log_softmax(x, -1)": FLOATING,
        "F.cross_entropy(x, y)": FLOATING,
        "F.layer_norm(x, (3,))": FLOATING,
        "x.mean(1)": FLOATING | COMPLEX,
        "x.softmax(1)": FLOATING,
        "F.softmax(x, 1, dtype=torch.float64)": FLOATING,
        "F.relu(x)": ANY_KIND,
        "torch.masked.std(x, 1)": FLOATING | COMPLEX,
    }.items(),
)
def test_what_takes_no_integers_gives_fractions(call: str, kinds: int) -> None:
    """Of what nothing is known but that it is a tensor; torch itself refuses the rest."""
    found = held(
        f"import torch\nimport torch.nn.functional as F\ndef g(x: torch.Tensor, y: torch.Tensor):\n    a = {call}\n",
        "a",
    )
    assert isinstance(found, Tensor)
    assert found.kinds == kinds
    if kinds == FLOATING and "dtype" not in call:
        for dtype in (torch.int64, torch.uint8, torch.bool, torch.complex64):
            with pytest.raises((RuntimeError, NotImplementedError, TypeError)):
                eval(call, {"x": torch.ones(2, 3).to(dtype), "y": torch.tensor([0, 1]), "F": torch.nn.functional})  # noqa: S307
