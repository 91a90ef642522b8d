"""Settings of the running program, promotion of dtypes, what steers compilers."""

import torch


def deterministic():
    torch.use_deterministic_algorithms(True)
    first = torch.are_deterministic_algorithms_enabled(), torch.get_deterministic_debug_mode()
    torch.use_deterministic_algorithms(True, warn_only=True)
    second = torch.is_deterministic_algorithms_warn_only_enabled()
    torch.set_deterministic_debug_mode("error")
    third = torch.get_deterministic_debug_mode()
    torch.use_deterministic_algorithms(False)
    return first, second, third, torch.are_deterministic_algorithms_enabled()


def threads(a0: "float32[3]"):
    torch.set_num_threads(1)
    return a0 * 2


def forked(a0: "float32[3]"):
    torch.manual_seed(3)
    with torch.random.fork_rng():
        torch.rand(5)
    first = torch.rand(3)
    torch.manual_seed(3)
    return first - torch.rand(3)


def promoted():
    return (
        torch.promote_types(torch.int32, torch.float16) == torch.float16,
        torch.promote_types(torch.uint8, torch.int8) == torch.int16,
        torch.promote_types(torch.uint8, torch.int64) == torch.int64,
        torch.promote_types(torch.bool, torch.uint8) == torch.uint8,
        torch.promote_types(torch.float16, torch.bfloat16) == torch.float32,
        torch.promote_types(torch.float32, torch.bfloat16) == torch.float32,
        torch.promote_types(torch.float64, torch.complex64) == torch.complex128,
        torch.promote_types(torch.float32, torch.complex64) == torch.complex64,
        torch.promote_types(torch.int64, torch.complex64) == torch.complex64,
        torch.promote_types(torch.int32, torch.int64) == torch.int64,
    )


def cast():
    return (
        torch.can_cast(torch.float32, torch.int32),
        torch.can_cast(torch.float64, torch.float16),
        torch.can_cast(torch.int64, torch.bool),
        torch.can_cast(torch.int64, torch.uint8),
        torch.can_cast(torch.complex64, torch.float32),
        torch.can_cast(torch.bool, torch.complex64),
    )


def results(a0_: "float32[3]"):
    return (
        torch.result_type(a0_, torch.tensor(1.0, dtype=torch.float64)) == torch.float32,
        torch.result_type(torch.tensor([1, 2], dtype=torch.int32), 1.0) == torch.float32,
        torch.result_type(torch.tensor([1, 2], dtype=torch.int32), torch.tensor(1)) == torch.int32,
        torch.result_type(torch.tensor([1, 2]), a0_) == torch.float32,
        torch.result_type(a0_, 1j) == torch.complex64,
        torch.result_type(1, 2.5) == torch.float32,
        torch.result_type(torch.tensor(1, dtype=torch.int32), 5) == torch.int32,
        torch.result_type(torch.tensor(True), 5) == torch.int64,
    )


def default_type():
    torch.set_default_tensor_type("torch.DoubleTensor")
    first = torch.zeros(2).dtype == torch.float64
    torch.set_default_tensor_type(torch.FloatTensor)
    return first, torch.zeros(2).dtype == torch.float32


def compiled(a0: "float32[3]"):
    torch.compiler.reset()
    torch.compiler.cudagraph_mark_step_begin()

    @torch.compiler.allow_in_graph
    def double(x):
        return x * 2

    @torch.compiler.wrap_numpy
    def shifted(x):
        return x + 1

    torch.compiler.set_stance("force_eager")
    torch.compiler.set_stance("default")
    with torch.jit.optimized_execution(False):
        out = double(a0)
    return out, shifted(a0.detach())


def asynchronous(a0: "float32[3]"):
    future = torch.jit.fork(torch.sin, a0)
    return torch.jit.wait(future)


def of_files():
    torch.serialization.add_safe_globals([set])
    torch.serialization.clear_safe_globals()
    with torch.serialization.safe_globals([dict]):
        pass
    return len(torch.serialization.get_safe_globals())


def shared():
    torch.multiprocessing.set_sharing_strategy("file_system")
    return torch.multiprocessing.get_sharing_strategy()


def memory_error():
    try:
        raise torch.OutOfMemoryError("full")
    except torch.cuda.OutOfMemoryError as error:
        return str(error)
