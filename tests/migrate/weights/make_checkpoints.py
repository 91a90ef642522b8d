"""Run by an interpreter with torch: writes checkpoints, and for some what torch.load reads from them."""

import argparse
import collections
import io
import json
import sys
import types
from pathlib import Path

import torch
from torch import nn

folder = Path(sys.argv[1])
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

torch.save(state, folder / "legacy.pt", _use_new_zipfile_serialization=False)
torch.serialization.set_crc32_options(False)
save("no_crc.pt", state)
