"""What was carried to a framework and back is bit for bit what it was; and what was trained there comes back too."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from migrate.environments import available_interpreter
from migrate.errors import Unusable
from migrate.weights.back import open_input
from migrate.weights.carry.state_dict import find_state_dict
from migrate.weights.convert import convert_checkpoint
from migrate.weights.writers import manifest
from migrate.weights.writers.formats import format_named
from migrate.weights.writers.verify import verify

pytestmark = pytest.mark.framework

TARGETS = ("paddle", "oneflow", "jax", "jax.orbax", "mlx", "keras", "mindspore")
Shapes = Mapping[str, tuple[int, ...]]


def gates(kind: int, size: int, width: int, layers: int, both: bool) -> dict[str, tuple[int, ...]]:
    """Parameters of a recurrent module. kind: its gates."""
    shapes: dict[str, tuple[int, ...]] = {}
    for layer in range(layers):
        inputs = width if layer == 0 else size * (1 + both)
        for suffix in ("", "_reverse")[: 1 + both]:
            end = f"_l{layer}{suffix}"
            shapes[f"weight_ih{end}"], shapes[f"weight_hh{end}"] = (kind * size, inputs), (kind * size, size)
            shapes[f"bias_ih{end}"] = shapes[f"bias_hh{end}"] = (kind * size,)
    return shapes


@st.composite
def modules(draw: Any, target: str) -> tuple[str, dict[str, Any], Shapes]:
    """A module's class, config and shapes, such as the target can hold."""
    small = st.integers(1, 4)
    a, b, c, d = draw(small), draw(small), draw(small), draw(small)
    kinds = ["Linear", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose2d", "BatchNorm2d", "LayerNorm", "Embedding"]
    kinds += ["LSTM", "GRU", "RNN"] + (["MultiheadAttention"] if target != "oneflow" else [])
    kind = draw(st.sampled_from(kinds))
    if kind == "Linear":
        return kind, {}, {"weight": (a, b), "bias": (a,)}
    if kind.startswith("Conv") and "Transpose" not in kind:
        return kind, {"groups": b}, {"weight": (a * b, c, *(d, a, 2)[: int(kind[4])]), "bias": (a * b,)}
    if kind == "ConvTranspose2d":
        groups = 1 if target in ("mlx", "keras") else b
        return kind, {"groups": groups}, {"weight": (groups * a, c, d, 2), "bias": (groups * c,)}
    if kind == "BatchNorm2d":
        names = ("weight", "bias", "running_mean", "running_var")
        return kind, {}, {**dict.fromkeys(names, (a,)), "num_batches_tracked": ()}
    if kind == "LayerNorm":
        return kind, {}, {"weight": (a, b), "bias": (a, b)}
    if kind == "Embedding":
        return kind, {}, {"weight": (a, b)}
    if kind == "MultiheadAttention":
        return kind, {"num_heads": a, "embed_dim": a * b}, {
            "in_proj_weight": (3 * a * b, a * b),
            "in_proj_bias": (3 * a * b,),
            "out_proj.weight": (a * b, a * b),
            "out_proj.bias": (a * b,),
        }  # fmt: skip
    both = target != "mlx" and draw(st.booleans())
    config = {"num_layers": c, "bidirectional": both, "proj_size": 0}
    return kind, config, gates({"LSTM": 4, "GRU": 3, "RNN": 1}[kind], a, b, c, both)


@st.composite
def checkpoints(draw: Any) -> tuple[str, dict[str, np.ndarray], dict[str, Any]]:
    """A target, the tensors of a model, and what describe.py would say of it."""
    target = draw(st.sampled_from(TARGETS))
    dtypes = ["float32", "float16"]
    dtypes += ["bfloat16"] if target != "oneflow" else []
    dtypes += ["float64"] if target != "mlx" else []
    dice = np.random.default_rng(draw(st.integers(0, 2**32)))
    tensors: dict[str, np.ndarray] = {}
    entries, described = [], {"": {"classes": ["nets.Net", "torch.nn.Module"], "config": {}}}
    for index in range(draw(st.integers(1, 4))):
        kind, config, shapes = draw(modules(target))
        path = f"m{index}"
        described[path] = {"classes": [f"torch.nn.{kind}", "torch.nn.Module"], "config": config}
        dtype = np.dtype(getattr(ml_dtypes, name := draw(st.sampled_from(dtypes)), name))
        for attribute, shape in shapes.items():
            own = np.dtype(np.int64) if attribute == "num_batches_tracked" else dtype
            count = int(np.prod(shape)) * own.itemsize
            # Any bits: NaNs of every payload, infinities, negative zeros.
            array = np.frombuffer(dice.bytes(count), own).reshape(shape).copy()
            tensors[f"{path}.{attribute}"] = array
            child, _, last = attribute.rpartition(".")
            owner = {**described[path], "classes": ["torch.nn.Linear", "torch.nn.Module"]} if child else described[path]
            if child:
                described[f"{path}.{child}"] = owner
            entries.append(
                {
                    "name": f"{path}.{attribute}",
                    "shape": list(shape),
                    "dtype": own.name,
                    "module": f"{path}.{child}" if child else path,
                    "attribute": last,
                    "classes": owner["classes"],
                }
            )
    return target, tensors, {"layout": 1, "model": "nets:Net", "entries": entries, "modules": described}


def written(folder: Path, tensors: Mapping[str, np.ndarray], described: Mapping[str, Any], target: str) -> Path:
    from safetensors.numpy import save_file

    save_file(dict(tensors), folder / "torch.safetensors", metadata={"format": "pt"})
    (folder / "layout.json").write_text(json.dumps(described))
    output = folder / f"out{format_named(target).suffix}"
    convert_checkpoint(folder / "torch.safetensors", output, to=target, layout=folder / "layout.json")
    return output


def read(path: Path) -> dict[str, np.ndarray]:
    with open_input(path) as opened:
        return {name: tensor.load() for name, tensor in find_state_dict(opened).tensors.items()}


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(checkpoints())
def test_there_and_back_is_bit_identical(checkpoint):
    target, tensors, described = checkpoint
    with tempfile.TemporaryDirectory() as name, np.errstate(all="ignore"):
        folder = Path(name)
        output = written(folder, tensors, described, target)
        assert not verify(output).differences
        convert_checkpoint(output, folder / "back.safetensors")
        found = read(folder / "back.safetensors")
    assert set(found) == set(tensors)
    for name, array in tensors.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape), name
        assert found[name].tobytes() == array.tobytes(), name


LSTM = {"weight_ih_l0": (8, 3), "weight_hh_l0": (8, 2), "bias_ih_l0": (8,), "bias_hh_l0": (8,)}


@pytest.fixture
def lstm() -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Tensors and description of a model with an LSTM and a Linear."""
    dice = np.random.default_rng(0)
    shapes = {**{f"lstm.{name}": shape for name, shape in LSTM.items()}, "fc.weight": (2, 2), "fc.bias": (2,)}
    config = {"num_layers": 1, "bidirectional": False, "proj_size": 0}
    described = {
        "": {"classes": ["nets.Net", "torch.nn.Module"], "config": {}},
        "lstm": {"classes": ["torch.nn.LSTM", "torch.nn.Module"], "config": config},
        "fc": {"classes": ["torch.nn.Linear", "torch.nn.Module"], "config": {}},
    }
    entries = [
        {
            "name": name,
            "shape": list(shape),
            "dtype": "float32",
            "module": name.partition(".")[0],
            "attribute": name.partition(".")[2],
            "classes": described[name.partition(".")[0]]["classes"],
        }
        for name, shape in shapes.items()
    ]
    tensors = {name: dice.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    return tensors, {"layout": 1, "model": "nets:Net", "entries": entries, "modules": described}


def test_a_trained_sum_comes_back_as_the_sum_and_zeros(lstm, tmp_path):
    from safetensors.numpy import load_file, save_file

    tensors, described = lstm
    output = written(tmp_path, tensors, described, "mlx")
    trained = {name: value + 1 for name, value in load_file(output).items()}
    save_file(trained, output)
    found = read(output)
    assert np.array_equal(found["fc.weight"], tensors["fc.weight"] + 1)
    assert np.array_equal(found["lstm.bias_ih_l0"], trained["lstm.bias"])
    assert not found["lstm.bias_hh_l0"].any()


TRAIN = {
    "paddle": """
import sys, paddle
weights = paddle.load(sys.argv[1])
paddle.save({name: value * 2 for name, value in weights.items() if hasattr(value, "shape")}, sys.argv[1])
""",
    "oneflow": """
import sys, shutil, oneflow
weights = oneflow.load(sys.argv[1])
shutil.rmtree(sys.argv[1])
oneflow.save({name: value * 2 for name, value in weights.items()}, sys.argv[1])
""",
}


@pytest.mark.parametrize("target", TRAIN)
def test_what_the_framework_saved_in_its_place_comes_back(target, lstm, tmp_path):
    interpreter = available_interpreter(target)
    if interpreter is None:
        pytest.skip(f"no interpreter has {target}: migrate env {target}")
    tensors, described = lstm
    output = written(tmp_path, tensors, described, target)
    done = subprocess.run(
        [str(interpreter.python), "-W", "ignore", "-c", TRAIN[target], str(output)],
        env=interpreter.environ(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found = read(output)
    assert set(found) == set(tensors)
    for name, array in tensors.items():
        assert np.array_equal(found[name], array * 2), name


def damaged(change: Any) -> Any:
    def write(path: Path) -> None:
        told = json.loads(path.read_text())
        change(told)
        path.write_text(json.dumps(told))

    return write


def _recipe(told: Any) -> Any:
    return next(record["how"] for record in told["tensors"] if "how" in record)


@pytest.mark.parametrize(
    "change",
    [
        lambda told: _recipe(told).update(axes=[0, 0]),
        lambda told: _recipe(told).update(rows=[]),
        lambda told: _recipe(told)["from"].update({name: [9, 9] for name in _recipe(told)["from"]}),
        lambda told: _recipe(told)["rows"][0][0].__setitem__(2, 1 << 40),
        lambda told: _recipe(told)["rows"][0][0].__setitem__(0, "absent"),
        lambda told: told["kept"][0].update(data="!"),
        lambda told: told["kept"][0].update(shape=[1 << 40]),
        lambda told: told["kept"][0].update(dtype="object"),
        lambda told: told["tensors"][0].update(shape=[1]),
        lambda told: told["tensors"][0].update(dtype="int8"),
    ],
)
def test_a_damaged_manifest_is_said_to_be(change, lstm, tmp_path):
    output = written(tmp_path, *lstm, "mlx")
    damaged(change)(manifest.manifest_of(output))
    with pytest.raises(Unusable, match="manifest"):
        read(output)


def test_a_tensor_that_is_gone(lstm, tmp_path):
    from safetensors.numpy import load_file, save_file

    output = written(tmp_path, *lstm, "jax")
    weights = load_file(output)
    del weights["fc.kernel"]
    save_file(weights, output)
    with pytest.raises(Unusable, match=r"1 tensors of its manifest are not in it: fc\.kernel"):
        read(output)
