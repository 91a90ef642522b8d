"""GPUs, streams, allocators, how Paddle was built, and settings. On a CPU: what needs a GPU is only looked up."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys

import paddle
from probing import fails, probe


@probe(
    "Paddle's allocator is set by the environment (FLAGS_allocator_strategy, FLAGS_fraction_of_gpu_memory_to_use), and "
    "its graphs have their own memory (paddle.device.cuda.graphs.CUDAGraph); leave the call out or say it so"
)
def allocator(names: list[str]) -> None:
    flags = ["FLAGS_allocator_strategy", "FLAGS_fraction_of_gpu_memory_to_use"]
    # as run.py sets them before Paddle is imported
    assert paddle.get_flags(flags) == {flags[0]: "naive_best_fit", flags[1]: 0.25}
    graph = paddle.device.cuda.graphs.CUDAGraph
    assert "pool_id" in inspect.signature(graph).parameters
    fails(AssertionError, lambda: graph(), "compiled with NVIDIA GPU")


@probe(
    "Paddle does not show the handles of cuBLAS and cuSOLVER; an operator of your own in C++ makes its own "
    "(paddle.utils.cpp_extension)"
)
def handles(names: list[str]) -> None:
    shown = [name for name in (*dir(paddle.device.cuda), *dir(paddle.cuda)) if "handle" in name or "blas" in name]
    assert shown == []
    assert callable(paddle.utils.cpp_extension.load)


@probe("Paddle does not name the default stream; keep paddle.device.current_stream() before another one is entered")
def default_stream(names: list[str]) -> None:
    assert not any("default" in name for name in (*dir(paddle.cuda), *dir(paddle.device.cuda)))
    fails(TypeError, lambda: paddle.device.current_stream(), "gpu")
    assert "device" in inspect.signature(paddle.device.current_stream).parameters


@probe("Paddle has ranges that close in order alone: paddle.cuda.nvtx.range_push and range_pop")
def ranges(names: list[str]) -> None:
    assert {name for name in dir(paddle.cuda.nvtx) if name.startswith("range")} == {"range_push", "range_pop"}
    assert list(inspect.signature(paddle.cuda.nvtx.range_push).parameters) == ["msg"]
    assert list(inspect.signature(paddle.cuda.nvtx.range_pop).parameters) == []  # no range to choose


@probe("how torch was built; of Paddle paddle.version and paddle.sysconfig tell")
def built(names: list[str]) -> None:
    assert paddle.version.full_version == "3.3.1"
    assert paddle.version.cuda() == "False"
    assert os.path.isdir(paddle.sysconfig.get_include())


@probe(
    "Paddle does not tell how many threads it has; keep the number that set_num_threads or OMP_NUM_THREADS was given"
)
def threads(names: list[str]) -> None:
    core = paddle.base.core
    assert [name for name in dir(core) if "num_threads" in name] == ["set_num_threads"]
    before = paddle.get_flags("FLAGS_paddle_num_threads")
    core.set_num_threads(3)
    assert paddle.get_flags("FLAGS_paddle_num_threads") == before  # the flag is not the number
    core.set_num_threads(1)


@probe(
    "Paddle's public functions do not tell how float32 is multiplied; the environment's NVIDIA_TF32_OVERRIDE decides, "
    "read os.environ"
)
def precision(names: list[str]) -> None:
    assert [name for name in dir(paddle) if "precision" in name or "tf32" in name] == []
    # cuBLAS and cuDNN read the variable themselves; Paddle's flag of the kind cannot be read
    fails(ValueError, lambda: paddle.get_flags("FLAGS_cudnn_allow_tf32"), "cannot get its value")


@probe(
    "names a device of one's own; Paddle's custom devices are plugins with a name: "
    "paddle.device.get_all_custom_device_type()"
)
def own_devices(names: list[str]) -> None:
    assert paddle.device.get_all_custom_device_type() in ([], None)  # no plugin is installed
    fails(ValueError, lambda: paddle.set_device("my_device"))


@probe("Paddle's logs are set by the environment's GLOG_v, a number; read os.environ")
def logs(names: list[str]) -> None:
    code = "import paddle; paddle.ones([1]) + 1"
    given = {**os.environ, "GLOG_v": "4"}
    ran = subprocess.run([sys.executable, "-c", code], env=given, capture_output=True, text=True, check=True)
    assert len(ran.stderr.splitlines()) > 20
    fails(AttributeError, lambda: paddle.distributed.get_debug_level())
