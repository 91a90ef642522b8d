"""``migrate weights`` as a user runs it."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest


def test_a_wrapped_checkpoint_to_safetensors(checkpoints, run_migrate, tmp_path):
    output = tmp_path / "new" / "model.safetensors"
    done = run_migrate("weights", checkpoints / "wrapped.pt", "-o", output)
    assert done.returncode == 0, done.stderr
    for said in (str(output), "7, ", "optimizer (optimizer state, not carried yet)", "checkpoint's 'model'"):
        assert said in done.stdout
    assert output.is_file()


def test_the_manifest_tells_of_every_tensor(checkpoints, run_migrate, tmp_path):
    output = tmp_path / "model.npz"
    assert run_migrate("weights", checkpoints / "parallel.pt", "-o", output).returncode == 0
    manifest = json.loads((tmp_path / "model.npz.manifest.json").read_text())
    assert manifest["checkpoint"].endswith("parallel.pt")
    records = {record["name"]: record for record in manifest["tensors"]}
    with np.load(output) as archive:
        assert set(records) == set(archive)
        for name, array in archive.items():
            record = records[name]
            assert record["source"] == f"module._orig_mod.{name}"
            assert (record["shape"], record["dtype"]) == (list(array.shape), str(array.dtype))
            assert record["checksum"] == "blake2b-128:" + hashlib.blake2b(array.tobytes(), digest_size=16).hexdigest()


def test_without_an_output_it_lies_beside_the_checkpoint(checkpoints, run_migrate, tmp_path):
    copy = tmp_path / "best.pt"
    copy.write_bytes((checkpoints / "plain.pt").read_bytes())
    assert run_migrate("weights", copy).returncode == 0
    assert (tmp_path / "best.safetensors").is_file()


@pytest.mark.parametrize(
    ("name", "arguments", "says", "mend"),
    [
        ("absent.pt", [], "absent.pt: No such file", "mend: "),
        ("two.pt", [], "2 dictionaries of tensors", "--key: model (7 tensors), ema.model (8 tensors)"),
        ("legacy.pt", [], "before 1.6", "torch.save"),
        ("plain.pt", ["--to", "tensorrt"], "unknown format 'tensorrt'", "npz, safetensors"),
        ("plain.pt", ["--model", "no.such:Net"], "no module 'no.such'", "--project"),
        ("dtypes.pt", ["--to", "npz"], "bfloat16 cannot be written as npz", "safetensors"),
    ],
)
def test_bad_input_ends_with_exit_code_2_and_a_mend(checkpoints, run_migrate, tmp_path, name, arguments, says, mend):
    done = run_migrate("weights", checkpoints / name, "-o", tmp_path / "out.safetensors", *arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert mend in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())
