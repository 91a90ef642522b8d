"""What a file that is no checkpoint most likely is, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.errors import Unusable
from migrate.weights.readers.files import File

HEAD = 512

# First bytes -> what it is, what to do.
SIGNATURES = (
    (b"version https://git-lfs", "a git-lfs pointer, not the file itself", "git lfs pull"),
    (b"\x89HDF", "an HDF5 file", "give the .pt that torch.save wrote"),
    (b"\x1f\x8b", "compressed with gzip", "gunzip it first"),
    (b"BZh", "compressed with bzip2", "bunzip2 it first"),
    (b"\xfd7zXZ", "compressed with xz", "unxz it first"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "unzstd it first"),
    (
        b"PK\x03\x04",
        "a truncated zip archive: its table of contents, at the end, is missing",
        "copy or download it again",
    ),
    (b"\x80", "a pickle, but not one that torch.save wrote", "give the .pt that torch.save wrote"),
)


def first_bytes(file: File) -> bytes:
    """Enough of the file to tell what it is. Raises Unusable."""
    return _bytes(file, 0)


def unknown(file: File, head: bytes) -> Unusable:
    """The error for a file that no reader takes."""
    what, mend = _what(head, _bytes(file, max(0, file.size - HEAD)), file.size)
    return Unusable(f"{file.name}: not a checkpoint that can be read: {what}", mend)


def not_a_zip(file: File) -> Unusable:
    """The error for a file that begins as a zip archive and is none."""
    return unknown(file, first_bytes(file))


def _bytes(file: File, start: int) -> bytes:
    data = bytearray(min(HEAD, file.size - start))
    file.read_into(memoryview(data), start)
    return bytes(data)


def _what(head: bytes, tail: bytes, size: int) -> tuple[str, str]:
    if not size:
        return "it is empty", "copy or download it again"
    for signature, what, mend in SIGNATURES:
        if head.startswith(signature):
            return what, mend
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if text.startswith((b"<!doctype", b"<html", b"<?xml")):
        return "a web page, most likely an error page saved in its place", "download it again, logged in"
    if head[257:262] == b"ustar":
        return "a tar archive", "unpack it and give the file inside"
    if text.startswith(b"{"):
        return "JSON text", "give a sharded checkpoint's index under a name that ends in .index.json"
    if not any(head) and not any(tail):
        return "it holds only zeros, as after an interrupted copy", "copy or download it again"
    if b"PK\x01\x02" in tail or b"PK\x05\x06" in tail:
        return "a damaged zip archive", "copy or download it again"
    return "its first bytes are of no format that is known", "give the .pt that torch.save wrote"


def no_data_pkl(path: str, names: Sequence[str]) -> Unusable:
    """The error for a zip archive without a checkpoint in it."""
    what, mend = "a zip archive without a data.pkl", "give the .pt that torch.save wrote"
    if not names:
        what = "an empty zip archive"
    elif any(name.lower().endswith((".pt", ".pth", ".bin")) for name in names):
        inner = next(name for name in names if name.lower().endswith((".pt", ".pth", ".bin")))
        what, mend = f"a zip archive that contains {inner}", "unzip it and give the file inside"
    elif "[Content_Types].xml" in names:
        what = "an office document"
    return Unusable(f"{path}: not a checkpoint that can be read: {what}", mend)
