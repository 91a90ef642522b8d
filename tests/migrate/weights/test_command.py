"""``migrate weights`` as a user runs it."""

from __future__ import annotations

import json
import pickle
import zlib
from pathlib import Path

import numpy as np
import pytest

from migrate.weights.carry.state_dict import find_state_dict
from migrate.weights.readers.opening import open_checkpoint

FIXTURES = Path(__file__).parents[3] / "fixtures"


def test_a_wrapped_checkpoint_to_safetensors(checkpoints, run_migrate, tmp_path):
    output = tmp_path / "new" / "model.safetensors"
    done = run_migrate("weights", checkpoints / "wrapped.pt", "-o", output)
    assert done.returncode == 0, done.stderr
    for said in (str(output), "7, ", "optimizer (optimizer state: --optimizer)", "checkpoint's 'model'"):
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
            assert record["checksum"] == f"crc32:{zlib.crc32(array.tobytes()):08x}"


def test_without_an_output_it_lies_beside_the_checkpoint(checkpoints, run_migrate, tmp_path):
    copy = tmp_path / "best.pt"
    copy.write_bytes((checkpoints / "plain.pt").read_bytes())
    assert run_migrate("weights", copy).returncode == 0
    assert (tmp_path / "best.safetensors").is_file()


@pytest.fixture(scope="module")
def gpt(torch_python, run_python, tmp_path_factory) -> Path:
    """A checkpoint of fixtures/gpt as its train.py writes one; the embedding and the head are one tensor."""
    path = tmp_path_factory.mktemp("gpt") / "gpt.pt"
    script = "import sys, torch, model; torch.save({'model': model.gpt_tiny().state_dict(), 'step': 3}, sys.argv[1])"
    run_python(torch_python, script, path, cwd=FIXTURES / "gpt")
    return path


def test_a_real_model_to_paddle(gpt, run_migrate, torch_python, tmp_path):
    output = tmp_path / "gpt.pdparams"
    arguments = ("--model", "model:gpt_tiny", "--project", FIXTURES / "gpt", "--torch-python", torch_python.python)
    done = run_migrate("weights", gpt, "-o", output, *arguments)
    assert done.returncode == 0, done.stderr
    assert "tied, and kept so: wte.weight, lm_head.weight" in done.stdout
    with open_checkpoint(gpt) as checkpoint:
        tensors = {name: tensor.load() for name, tensor in find_state_dict(checkpoint).tensors.items()}
    with output.open("rb") as file:
        written = pickle.load(file)  # our own, just written
    assert np.array_equal(written["wte.weight"], tensors["wte.weight"])
    # Tied to an Embedding: the converted Linear keeps torch's layout, so that the tie holds.
    assert np.array_equal(written["lm_head.weight"], tensors["wte.weight"])
    others = {"wte.weight", "wpe.weight", "lm_head.weight"}
    linears = {name for name, array in tensors.items() if array.ndim == 2 and name not in others}
    assert len(linears) == 16
    for name, array in tensors.items():
        assert np.array_equal(written[name], array.T if name in linears else array), name


@pytest.mark.parametrize("options", [[], ["--shard-size", "100KB"]])
def test_a_targets_layouts_in_safetensors(gpt, run_migrate, torch_python, paddle_python, run_python, tmp_path, options):
    arguments = ("--model", "model:gpt_tiny", "--project", FIXTURES / "gpt", "--torch-python", torch_python.python)
    output = tmp_path / ("gpt-st" if options else "gpt.safetensors")
    done = run_migrate("weights", gpt, "--to", "paddle", "-o", output, *arguments, *options)
    assert done.returncode == 0, done.stderr
    assert "from safetensors.paddle import load_file" in done.stdout
    assert run_migrate("weights", gpt, "-o", tmp_path / "gpt.pdparams", *arguments).returncode == 0
    script = (
        "import sys, pathlib, paddle; from safetensors.paddle import load_file\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "files = sorted(path.glob('*.safetensors')) if path.is_dir() else [path]\n"
        "found = {name: value for file in files for name, value in load_file(file).items()}\n"
        "expected = paddle.load(sys.argv[2])\n"
        "assert found.keys() == expected.keys() and len(found) > 20\n"
        "assert all(bool((found[name] == expected[name]).all()) for name in found)\n"
    )
    run_python(paddle_python, script, output, tmp_path / "gpt.pdparams", cwd=tmp_path)
    assert run_migrate("weights", "--verify", output).returncode == 0
    back = tmp_path / "back.safetensors"
    assert run_migrate("weights", output, "-o", back).returncode == 0
    with open_checkpoint(gpt) as before, open_checkpoint(back) as after:
        old, new = find_state_dict(before).tensors, find_state_dict(after).tensors
        assert old.keys() == new.keys()
        assert all(np.array_equal(old[name].load(), new[name].load()) for name in old)


def test_a_name_of_another_format_is_told(checkpoints, run_migrate, tmp_path):
    done = run_migrate("weights", checkpoints / "plain.pt", "--to", "npz", "-o", tmp_path / "a.safetensors")
    assert done.returncode == 0, done.stderr
    assert "a.safetensors is named as safetensors, and is npz" in " ".join(done.stdout.split())


def test_a_format_with_other_layouts_wants_the_model(gpt, run_migrate, tmp_path):
    done = run_migrate("weights", gpt, "-o", tmp_path / "gpt.pdparams")
    assert done.returncode == 2
    assert "which module owns a tensor is not in it" in done.stderr
    assert "--model MODULE:CALLABLE" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "arguments", "says", "mend"),
    [
        ("absent.pt", [], "absent.pt: No such file", "mend: "),
        ("gan.pt", [], "2 dictionaries of tensors", "--key: generator (7 tensors), discriminator (7 tensors)"),
        ("plain.pt", ["--shard-size", "many"], "is no size", "2GB"),
        ("plain.pt", ["--to", "npz", "--shard-size", "2GB"], "is of safetensors", "leave it out"),
        ("plain.pt", ["--to", "tensorrt"], "unknown format 'tensorrt'", "npz, npy, safetensors"),
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
