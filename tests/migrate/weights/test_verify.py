"""Shards, round trips, ``--verify`` and ``--inspect``."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

from migrate.errors import Unusable
from migrate.weights import inspect
from migrate.weights.carry.state_dict import find_state_dict
from migrate.weights.convert import convert_checkpoint, parse_size
from migrate.weights.readers.npy_folder import file_of, name_of
from migrate.weights.readers.opening import open_checkpoint
from migrate.weights.writers.safetensors_shards import shards
from migrate.weights.writers.verify import verify
from rewriters.weights.checkpoint_format import Entry

FORMATS = ["out.npz", "out.npy.d", "out.safetensors"]


def load(path: Path) -> dict[str, tuple[str, tuple[int, ...], bytes]]:
    with open_checkpoint(path) as checkpoint:
        return {
            name: (tensor.kind, tensor.shape, tensor.load().tobytes())
            for name, tensor in find_state_dict(checkpoint).tensors.items()
        }


def test_there_and_back_through_every_format_is_bit_identical(checkpoints, tmp_path):
    source = checkpoints / "lying.pt"
    good = load(source)
    for number, name in enumerate([*FORMATS, *reversed(FORMATS)]):
        output = tmp_path / f"{number}{name}"
        convert_checkpoint(source, output)
        assert load(output) == good, name
        source = output


@pytest.mark.parametrize("name", FORMATS)
def test_an_output_is_as_it_was_written(checkpoints, tmp_path, name):
    convert_checkpoint(checkpoints / "lying.pt", tmp_path / name)
    verified = verify(tmp_path / name)
    assert (verified.tensors, verified.differences) == (len(load(checkpoints / "lying.pt")), [])


@pytest.mark.parametrize("name", FORMATS)
def test_a_flipped_bit_of_any_tensor_is_found(checkpoints, tmp_path, name):
    output = tmp_path / name
    convert_checkpoint(checkpoints / "plain.pt", output)
    good = load(output)
    for tensor, (_, _, data) in good.items():
        path = output / file_of(tensor) if output.is_dir() else output
        whole = path.read_bytes()
        at = whole.index(data) if len(data) > 8 else whole.rindex(data)
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        if name == "out.npz":  # zip has CRCs of its own
            with pytest.raises(Unusable, match="is damaged: CRC"):
                verify(output)
        else:
            (difference,) = verify(output).differences
            assert difference.startswith(f"'{tensor}': checksum is crc32:")
        path.write_bytes(whole)
    assert not verify(output).differences


def test_names_shapes_and_dtypes_are_compared(checkpoints, tmp_path):
    output = tmp_path / "out.safetensors"
    convert_checkpoint(checkpoints / "plain.pt", output)
    arrays = safetensors.numpy.load_file(output)
    arrays["2.new"] = arrays.pop("0.bias")
    arrays["0.weight"] = arrays["0.weight"].reshape(3, 4)
    arrays["1.bias"] = arrays["1.bias"].view(np.int32)
    safetensors.numpy.save_file(arrays, output)
    assert sorted(verify(output).differences) == [
        "'0.bias' is missing",
        "'0.weight': shape is [3, 4], the manifest says [4, 3]",
        "'1.bias': dtype is int32, the manifest says float32",
        "'2.new' is not in the manifest",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [("{", "no JSON"), ("[]", "no manifest"), ('{"tensors": [{}], "format": "npz"}', "no manifest"), (None, "No such")],
)
def test_manifests_that_cannot_be_used(checkpoints, tmp_path, text, says):
    convert_checkpoint(checkpoints / "plain.pt", tmp_path / "out.npz")
    manifest = tmp_path / "out.npz.manifest.json"
    manifest.write_text(text) if text else manifest.unlink()
    with pytest.raises(Unusable, match=says) as error:
        verify(tmp_path / "out.npz")
    assert error.value.mend


def test_the_command_says_so_and_exits_1_when_it_differs(checkpoints, run_migrate, tmp_path):
    output = tmp_path / "out.safetensors"
    convert_checkpoint(checkpoints / "plain.pt", output)
    done = run_migrate("weights", "--verify", output)
    assert (done.returncode, "7 tensors, 136 bytes: as they were written" in done.stdout) == (0, True)
    data = bytearray(output.read_bytes())
    data[-1] ^= 1
    output.write_bytes(data)
    done = run_migrate("weights", "--verify", output)
    assert (done.returncode, "checksum is crc32:" in done.stdout) == (1, True)


def test_shards_as_the_hub_has_them(checkpoints, tmp_path):
    output = tmp_path / "out.safetensors.d"
    written = convert_checkpoint(checkpoints / "plain.pt", output, shard_size="64B")
    names = [f"model-0000{number}-of-00003.safetensors" for number in (1, 2, 3)]
    assert sorted(path.name for path in output.iterdir()) == [*names, "model.safetensors.index.json"]
    index = json.loads((output / "model.safetensors.index.json").read_text())
    assert index["metadata"] == {"total_size": written.nbytes}
    read = {}
    for name in names:
        arrays = safetensors.numpy.load_file(output / name)
        assert {key for key, file in index["weight_map"].items() if file == name} == set(arrays)
        read |= arrays
    good = load(checkpoints / "plain.pt")
    assert {key: (a.dtype.name, a.shape, a.tobytes()) for key, a in read.items()} == good
    assert load(output) == good
    assert not verify(output).differences


def test_a_single_shard_needs_no_index(checkpoints, tmp_path):
    output = tmp_path / "hub"
    convert_checkpoint(checkpoints / "plain.pt", output, shard_size="1GB")
    assert [path.name for path in output.iterdir()] == ["model.safetensors"]
    assert load(output) == load(checkpoints / "plain.pt")
    assert not verify(output).differences


def test_sizes():
    assert [parse_size(text) for text in ("7", "2GB", "1.5 MB", "1GiB", "64b")] == [7, 2 * 10**9, 1500000, 1 << 30, 64]
    for text in ("0", "GB", "-1GB", "2XB", "nan"):
        with pytest.raises(Unusable, match="is no size"):
            parse_size(text)
    entries = [Entry(name, (size,), np.dtype("uint8")) for name, size in zip("abcde", (4, 4, 9, 1, 8), strict=True)]
    assert [[e.name for e in group] for group in shards(entries, 8)] == [["a", "b"], ["c"], ["d"], ["e"]]


def test_names_of_files_give_the_names_of_tensors():
    for name in ("a.weight", "../a", "ä/ö", "%2F", "a b", ".", "x.npy"):
        assert "/" not in file_of(name)
        assert name_of(file_of(name)) == name


def test_inspect_lists_all_without_reading_a_value(checkpoints, tmp_path):
    data = bytearray((checkpoints / "lying.pt").read_bytes())
    data[len(data) // 2] ^= 1  # in the largest tensor: listing does not notice
    (tmp_path / "x.pt").write_bytes(data)
    lines = list(inspect.lines(str(tmp_path / "x.pt")))
    assert lines[0] == f"{tmp_path / 'x.pt'}: torch.save's zip"
    assert lines[1] == "18 tensors, 2.2 MB"
    listed = {words[0]: words[1:] for words in map(str.split, lines[2:20])}
    assert listed["large"] == ["float32", "700x800", "2.2", "MB"]
    assert listed["column"] == ["float32", "6", "24", "bytes", "view"]
    assert listed["conj_transposed"][-2:] == ["view,", "conjugated"]
    assert listed["scalar"][1] == "scalar"
    assert lines[20:] == ["tied: tied_a, tied_b"]


def test_inspect_of_wrapped_of_several_and_of_quantized_ones(checkpoints):
    lines = list(inspect.lines(str(checkpoints / "wrapped.pt")))
    assert "note: the state_dict is the checkpoint's 'model'" in lines
    assert "not weights: epoch = 3" in lines
    lines = list(inspect.lines(str(checkpoints / "gan.pt")))
    assert lines[1:3] == ["holds 7 tensors under --key generator", "holds 7 tensors under --key discriminator"]
    assert "discriminator.0.weight  float32 4x3" in lines
    assert "choose with --key" in lines[-1]
    assert len(list(inspect.lines(str(checkpoints / "gan.pt"), "generator"))) == 13
    lines = list(inspect.lines(str(checkpoints / "quantized.pt")))
    assert "weight  cannot be carried: quantized" in lines


def test_inspect_imports_no_numpy(checkpoints, run_python, torch_python):
    script = (
        "import sys; from migrate.weights.inspect import lines; print(*lines(sys.argv[1]), sep='\\n');"
        "assert not {'numpy', 'torch', 'rich'} & set(sys.modules)"
    )
    for name in ("plain.pt", "legacy.pt", "dtypes.safetensors"):
        assert "tensors" in run_python(torch_python, script, checkpoints / name)


def test_a_header_that_lies_about_a_gigabyte_takes_none(tmp_path):
    """numpy would make room for what a header says before it reads it."""
    path = tmp_path / "x.safetensors"
    header = json.dumps({"a": {"dtype": "F32", "shape": [1 << 28], "data_offsets": [0, 1 << 30]}}).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header)
    with pytest.raises(Unusable, match="past the file's end"):
        load(path)
