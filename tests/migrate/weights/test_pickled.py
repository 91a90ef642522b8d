"""Pickles that run code when pickle.loads reads them, by every route that has an opcode: none runs here."""

from __future__ import annotations

import copyreg
import pickle
import struct
import sys
import time
import tracemalloc
import zipfile
from collections import OrderedDict
from pathlib import Path

import pytest

from migrate.errors import Unusable
from migrate.weights.carry.state_dict import find_state_dict
from migrate.weights.readers.opening import open_checkpoint
from migrate.weights.readers.pickled import Blob, Malformed, Opaque, read_pickle

RAN: list[str] = []


class Payload:
    """Whatever of it pickle calls is written down."""

    def __new__(cls, *args, **kwargs):
        RAN.append("new")
        return super().__new__(cls)

    def __init__(self, *args):
        RAN.append("init")

    def __setstate__(self, state):
        RAN.append("setstate")

    def __setattr__(self, name, value):
        RAN.append("setattr")

    def append(self, item):
        RAN.append("append")

    def extend(self, items):
        RAN.append("extend")

    def __setitem__(self, key, value):
        RAN.append("setitem")

    def add(self, item):
        RAN.append("add")


def run(*args):
    RAN.append("run")
    return Payload.__new__(Payload)


def text(value: str) -> bytes:
    return b"X" + struct.pack("<I", len(value)) + value.encode()


@pytest.fixture
def here(monkeypatch):
    """This module under a name that pickle can import."""
    monkeypatch.setitem(sys.modules, "hostile", sys.modules[__name__])
    RAN.clear()
    yield "hostile"
    copyreg.clear_extension_cache()


def routes() -> dict[str, bytes]:
    run_, payload = b"chostile\nrun\n", b"chostile\nPayload\n"
    stacked = text("hostile") + text("run") + b"\x93"
    made = run_ + b")R"
    return {
        "REDUCE": run_ + b")R.",
        "REDUCE, STACK_GLOBAL": b"\x80\x04" + stacked + b")R.",
        "REDUCE, nested name": b"\x80\x04" + text("hostile") + text("Payload.__new__") + b"\x93" + payload + b"\x85R.",
        "INST": b"(ihostile\nrun\n.",
        "OBJ": b"(" + payload + b"o.",
        "NEWOBJ": b"\x80\x02" + payload + b")\x81.",
        "NEWOBJ_EX": b"\x80\x04" + payload + b")}\x92.",
        "BUILD": b"\x80\x02" + made + b"}" + text("a") + b"K\x01sb.",
        "APPEND": made + b"K\x01a.",
        "APPENDS": b"\x80\x02" + made + b"(K\x01K\x02e.",
        "SETITEM": made + b"K\x01K\x02s.",
        "SETITEMS": b"\x80\x02" + made + b"(K\x01K\x02u.",
        "ADDITEMS": b"\x80\x04" + made + b"(K\x01\x90.",
        "EXT1": b"\x80\x02\x82\xf0)R.",
        "EXT2": b"\x80\x02\x83\xf0\x00)R.",
        "EXT4": b"\x80\x02\x84\xf0\x00\x00\x00)R.",
        "builtins": b"cbuiltins\nexec\n" + text("import hostile; hostile.run()") + b"\x85R.",
        "from python 2": b"c__builtin__\neval\n" + text("__import__('hostile').run()") + b"\x85R.",
        "getattr chain": b"\x80\x02cbuiltins\ngetattr\ncbuiltins\n__import__\n" + text("hostile") + b"\x85R"
        + text("run") + b"\x86R)R.",
        "function of a known name": b"ccollections\nOrderedDict\n" + run_ + b")R\x85R.",
    }  # fmt: skip


@pytest.mark.parametrize("route", routes())
def test_no_route_executes_anything(here, route):
    data = routes()[route]
    copyreg.add_extension("hostile", "run", 0xF0)
    try:
        # The control: pickle itself does run it, so the route is a real one.
        try:
            pickle.loads(data)
        except TypeError:
            assert route == "function of a known name"
        assert RAN
        RAN.clear()
        try:
            read_pickle(data, {"collections.OrderedDict": lambda items=(): OrderedDict()}, lambda pid: None)
        except Malformed:
            assert route == "getattr chain"  # a call of what is no global gives nothing
        assert RAN == []
    finally:
        copyreg.remove_extension("hostile", "run", 0xF0)


def test_no_module_is_imported():
    assert "this" not in sys.modules
    made = read_pickle(b"cthis\ns\n(K\x01tR.", {}, lambda pid: None)
    assert isinstance(made, Opaque)
    assert (made.name, made.args) == ("this.s", (1,))
    assert "this" not in sys.modules


def checkpoint_of(path: Path, pickled: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x/data.pkl", pickled)
        archive.writestr("x/data/0", bytes(16))
    return path


@pytest.mark.parametrize("route", routes())
def test_nor_as_a_checkpoint(here, tmp_path, route):
    path = checkpoint_of(tmp_path / "x.pt", routes()[route])
    with pytest.raises(Unusable), open_checkpoint(path) as checkpoint:
        find_state_dict(checkpoint)
    assert RAN == []


def tensor(shape: str, strides: str, offset: str = "K\x00", key: str = "0", count: str = "K\x04") -> bytes:
    """A float32 tensor over the storage of 16 bytes."""
    storage = (
        b"(" + text("storage") + b"ctorch\nFloatStorage\n" + text(key) + text("cpu") + count.encode("latin1") + b"tQ"
    )
    arguments = "".join((offset, "(", shape, "t(", strides, "t")).encode("latin1")
    rebuilt = b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + arguments + b"\x89}tR"
    return b"\x80\x02}" + text("weight") + rebuilt + b"s."


def test_the_tensor_of_the_next_test_is_good_as_it_stands(tmp_path):
    with open_checkpoint(checkpoint_of(tmp_path / "x.pt", tensor("K\x02K\x02", "K\x02K\x01"))) as checkpoint:
        assert checkpoint.tree["weight"].load().shape == (2, 2)


@pytest.mark.parametrize(
    ("pickled", "says"),
    [
        (tensor("K\x05", "K\x01"), "past its storage"),
        (tensor("K\x02K\x02", "K\x03K\x01"), "past its storage"),
        (tensor("K\x04", "K\x01", offset="K\x01"), "past its storage"),
        (tensor("K\x01", "K\x01", offset="J\xff\xff\xff\xff"), "shape"),
        (tensor("J\xff\xff\xff\xff", "K\x01"), "shape"),
        (tensor("K\x02", "J\xff\xff\xff\xff"), "shape"),
        (tensor("K\x02K\x02", "K\x01"), "shape"),
        (tensor("X\x01\x00\x00\x00a", "K\x01"), "shape"),
        (tensor("J\x00\x00\x00\x7fJ\x00\x00\x00\x7f", "K\x00K\x00"), "expands"),
        (tensor("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f", "K\x01"), "past its storage"),
        (tensor("K\x01", "K\x01", count="K\x05"), "16 bytes"),
        (tensor("K\x01", "K\x01", key="../0"), "not in the archive"),
        (tensor("K\x01", "K\x01")[:-8], "ends before|malformed"),
        (b"\x80\x02}q\x00h\x05.", "malformed"),
        (b"\x80\x06N.", "protocol 6"),
        (b"\x80\x02(.", "mark"),
        (b"\x80\x05\x97.", "out-of-band"),
        (b"\x80\x02X\xff\xff\xff\x7fab.", "malformed"),
        (b"\x80\x04\x8e" + b"\xff" * 8 + b"ab.", "malformed"),
        (b"\x80\x02K\x01)R.", "no dictionary|object"),
        (b"\x80\x02c_codecs\nencode\nK\x01\x85R.", "malformed"),
        (b"\x80\x02ccollections\nOrderedDict\nK\x01\x85R.", "malformed"),
        (b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n)R.", "malformed"),
        (b"\x80\x02ctorch._utils\n_rebuild_parameter\nK\x01K\x01K\x01\x87R.", "without a tensor"),
    ],
)
def test_lies_are_refused(tmp_path, pickled, says):
    with pytest.raises(Unusable, match=says), open_checkpoint(checkpoint_of(tmp_path / "x.pt", pickled)) as checkpoint:
        find_state_dict(checkpoint)


def test_bombs_take_neither_time_nor_memory(tmp_path):
    doubled = b"\x80\x04]" + b"2\x86" * 200 + b"."  # (x, x) of (x, x) of ...: 2**200 leaves
    keyed = b"\x80\x04}" + b"K\x01" + b"2\x86" * 200 + b"K\x01s."  # hashing the key would never end
    memo = b"\x80\x02Nr\xff\xff\xff\x7f."
    shape = tensor("]" + "2\x86" * 200, "K\x01")  # writing it into a message would never end
    # One dictionary, or one text, made anew again and again.
    pairs = b"\x80\x04](" + b"".join(text(str(n)) + b"N\x86" for n in range(5000)) + b"e\x94"
    copied = pairs + b"ccollections\nOrderedDict\n\x94" + b"(" + b"h\x01h\x00\x85R" * 5000 + b"t."
    encoded = b"\x80\x04" + text("x" * 500_000) + b"\x94c_codecs\nencode\n\x94(" + b"h\x01h\x00\x85R" * 5000 + b"t."
    announced = b"\x80\x04\x8e" + struct.pack("<Q", 1 << 40) + b"ab."
    started = time.monotonic()
    tracemalloc.start()
    for data in (doubled, keyed, memo, shape, copied, encoded, announced):
        with pytest.raises(Unusable), open_checkpoint(checkpoint_of(tmp_path / "x.pt", data)) as checkpoint:
            find_state_dict(checkpoint)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert time.monotonic() - started < 20
    assert peak < 40 << 20


def test_pickles_without_end_are_ended(monkeypatch):
    monkeypatch.setattr("migrate.weights.readers.pickled.MOST_OPCODES", 1000)
    with pytest.raises(Malformed, match="more than 1,000 opcodes"):
        read_pickle(b"\x80\x04" + b"]0" * 1000 + b"N.", {}, lambda pid: None)
    monkeypatch.setattr("migrate.weights.readers.pickle_stream.LARGEST_PICKLE", 100)
    with pytest.raises(Malformed, match="more than 100 bytes"):
        read_pickle(b"\x80\x04" + text("x" * 200) + b".", {}, lambda pid: None)


def test_long_bytes_stay_where_they_are():
    data = b"\x80\x04\x8e" + struct.pack("<Q", 2 << 20) + bytes(2 << 20) + b"K\x07\x86."
    assert read_pickle(data, {}, lambda pid: None) == (Blob(11, 2 << 20), 7)
