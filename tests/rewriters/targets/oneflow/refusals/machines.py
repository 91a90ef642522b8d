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


@probe("OneFlow 0.9 ends the process where memory runs out, with nothing to catch; ask for less")
def memory(names: list[str]) -> None:
    ran = python("import oneflow\ntry:\n    oneflow.empty(10**15)\nexcept BaseException:\n    print('caught')\n")
    assert ran.returncode < 0
    assert "allocate failed" in ran.stderr
    assert "caught" not in ran.stdout


@probe("OneFlow 0.9 has no exception of devices; catch Exception")
def exceptions(names: list[str]) -> None:
    raised = [name for name, value in vars(oneflow).items() if inspect.isclass(value) and issubclass(value, Exception)]
    assert raised == []
    fails(RuntimeError, lambda: oneflow.device("nowhere"), "Expected one of")
    x = oneflow.ones(2).requires_grad_().detach()
    fails(OwnError, lambda: x.sum().backward(), "does not require grad")  # whatever went wrong below


@probe("OneFlow 0.9 knows the devices cpu and cuda; use x.cuda() or x.cpu()")
def devices(names: list[str]) -> None:
    for name in names:
        fails(RuntimeError, lambda name=name: oneflow.device(name.rpartition(".")[2]), "Expected one of cpu, cuda")
    x = oneflow.ones(2)
    assert x.cpu().device == oneflow.device("cpu")
    assert callable(x.cuda)


@probe("OneFlow 0.9 has a module for one kind of device: oneflow.cuda; name it")
def module_of_devices(names: list[str]) -> None:
    assert inspect.ismodule(oneflow.cuda)
    assert not hasattr(oneflow, "cpu")
    assert not hasattr(oneflow, "xpu")


@probe("OneFlow 0.9 makes tensors on the CPU where no device is given; pass device= to each")
def default_device(names: list[str]) -> None:
    assert oneflow.ones(2).device == oneflow.device("cpu")
    assert oneflow.ones(2, device="cpu").device == oneflow.device("cpu")


@probe(
    "OneFlow 0.9 orders work on a GPU by itself and shows no streams or events; leave them out, and time between calls "
    "of oneflow.cuda.synchronize()",
    namesakes=("Event",),
)
def streams(names: list[str]) -> None:
    assert named(oneflow.cuda, "stream", "event") == []
    assert isinstance(oneflow.multiprocessing.Event.__self__, multiprocessing.context.BaseContext)  # Python's
    assert oneflow.cuda.synchronize() is None


@probe(
    "OneFlow 0.9 captures no calls into a graph; write them as the build of a oneflow.nn.Graph", namesakes=("graph",)
)
def graphs(names: list[str]) -> None:
    assert inspect.ismodule(oneflow.nn.graph)
    assert inspect.ismodule(oneflow.autograd.graph)
    assert named(oneflow.cuda, "graph") == []

    class Doubled(oneflow.nn.Graph):
        def build(self, x):
            return x * 2

    close(Doubled()(oneflow.ones(2)), [2, 2])


@probe(
    "OneFlow 0.9 lets nobody choose how memory is allocated; leave it out, and give unused memory back by "
    "oneflow.cuda.empty_cache()"
)
def allocator(names: list[str]) -> None:
    assert named(oneflow.cuda, "alloc", "pool", "memory", "ipc") == []
    assert oneflow.cuda.empty_cache() is None


@probe("OneFlow 0.9 does not measure a GPU's memory or load; ask nvidia-smi")
def load(names: list[str]) -> None:
    assert named(oneflow.cuda, "memory", "stats", "util", "temperature", "power", "clock", "process") == []


@probe("OneFlow 0.9 does not show CUDA's own runtime and handles; load the library with ctypes.CDLL(...)")
def runtime(names: list[str]) -> None:
    assert named(oneflow.cuda, "cudart", "handle", "check") == []
    assert callable(ctypes.CDLL(None).getenv)


@probe("how torch was built; of OneFlow oneflow.sysconfig tells")
def built(names: list[str]) -> None:
    assert oneflow.sysconfig.with_cuda()
    assert oneflow.sysconfig.get_cuda_version() == 11070
    assert "-D_GLIBCXX_USE_CXX11_ABI=0" in oneflow.sysconfig.get_compile_flags()


@probe("OneFlow 0.9 has no such question; compare oneflow.cuda.get_device_capability() with what is needed")
def capabilities(names: list[str]) -> None:
    assert named(oneflow.cuda, "support", "peer") == []
    assert "device" in inspect.signature(oneflow.cuda.get_device_capability).parameters


@probe("OneFlow 0.9 does not tell where it waits for a GPU; leave it out")
def waits(names: list[str]) -> None:
    assert named(oneflow.cuda, "sync") == ["synchronize"]


@probe(
    "OneFlow 0.9 has no block in which another GPU is the current one; call oneflow.cuda.set_device(...), or pass "
    "device= to each tensor",
    namesakes=("device",),
)
def current_device(names: list[str]) -> None:
    assert not hasattr(oneflow.device, "__enter__")  # of what a tensor is on
    assert list(inspect.signature(oneflow.cuda.set_device).parameters) == ["device"]
    assert oneflow.ones(2, device="cpu").device.type == "cpu"


@probe(
    "OneFlow 0.9 does not show the generators of GPUs; give what draws one of its own, oneflow.Generator('cuda'), and "
    "seed that by manual_seed(...)",
    namesakes=("get_rng_state", "initial_seed", "set_rng_state"),
)
def generators(names: list[str]) -> None:
    assert named(oneflow.cuda, "rng", "seed") == ["manual_seed", "manual_seed_all"]
    # these take no device
    assert list(inspect.signature(oneflow.get_rng_state).parameters) == []
    assert list(inspect.signature(oneflow.initial_seed).parameters) == []
    assert list(inspect.signature(oneflow.set_rng_state).parameters) == ["state"]
    generator = oneflow.Generator("cpu")
    drawn = [oneflow.rand(3, generator=generator.manual_seed(3)) for _ in range(2)]
    close(*drawn)


@probe("OneFlow 0.9 has ranges that close in order alone: oneflow.profiler.range_push and range_pop")
def ranges(names: list[str]) -> None:
    assert named(oneflow.profiler, "range", "mark") == ["range_pop", "range_push"]
    oneflow.profiler.range_push("a")
    assert list(inspect.signature(oneflow.profiler.range_pop).parameters) == []  # no range to choose
    oneflow.profiler.range_pop()


@probe(
    "OneFlow 0.9 runs one process for each GPU, so nothing is copied between GPUs of one process; use x.to(device), or "
    "oneflow.comm between processes",
    namesakes=("broadcast", "gather", "scatter"),
)
def copies(names: list[str]) -> None:
    # those of oneflow.comm are between processes, and oneflow.gather and scatter are of one tensor's elements
    assert list(inspect.signature(oneflow.comm.broadcast).parameters) == ["tensor", "src"]
    assert list(inspect.signature(oneflow.comm.gather).parameters) == ["tensor", "gather_list", "dst"]
    assert list(inspect.signature(oneflow.comm.scatter).parameters) == ["tensor", "scatter_list", "src"]
    rows = oneflow.tensor([[1.0, 2.0], [3.0, 4.0]])
    close(oneflow.gather(rows, 0, oneflow.tensor([[1, 0]])), [[3.0, 2.0]])
    close(oneflow.scatter(rows, 0, oneflow.tensor([[1, 0]]), rows), [[1.0, 2.0], [1.0, 4.0]])
    assert rows.to("cpu").device.type == "cpu"


@probe(
    "OneFlow 0.9's profiler is another one: with oneflow.profiler.profile(activities), and "
    "oneflow.profiler.record_function(name) inside it alone",
    namesakes=("profile", "record_function"),
)
def profiler(names: list[str]) -> None:
    assert "activities" in inspect.signature(oneflow.profiler.profile).parameters
    assert callable(oneflow.profiler.record_function)
    within = "import oneflow\nwith oneflow.profiler.record_function('a'):\n    oneflow.ones(2)\n"
    ran = python(within)
    assert ran.returncode == 1
    assert "singleton" in ran.stderr  # there is none outside of a profile


@probe(
    "OneFlow 0.9 has no such decorator; cast in forward and backward yourself, under oneflow.autocast('cuda', "
    "enabled=False)"
)
def casting(names: list[str]) -> None:
    assert named(oneflow.amp, "custom", "fwd") == []
    with oneflow.autocast("cuda", enabled=False):
        assert not oneflow.is_autocast_enabled()
    assert oneflow.ones(2).half().float().dtype == oneflow.float32


@probe("OneFlow 0.9 does not tell, its autocast takes cpu and cuda: compare with these")
def autocast(names: list[str]) -> None:
    fails(RuntimeError, lambda: oneflow.autocast("xpu"), "must be 'cuda' or 'cpu'")
    for device in ("cpu", "cuda"):
        assert type(oneflow.autocast(device)) is oneflow.amp.autocast_mode.autocast


@probe("OneFlow 0.9 has no tensors in oneDNN's formats; leave the call out")
def formats(names: list[str]) -> None:
    assert named(oneflow.Tensor, "mkldnn", "onednn") == []
    assert named(oneflow.backends, "mkldnn") == []


@probe("OneFlow 0.9 does not tell how many threads it has; keep the number that set_num_threads was given")
def threads(names: list[str]) -> None:
    assert named(oneflow, "thread") == ["set_num_threads"]
    assert oneflow.set_num_threads(1) is None


@probe("OneFlow 0.9 has no setting of deterministic kernels, so none to ask for; remove it")
def deterministic(names: list[str]) -> None:
    assert named(oneflow, "determin") == []
    assert not any("DETERMIN" in name for name in os.environ)


@probe("OneFlow 0.9 does not tell how float32 is multiplied; remove the question")
def precision(names: list[str]) -> None:
    assert named(oneflow, "precision", "tf32") == []
    assert named(oneflow.backends.cudnn, "precision", "tf32") == []


@probe("OneFlow 0.9 has no setting of denormal numbers; remove it")
def denormal(names: list[str]) -> None:
    assert named(oneflow, "denorm", "flush") == []
    x = oneflow.tensor([1e-40])
    assert (x * 1).item() > 0  # they are kept, as torch keeps them unless told


@probe("names a device of one's own, of which OneFlow 0.9 has none; remove it")
def own_devices(names: list[str]) -> None:
    fails(RuntimeError, lambda: oneflow.device("privateuseone"), "Expected one of cpu, cuda")


@probe("OneFlow 0.9 shows no stack of C++; where a kernel fails the error says the files: str(error)")
def stacks(names: list[str]) -> None:
    said = []
    try:
        oneflow.ones(2).bfloat16() + 1
    except RuntimeError as error:
        said.append(str(error))
    assert ".cpp" in said[0]
