"""One call before and after, chosen from the samples of a name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from checks.proof.judge import AGREES, Verdict
from migrate.proof.example import example
from migrate.proof.record import Record
from migrate.proof.run import Chunk, Proved, converted
from migrate.proof.samples import Form
from migrate.proof.summing import on_record

TENSORS = {"a0": [0, "<f4", [2, 3]], "a1": [1, "<f4", [2, 3]]}
SCALAR = {"a0": [0, "<f4", []]}


def form(text: str, key: str, kind: str = "function", sample: str = "it:float32:0", body: str | None = None) -> Form:
    record = {"label": sample, "tensors": TENSORS, "grads": [], **({"body": body} if body else {})}
    source = "written" if kind == "written" else "opinfo"
    return Form(source, sample, key, key, kind, text, record, {}, Path())


def rows_of(forms: list[Form], folder: Path, target: str = "paddle") -> list[Proved]:
    rows = converted(Chunk(0, forms, folder / "out"), target, ())
    return [replace(row, verdict=Verdict(AGREES)) for row in rows]


def test_a_short_call_that_is_converted_in_place(tmp_path: Path) -> None:
    forms = [
        form("torch.cat(tensors=(a0, a1), dim=1)", "torch.cat", "function all keyword"),
        form("torch.cat(*((a0, a1), 1))", "torch.cat", "function starred"),
        form("torch.cat((a0, a1), dim=1)", "torch.cat"),
        form("torch.cat((a0, a1))", "torch.cat", sample="it:float32:7"),
    ]
    rows = rows_of(forms, tmp_path)
    assert example("torch.cat", rows) == ["torch.cat((a0, a1), dim=1)", "paddle.concat((a0, a1), axis=1)"]
    assert example("torch.cat", rows[:1])[0] == "torch.cat(tensors=(a0, a1), dim=1)"
    assert example("torch.cat", rows[1:2]) == []


def test_a_tensor_without_axes_is_no_example_of_many(tmp_path: Path) -> None:
    short, long = form("torch.argmin(a0)", "torch.argmin"), form("torch.argmin(a0, dim=1)", "torch.argmin")
    rows = rows_of([replace(short, record={**short.record, "tensors": SCALAR}), long], tmp_path)
    assert example("torch.argmin", rows)[0] == "torch.argmin(a0, dim=1)"
    assert example("torch.argmin", rows[:1])[0] == "torch.argmin(a0)"


def test_a_statement_of_many(tmp_path: Path) -> None:
    body = (
        "total = 0\n"
        "with torch.no_grad():\n"
        "    for _ in range(2):\n"
        "        total = total + torch.cat((a0, a1), dim=1).sum()\n"
        "return total"
    )
    rows = rows_of([form("", "", "written", body=body)], tmp_path)
    before = "total = total + torch.cat((a0, a1), dim=1).sum()"
    assert example("torch.cat", rows) == [before, before.replace("torch.cat", "paddle.concat").replace("dim=", "axis=")]
    assert example("torch.no_grad", rows) == ["with torch.no_grad():", "with paddle.no_grad():"]
    assert example("torch.max", rows) == []


def test_a_call_that_becomes_a_statement_that_writes(tmp_path: Path) -> None:
    rows = rows_of([form("a0.neg_()", "torch.Tensor.neg_", "in-place")], tmp_path, "oneflow")
    assert example("torch.Tensor.neg_", rows) == ["a0.neg_()", "a0[...] = a0 * -1"]


def test_a_value_of_many(tmp_path: Path) -> None:
    body = "return [torch.abs(a0), torch.max(a0, a1)], (a0 * 2, *torch.cat((a0, a1), dim=1))"
    rows = rows_of([form("", "", "written", body=body)], tmp_path)
    assert example("torch.cat", rows) == ["torch.cat((a0, a1), dim=1)", "paddle.concat((a0, a1), axis=1)"]
    assert example("torch.max", rows) == ["torch.max(a0, a1)", "paddle.maximum(a0, a1)"]


def test_a_module_is_shown_as_it_is_built(tmp_path: Path) -> None:
    row = form("torch.nn.Flatten(1)", "torch.nn.Flatten", "train", "it:train:0", "return module(a0)")
    before, after = example("torch.nn.Flatten", rows_of([row], tmp_path))
    assert before == "torch.nn.Flatten(1)"
    assert after.startswith("paddle.nn.Flatten(")


def test_what_is_on_record_as_agreeing(tmp_path: Path) -> None:
    (row,) = rows_of([form("torch.cat((a0, a1), 1)", "torch.cat")], tmp_path)
    agree, refused = {"float32": [1, 0, 0]}, {"float32": [1, 0, 1]}
    assert on_record(row, {"torch.cat": Record("d", tried=agree)})
    assert on_record(row, {"torch.cat": Record("d", tried=refused)})
    assert not on_record(row, {})
    assert not on_record(row, {"torch.cat": Record("d", tried={"int64": [1, 0, 0]})})
    assert not on_record(row, {"torch.cat": Record("d", tried=agree, failing={"it:float32:0": ["function"]})})
    assert on_record(row, {"torch.cat": Record("d", tried=agree, failing={"it:float32:0": ["method"]})})
    (keyword,) = rows_of([form("torch.cat(tensors=(a0, a1))", "torch.cat", "function all keyword")], tmp_path)
    assert on_record(keyword, {"torch.cat": Record("d", tried=agree)})
    assert not on_record(keyword, {"torch.cat": Record("d", tried=refused)})
