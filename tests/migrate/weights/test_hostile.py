"""Files made to harm: what they claim is refused, nothing in them is executed, and neither time nor memory runs away.

Pickles are in test_pickled.py, outputs in test_output.py.
"""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from migrate.errors import Unusable
from migrate.weights.carry.state_dict import find_state_dict
from migrate.weights.convert import convert_checkpoint
from migrate.weights.readers.opening import open_checkpoint

HERE = Path(__file__).parent


def load(path: Path) -> dict[str, np.ndarray]:
    with open_checkpoint(path) as checkpoint:
        return {name: tensor.load() for name, tensor in find_state_dict(checkpoint).tensors.items()}


def safetensors_of(header: object, data: bytes = bytes(16), length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def entry(begin: int, end: int, shape: object = (2,), dtype: object = "F32") -> dict[str, object]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def test_the_safetensors_of_the_next_test_is_good_as_it_stands(tmp_path):
    (tmp_path / "x").write_bytes(safetensors_of({"a": entry(0, 8), "b": entry(8, 16)}))
    assert list(load(tmp_path / "x")) == ["a", "b"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (safetensors_of({"a": entry(0, 12, [3]), "b": entry(8, 16)}), "overlap"),
        (safetensors_of({"a": entry(0, 16, [4]), "b": entry(0, 16, [4])}), "overlap"),
        (safetensors_of({"a": entry(0, 8)}), "8 bytes belong to no tensor"),
        (safetensors_of({"a": entry(0, 4, [1]), "b": entry(8, 16)}), "gap"),
        (safetensors_of({"a": entry(0, 32, [8])}), "past the file's end"),
        (safetensors_of({"a": entry(0, 16, [1 << 40])}), "its shape and dtype need"),
        (safetensors_of({"a": entry(0, 16, [1 << 62, 1 << 62])}), "its shape and dtype need"),
        (safetensors_of({"a": entry(0, 16, [-4])}), "no valid shape"),
        (safetensors_of({"a": entry(16, 0, [4])}), "no valid shape"),
        (safetensors_of({"a": entry(0, 16, [2.0, 2])}), "no valid shape"),
        (safetensors_of({"a": entry(0, 16, "4")}), "no valid shape"),
        (safetensors_of({"a": entry(0, 16, [4], "F4")}), "of dtype 'F4'"),
        (safetensors_of({"a": entry(0, 16, [4], ["F32"])}), "of dtype"),
        (safetensors_of({"a": [0, 16]}), "has no dtype, shape and data_offsets"),
        (safetensors_of({"__metadata__": 3, "a": entry(0, 16, [4])}), "no JSON object"),
        (safetensors_of(b'{"a": {"dtype": "F32", "dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}'), "twice"),
        (safetensors_of(b'{"a": ' + b"[" * 100_000), "no JSON"),
        (safetensors_of(b"{\xff}"), "no JSON"),
        (safetensors_of({}, length=1 << 60), "no format that is known"),
    ],
)
def test_safetensors_that_lie(tmp_path, data, says):
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(Unusable, match=says) as error:
        load(tmp_path / "x")
    assert error.value.mend


def gguf_of(*parts: bytes, tensors: int = 0, fields: int = 0, version: int = 3) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, tensors, fields) + b"".join(parts)


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


LONG_ARRAY = text("a") + struct.pack("<IIQ", 9, 0, 1 << 60)  # the gguf library never comes back from this one
TENSOR = text("w") + struct.pack("<I2QIQ", 2, 2, 2, 0, 0)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (gguf_of(LONG_ARRAY, fields=1), "ends within its header"),
        (
            gguf_of(text("a") + struct.pack("<IIQ", 9, 8, 1 << 60), fields=1),
            "announces 1,152,921,504,606,846,976 items",
        ),
        (gguf_of(tensors=1 << 60), "announces"),
        (gguf_of(fields=1 << 60), "announces"),
        (gguf_of(struct.pack("<Q", 1 << 60), fields=1), "a name of"),
        (gguf_of(text("a") + struct.pack("<I", 77), fields=1), "a value of type 77"),
        (gguf_of(TENSOR, tensors=1), "'w' ends past the file's end"),
        (gguf_of(TENSOR + TENSOR, tensors=2), "twice"),
        (gguf_of(text("w") + struct.pack("<I", 1 << 30), tensors=1), "axes"),
        (gguf_of(version=9), "version 9"),
        (b"GGUF", "ends within its header"),
    ],
)
def test_ggufs_that_lie(tmp_path, data, says):
    (tmp_path / "x.gguf").write_bytes(data)
    with pytest.raises(Unusable, match=says):
        load(tmp_path / "x.gguf")


def npy(descr: str = "'<f8'", shape: str = "(4,)", data: bytes = bytes(32)) -> bytes:
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-len(header) - 11 & 63) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def test_the_array_of_the_next_test_is_good_as_it_stands(tmp_path):
    (tmp_path / "x.npy.d").mkdir()
    (tmp_path / "x.npy.d" / "a.npy").write_bytes(npy())
    assert np.array_equal(load(tmp_path / "x.npy.d")["a"], np.zeros(4))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (npy(shape="(9,)"), "need 72"),
        (npy(shape="(-4,)"), "no valid shape"),
        (npy(shape="(4.,)"), "malformed"),
        (npy(data=bytes(31)), "need 32"),
        (npy()[:40], "malformed"),
        (npy(descr="'|O'"), "objects or records"),
        (npy(descr="[('a', '<f8')]"), "objects or records"),
        (npy(descr="__import__('os').getpid()"), "malformed"),
    ],
)
def test_arrays_that_lie(tmp_path, data, says):
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("a.npy", data)
        archive.writestr("b.npy", npy())
    with pytest.raises(Unusable, match=says):
        load(tmp_path / "x.npz")


def test_names_with_paths_in_them_stay_in_the_output(tmp_path):
    names = ["../escaped", "/absolute", "a/b", "..", ".", "back\\slash", "nul\0"]
    header = {name: entry(4 * index, 4 * index + 4, [1]) for index, name in enumerate(names[:-1])}
    (tmp_path / "x.safetensors").write_bytes(safetensors_of(header, bytes(4 * len(header))))
    output = tmp_path / "inner" / "out.npy.d"
    convert_checkpoint(tmp_path / "x.safetensors", output)
    assert sorted(load(output)) == sorted(names[:-1])
    assert {path.parent for path in tmp_path.rglob("*.npy")} == {output}
    with pytest.raises(Unusable, match="would be a path in the archive"):
        convert_checkpoint(tmp_path / "x.safetensors", tmp_path / "inner" / "out.npz")
    (tmp_path / "y.safetensors").write_bytes(safetensors_of({names[-1]: entry(0, 16, [4])}))
    with pytest.raises(Unusable, match="control characters"):
        convert_checkpoint(tmp_path / "y.safetensors", tmp_path / "inner" / "nul.npy.d")


def test_a_zip_of_a_million_entries_is_refused_before_it_is_listed(tmp_path):
    record = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 0, 0, 33, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    count = (33 << 20) // len(record)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count & 0xFFFF, count & 0xFFFF, count * len(record), 4, 0)
    (tmp_path / "x.pt").write_bytes(b"PK\3\4" + record * count + end)
    with pytest.raises(Unusable, match="table of contents has"):
        load(tmp_path / "x.pt")


def test_a_zip_bomb_of_code_is_not_unpacked(checkpoints, tmp_path):
    with zipfile.ZipFile(checkpoints / "scripted.pt") as old, zipfile.ZipFile(tmp_path / "x.pt", "w") as new:
        for info in old.infolist():
            new.writestr(info.filename, old.read(info))
        new.writestr("scripted/code/bomb.py", bytes(65 << 20), zipfile.ZIP_DEFLATED)
    assert (tmp_path / "x.pt").stat().st_size < 1 << 20
    assert "shared.weight" in load(tmp_path / "x.pt")


def test_tensors_that_a_disk_cannot_hold_are_refused_before_anything_is_written(checkpoints, tmp_path, monkeypatch):
    """A few bytes shown under many names can be any number of bytes when written."""
    usage = type("usage", (), {"free": 100})
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    with pytest.raises(Unusable, match=r"needs [\d,]+ bytes, and the disk has 100 left"):
        convert_checkpoint(checkpoints / "lying.pt", tmp_path / "out.npz")
    assert not list(tmp_path.iterdir())


def test_two_thousand_mutations(checkpoints, tmp_path):
    """In a process of its own, with little memory, and a hook on whatever would execute something."""
    script = HERE / "mutate_checkpoints.py"
    done = subprocess.run(
        [sys.executable, str(script), str(checkpoints), str(tmp_path)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(done.stdout.splitlines()[-1])
    assert report["tried"] == 2000
    # Each kind is hit, and refuses some.
    assert min(report["refused"].values()) > 10, report
    assert report["peak_megabytes"] < 600
