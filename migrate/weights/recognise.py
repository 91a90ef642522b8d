"""What a file that is no zip checkpoint most likely is, and what to do about it."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

from migrate.errors import Unusable

RESAVE = 'python -c "import torch, sys; torch.save(torch.load(sys.argv[1], weights_only=True), sys.argv[2])" OLD NEW'
LEGACY_MAGIC = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."

# First bytes -> what it is, what to do.
SIGNATURES = (
    (b"version https://git-lfs", "a git-lfs pointer, not the file itself", "git lfs pull"),
    (LEGACY_MAGIC, "a checkpoint in torch's format before 1.6, which is not read yet", RESAVE),
    (b"\x93NUMPY", "a numpy array (.npy)", "give the .pt that torch.save wrote"),
    (b"\x89HDF", "an HDF5 file", "give the .pt that torch.save wrote"),
    (b"GGUF", "a GGUF file, which is not read yet", "give the .pt that torch.save wrote"),
    (b"\x1f\x8b", "compressed with gzip", "gunzip it first"),
    (b"BZh", "compressed with bzip2", "bunzip2 it first"),
    (b"\xfd7zXZ", "compressed with xz", "unxz it first"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "unzstd it first"),
    (
        b"PK\x03\x04",
        "a truncated zip archive: its table of contents, at the end, is missing",
        "copy or download it again",
    ),
    (b"\x80", "a pickle, but not one of torch.save's zip checkpoints", "give the .pt that torch.save wrote"),
)


def regular_file(path: Path) -> None:
    """Raises Unusable unless ``path`` is a regular file (or a link to one) that can be opened."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror or error}", "give the path of a checkpoint") from None
    if stat.S_ISDIR(mode):
        raise Unusable(
            f"{path}: is a folder; checkpoints in folders are not read yet", "give the .pt that torch.save wrote"
        )
    if not stat.S_ISREG(mode):
        raise Unusable(f"{path}: is not a regular file", "give the path of a checkpoint")


def not_a_zip(path: Path, size: int) -> Unusable:
    """The error for a file that is no zip archive."""
    with path.open("rb") as file:
        head = file.read(512)
        file.seek(max(0, size - 512))
        tail = file.read(512)
    what, mend = _what(head, tail, size)
    return Unusable(f"{path}: not a checkpoint that can be read: {what}", mend)


def _what(head: bytes, tail: bytes, size: int) -> tuple[str, str]:
    if not size:
        return "it is empty", "copy or download it again"
    for signature, what, mend in SIGNATURES:
        if head.startswith(signature):
            return what, mend
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if text.startswith((b"<!doctype", b"<html", b"<?xml")):
        return "a web page, most likely an error page saved in its place", "download it again, logged in"
    if len(head) > 8 and head[8:9] == b"{" and 2 <= int.from_bytes(head[:8], "little") <= size - 8:
        return (
            "a safetensors file, which is not read yet",
            'python -c "import sys, torch; from safetensors.torch import load_file;'
            ' torch.save(load_file(sys.argv[1]), sys.argv[2])" OLD NEW',
        )
    if text.startswith(b"{"):
        return "JSON text, perhaps the index of a sharded checkpoint, which is not read yet", "give a single .pt"
    if not any(head) and not any(tail):
        return "it holds only zeros, as after an interrupted copy", "copy or download it again"
    if b"PK\x01\x02" in tail or b"PK\x05\x06" in tail:
        return "a damaged zip archive", "copy or download it again"
    return "its first bytes are of no format that is known", "give the .pt that torch.save wrote"


def no_data_pkl(path: Path, archive: zipfile.ZipFile) -> Unusable:
    """The error for a zip archive without a checkpoint in it."""
    names = archive.namelist()
    what, mend = "a zip archive without a data.pkl", "give the .pt that torch.save wrote"
    if not names:
        what = "an empty zip archive"
    elif all(name.endswith(".npy") for name in names):
        what = "a numpy .npz"
    elif any(name.lower().endswith((".pt", ".pth", ".bin")) for name in names):
        inner = next(name for name in names if name.lower().endswith((".pt", ".pth", ".bin")))
        what, mend = f"a zip archive that contains {inner}", "unzip it and give the file inside"
    elif "[Content_Types].xml" in names:
        what = "an office document"
    return Unusable(f"{path}: not a checkpoint that can be read: {what}", mend)
