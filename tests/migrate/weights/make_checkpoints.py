"""Run by an interpreter with torch: writes checkpoints, and for some what torch.load reads from them."""

import argparse
import collections
import io
import json
import os
import sys
import types
import warnings
from pathlib import Path

import torch
import torch.distributed.checkpoint as dcp
from safetensors.torch import save_file
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor

folder = Path(sys.argv[1])
warnings.simplefilter("ignore")


def save_in_two():
    """torch.distributed.checkpoint of tensors that two processes hold parts of; forked before torch has threads."""
    children = []
    for rank in range(2):
        if not (child := os.fork()):
            store = torch.distributed.FileStore(str(folder / "store"), 2)
            torch.distributed.init_process_group("gloo", store=store, rank=rank, world_size=2)
            mesh = init_device_mesh("cpu", (2,))
            rows = torch.arange(35.0).reshape(5, 7)
            tree = {
                "rows": distribute_tensor(rows, mesh, [Shard(0)]),
                "columns": distribute_tensor(rows.bfloat16(), mesh, [Shard(1)]),
                "whole": distribute_tensor(rows, mesh, [Replicate()]),
            }
            dcp.save({"model": tree}, checkpoint_id=folder / "dcp_two")
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]


save_in_two()
(folder / "store").unlink()
torch.manual_seed(0)


def save(name, tree, **options):
    torch.save(tree, folder / name, **options)


def reference(name, pick=lambda tree: tree, weights_only=True):
    """The tensors' bytes in C order, one after another, and an index of them."""
    state = pick(torch.load(folder / name, weights_only=weights_only))
    index, data = [], io.BytesIO()
    for key, tensor in state.items():
        tensor = tensor.detach().resolve_conj().resolve_neg().contiguous()
        index.append({"name": key, "dtype": str(tensor.dtype)[6:], "shape": list(tensor.shape), "at": data.tell()})
        data.write(bytes(tensor.reshape(-1).view(torch.uint8).numpy()) if tensor.numel() else b"")
    (folder / f"{name}.json").write_text(json.dumps(index))
    (folder / f"{name}.bytes").write_bytes(data.getvalue())


# Every dtype.
names = "float16 bfloat16 float32 float64 complex64 complex128 uint8 uint16 uint32 uint64 int8 int16 int32 int64 bool"
names += " float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz"
dtypes = {name: torch.randint(0, 100, (3, 5)).to(getattr(torch, name)) for name in names.split()}
dtypes["float8_e8m0fnu"] = torch.tensor([1.0, 2.0, 0.5]).to(torch.float8_e8m0fnu)
save("dtypes.pt", dtypes)
reference("dtypes.pt")

# Every way that a tensor can lie in its storage.
base = torch.randn(6, 8)
z = torch.randn(3, 4, dtype=torch.complex64)
tied = torch.randn(4, 3)
attributed = torch.randn(3)
attributed.note = "kept beside"
lying = collections.OrderedDict(
    parameter=nn.Parameter(torch.randn(3, 4)),
    view=base[2:4],
    column=base[:, 3],
    transposed=base.t(),
    stepped=base[::2, 1::3],
    expanded=torch.randn(1, 3).expand(4, 3),
    permuted=torch.randn(2, 3, 4, 5).permute(0, 2, 3, 1),
    channels_last=torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last),
    empty=torch.zeros(0, 3),
    scalar=torch.tensor(3.5),
    one=torch.randn(1, 1, 1),
    conj=z.conj(),
    conj_transposed=z.conj().t(),
    neg=z.clone().conj().imag,
    tied_a=tied,
    tied_b=tied,
    attributed=attributed,
    large=torch.randn(700, 800),
)
save("lying.pt", lying)
reference("lying.pt")
save("lying_protocol4.pt", lying, pickle_protocol=4)
reference("lying_protocol4.pt", weights_only=False)  # torch's own safe reader knows protocol 2 only

# The ways people wrap a state_dict.
model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
state = model.state_dict()
optimizer = torch.optim.AdamW(model.parameters())
model(torch.randn(5, 3)).sum().backward()
optimizer.step()
save("plain.pt", state)
reference("plain.pt")
extras = {"epoch": 3, "best": torch.tensor(0.5), "rng": torch.get_rng_state(), "optimizer": optimizer.state_dict()}
save("wrapped.pt", {"model": state, **extras})
reference("wrapped.pt", lambda tree: tree["model"])
lightning = types.ModuleType("absent_package")
lightning.Config = type("Config", (), {"__module__": "absent_package"})
sys.modules["absent_package"] = lightning
save(
    "lightning.pt",
    {
        "state_dict": {f"model.{name}": value for name, value in state.items()},
        "hyper_parameters": argparse.Namespace(lr=0.1),
        "config": lightning.Config(),
        "optimizer_states": [optimizer.state_dict()],
        "callbacks": {},
    },
)
save("gan.pt", {"generator": state, "discriminator": dict(state)})
save("two.pt", {"model": state, "ema": {"model": state | {"extra": torch.ones(2)}}})
save("parallel.pt", {f"module._orig_mod.{name}": value for name, value in state.items()})
save("compiled.pt", {name.replace("0.", "0._orig_mod."): value for name, value in state.items()})
save("own_module.pt", nn.ModuleDict({"module": model}).state_dict())
save("one_tensor.pt", torch.ones(3))
save("whole_module.pt", model)
save("no_tensors.pt", {"epoch": 3})
save("optimizer_only.pt", optimizer.state_dict())
save("escapes.pt", {"model": state, "epoch\x1b[2J": 3})
save("escaped_name.pt", dict(state, **{"bias\x1b[2J": torch.ones(1)}))
save("non_tensors.pt", dict(state, _extra_state=None, note="hello"))

# Tensors of kinds that are not carried.
save("sparse.pt", {"weight": torch.eye(3).to_sparse(), "bias": torch.ones(3)})
save("quantized.pt", {"weight": torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8), "bias": torch.ones(3)})
save("complex_half.pt", {"weight": torch.zeros(2, dtype=torch.complex32)})
save("meta.pt", {"weight": torch.zeros(3, device="meta")})


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.shared = nn.Linear(4, 4, bias=False)
        self.again = self.shared
        self.register_buffer("kept", torch.ones(2))
        self.register_buffer("passing", torch.ones(2), persistent=False)

    def forward(self, x):
        return self.again(self.shared(self.a(x))) + self.kept.sum() + self.passing.sum()


absent = types.ModuleType("absent_models")
absent.Inner, Inner.__module__, Inner.__qualname__ = Inner, "absent_models", "Inner"
sys.modules["absent_models"] = absent
inner = Inner()
save("modules.pt", {"model": inner, "epoch": 3})
save("modules_state.pt", inner.state_dict())
reference("modules_state.pt")

# Before 1.6.
old = {"_use_new_zipfile_serialization": False}
save("legacy.pt", state, **old)
reference("legacy.pt")
save("legacy_lying.pt", lying, **old)
reference("legacy_lying.pt")
few = {name: tensor for name, tensor in dtypes.items() if not name.startswith(("uint16", "uint32", "uint64", "float8"))}
save("legacy_dtypes.pt", few, **old)
reference("legacy_dtypes.pt")
save("legacy_module.pt", model, **old)
save("legacy_quantized.pt", {"weight": torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8)}, **old)

# TorchScript.
torch.jit.save(torch.jit.script(inner), folder / "scripted.pt")
torch.jit.save(torch.jit.trace(inner, torch.ones(1, 3)), folder / "traced.pt")

# Several files.
half = len(state) // 2
for kind in ("bin", "safetensors"):
    shards = folder / f"sharded_{kind}"
    shards.mkdir()
    weight_map = {}
    for number, names in enumerate((list(state)[:half], list(state)[half:]), 1):
        filename = f"model-{number:05}-of-00002.{kind}"
        weight_map |= dict.fromkeys(names, filename)
        part = {name: state[name] for name in names}
        save_file(part, shards / filename) if kind == "safetensors" else torch.save(part, shards / filename)
    (shards / f"model.{kind}.index.json").write_text(json.dumps({"metadata": {}, "weight_map": weight_map}))
save_file(
    {name: tensor.contiguous() for name, tensor in dtypes.items() if "fnuz" not in name and "x128" not in name},
    folder / "dtypes.safetensors",
)

# torch.distributed.checkpoint.
dcp.save({"model": state, "step": 3}, checkpoint_id=folder / "dcp", no_dist=True)

torch.serialization.set_crc32_options(False)
save("no_crc.pt", state)
