"""Every kind of checkpoint against torch.load (or the library of its format), tensor by tensor."""

from __future__ import annotations

import json
import shutil
import zlib
from pathlib import Path

import gguf
import numpy as np
import pytest
import safetensors

from migrate.errors import Unusable
from migrate.weights.carry.state_dict import StateDict, find_state_dict
from migrate.weights.readers.copying import sum_span
from migrate.weights.readers.opening import open_checkpoint


def load(path: Path | str, key: str | None = None) -> dict[str, np.ndarray]:
    with open_checkpoint(path) as checkpoint:
        return {name: tensor.load() for name, tensor in find_state_dict(checkpoint, key).tensors.items()}


def find(path: Path) -> StateDict:
    with open_checkpoint(path) as checkpoint:
        return find_state_dict(checkpoint)


def assert_same(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray], *, ordered: bool = True) -> None:
    assert (list if ordered else sorted)(ours) == (list if ordered else sorted)(theirs)
    for name, array in theirs.items():
        got = ours[name]
        assert (got.dtype, got.shape, got.tobytes()) == (array.dtype, array.shape, array.tobytes()), name


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("legacy.pt", "legacy.pt"),
        ("legacy_lying.pt", "legacy_lying.pt"),
        ("legacy_dtypes.pt", "legacy_dtypes.pt"),
        ("legacy_module.pt", "plain.pt"),
        ("whole_module.pt", "plain.pt"),
        ("modules.pt", "modules_state.pt"),
        ("dcp", "plain.pt"),
        ("sharded_bin", "plain.pt"),
        ("sharded_safetensors", "plain.pt"),
        ("sharded_bin/model.bin.index.json", "plain.pt"),
    ],
)
def test_reads_what_torch_reads(checkpoints, as_torch_reads, name, reference):
    assert_same(load(checkpoints / name), as_torch_reads(reference))


@pytest.mark.parametrize("name", ["scripted.pt", "traced.pt"])
def test_torchscript_has_its_parameters_and_buffers(checkpoints, as_torch_reads, name):
    ours, module = load(checkpoints / name), as_torch_reads("modules_state.pt")
    assert ours.pop("passing").shape == (2,)  # TorchScript forgets that it was not persistent
    # One module under two names is pickled once.
    assert_same(ours | {"again.weight": ours["shared.weight"]}, module, ordered=False)


def test_torchscript_without_its_code_gives_every_tensor(checkpoints, tmp_path):
    data = (checkpoints / "scripted.pt").read_bytes()
    (tmp_path / "x.pt").write_bytes(data.replace(b"__torch__.py", b"__torch__.pz"))
    assert "passing" in load(tmp_path / "x.pt")


def test_what_two_processes_saved_is_put_together(checkpoints):
    rows = np.arange(35, dtype=np.float32).reshape(5, 7)
    ours = load(checkpoints / "dcp_two")
    assert np.array_equal(ours["rows"], rows)
    assert np.array_equal(ours["whole"], rows)
    assert np.array_equal(ours["columns"].astype(np.float32), rows)


def test_safetensors(checkpoints):
    path = checkpoints / "dtypes.safetensors"
    theirs = {
        name: (tensor["shape"], bytes(tensor["data"])) for name, tensor in safetensors.deserialize(path.read_bytes())
    }
    assert {name: (list(a.shape), a.tobytes()) for name, a in load(path).items()} == theirs


@pytest.fixture
def gguf_file(tmp_path) -> Path:
    """A file of the gguf library's writer."""
    writer = gguf.GGUFWriter(tmp_path / "x.gguf", "llama")
    writer.add_block_count(2)
    writer.add_array("tokenizer.ggml.tokens", ["a", "bb", ""])
    writer.add_array("numbers", [1, 2, 3])
    writer.add_float32("ratio", 0.5)
    dice = np.random.default_rng(0)
    for dtype in (np.float32, np.float16, np.float64, np.int8, np.int16, np.int32, np.int64):
        writer.add_tensor(np.dtype(dtype).name, (dice.random((3, 5)) * 100).astype(dtype))
    bits = dice.integers(0, 1 << 15, (2, 3), np.uint16)
    writer.add_tensor("bfloat16", bits.view(np.uint8), raw_dtype=gguf.GGMLQuantizationType.BF16)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return tmp_path / "x.gguf"


def test_gguf_as_its_library_reads_it(gguf_file):
    ours = load(gguf_file)
    theirs = {tensor.name: tensor for tensor in gguf.GGUFReader(gguf_file).tensors}
    assert list(ours) == list(theirs)
    for name, array in ours.items():
        assert (array.dtype.name, array.tobytes()) == (name, theirs[name].data.tobytes())
        assert list(array.shape) == theirs[name].shape.tolist()[::-1]
    assert "'llama'" in find(gguf_file).notes[0]


def test_quantized_ggufs_are_refused_by_name(tmp_path):
    writer = gguf.GGUFWriter(tmp_path / "q.gguf", "llama")
    blocks = gguf.quantize(np.ones((2, 64), np.float32), gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("weight", blocks, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with pytest.raises(Unusable, match="'weight' is quantized as Q8_0") as error:
        find(tmp_path / "q.gguf")
    assert "BF16" in error.value.mend


def test_quantized_legacy_checkpoints_are_refused_by_name(checkpoints):
    with pytest.raises(Unusable, match="is quantized") as error:
        load(checkpoints / "legacy_quantized.pt")
    assert "dequantize" in error.value.mend


def test_urls(checkpoints, as_torch_reads):
    import fsspec

    memory = fsspec.filesystem("memory")
    memory.put(str(checkpoints / "sharded_bin"), "/sharded", recursive=True)
    for name in ("plain.pt", "legacy.pt"):
        memory.put(str(checkpoints / name), f"/one/{name}")
        assert_same(load(f"memory://one/{name}"), as_torch_reads("plain.pt"))
    assert_same(load("memory://sharded"), as_torch_reads("plain.pt"))
    assert_same(load("memory://sharded/model.bin.index.json"), as_torch_reads("plain.pt"))


@pytest.mark.parametrize("url", ["memory://none.pt", "nosuchprotocol://x.pt", "s3://bucket/x.pt"])
def test_urls_that_cannot_be_read_have_a_mend(url):
    with pytest.raises(Unusable, match=url.partition(":")[0]) as error:
        load(url)
    assert error.value.mend


def test_shards_that_are_missing_or_do_not_hold_what_the_index_says(checkpoints, tmp_path):
    folder = Path(shutil.copytree(checkpoints / "sharded_bin", tmp_path / "x"))
    index = folder / "model.bin.index.json"
    said = json.loads(index.read_text())
    for change, says in (
        ({"0.weight": "model-00002-of-00002.bin"}, "has no tensor '0.weight'"),
        ({"0.weight": "absent.bin"}, "absent.bin: No such file"),
        ({"0.weight": "../plain.pt"}, "not beside it: '../plain.pt'"),
        ({"0.weight": "/etc/passwd"}, "not beside it"),
        ({"0.weight": index.name}, "JSON text"),
    ):
        index.write_text(json.dumps({"weight_map": said["weight_map"] | change}))
        with pytest.raises(Unusable, match=says):
            load(folder)
    for text, says in (("{", "no JSON"), ("[]", "no weight_map"), ('{"weight_map": {}}', "empty")):
        index.write_text(text)
        with pytest.raises(Unusable, match=says):
            load(folder)


def test_a_folder_that_is_no_checkpoint_names_what_is_in_it(checkpoints):
    with pytest.raises(Unusable, match="is a folder without") as error:
        load(checkpoints)
    assert "give one of its files: compiled.pt" in error.value.mend


def test_ranges_are_the_bytes_of_the_tensors(checkpoints):
    """What is copied is what is loaded, and views that must be brought into order have no range."""
    for name in ("lying.pt", "legacy_lying.pt", "dcp"):
        with open_checkpoint(checkpoints / name) as checkpoint:
            for key, tensor in find_state_dict(checkpoint).tensors.items():
                if span := tensor.span():
                    assert sum_span(span) == zlib.crc32(tensor.load().tobytes())
                else:
                    assert key in "column transposed stepped expanded permuted channels_last conj conj_transposed neg"
