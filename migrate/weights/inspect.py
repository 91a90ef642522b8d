"""``migrate weights --inspect``: what a checkpoint holds, read off its tables without loading a value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from migrate.errors import Unusable
from migrate.weights.carry.state_dict import StateDict, candidates, find_state_dict, is_tensor
from migrate.weights.readers.opening import open_checkpoint
from migrate.weights.readers.tensor import TensorRef, Unreadable

UNITS = ("bytes", "kB", "MB", "GB", "TB")


def lines(location: str, key: str | None = None) -> Iterator[str]:
    """A line for the checkpoint's format, each dictionary of tensors that it holds, each tensor, and each note.

    Raises Unusable.
    """
    with open_checkpoint(location) as checkpoint:
        yield f"{checkpoint.path}: {checkpoint.format}"
        found = candidates(checkpoint.tree)
        for path, entries in found.items() if len(found) > 1 else ():
            count = sum(map(is_tensor, entries.values()))
            yield f"holds {count} tensors under --key {path}" if path else f"holds {count} tensors itself"
        try:
            chosen = find_state_dict(checkpoint, key)
        except Unusable as error:
            if key is not None or not found:
                raise
            yield from _unchosen(found, error)
            return
    yield from _table(chosen)
    for names in chosen.tied():
        yield f"tied: {', '.join(names)}"
    for note in chosen.notes:
        yield f"note: {note}"
    for leftover in chosen.leftovers:
        yield f"not weights: {leftover}"


def _table(found: StateDict) -> Iterator[str]:
    rows = [
        (name, tensor.kind, "x".join(map(str, tensor.shape)) or "scalar", readable(tensor.nbytes), _lies(tensor))
        for name, tensor in found.tensors.items()
    ]
    yield f"{len(rows)} tensors, {readable(sum(tensor.nbytes for tensor in found.tensors.values()))}"
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(4)]
    for name, dtype, shape, size, lies in rows:
        line = f"{name:{widths[0]}}  {dtype:{widths[1]}}  {shape:>{widths[2]}}  {size:>{widths[3]}}  {lies}"
        yield line.rstrip()


def _lies(tensor: TensorRef) -> str:
    """What is unusual about how it lies in its storage."""
    words = [word for word, true in (("conjugated", tensor.conj), ("negated", tensor.neg)) if true]
    if not tensor.contiguous:
        words.insert(0, "view")
    return ", ".join(words)


def _unchosen(found: dict[str, Any], error: Unusable) -> Iterator[str]:
    """Several, of which none stands out, or one with a tensor that is not carried."""
    for path, entries in found.items():
        for name, value in entries.items():
            if isinstance(value, TensorRef):
                what = f"{value.kind} {'x'.join(map(str, value.shape)) or 'scalar'}"
            elif isinstance(value, Unreadable):
                what = f"cannot be carried: {value.kind}"
            else:
                continue
            yield f"{f'{path}.' if path else ''}{_printable(name)}  {what}"
    yield f"note: {error.message}; {error.mend}"


def _printable(name: Any) -> str:
    return str(name) if str(name).isprintable() else ascii(name)


def readable(nbytes: int) -> str:
    """A size in the largest unit of which there is one."""
    size, unit = float(nbytes), 0
    while size >= 1000 and unit < len(UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{nbytes} bytes" if not unit else f"{size:.1f} {UNITS[unit]}"
