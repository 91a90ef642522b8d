"""A proof is worth what it catches: a deliberately wrong rule of each kind, and right ones beside them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from migrate.proof.prove import prove_rules
from migrate.proof.record import Record
from migrate.proof.run import Proved
from migrate.proof.samples import entries
from rewriters.target import load_target

pytestmark = pytest.mark.framework

RULES = """
import paddle
import torch

from rewriters.rule import rule


@rule(torch.sub)
def sub(input, other, *, alpha=1):
    return paddle.subtract(other, input) * alpha


@rule(torch.nn.functional.leaky_relu)
def leaky_relu(input, negative_slope=0.02, inplace=False):
    return paddle.nn.functional.leaky_relu(input, negative_slope)


@rule(torch.cumsum)
def cumsum(input, dim, *, dtype=None):
    return paddle.cumsum(input, axis=-1, dtype=dtype)


@rule(torch.argmax)
def argmax(input, dim=None, keepdim=False):
    return paddle.argmax(input, axis=dim, keepdim=keepdim, dtype="int32")


@rule(torch.logsumexp)
def logsumexp(input, dim, keepdim=False):
    return paddle.logsumexp(input, axis=dim)


@rule(torch.tanh)
def tanh(input):
    return paddle.tanh(input.detach()) + (input - input.detach())


@rule(torch.isfinite)
def isfinite(input):
    result = paddle.isfinite(input)
    input.detach().zero_()
    return result


@rule(torch.Tensor.neg_)
def neg_(self):
    return paddle.neg(self)


@rule(torch.nn.Linear)
def Linear(in_features, out_features, bias=True):
    return paddle.nn.Linear(in_features, out_features, bias_attr=None if bias else False)


@rule(torch.max)
def max(input, dim, keepdim=False):
    return paddle.max(input, axis=dim, keepdim=keepdim), paddle.argmax(input, axis=dim, keepdim=keepdim)


@rule(torch.bernoulli)
def bernoulli(input, *, generator=None):
    return paddle.bernoulli(paddle.full_like(input, 0.5))


@rule(torch.log_softmax)
def log_softmax(input, dim, *, dtype=None):
    return paddle.nn.functional.log_softmax(input, axis=dim, dtype=dtype)


@rule(torch.nn.functional.relu6)
def relu6(input, inplace=False):
    return paddle.nn.functional.relu6(input)


@rule(torch.nn.functional.softplus)
def softplus(input, beta=1, threshold=20):
    if beta != 1:
        raise NotImplementedError("only a beta of 1 is tried here; multiply the input")
    return paddle.nn.functional.softplus(input, threshold=threshold)


@rule(torch.sinh)
def sinh(input):
    return paddle.sinh(input)
"""

WRONG = {
    "swapped arguments": ("torch.sub", "times the noise floor"),
    "wrong default": ("torch.nn.functional.leaky_relu", "times the noise floor"),
    "wrong axis": ("torch.cumsum", "times the noise floor"),
    "wrong dtype": ("torch.argmax", "dtype: torch int64, the target int32"),
    "dropped keyword": ("torch.logsumexp", "shape"),
    "wrong gradient": ("torch.tanh", "gradient of a0"),
    "mutation of an input": ("torch.isfinite", "a0 after the call"),
    "a copy where torch writes in place": ("torch.Tensor.neg_", "is not the object a0 itself"),
    "a weight that is not transposed": ("torch.nn.Linear", "weight of shape"),
    "a plain tuple for a named one": ("torch.max", "has no .values, .indices"),
    "another distribution": ("torch.bernoulli", "drawn from another distribution"),
}
MARKED = "torch.nn.functional.softplus"
RIGHT = ("torch.log_softmax", "torch.nn.functional.relu6", "torch.sinh")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Proved], dict[str, Record]]:
    """All of them in one run: the start of the framework is what takes the time."""
    folder: Path = tmp_path_factory.mktemp("wrong")
    rules = folder / "wrong.py"
    rules.write_text(RULES, encoding="utf-8")
    names = [*(name for name, _ in WRONG.values()), *RIGHT, MARKED]
    kinds = ("opinfo", "moduleinfo")
    target = load_target("paddle")
    return prove_rules(target, names, entries(names, kinds, few=6), folder / "work", (rules,))


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_rule_is_caught(kind: str, found: tuple[list[Proved], dict[str, Record]]) -> None:
    name, finding = WRONG[kind]
    record = found[1][name]
    verdicts = [row.verdict for row in found[0] if row.form.key == name and row.verdict is not None]
    assert record.failed > 0
    assert any(finding in verdict.finding for verdict in verdicts), [verdict.finding for verdict in verdicts]


@pytest.mark.parametrize("name", RIGHT)
def test_right_rule_passes(name: str, found: tuple[list[Proved], dict[str, Record]]) -> None:
    record = found[1][name]
    assert record.passed > 2
    assert record.failed == 0, record.first
    assert record.forms["inlined"]
    assert record.forms["helper"]


def test_what_is_marked_is_counted(found: tuple[list[Proved], dict[str, Record]]) -> None:
    record = found[1][MARKED]
    assert (record.failed, record.marked > 0) == (0, True)


def test_record_says_what_was_never_given(found: tuple[list[Proved], dict[str, Record]]) -> None:
    assert found[1]["torch.sinh"].unexercised == []
    assert found[1]["torch.nn.functional.relu6"].unexercised == ["inplace"]


def test_record_has_an_example_of_a_call_that_agrees(found: tuple[list[Proved], dict[str, Record]]) -> None:
    assert found[1]["torch.sinh"].example == ["torch.sinh(a0)", "paddle.sinh(a0)"]
    assert found[1]["torch.Tensor.neg_"].example == []


def test_first_failure_can_be_typed(found: tuple[list[Proved], dict[str, Record]]) -> None:
    assert found[1]["torch.argmax"].first.startswith("torch.argmax(a0")


def test_fields_are_all_in_the_file(found: tuple[list[Proved], dict[str, Record]]) -> None:
    for record in found[1].values():
        assert record.digest
        assert dataclasses.asdict(record)["passed"] + record.failed + record.marked > 0
