"""GPUs, streams, allocators, profiling, how OneFlow was built. On a CPU: what needs a GPU is only looked up."""

from __future__ import annotations

import ctypes
import inspect
import multiprocessing
import os

import oneflow
import oneflow.sysconfig
from framework import OwnError, named, python
from probing import close, fails, probe


@probe()
def memory(names: list[str]) -> None:
    ran = python("import oneflow\ntry:\n    oneflow.empty(10**15)\nexcept BaseException:\n    print('caught')\n")
    assert ran.returncode < 0
    assert "allocate failed" in ran.stderr
    assert "caught" not in ran.stdout


@probe()
def exceptions(names: list[str]) -> None:
    raised = [name for name, value in vars(oneflow).items() if inspect.isclass(value) and issubclass(value, Exception)]
    assert raised == []
    fails(RuntimeError, lambda: oneflow.device("nowhere"), "Expected one of")
    x = oneflow.ones(2).requires_grad_().detach()
    fails(OwnError, lambda: x.sum().backward(), "does not require grad")  # whatever went wrong below


@probe()
def devices(names: list[str]) -> None:
    for name in names:
        fails(RuntimeError, lambda name=name: oneflow.device(name.rpartition(".")[2]), "Expected one of cpu, cuda")
    x = oneflow.ones(2)
    assert x.cpu().device == oneflow.device("cpu")
    assert callable(x.cuda)


@probe(namesakes=("Event",))
def streams(names: list[str]) -> None:
    assert named(oneflow.cuda, "stream", "event") == []
    assert isinstance(oneflow.multiprocessing.Event.__self__, multiprocessing.context.BaseContext)  # Python's
    assert oneflow.cuda.synchronize() is None


@probe(namesakes=("graph",))
def graphs(names: list[str]) -> None:
    assert inspect.ismodule(oneflow.nn.graph)
    assert inspect.ismodule(oneflow.autograd.graph)
    assert named(oneflow.cuda, "graph") == []

    class Doubled(oneflow.nn.Graph):
        def build(self, x):
            return x * 2

    close(Doubled()(oneflow.ones(2)), [2, 2])


@probe()
def runtime(names: list[str]) -> None:
    assert named(oneflow.cuda, "cudart", "handle", "check") == []
    assert callable(ctypes.CDLL(None).getenv)


@probe(namesakes=("device",))
def current_device(names: list[str]) -> None:
    assert not hasattr(oneflow.device, "__enter__")  # of what a tensor is on
    assert list(inspect.signature(oneflow.cuda.set_device).parameters) == ["device"]
    assert oneflow.ones(2, device="cpu").device.type == "cpu"


@probe(namesakes=("get_rng_state", "initial_seed", "set_rng_state"))
def generators(names: list[str]) -> None:
    assert named(oneflow.cuda, "rng", "seed") == ["manual_seed", "manual_seed_all"]
    # these take no device
    assert list(inspect.signature(oneflow.get_rng_state).parameters) == []
    assert list(inspect.signature(oneflow.initial_seed).parameters) == []
    assert list(inspect.signature(oneflow.set_rng_state).parameters) == ["state"]
    generator = oneflow.Generator("cpu")
    drawn = [oneflow.rand(3, generator=generator.manual_seed(3)) for _ in range(2)]
    close(*drawn)


@probe()
def ranges(names: list[str]) -> None:
    assert named(oneflow.profiler, "range", "mark") == ["range_pop", "range_push"]
    oneflow.profiler.range_push("a")
    assert list(inspect.signature(oneflow.profiler.range_pop).parameters) == []  # no range to choose
    oneflow.profiler.range_pop()


@probe(namesakes=("broadcast", "gather", "scatter"))
def copies(names: list[str]) -> None:
    # those of oneflow.comm are between processes, and oneflow.gather and scatter are of one tensor's elements
    assert list(inspect.signature(oneflow.comm.broadcast).parameters) == ["tensor", "src"]
    assert list(inspect.signature(oneflow.comm.gather).parameters) == ["tensor", "gather_list", "dst"]
    assert list(inspect.signature(oneflow.comm.scatter).parameters) == ["tensor", "scatter_list", "src"]
    rows = oneflow.tensor([[1.0, 2.0], [3.0, 4.0]])
    close(oneflow.gather(rows, 0, oneflow.tensor([[1, 0]])), [[3.0, 2.0]])
    close(oneflow.scatter(rows, 0, oneflow.tensor([[1, 0]]), rows), [[1.0, 2.0], [1.0, 4.0]])
    assert rows.to("cpu").device.type == "cpu"


@probe(namesakes=("profile", "record_function"))
def profiler(names: list[str]) -> None:
    assert "activities" in inspect.signature(oneflow.profiler.profile).parameters
    assert callable(oneflow.profiler.record_function)
    within = "import oneflow\nwith oneflow.profiler.record_function('a'):\n    oneflow.ones(2)\n"
    ran = python(within)
    assert ran.returncode == 1
    assert "singleton" in ran.stderr  # there is none outside of a profile


@probe()
def casting(names: list[str]) -> None:
    assert named(oneflow.amp, "custom", "fwd") == []
    with oneflow.autocast("cuda", enabled=False):
        assert not oneflow.is_autocast_enabled()
    assert oneflow.ones(2).half().float().dtype == oneflow.float32


@probe()
def autocast(names: list[str]) -> None:
    fails(RuntimeError, lambda: oneflow.autocast("xpu"), "must be 'cuda' or 'cpu'")
    for device in ("cpu", "cuda"):
        assert type(oneflow.autocast(device)) is oneflow.amp.autocast_mode.autocast


@probe()
def deterministic(names: list[str]) -> None:
    assert named(oneflow, "determin") == []
    assert not any("DETERMIN" in name for name in os.environ)


@probe()
def denormal(names: list[str]) -> None:
    assert named(oneflow, "denorm", "flush") == []
    x = oneflow.tensor([1e-40])
    assert (x * 1).item() > 0  # they are kept, as torch keeps them unless told


@probe()
def stacks(names: list[str]) -> None:
    said = []
    try:
        oneflow.ones(2).bfloat16() + 1
    except RuntimeError as error:
        said.append(str(error))
    assert ".cpp" in said[0]
