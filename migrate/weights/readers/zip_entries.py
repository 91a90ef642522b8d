"""The entries of a checkpoint's zip archive: byte ranges of the file, checked against each other."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable
from typing import BinaryIO

from migrate.errors import Unusable
from migrate.weights.readers.copying import Span
from migrate.weights.readers.files import COPY_AGAIN, File
from migrate.weights.readers.recognise import not_a_zip

LOCAL_HEADER = struct.Struct("<4s22xHH")  # signature, length of the name, length of the extra field
DEFLATED = "write it again with torch.save: torch stores tensors uncompressed, this archive was made by something else"
LARGEST_DIRECTORY = 32 << 20
LONGEST_TAIL = (1 << 16) + 256
"""Bytes at an archive's end that its end records and a comment may take."""


def open_archive(file: File, stream: BinaryIO) -> zipfile.ZipFile:
    """The archive in ``stream``, of which only the central directory has been read.

    Raises Unusable saying what the file is instead.
    """
    _small_directory(file)
    try:
        return zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError, EOFError, struct.error):
        raise not_a_zip(file) from None


def _small_directory(file: File) -> None:
    """zipfile makes an object of every entry, at once."""
    tail = bytearray(min(file.size, LONGEST_TAIL))
    file.read_into(memoryview(tail), file.size - len(tail))
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or at + 16 > len(tail):
        return  # none, as zipfile will say
    (size,) = struct.unpack_from("<I", tail, at + 12)
    zip64 = tail.rfind(b"PK\x06\x06", 0, at)
    if zip64 >= 0 and zip64 + 48 <= len(tail):
        (size,) = struct.unpack_from("<Q", tail, zip64 + 40)
    if size > LARGEST_DIRECTORY:
        raise Unusable(f"{file.name}: its table of contents has {size:,} bytes, too many to be one", COPY_AGAIN)


def stored_entries(
    file: File, archive: zipfile.ZipFile, stream: BinaryIO, prefix: str, wanted: Callable[[str], bool]
) -> dict[str, Span]:
    """Entries below ``prefix`` that are wanted, by the rest of their names.

    Raises Unusable for an entry that is compressed, encrypted, twice there, outside the file, or overlaps another.
    """
    found: dict[str, Span] = {}
    for info in archive.infolist():
        if not info.filename.startswith(prefix) or info.is_dir():
            continue
        name = info.filename[len(prefix) :]
        what = f"entry {info.filename!r}"
        where = f"{file.name}: {what}"
        if name in found:
            raise Unusable(f"{where} is there twice", COPY_AGAIN)
        if not wanted(name):
            continue
        if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size:
            raise Unusable(f"{where} is compressed", DEFLATED)
        if info.flag_bits & 0x1:
            raise Unusable(f"{where} is encrypted", DEFLATED)
        start = _data_start(where, info, stream)
        if start + info.file_size > archive.start_dir:
            raise Unusable(f"{where} claims bytes past the end of the data", COPY_AGAIN)
        found[name] = Span(file, start, info.file_size, info.CRC, what)
    _no_overlap(file, found)
    return found


def _data_start(where: str, info: zipfile.ZipInfo, stream: BinaryIO) -> int:
    if info.header_offset < 0:
        raise Unusable(f"{where} lies before the file's start", COPY_AGAIN)
    stream.seek(info.header_offset)
    header = stream.read(LOCAL_HEADER.size)
    if len(header) < LOCAL_HEADER.size:
        raise Unusable(f"{where} lies past the file's end", COPY_AGAIN)
    signature: bytes
    name_length: int
    extra_length: int
    signature, name_length, extra_length = LOCAL_HEADER.unpack(header)
    name = stream.read(name_length)
    if signature != b"PK\x03\x04" or name != info.orig_filename.encode("utf-8" if info.flag_bits & 0x800 else "cp437"):
        raise Unusable(f"{where} is not where the archive's table of contents says", COPY_AGAIN)
    return info.header_offset + LOCAL_HEADER.size + name_length + extra_length


def _no_overlap(file: File, entries: dict[str, Span]) -> None:
    end, before = 0, ""
    for span in sorted(entries.values(), key=lambda span: span.start):
        if span.nbytes and span.start < end:
            raise Unusable(f"{file.name}: {before} and {span.what} overlap", COPY_AGAIN)
        if span.nbytes:
            end, before = span.start + span.nbytes, span.what
