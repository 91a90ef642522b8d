"""Reads a pickle without executing any of it.

Every global becomes an inert ``Global`` that only knows its name. Calling one looks the name up in a table that the
caller supplies; a name that is not there gives an ``Opaque``, which records what was done to it. No opcode reaches an
import, a constructor, ``__setstate__`` or copyreg's extension registry.
"""

from __future__ import annotations

import io
import pickletools
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from migrate.weights.readers.pickle_stream import LARGEST_PICKLE, LENGTHS, Bounded
from migrate.weights.readers.pickle_values import Blob, Global, Malformed, Opaque, OpaqueKey

__all__ = ["LARGEST_PICKLE", "Blob", "Calls", "Global", "Malformed", "Opaque", "OpaqueKey", "read_pickle"]

HIGHEST_PROTOCOL = 5
MOST_OPCODES = 8 << 20
"""Each may make an object of a hundred bytes."""
SCALARS = (str, bytes, int, float, complex, bool, type(None))


Calls = Mapping[str, Callable[..., Any]]
_MARK = object()


def read_pickle(data: bytes | BinaryIO, calls: Calls, persistent: Callable[[Any], Any]) -> Any:
    """The object tree of the pickle ``data``; a stream is left behind its STOP.

    calls:      dotted name -> what makes the object from the arguments; it runs on untrusted values and checks them.
    persistent: persistent id -> the object.

    Raises Malformed, also for a TypeError or ValueError out of ``calls``.
    """
    return _Machine(calls, persistent).run(Bounded(io.BytesIO(data) if isinstance(data, bytes) else data))


class _Machine:
    """pickle's stack machine over plain values."""

    def __init__(self, calls: Calls, persistent: Callable[[Any], Any]) -> None:
        self.calls = calls
        self.persistent = persistent
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def run(self, data: Bounded) -> Any:
        name, position = "", 0
        try:
            for _ in range(MOST_OPCODES):
                position = data.stream.tell()
                code = data.read(1)
                if not code:
                    raise Malformed("it ends before its STOP")
                opcode = pickletools.code2op.get(code.decode("latin1"))  # type: ignore[attr-defined]
                if opcode is None:
                    raise Malformed(f"at byte {position}: no opcode is {code!r}")
                name = opcode.name
                if code[0] in LENGTHS:
                    self.stack.append(data.blob(code[0]))
                    continue
                argument = opcode.arg.reader(data) if opcode.arg else None
                if name == "STOP":
                    return self.pop()
                if name in PUSHED:
                    self.stack.append(argument)
                else:
                    STEPS[name](self, argument)
        except Malformed:
            raise
        except (ValueError, TypeError, KeyError, IndexError, OverflowError, RecursionError, AttributeError) as error:
            raise Malformed(f"at byte {position} ({name or 'start'}): {error}") from None
        raise Malformed(f"it has more than {MOST_OPCODES:,} opcodes, too many to be one")

    def pop(self) -> Any:
        value = self.stack.pop()
        if value is _MARK:
            raise ValueError("the stack is empty above its mark")
        return value

    def pop_mark(self) -> list[Any]:
        for index in range(len(self.stack) - 1, -1, -1):
            if self.stack[index] is _MARK:
                items = self.stack[index + 1 :]
                del self.stack[index:]
                return items
        raise ValueError("no mark on the stack")

    def top(self) -> Any:
        if self.stack[-1] is _MARK:
            raise ValueError("the stack is empty above its mark")
        return self.stack[-1]

    def call(self, function: Any, args: Any) -> Any:
        if not isinstance(function, Global):
            return Opaque("a call of something that is no global")
        if not isinstance(args, tuple):
            raise ValueError(f"{function.name} is called with {type(args).__name__}, not a tuple")
        known = self.calls.get(function.name)
        return known(*args) if known else Opaque(function.name, args)

    # One method per opcode, or per family of them.

    def nothing(self, _: Any) -> None:
        """FRAME says only how the bytes were grouped."""

    def proto(self, version: int) -> None:
        if version > HIGHEST_PROTOCOL:
            raise ValueError(f"protocol {version} is newer than {HIGHEST_PROTOCOL}")

    def refused(self, _: Any) -> None:
        raise ValueError("out-of-band buffers are not part of a checkpoint")

    def mark(self, _: Any) -> None:
        self.stack.append(_MARK)

    def drop(self, _: Any) -> None:
        self.stack.pop()

    def drop_mark(self, _: Any) -> None:
        self.pop_mark()

    def duplicate(self, _: Any) -> None:
        self.stack.append(self.top())

    def none(self, _: Any) -> None:
        self.stack.append(None)

    def true(self, _: Any) -> None:
        self.stack.append(True)

    def false(self, _: Any) -> None:
        self.stack.append(False)

    def empty_list(self, _: Any) -> None:
        self.stack.append([])

    def empty_tuple(self, _: Any) -> None:
        self.stack.append(())

    def empty_dict(self, _: Any) -> None:
        self.stack.append({})

    # A set's members would be hashed, and nothing here asks for one: a list keeps them.
    empty_set = empty_list

    def list_(self, _: Any) -> None:
        self.stack.append(self.pop_mark())

    def tuple_(self, _: Any) -> None:
        self.stack.append(tuple(self.pop_mark()))

    def dict_(self, _: Any) -> None:
        items = self.pop_mark()
        self.stack.append({})
        self._set(items)

    def tuple1(self, _: Any) -> None:
        self.stack.append((self.pop(),))

    def tuple2(self, _: Any) -> None:
        second, first = self.pop(), self.pop()
        self.stack.append((first, second))

    def tuple3(self, _: Any) -> None:
        third, second, first = self.pop(), self.pop(), self.pop()
        self.stack.append((first, second, third))

    def append(self, _: Any) -> None:
        self._extend([self.pop()])

    def appends(self, _: Any) -> None:
        self._extend(self.pop_mark())

    def _extend(self, items: list[Any]) -> None:
        target = self.top()
        if isinstance(target, Opaque):
            target.items.extend(items)
        elif isinstance(target, list):
            target.extend(items)
        else:
            raise ValueError(f"appends to {type(target).__name__}")

    def set_item(self, _: Any) -> None:
        value, key = self.pop(), self.pop()
        self._set([key, value])

    def set_items(self, _: Any) -> None:
        self._set(self.pop_mark())

    def _set(self, items: list[Any]) -> None:
        target = self.top()
        if len(items) % 2:
            raise ValueError("a key without its value")
        if isinstance(target, Opaque):
            target = target.entries
        if not isinstance(target, dict):
            raise ValueError(f"sets an item of {type(target).__name__}")
        for key, value in zip(items[::2], items[1::2], strict=True):
            target[_hashable(key)] = value

    def get(self, index: int) -> None:
        self.stack.append(self.memo[index])

    def put(self, index: int) -> None:
        self.memo[index] = self.top()

    def memoize(self, _: Any) -> None:
        self.memo[len(self.memo)] = self.top()

    def global_(self, argument: str) -> None:
        self.stack.append(Global(argument.replace(" ", ".", 1)))

    def stack_global(self, _: Any) -> None:
        name, module = self.pop(), self.pop()
        if not (isinstance(name, str) and isinstance(module, str)):
            raise ValueError("a global's name is not a string")
        self.stack.append(Global(f"{module}.{name}"))

    def extension(self, code: int) -> None:
        self.stack.append(Global(f"copyreg extension {code}"))

    def inst(self, argument: str) -> None:
        args = tuple(self.pop_mark())
        self.stack.append(self.call(Global(argument.replace(" ", ".", 1)), args))

    def obj(self, _: Any) -> None:
        cls, *args = self.pop_mark()
        self.stack.append(self.call(cls, tuple(args)))

    def reduce(self, _: Any) -> None:
        args, function = self.pop(), self.pop()
        self.stack.append(self.call(function, args))

    def newobj_ex(self, _: Any) -> None:
        _keywords, args, cls = self.pop(), self.pop(), self.pop()
        # Keyword arguments mean a class of the user's: none of the known calls is pickled with them.
        self.stack.append(Opaque(cls.name if isinstance(cls, Global) else "?", args if isinstance(args, tuple) else ()))

    def build(self, _: Any) -> None:
        state = self.pop()
        target = self.top()
        if isinstance(target, Opaque):
            target.state = state

    def persid(self, _: Any) -> None:
        self.stack.append(self.persistent(self.pop()))

    def persid_text(self, argument: str) -> None:
        self.stack.append(self.persistent(argument))


def _hashable(key: Any) -> Any:
    flat = isinstance(key, SCALARS) or (isinstance(key, tuple) and all(isinstance(part, SCALARS) for part in key))
    return key if flat else OpaqueKey(key)


# Opcodes whose argument is the value itself.
PUSHED = frozenset(
    {
        *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
        *("STRING", "BINSTRING", "SHORT_BINSTRING", "SHORT_BINBYTES"),
        *("UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
    }
)
STEPS: dict[str, Callable[[_Machine, Any], None]] = {
    "PROTO": _Machine.proto,
    "FRAME": _Machine.nothing,
    "NEXT_BUFFER": _Machine.refused,
    "READONLY_BUFFER": _Machine.refused,
    "MARK": _Machine.mark,
    "POP": _Machine.drop,
    "POP_MARK": _Machine.drop_mark,
    "DUP": _Machine.duplicate,
    "NONE": _Machine.none,
    "NEWTRUE": _Machine.true,
    "NEWFALSE": _Machine.false,
    "EMPTY_LIST": _Machine.empty_list,
    "EMPTY_TUPLE": _Machine.empty_tuple,
    "EMPTY_DICT": _Machine.empty_dict,
    "EMPTY_SET": _Machine.empty_set,
    "LIST": _Machine.list_,
    "TUPLE": _Machine.tuple_,
    "FROZENSET": _Machine.list_,
    "DICT": _Machine.dict_,
    "TUPLE1": _Machine.tuple1,
    "TUPLE2": _Machine.tuple2,
    "TUPLE3": _Machine.tuple3,
    "APPEND": _Machine.append,
    "APPENDS": _Machine.appends,
    "ADDITEMS": _Machine.appends,
    "SETITEM": _Machine.set_item,
    "SETITEMS": _Machine.set_items,
    "GET": _Machine.get,
    "BINGET": _Machine.get,
    "LONG_BINGET": _Machine.get,
    "PUT": _Machine.put,
    "BINPUT": _Machine.put,
    "LONG_BINPUT": _Machine.put,
    "MEMOIZE": _Machine.memoize,
    "GLOBAL": _Machine.global_,
    "STACK_GLOBAL": _Machine.stack_global,
    "EXT1": _Machine.extension,
    "EXT2": _Machine.extension,
    "EXT4": _Machine.extension,
    "INST": _Machine.inst,
    "OBJ": _Machine.obj,
    "NEWOBJ": _Machine.reduce,
    "NEWOBJ_EX": _Machine.newobj_ex,
    "REDUCE": _Machine.reduce,
    "BUILD": _Machine.build,
    "PERSID": _Machine.persid_text,
    "BINPERSID": _Machine.persid,
}
