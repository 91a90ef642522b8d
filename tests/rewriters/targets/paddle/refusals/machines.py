"""GPUs, streams, allocators, how Paddle was built, and settings. On a CPU: what needs a GPU is only looked up."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys

import paddle
from probing import fails, probe


@probe()
def allocator(names: list[str]) -> None:
    flags = ["FLAGS_allocator_strategy", "FLAGS_fraction_of_gpu_memory_to_use"]
    # as run.py sets them before Paddle is imported
    assert paddle.get_flags(flags) == {flags[0]: "naive_best_fit", flags[1]: 0.25}
    graph = paddle.device.cuda.graphs.CUDAGraph
    assert "pool_id" in inspect.signature(graph).parameters
    fails(AssertionError, lambda: graph(), "compiled with NVIDIA GPU")


@probe()
def handles(names: list[str]) -> None:
    shown = [name for name in (*dir(paddle.device.cuda), *dir(paddle.cuda)) if "handle" in name or "blas" in name]
    assert shown == []
    assert callable(paddle.utils.cpp_extension.load)


@probe()
def built(names: list[str]) -> None:
    assert paddle.version.full_version == "3.3.1"
    assert paddle.version.cuda() == "False"
    assert os.path.isdir(paddle.sysconfig.get_include())


@probe()
def logs(names: list[str]) -> None:
    code = "import paddle; paddle.ones([1]) + 1"
    given = {**os.environ, "GLOG_v": "4"}
    ran = subprocess.run([sys.executable, "-c", code], env=given, capture_output=True, text=True, check=True)
    assert len(ran.stderr.splitlines()) > 20
    fails(AttributeError, lambda: paddle.distributed.get_debug_level())
