"""The entries of a checkpoint's zip archive: byte ranges of the file, checked against each other."""

from __future__ import annotations

import struct
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from migrate.errors import Unusable
from migrate.weights.recognise import not_a_zip

LOCAL_HEADER = struct.Struct("<4s22xHH")  # signature, length of the name, length of the extra field
DEFLATED = "write it again with torch.save: torch stores tensors uncompressed, this archive was made by something else"
DAMAGED = "copy or download it again"


@dataclass(frozen=True)
class Entry:
    """A stored entry: ``size`` bytes of the file from ``start``, with their CRC-32."""

    name: str
    start: int
    size: int
    crc: int


def open_archive(path: Path, file: BinaryIO, size: int) -> zipfile.ZipFile:
    """The archive in ``file``, of which only the central directory has been read.

    Raises Unusable saying what the file is instead.
    """
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError, EOFError, struct.error):
        raise not_a_zip(path, size) from None


def stored_entries(path: Path, archive: zipfile.ZipFile, file: BinaryIO, prefix: str) -> dict[str, Entry]:
    """Entries below ``prefix``, by the rest of their names.

    Raises Unusable for an entry that is compressed, encrypted, twice there, outside the file, or overlaps another.
    """
    found: dict[str, Entry] = {}
    for info in archive.infolist():
        if not info.filename.startswith(prefix) or info.is_dir():
            continue
        name = info.filename[len(prefix) :]
        where = f"{path}: entry {info.filename!r}"
        if name in found:
            raise Unusable(f"{where} is there twice", DAMAGED)
        if not name.startswith("data") and name != "byteorder":
            continue  # TorchScript's code and the like, which may be compressed
        if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size:
            raise Unusable(f"{where} is compressed", DEFLATED)
        if info.flag_bits & 0x1:
            raise Unusable(f"{where} is encrypted", DEFLATED)
        start = _data_start(where, info, file)
        if start + info.file_size > archive.start_dir:
            raise Unusable(f"{where} claims bytes past the end of the data", DAMAGED)
        found[name] = Entry(info.filename, start, info.file_size, info.CRC)
    _no_overlap(path, found)
    return found


def _data_start(where: str, info: zipfile.ZipInfo, file: BinaryIO) -> int:
    if info.header_offset < 0:
        raise Unusable(f"{where} lies before the file's start", DAMAGED)
    file.seek(info.header_offset)
    header = file.read(LOCAL_HEADER.size)
    if len(header) < LOCAL_HEADER.size:
        raise Unusable(f"{where} lies past the file's end", DAMAGED)
    signature: bytes
    name_length: int
    extra_length: int
    signature, name_length, extra_length = LOCAL_HEADER.unpack(header)
    name = file.read(name_length)
    if signature != b"PK\x03\x04" or name != info.orig_filename.encode("utf-8" if info.flag_bits & 0x800 else "cp437"):
        raise Unusable(f"{where} is not where the archive's table of contents says", DAMAGED)
    return info.header_offset + LOCAL_HEADER.size + name_length + extra_length


def _no_overlap(path: Path, entries: dict[str, Entry]) -> None:
    end, before = 0, ""
    for entry in sorted(entries.values(), key=lambda entry: entry.start):
        if entry.size and entry.start < end:
            raise Unusable(f"{path}: entries {before!r} and {entry.name!r} overlap", DAMAGED)
        if entry.size:
            end, before = entry.start + entry.size, entry.name
