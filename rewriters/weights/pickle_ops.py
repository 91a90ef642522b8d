"""Opcodes of the pickles that targets' checkpoints are: to write them, and to read them without executing any.

A pickle of arrays is read as a sequence of opcodes by ``pickletools``, and put together by the few that such pickles
consist of; globals stay names, calls stay what was called with what, and long bytes stay in the file.
"""

from __future__ import annotations

import pickletools
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

LONG = 1 << 10
"""Bytes of a string that are not read."""


@dataclass
class Blob:
    """Bytes that stay in the file."""

    start: int
    size: int

    def __len__(self) -> int:
        return self.size


@dataclass(frozen=True)
class Global:
    """A name that the pickle refers to."""

    name: str


@dataclass
class Made:
    """What a call of a global gives, and the state that it is then given."""

    by: Any
    args: Any
    state: Any = None


def text(value: str) -> bytes:
    """BINUNICODE."""
    data = value.encode("utf-8", "surrogatepass")
    return b"X" + struct.pack("<I", len(data)) + data


def integer(value: int) -> bytes:
    """BININT, or LONG1 of eight bytes."""
    if -(1 << 31) <= value < 1 << 31:
        return b"J" + struct.pack("<i", value)
    return b"\x8a\x08" + struct.pack("<q", value)


def read_pickle(path: Path) -> Any:
    """What the pickle holds: dictionaries, lists, tuples, scalars, Blob, Global and Made.

    Raises ValueError for what is no such pickle, and OSError.
    """
    with path.open("rb") as file:
        return _Machine().run(_LongSkipped(file, path.stat().st_size))


class _LongSkipped:
    """A file that gives a Blob in place of many bytes: all that pickletools asks of bytes is their length."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self.tell, self.readline = file.tell, file.readline
        self._file, self._size = file, size

    def read(self, size: int) -> Any:
        start = self._file.tell()
        if size <= LONG or size > self._size - start:
            return self._file.read(min(size, LONG + 1))
        self._file.seek(size, 1)
        return Blob(start, size)


class _Machine:
    def __init__(self) -> None:
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}

    def run(self, file: Any) -> Any:
        try:
            for opcode, argument, _ in pickletools.genops(file):
                if opcode.name == "STOP":
                    (result,) = self.stack
                    return result
                self.step(opcode.name, argument)
        except (IndexError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a pickle of arrays: {type(error).__name__}: {error}") from None
        raise ValueError("the pickle ends early")

    def step(self, name: str, argument: Any) -> None:
        if name in VALUES:
            self.stack.append(argument)
        elif name in CONSTANTS:
            self.stack.append(CONSTANTS[name])
        elif name == "GLOBAL":
            self.stack.append(Global(argument.replace(" ", ".")))
        elif name in GETS:
            self.stack.append(self.memo[argument])
        elif name in PUTS:
            self.memo[argument] = self.stack[-1]
        elif name == "MEMOIZE":
            self.memo[len(self.memo)] = self.stack[-1]
        elif name in MADE:
            self.stack.append(MADE[name]())
        elif name == "MARK":
            self.marks.append(len(self.stack))
        elif name in TUPLES:
            self.stack.append(tuple(self.pop(TUPLES[name])))
        elif name == "TUPLE":
            self.stack.append(tuple(self.pop_to_mark()))
        elif name in ("SETITEM", "SETITEMS"):
            items = self.pop(2) if name == "SETITEM" else self.pop_to_mark()
            self.stack[-1].update(zip(items[::2], items[1::2], strict=True))
        elif name in ("APPEND", "APPENDS"):
            items = self.pop(1) if name == "APPEND" else self.pop_to_mark()
            self.stack[-1].extend(items)
        elif name == "STACK_GLOBAL":
            self.stack.append(Global(".".join(self.pop(2))))
        elif name in ("REDUCE", "NEWOBJ"):
            self.stack.append(Made(*self.pop(2)))
        elif name == "BUILD":
            (state,) = self.pop(1)
            self.stack[-1].state = state
        elif name not in ("PROTO", "FRAME"):
            raise ValueError(f"not a pickle of arrays: it has {name}")

    def pop(self, count: int) -> list[Any]:
        if len(self.stack) < count:
            raise IndexError("the stack is empty")
        found = self.stack[len(self.stack) - count :]
        del self.stack[len(self.stack) - count :]
        return found

    def pop_to_mark(self) -> list[Any]:
        return self.pop(len(self.stack) - self.marks.pop())


VALUES = {
    *("BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
    *("BINBYTES", "SHORT_BINBYTES", "BINBYTES8"),
}
CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
MADE = {"EMPTY_DICT": dict, "EMPTY_LIST": list}
GETS, PUTS = {"BINGET", "LONG_BINGET"}, {"BINPUT", "LONG_BINPUT"}
TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
