"""What is written is what the formats' own readers read: numpy, safetensors, Paddle and OneFlow themselves."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import safetensors
import safetensors.numpy

from migrate.environments import available_interpreter
from migrate.errors import Unusable
from migrate.weights.carry.carry import Move, keep
from migrate.weights.carry.state_dict import find_state_dict
from migrate.weights.readers.opening import open_checkpoint
from migrate.weights.writers.formats import Format, format_named, format_of, known_formats
from migrate.weights.writers.writing import write as write_moves

# dtypes that each format refuses.
FP8 = {"float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"}
WIDE = {"uint16", "uint32", "uint64"}
REFUSED = {
    "npz": FP8 | {"bfloat16"},
    "safetensors": {"float8_e4m3fnuz", "float8_e5m2fnuz", "complex128"},
    "paddle": FP8 | WIDE,
    "oneflow": FP8 | WIDE | {"bfloat16", "int16", "complex64", "complex128"},
    "jax": FP8 | {"complex128"},
    "jax.orbax": FP8,
    "mlx": FP8 | {"float64", "complex128"},
    "keras": FP8 | {"complex64", "complex128"},
    "mindspore": FP8 | {"complex64", "complex128"},
}


def holds(format: Format, move: Move) -> bool:
    try:
        format.check(move.entries)
    except Unusable:
        return False
    return True


def write(format: Format, path: Path, moves: list[Move]) -> Path:
    entries = [entry for move in moves for entry in move.entries]
    format.check(entries)
    with format.writer(path, entries) as writer:
        assert len(list(write_moves(writer, moves, lambda nbytes: None))) == len(moves)
    return path


@pytest.fixture(params=["dtypes.pt", "lying.pt"])
def source(request) -> str:
    return request.param


@pytest.fixture
def written(checkpoints, source, tmp_path):
    """``written("npz")``: what of the checkpoint the format holds, written; the path."""

    def write_to(name: str) -> Path:
        format = format_named(name)
        with open_checkpoint(checkpoints / source) as checkpoint:
            moves = keep(find_state_dict(checkpoint).tensors)
            held = [move for move in moves if holds(format, move)]
            return write(format, tmp_path / f"out{format.suffix}", held)

    return write_to


@pytest.fixture
def expected(as_torch_reads, source):
    return lambda name: {key: a for key, a in as_torch_reads(source).items() if a.dtype.name not in REFUSED[name]}


def assert_same(read: dict[str, np.ndarray], expected: dict[str, np.ndarray]) -> None:
    assert set(read) == set(expected)
    for name, array in expected.items():
        got = read[name]
        assert (got.dtype, got.shape, got.tobytes()) == (array.dtype, array.shape, array.tobytes()), name


def test_numpy_reads_the_npz(written, expected):
    with np.load(written("npz"), allow_pickle=False) as archive:
        assert_same(dict(archive), expected("npz"))


def test_safetensors_reads_the_safetensors(written, expected):
    path = written("safetensors")
    wanted = expected("safetensors")
    for name, tensor in safetensors.deserialize(path.read_bytes()):
        assert tensor["shape"] == list(wanted[name].shape)
        assert bytes(tensor["data"]) == wanted.pop(name).tobytes()
    assert wanted == {}


def test_the_safetensors_librarys_numpy_reader_reads_it(checkpoints, as_torch_reads, tmp_path):
    with open_checkpoint(checkpoints / "plain.pt") as checkpoint:
        moves = keep(find_state_dict(checkpoint).tensors)
        path = write(format_named("safetensors"), tmp_path / "x.safetensors", moves)
    assert_same(safetensors.numpy.load_file(path), as_torch_reads("plain.pt"))
    with safetensors.safe_open(path, "np") as file:
        assert file.metadata() == {"format": "pt"}


# In the target's interpreter: loads, and writes every tensor's bytes and an index of them.
DUMP = """
import json, sys
import numpy as np
index, data = [], b""
for name, value in load(sys.argv[1]).items():
    array = np.ascontiguousarray(value.numpy()).reshape(tuple(value.shape))
    index.append([name, str(value.dtype).split(".")[-1], list(value.shape), len(data)])
    data += array.tobytes()
open(sys.argv[2], "wb").write(data)
print(json.dumps(index))
"""


def read_in(interpreter, run_python, load: str, path: Path, expected: dict[str, np.ndarray]) -> None:
    """Assert that the target's own reader gives what torch reads."""
    dump = path.with_name("dump")
    index = json.loads(run_python(interpreter, load + DUMP, path, dump).splitlines()[-1])
    data = dump.read_bytes()
    assert {name for name, *_ in index} == set(expected)
    for name, dtype, shape, at in index:
        array = expected[name]
        assert (dtype, tuple(shape)) == (array.dtype.name, array.shape), name
        assert data[at : at + array.nbytes] == array.tobytes(), name


def test_paddle_reads_the_pdparams(paddle_python, run_python, written, expected):
    read_in(paddle_python, run_python, "from paddle import load", written("paddle"), expected("paddle"))


def test_oneflow_reads_the_folder(oneflow_python, run_python, written, expected):
    read_in(oneflow_python, run_python, "from oneflow import load", written("oneflow"), expected("oneflow"))


# In the target's interpreter: what its own reader gives, bfloat16 as float32, for numpy has none.
LOADS = {
    "jax": """
import os
os.environ["JAX_ENABLE_X64"] = "1"
import numpy as np
from safetensors.flax import load_file
def load(path):
    found = load_file(path)
    return {name: np.asarray(x, np.float32 if x.dtype == "bfloat16" else x.dtype) for name, x in found.items()}
""",
    "jax.orbax": """
import os
os.environ["JAX_ENABLE_X64"] = "1"
import pathlib
import numpy as np
import orbax.checkpoint as ocp
from flax import nnx
def load(path):
    found = nnx.traversals.flatten_mapping(ocp.StandardCheckpointer().restore(pathlib.Path(path).absolute()))
    named = {".".join(name[:-1]): np.asarray(x) for name, x in found.items()}
    return {name: x.astype(np.float32) if x.dtype == "bfloat16" else x for name, x in named.items()}
""",
    "mlx": """
import mlx.core as mx, numpy as np
def load(path):
    return {name: np.array(x.astype(mx.float32) if x.dtype == mx.bfloat16 else x) for name, x in mx.load(path).items()}
""",
    "keras": """
import numpy as np
from keras.src.saving.saving_lib import H5IOStore
def load(path):
    store = H5IOStore(path)
    store._h5_entry_group = store.h5_file
    found = {name: store[name] for name in store.h5_file}
    return {name: x.astype(np.float32) if x.dtype.name == "bfloat16" else x for name, x in found.items()}
""",
    "mindspore": """
import mindspore
def load(path):
    found = mindspore.load_checkpoint(path, format="safetensors")
    return {name: (x.float() if x.dtype == mindspore.bfloat16 else x).asnumpy() for name, x in found.items()}
""",
}
SAVE = """
import sys, numpy
numpy.savez(sys.argv[2], **load(sys.argv[1]))
"""


@pytest.mark.parametrize("target", LOADS)
def test_the_targets_own_reader_gives_every_dtype(target, checkpoints, as_torch_reads, run_python, tmp_path):
    framework = target.partition(".")[0]
    interpreter = available_interpreter(framework)
    if interpreter is None:
        pytest.skip(f"no interpreter has {framework}: migrate env {framework}")
    format = format_named(target)
    with open_checkpoint(checkpoints / "dtypes.pt") as checkpoint:
        moves = [move for move in keep(find_state_dict(checkpoint).tensors) if holds(format, move)]
        path = write(format, tmp_path / f"x{format.suffix}", moves)
    run_python(interpreter, LOADS[target] + SAVE, path, tmp_path / "read.npz")
    expected = {
        name: array.astype(np.float32) if array.dtype.name == "bfloat16" else array
        for name, array in as_torch_reads("dtypes.pt").items()
        if name not in REFUSED[target]
    }
    with np.load(tmp_path / "read.npz") as read:
        assert_same(dict(read), expected)


def test_a_dtype_that_a_format_cannot_hold_is_refused_by_name(checkpoints):
    for name, refused in REFUSED.items():
        format = format_named(name)
        with open_checkpoint(checkpoints / "dtypes.pt") as checkpoint:
            moves = {move.source: move for move in keep(find_state_dict(checkpoint).tensors)}
        assert {source for source, move in moves.items() if not holds(format, move)} == refused
        for source in refused:
            with pytest.raises(Unusable, match=f"^{source} cannot be written as {name}"):
                format.check(moves[source].entries)


def test_names_and_suffixes():
    own = ["jax", "jax.orbax", "keras", "mindspore", "mlx", "oneflow", "paddle"]
    assert known_formats() == ["npz", "npy", "safetensors", *own]
    for name in known_formats():
        assert format_of(Path(f"x{format_named(name).suffix}")).name == name
    assert format_of(Path("x.fp16.safetensors")).name == "safetensors"
    assert (
        format_of(Path("x.paddle.safetensors")).name == "paddle.safetensors" == format_named("paddle.safetensors").name
    )
    assert format_of(None).name == "safetensors"
    for call in (lambda: format_named("tensorrt"), lambda: format_of(Path("x.bin"))):
        with pytest.raises(Unusable) as error:
            call()
        assert "npz" in error.value.mend


def test_a_target_in_a_folder_of_ones_own(tmp_path):
    toy = tmp_path / "toy"
    (toy / "rules").mkdir(parents=True)
    (toy / "weights").mkdir()
    (toy / "__init__.py").write_text(
        "from rewriters.target import Environment, Target\n"
        "TARGET = Target('toy', 'Toy', 'toy', Environment('3.11', (), 'toy'), {})\n"
    )
    with pytest.raises(Unusable, match="no format of its own"):
        format_named(str(toy))
    (toy / "weights" / "formats.py").write_text("SUFFIX = '.toy'\nFOLDER = False\n")
    assert format_named(str(toy)).suffix == ".toy"
