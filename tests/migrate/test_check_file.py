"""parity.toml: what is read of it, and how its faults are named."""

from __future__ import annotations

import pytest

from migrate.errors import Unusable
from migrate.parity.file import read_parity_file

WHOLE = """\
source = "."
converted = "../out"
target = "oneflow"

[[check]]
entry = "model:GPT(GPTConfig(n_layer=2))"
inputs = ["int64[2,16]<96"]
weights = "runs/gpt.pt"
train = 10
rtol = 1e-4

[[check]]
name = "the loss"
entry = "losses:focal"
"""


def test_whole_file(tmp_path):
    path = tmp_path / "parity.toml"
    path.write_text(WHOLE)
    found = read_parity_file(path)
    assert (found.source, found.converted, found.target) == (tmp_path, tmp_path / "../out", "oneflow")
    gpt, loss = found.checks
    assert (gpt.name, gpt.entry, gpt.where) == (
        "model:GPT(GPTConfig(n_layer=2))",
        "model:GPT(GPTConfig(n_layer=2))",
        f"{path}:5",
    )
    assert gpt.values == {
        "inputs": ["int64[2,16]<96"],
        "weights": tmp_path / "runs/gpt.pt",
        "train": 10,
        "rtol": 1e-4,
    }
    assert (loss.name, loss.entry, loss.values) == ("the loss", "losses:focal", {})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("source = \n[[check]]", ":1: "),
        ("source = 1\n[[check]]\nentry='m:f'", ":1: source is not a string"),
        ("\nsorce = '.'\n[[check]]\nentry='m:f'", ":2: parity.toml has no 'sorce'"),
        ("", ": there is no [[check]]"),
        ("source = 'a'\n# why\n# [[check]]\n# entry = 'm:A'\n", ": every [[check]] is commented out"),
        ("check = 1", ": there is no [[check]]"),
        ("[[check]]\n", ":1: this [[check]] has no entry"),
        ("[[check]]\nentry='m:f'\n\n[[check]]\nentry='m:g'\ninput='x'", ":6: [[check]] has no 'input'"),
        ("[[check]]\nentry='m:f'\ninputs='float32[2]'", ":3: inputs is not a list of strings"),
        ("[[check]]\nentry='m:f'\ntrain=true", ":3: train is not a whole number"),
        ("[[check]]\nentry='m:f'\nrtol=-1", ":3: rtol is not a number of at least 0"),
        ("check = [{entry = 'm:f', x = 1}]", "parity.toml: [[check]] has no 'x'"),
        ("[[check]]\nentry='m:f'\n[[check]]\nentry='m:f'", ":1: 'm:f' is checked twice"),
    ],
)
def test_faults_are_named_with_their_line(tmp_path, text, complaint):
    path = tmp_path / "parity.toml"
    path.write_text(text)
    with pytest.raises(Unusable) as caught:
        read_parity_file(path)
    assert f"{tmp_path}/{complaint}".replace("/:", "/parity.toml:") in caught.value.message
    assert caught.value.mend


def test_absent_and_undecodable_files(tmp_path):
    with pytest.raises(Unusable, match="No such file") as caught:
        read_parity_file(tmp_path / "parity.toml")
    assert "--init" in caught.value.mend
    (tmp_path / "parity.toml").write_bytes(b"\xff")
    with pytest.raises(Unusable, match="utf-8"):
        read_parity_file(tmp_path / "parity.toml")
