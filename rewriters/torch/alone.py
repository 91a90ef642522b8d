"""Classes of which only torch's own machinery makes objects: where that has no counterpart, nothing is one."""

from __future__ import annotations

PACKAGES = (
    "torch.fx",
    "torch.export",
    "torch.package",
    "torch.distributed.tensor",
    "torch.distributed._tensor",
    "torch.distributed.fsdp",
    "torch.nn.attention.flex_attention",
    "torch._subclasses",
    "torch._dynamo",
    "torch.futures",
)
SYMBOLS = ("torch.SymInt", "torch.SymFloat", "torch.SymBool", "torch.Future", "torch.autograd.profiler.Future")
# Made by calling them alone: where that is refused, no program gets one.
WRAPPERS = ("torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel")
PLACEMENTS = ("torch.distributed.tensor.", "torch.distributed._tensor.")


def made_alone(name: str) -> bool:
    """Whether a class is of that kind."""
    return name in SYMBOLS or name in WRAPPERS or name.startswith(tuple(f"{package}." for package in PACKAGES))


def is_placement(name: str) -> bool:
    """Whether objects of a class only say where parts of a tensor lie, to torch's own distributed tensors."""
    return name.startswith(PLACEMENTS) and name.rpartition(".")[2] in {"Replicate", "Shard", "Partial"}
