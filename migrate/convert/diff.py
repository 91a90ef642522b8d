"""What a conversion would change, as a patch."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

NO_NEWLINE = b"\n\\ No newline at end of file\n"


def unified_diff(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> bytes:
    """A unified diff from ``before`` to ``after``, both path -> content, as git reads it; new files are shown whole.

    In the files' own encodings and line endings, so that it applies.
    """
    pieces: list[bytes] = []
    for name, new in sorted(after.items()):
        old = before.get(name, b"")
        if old == new:
            continue
        label = name.encode("utf-8", "surrogateescape")
        source = b"a/" + label if name in before else b"/dev/null"
        for line in difflib.diff_bytes(difflib.unified_diff, lines(old), lines(new), source, b"b/" + label):
            pieces.append(line if line.endswith(b"\n") else line + NO_NEWLINE)
    return b"".join(pieces)


def lines(data: bytes) -> list[bytes]:
    """Split as patch does, at line feeds alone."""
    split = data.split(b"\n")
    return [*(line + b"\n" for line in split[:-1]), *split[-1:]] if split[-1] else [line + b"\n" for line in split[:-1]]
