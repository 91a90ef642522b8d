"""The reader against torch.load, tensor by tensor, and on files that are damaged or no checkpoints."""

from __future__ import annotations

import io
import shutil
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from migrate.errors import Unusable
from migrate.weights.carry.state_dict import find_state_dict
from migrate.weights.readers.opening import open_checkpoint


def load(path: Path) -> dict[str, np.ndarray]:
    with open_checkpoint(path) as checkpoint:
        return {name: tensor.load() for name, tensor in find_state_dict(checkpoint).tensors.items()}


def same(ours: np.ndarray, torchs: np.ndarray) -> bool:
    return ours.dtype == torchs.dtype and ours.shape == torchs.shape and ours.tobytes() == torchs.tobytes()


@pytest.mark.parametrize("name", ["dtypes.pt", "lying.pt", "lying_protocol4.pt", "plain.pt", "wrapped.pt"])
def test_reads_what_torch_reads(checkpoints, as_torch_reads, name):
    ours, torchs = load(checkpoints / name), as_torch_reads(name)
    assert list(ours) == list(torchs)
    assert [key for key in ours if not same(ours[key], torchs[key])] == []
    assert all(array.flags.c_contiguous for array in ours.values())


def test_tied_tensors_are_known_and_overlapping_ones_are_not_taken_for_tied(checkpoints):
    with open_checkpoint(checkpoints / "lying.pt") as checkpoint:
        found = find_state_dict(checkpoint)
    assert found.tied() == [["tied_a", "tied_b"]]
    assert found.tensors["view"].storage == found.tensors["column"].storage


def test_parameters_are_marked(checkpoints):
    with open_checkpoint(checkpoints / "lying.pt") as checkpoint:
        tensors = find_state_dict(checkpoint).tensors
    assert [name for name, tensor in tensors.items() if tensor.parameter] == ["parameter"]


def test_big_endian_storages_are_turned(checkpoints, as_torch_reads, tmp_path):
    turned = tmp_path / "big.pt"
    with zipfile.ZipFile(checkpoints / "dtypes.pt") as old, zipfile.ZipFile(turned, "w") as new:
        widths = iter([2, 2, 4, 8, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1, 1, 1, 1, 1, 1])
        for info in old.infolist():
            data = old.read(info)
            if info.filename.endswith("/byteorder"):
                data = b"big"
            elif "/data/" in info.filename:
                data = np.frombuffer(data, f"u{next(widths)}").byteswap().tobytes()
            new.writestr(info.filename, data)
    torchs = as_torch_reads("dtypes.pt")
    assert [name for name, array in load(turned).items() if not same(array, torchs[name])] == []


@pytest.mark.parametrize("kept", [0, 1, 30, 200, 1000, 0.3, 0.5, 0.9, -1, -22, -100])
def test_truncated_files_are_refused(checkpoints, tmp_path, kept):
    whole = (checkpoints / "lying.pt").read_bytes()
    cut = tmp_path / "cut.pt"
    cut.write_bytes(whole[: int(kept * len(whole)) if isinstance(kept, float) else kept])
    with pytest.raises(Unusable, match=r"cut\.pt: .*(truncated|empty|damaged|known)") as error:
        load(cut)
    assert error.value.mend


def test_a_flipped_bit_in_any_storage_is_found(checkpoints, tmp_path):
    whole = (checkpoints / "lying.pt").read_bytes()
    with zipfile.ZipFile(checkpoints / "lying.pt") as archive:
        inside = [(info.header_offset, info.filename, info.file_size) for info in archive.infolist()]
    flipped = tmp_path / "flipped.pt"
    for offset, name, size in inside:
        if "/data" not in name or not size or "serialization_id" in name:
            continue
        name_length, extra_length = struct.unpack_from("<HH", whole, offset + 26)
        at = offset + 30 + name_length + extra_length + size // 2
        flipped.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        with pytest.raises(Unusable, match="CRC"):
            load(flipped)


def test_a_flipped_bit_beside_a_view_is_found(checkpoints, tmp_path):
    """torch.load reads a view's whole storage; so does the CRC."""
    with open_checkpoint(checkpoints / "lying.pt") as checkpoint:
        tensor = find_state_dict(checkpoint).tensors["view"]
        entry = tensor.reader.spans[tensor.storage]
    data = bytearray((checkpoints / "lying.pt").read_bytes())
    data[entry.start] ^= 1  # row 0; the view shows rows 2 and 3
    (tmp_path / "flipped.pt").write_bytes(data)
    with open_checkpoint(tmp_path / "flipped.pt") as checkpoint, pytest.raises(Unusable, match="CRC"):
        find_state_dict(checkpoint).tensors["view"].load()


def test_a_checkpoint_without_crcs_is_read_and_known(checkpoints, as_torch_reads):
    with open_checkpoint(checkpoints / "no_crc.pt") as checkpoint:
        assert checkpoint.unchecked
    torchs = as_torch_reads("plain.pt")
    assert all(same(array, torchs[name]) for name, array in load(checkpoints / "no_crc.pt").items())


def rewritten(source: Path, target: Path, change) -> Path:
    """A copy of the archive; change(name, data) gives the arguments of writestr, or None to leave the entry out."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for info in old.infolist():
            if (written := change(info.filename, old.read(info))) is not None:
                new.writestr(*written)
    return target


def test_compressed_storages_are_refused(checkpoints, tmp_path):
    path = rewritten(checkpoints / "plain.pt", tmp_path / "x.pt", lambda name, data: (name, data, zipfile.ZIP_DEFLATED))
    with pytest.raises(Unusable, match="compressed"):
        load(path)


def test_a_missing_storage_is_refused(checkpoints, tmp_path):
    path = rewritten(
        checkpoints / "plain.pt",
        tmp_path / "x.pt",
        lambda name, data: None if name.endswith("/data/1") else (name, data),
    )
    with pytest.raises(Unusable, match="storage '1' is not in the archive"):
        load(path)


@pytest.mark.parametrize("size", [3, 47, 49, 96])
def test_a_storage_of_another_size_than_its_pickle_says_is_refused(checkpoints, tmp_path, size):
    path = rewritten(
        checkpoints / "plain.pt",
        tmp_path / "x.pt",
        lambda name, data: (name, bytes(size)) if name.endswith("/data/0") else (name, data),
    )
    with pytest.raises(Unusable, match="storage '0' has"):
        load(path)


def test_overlapping_entries_are_refused(checkpoints, tmp_path):
    with zipfile.ZipFile(checkpoints / "plain.pt") as archive:
        first = archive.getinfo(next(name for name in archive.namelist() if name.endswith("/data/0")))
    data = bytearray((checkpoints / "plain.pt").read_bytes())
    directory = data.rindex(b"PK\x01\x02", 0, data.rindex(b"/data/0"))
    # The entry before it (byteorder) claims to reach into data/0.
    name_length, extra_length = struct.unpack_from("<HH", data, first.header_offset + 26)
    before = data.rindex(b"PK\x01\x02", 0, directory)
    claimed = first.header_offset + 30 + name_length + extra_length + 4 - struct.unpack_from("<I", data, before + 42)[0]
    struct.pack_into("<II", data, before + 20, claimed, claimed)
    (tmp_path / "x.pt").write_bytes(data)
    with pytest.raises(Unusable, match="overlap"):
        load(tmp_path / "x.pt")


def zipped(name: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, b"x")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "git-lfs pointer"),
        (b"\n<!DOCTYPE html><html><body>Not Found</body></html>", "web page"),
        (b'{"weight_map": {}}', "JSON"),
        (b"\x80\x04N.", "a pickle"),
        (b"\x1f\x8b\x08" + bytes(20), "gzip"),
        (bytes(4096), "only zeros"),
        (b"data.pkl" + bytes(249) + b"ustar" + bytes(300), "tar archive"),
        (b"\x89HDF\r\n\x1a\n" + bytes(50), "HDF5"),
        (b"once upon a time", "no format that is known"),
        (zipped("readme.txt"), "without a data.pkl"),
        (zipped("run/best.pth"), "contains run/best.pth"),
    ],
)
def test_what_a_file_is_instead_is_said(tmp_path, data, says):
    path = tmp_path / "x.pt"
    path.write_bytes(data)
    with pytest.raises(Unusable, match=says) as error:
        load(path)
    assert str(path) in error.value.message
    assert error.value.mend


def test_paths_that_are_no_files_are_refused(tmp_path, checkpoints):
    for path, says in ((tmp_path, "folder"), (tmp_path / "none.pt", "No such file"), (Path("/dev/zero"), "regular")):
        with pytest.raises(Unusable, match=says):
            load(path)
    link = tmp_path / "link.pt"
    link.symlink_to(shutil.copy(checkpoints / "plain.pt", tmp_path / "there.pt"))
    assert load(link)
