"""Asking whether something is of a class of which only torch makes objects: nothing is one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "asked for": """
        import torch
        import torch.fx
        from torch.distributed.tensor import DTensor


        def f(x: "torch.Tensor | DTensor") -> int | torch.IntTensor | None:
            if isinstance(x, torch.fx.Proxy) or isinstance(x, (int, DTensor)):
                return 0
            return x + 1


        show(f(torch.ones(2)), f(3), isinstance(3, torch.SymInt), isinstance(torch.ones(1), (torch.Tensor, DTensor)))
    """,
    "bound in one of two ways": """
        import torch
        import sys

        if sys.version_info < (3, 0):
            from torch.nn.attention.flex_attention import BlockMask
        else:
            BlockMask = torch.Tensor


        def f(mask: torch.Tensor | BlockMask | None) -> BlockMask:
            return mask if isinstance(mask, (torch.Tensor, BlockMask)) else torch.zeros(1)


        show(f(torch.ones(2)), f(None))
    """,
    "bound to a class of another name": """
        import sys
        import torch

        if sys.version_info >= (3, 0):
            from torch.nn import ModuleList
        else:
            ModuleList = str


        def f(x: "ModuleList") -> bool:
            return isinstance(x, ModuleList)


        show(f(torch.nn.ModuleList([])), f(torch.nn.Identity()))
    """,
    "placements": """
        import torch
        from torch.distributed.tensor import Replicate, Shard


        class Style:
            def __init__(self, inputs=None):
                self.inputs = inputs or Replicate()


        STYLES = {"rows": Style(Shard(0)), "all": Style()}
        show(sorted(STYLES))
    """,
    "what other makers' devices say": """
        import torch
        show(torch.xpu.is_available(), torch.xpu.device_count())
        show(torch.backends.mps.is_available() and torch.backends.mps.is_built(), torch.mps.is_available())
        show(torch.is_vulkan_available(), torch.version.hip is not None, torch.version.xpu)
    """,
    "the CUDA that it was built for": """
        import torch
        from torch.version import cuda
        told = torch.version.cuda
        show(told is None or told.count(".") == 1, (cuda or "9.0").split(".")[0] >= "1", told == cuda)
        if told is not None and float(torch.version.cuda) < 9:
            show("old")
    """,
    "reductions between processes": """
        import torch
        import torch.distributed as dist
        from torch.distributed import ReduceOp, reduce_op


        def joined(x, op=dist.ReduceOp.SUM):
            if dist.is_available() and dist.is_initialized():
                dist.all_reduce(x, op=op)
            return x


        show(joined(torch.ones(2)), joined(torch.ones(2), ReduceOp.MAX), joined(torch.ones(2), op=reduce_op.SUM))
        show([op == dist.ReduceOp.SUM for op in (reduce_op.SUM, ReduceOp.MIN)])
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(program, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_a_device_without_memory(agrees: Callable[..., object], target: str) -> None:
    program = """
        import torch
        name = "cpu"
        device = torch.device(name)
        show(device == torch.device("meta"), torch.device("meta") != torch.device("cpu"))
    """
    agrees(program, target)


def test_autocast_is_asked_for(agrees: Callable[..., object]) -> None:
    program = """
        import torch


        def f(kind: str) -> bool:
            return torch.is_autocast_enabled(kind)


        show(torch.is_autocast_enabled(), torch.is_autocast_enabled("cpu"), f("cuda"), f("cpu"))
        show(torch.is_autocast_cpu_enabled(), torch.get_autocast_dtype("cpu") == torch.bfloat16)
        show(torch.get_autocast_gpu_dtype() == torch.float16, torch.get_autocast_cpu_dtype() == torch.bfloat16)
    """
    agrees(program, "oneflow")
