"""What is written is what the formats' own readers read: numpy, safetensors, Paddle and OneFlow themselves."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import safetensors
import safetensors.numpy

from migrate.errors import Unusable
from migrate.weights.carry import Move, carry, keep
from migrate.weights.checkpoint import open_checkpoint
from migrate.weights.formats import Format, format_named, format_of, known_formats
from migrate.weights.model import describe_model
from migrate.weights.state_dict import find_state_dict
from rewriters.layout import renamed, transposed

# dtypes that each format refuses.
FP8 = {"float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"}
WIDE = {"uint16", "uint32", "uint64"}
REFUSED = {
    "npz": FP8 | {"bfloat16"},
    "safetensors": {"float8_e4m3fnuz", "float8_e5m2fnuz", "complex128"},
    "paddle": FP8 | WIDE,
    "oneflow": FP8 | WIDE | {"bfloat16", "int16", "complex64", "complex128"},
}


def holds(format: Format, move: Move) -> bool:
    return not any(format.module.refuses(entry) for entry in move.entries)


def write(format: Format, path: Path, moves: list[Move]) -> Path:
    entries = [entry for move in moves for entry in move.entries]
    format.check(entries)
    with format.module.Writer(path, entries) as writer:
        for move in moves:
            for entry, array in move.load():
                writer.add(entry.name, array)
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


NET = """
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 8, 3, padding=1, groups=2)
        self.up = nn.ConvTranspose2d(8, 6, 2, stride=2)
        self.bn = nn.BatchNorm2d(6)
        self.embed = nn.Embedding(10, 6)
        self.square = nn.Linear(6, 6)
        self.wide = nn.Linear(6, 9)
        self.norm = nn.LayerNorm(9)

    def forward(self, x, i):
        h = nn.functional.relu(self.bn(self.up(self.conv(x))))
        return self.norm(self.wide(self.square(h.mean((2, 3)) + self.embed(i))))
"""
TRAINED = (
    "import sys, numpy as np, torch\n"
    + NET
    + """
torch.manual_seed(0)
net = Net()
for _ in range(3):
    net(torch.randn(4, 4, 5, 5) * 2 + 1, torch.randint(0, 10, (4,)))
net.eval()
x, i = torch.randn(3, 4, 5, 5), torch.randint(0, 10, (3,))
torch.save(net.state_dict(), "net.pt")
np.savez("io.npz", x=x.numpy(), i=i.numpy(), y=net(x, i).detach().numpy())
"""
)
AGREES = """
net = Net()
report = {load_state}
net.eval()
io = np.load("io.npz")
y = net({tensor}(io["x"]), {tensor}(io["i"])).numpy()
print(abs(y - io["y"]).max(), abs(io["y"]).max(), report)
"""
PADDLE_LAYOUTS = {
    "torch.nn.Conv2d": {},
    "torch.nn.ConvTranspose2d": {},
    "torch.nn.Embedding": {},
    "torch.nn.LayerNorm": {},
    "torch.nn.Linear": {"weight": transposed},
    "torch.nn.BatchNorm2d": {"running_mean": renamed("_mean"), "running_var": renamed("_variance")},
}


@pytest.fixture(scope="module")
def trained(torch_python, run_python, tmp_path_factory) -> Path:
    """A folder with a small trained network of torch's: net.py, net.pt, and an input with its output."""
    folder = tmp_path_factory.mktemp("trained")
    (folder / "net.py").write_text(NET)
    run_python(torch_python, TRAINED, cwd=folder)
    return folder


def assert_agrees(line: str) -> None:
    difference, largest, report = line.split(maxsplit=2)
    assert float(largest) > 0.5
    assert float(difference) < 5e-6
    assert report in ("([], ['bn.num_batches_tracked'])", "<All keys matched successfully>")


def test_a_network_agrees_in_paddle(trained, torch_python, paddle_python, run_python):
    model = describe_model("net:Net", trained, torch_python.python)
    with open_checkpoint(trained / "net.pt") as checkpoint:
        moves = carry(find_state_dict(checkpoint).tensors, model, PADDLE_LAYOUTS, "PaddlePaddle")
        write(format_named("paddle"), trained / "net.pdparams", moves)
    net = NET.replace("from torch import nn", "import numpy as np, paddle\nfrom paddle import nn").replace(
        "nn.Module", "nn.Layer"
    )
    net = (
        net.replace("BatchNorm2d", "BatchNorm2D")
        .replace("Conv2d", "Conv2D")
        .replace("ConvTranspose2d", "Conv2DTranspose")
    )
    load = "net.set_state_dict(paddle.load('net.pdparams'))"
    out = run_python(paddle_python, net + AGREES.format(load_state=load, tensor="paddle.to_tensor"), cwd=trained)
    assert_agrees(out.splitlines()[-1])


def test_a_network_agrees_in_oneflow(trained, oneflow_python, run_python):
    with open_checkpoint(trained / "net.pt") as checkpoint:
        write(format_named("oneflow"), trained / "net.oneflow", keep(find_state_dict(checkpoint).tensors))
    net = "import numpy as np, oneflow\n" + NET.replace("from torch", "from oneflow")
    load = "net.load_state_dict(oneflow.load('net.oneflow'))"
    out = run_python(oneflow_python, net + AGREES.format(load_state=load, tensor="oneflow.tensor"), cwd=trained)
    assert_agrees(out.splitlines()[-1])


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
    assert known_formats() == ["npz", "safetensors", "oneflow", "paddle"]
    assert [format_of(Path(f"x{suffix}")).name for suffix in (".npz", ".safetensors", ".pdparams", ".oneflow")] == [
        "npz",
        "safetensors",
        "paddle",
        "oneflow",
    ]
    assert format_of(None).name == "safetensors"
    for call in (lambda: format_named("tensorrt"), lambda: format_of(Path("x.bin"))):
        with pytest.raises(Unusable) as error:
            call()
        assert "npz" in error.value.mend


def test_a_target_in_a_folder_of_ones_own(tmp_path):
    toy = tmp_path / "toy"
    (toy / "rules").mkdir(parents=True)
    (toy / "__init__.py").write_text(
        "from rewriters.target import Environment, Target\n"
        "TARGET = Target('toy', 'Toy', 'toy', Environment('3.11', (), 'toy'), {})\n"
    )
    with pytest.raises(Unusable, match="no format of its own"):
        format_named(str(toy))
    (toy / "formats.py").write_text("SUFFIX = '.toy'\nFOLDER = False\n")
    assert format_named(str(toy)).suffix == ".toy"
