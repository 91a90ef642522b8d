"""Checkpoints of Orbax: what is written Orbax itself restores, what it wrote, sharded too, comes back; bad ones."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from migrate.environments import Interpreter
from migrate.errors import Unusable
from migrate.weights.back import open_input
from migrate.weights.carry.state_dict import find_state_dict
from migrate.weights.convert import Written, convert_checkpoint
from migrate.weights.readers.opening import open_checkpoint
from migrate.weights.writers.verify import verify

pytestmark = pytest.mark.framework

DESCRIBED = {
    "layout": 1,
    "model": "nets:Net",
    "entries": [
        {
            "name": f"{path}.{own}",
            "shape": shape,
            "dtype": "float32",
            "module": path,
            "attribute": own,
            "classes": of,
        }
        for path, own, shape, of in (
            ("0", "weight", [3, 4], ["torch.nn.Linear", "torch.nn.Module"]),
            ("0", "bias", [3], ["torch.nn.Linear", "torch.nn.Module"]),
            ("1", "weight", [3], ["torch.nn.LayerNorm", "torch.nn.Module"]),
            ("1", "bias", [3], ["torch.nn.LayerNorm", "torch.nn.Module"]),
        )
    ],
    "modules": {
        "": {"classes": ["torch.nn.Sequential", "torch.nn.Module"], "config": {}},
        "0": {"classes": ["torch.nn.Linear", "torch.nn.Module"], "config": {}},
        "1": {"classes": ["torch.nn.LayerNorm", "torch.nn.Module"], "config": {}},
    },
}
TENSORS = {
    entry["name"]: np.arange(np.prod(entry["shape"]), dtype=np.float32).reshape(entry["shape"]) + place
    for place, entry in enumerate(DESCRIBED["entries"])
}
# In JAX's interpreter: the same network in Flax's own layers.
HEAD = """
import os, sys
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
import pathlib
import jax, jax.numpy as jnp, numpy as np
from flax import nnx
import orbax.checkpoint as ocp
model = nnx.Sequential(nnx.Linear(4, 3, rngs=nnx.Rngs(0)), nnx.LayerNorm(3, rngs=nnx.Rngs(0)))
path = pathlib.Path(sys.argv[1]).absolute()
def shown():
    state = nnx.to_flat_state(nnx.state(model))
    print("\\n".join(f"{'.'.join(map(str, at))} {np.asarray(value[...]).tolist()}" for at, value in state))
"""
OWN_WAY = (
    HEAD
    + """
with ocp.StandardCheckpointer() as checkpointer:
    nnx.update(model, checkpointer.restore(path, nnx.state(model)))
shown()
"""
)
# One array of several chunks, each of another device's, compressed, in Orbax's database.
TRAINED = (
    HEAD
    + """
mesh = jax.make_mesh((4,), ("data",))
state = jax.tree.map(lambda x: x + 1, nnx.state(model))
sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("data"))
state["layers"][0]["kernel"].set_value(jax.device_put(jnp.arange(12.0).reshape(4, 3), sharding))
with ocp.StandardCheckpointer() as checkpointer:
    checkpointer.save(path, state, force=True)
"""
)


@pytest.fixture
def written(tmp_path: Path) -> Written:
    from safetensors.numpy import save_file

    save_file(TENSORS, tmp_path / "torch.safetensors")
    (tmp_path / "layout.json").write_text(json.dumps(DESCRIBED))
    return convert_checkpoint(
        tmp_path / "torch.safetensors", tmp_path / "out.orbax", to="jax.orbax", layout=tmp_path / "layout.json"
    )


def back(path: Path) -> dict[str, np.ndarray]:
    with open_input(path) as opened:
        return {name: tensor.load() for name, tensor in find_state_dict(opened).tensors.items()}


def expected() -> str:
    kernel, rest = TENSORS["0.weight"].T, {name: TENSORS[name].tolist() for name in ("0.bias", "1.weight", "1.bias")}
    return "\n".join(
        f"layers.{name} {value}"
        for name, value in (
            ("0.bias", rest["0.bias"]),
            ("0.kernel", kernel.tolist()),
            ("1.bias", rest["1.bias"]),
            ("1.scale", rest["1.weight"]),
        )
    )


def test_orbax_restores_it(written: Written, jax_python: Interpreter, run_python: Callable[..., str]) -> None:
    assert written.format == "jax.orbax"
    assert run_python(jax_python, OWN_WAY, written.output).strip() == expected()
    loaded = f"{HEAD}\n{written.load}\nshown()\n"
    assert run_python(jax_python, loaded, written.output).strip() == expected()
    assert verify(written.output).differences == []


def test_it_comes_back(written: Written) -> None:
    found = back(written.output)
    assert found.keys() == TENSORS.keys()
    assert all((found[name] == TENSORS[name]).all() for name in TENSORS)


def test_what_orbax_saved_comes_back_sharded_too(
    written: Written, jax_python: Interpreter, run_python: Callable[..., str]
) -> None:
    run_python(jax_python, TRAINED, written.output)
    assert (written.output / "manifest.ocdbt").is_file()
    found = back(written.output)
    assert (found["0.weight"] == np.arange(12.0, dtype=np.float32).reshape(4, 3).T).all()
    assert found["1.bias"].tolist() == [1.0, 1.0, 1.0]
    with open_checkpoint(written.output) as opened:  # as it is, without the manifest
        assert opened.tree.keys() == {"layers.0.kernel", "layers.0.bias", "layers.1.scale", "layers.1.bias"}
    manifest, data = written.output / "manifest.ocdbt", written.output.glob("**/d/*")
    for damaged in ([*data], [manifest]):
        for path in damaged:
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        with pytest.raises(Unusable, match="cannot be read"):
            back(written.output)


@pytest.mark.parametrize(
    ("change", "said"),
    {
        "no array": (lambda path: shutil.rmtree(path / "layers.0.kernel.value"), "has no folder"),
        "no chunk": (lambda path: (path / "layers.0.kernel.value" / "0.0").unlink(), "No such file"),
        "half a chunk": (lambda path: (path / "layers.0.kernel.value" / "0.0").write_bytes(b"1234"), "needs 48"),
        "no shape": (lambda path: (path / "layers.0.bias.value" / ".zarray").write_text("{}"), "no shape and chunks"),
        "half a tree": (lambda path: (path / "_METADATA").write_text('{"tree_metadata"'), "is no JSON"),
        "no tree": (lambda path: (path / "_METADATA").write_text("[]"), "has no tree_metadata"),
    }.values(),
    ids=["no array", "no chunk", "half a chunk", "no shape", "half a tree", "no tree"],
)
def test_what_is_damaged(change: Callable[[Path], object], said: str, written: Written) -> None:
    change(written.output)
    with pytest.raises(Unusable, match=said):
        back(written.output)


def test_a_folder_of_steps(written: Written, tmp_path: Path) -> None:
    shutil.copytree(written.output, tmp_path / "run" / "7")
    with pytest.raises(Unusable, match="several items") as error:
        open_checkpoint(tmp_path / "run")
    assert "run/7" in error.value.mend
