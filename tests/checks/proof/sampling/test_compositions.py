"""Compositions are the calls that they were made of: in torch, each gives what the call alone gives."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from checks.proof.sampling import compositions


def ran(body: str, tensors: dict[str, torch.Tensor]) -> Any:
    place: dict[str, Any] = {"torch": torch}
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    exec(f"def call({', '.join(tensors)}):\n{lines}\n", place)  # noqa: S102 - our own text
    return place["call"](*(tensor.clone() for tensor in tensors.values()))


@pytest.mark.parametrize(
    ("text", "tensors"),
    [
        ("torch.sub(a0, a1, alpha=2)", {"a0": torch.tensor([1.7, -0.3]), "a1": torch.tensor([0.9, 2.1])}),
        ("a0.clamp(1, 3)", {"a0": torch.tensor([0, 2, 7])}),
        ("torch.where(a0, a1, 0.5)", {"a0": torch.tensor([True, False]), "a1": torch.tensor([0.9, 2.1])}),
        ("a0.sum(-1)", {"a0": torch.tensor([[0.9, 2.1]])}),
    ],
)
def test_an_argument_keeps_its_value(text: str, tensors: dict[str, torch.Tensor]) -> None:
    plain = ran(f"return {text}", tensors)
    tried = 0
    for word, composed in compositions.compositions(text, tensors):
        result = ran(composed.body(), tensors)
        if word.startswith("in "):
            continue
        value, *shown = result if isinstance(result, tuple) else (result,)
        assert torch.equal(value, plain), composed.body()
        assert value.dtype == plain.dtype
        if word.startswith("counted"):
            assert len(shown[0]) == 1, "evaluated once"
        if word.startswith("property"):
            assert shown == [1]
        tried += 1
    assert tried > 10


def test_lost_brackets_show() -> None:
    """The point of the values that arguments are given: without its brackets a composition is something else."""
    tensors = {"a0": torch.tensor([1.7, -0.3]), "a1": torch.tensor([0.9, 2.1])}
    for word in ("sum", "difference", "rule", "nested rule"):
        bare = compositions.REAL[word][1].replace("T.mul(2)", "T * 2").replace("torch.sub(T * 2, T)", "T * 2 - T")
        bare = bare.replace("T.add(T).sub(T.add(T).sub(T))", "T + T - (T + T - T)").replace("T", "a1")
        assert not torch.equal(ran(f"return a0 * {bare}", tensors), tensors["a0"] * tensors["a1"]), word


def test_those_in_place_are_seen_through_what_reaches_them() -> None:
    tensors = {"a0": torch.tensor([1.7, -0.3]), "a1": torch.tensor([0.9, 2.1])}
    words = dict(compositions.in_place("a0.add_(a1, alpha=2)", tensors))
    assert {"attribute", "subscript", "counted", "alias", "view"} <= set(words)
    for word, composed in words.items():
        value, *_ = ran(composed.body(), tensors)
        assert torch.equal(value, tensors["a0"] + 2 * tensors["a1"]), word
