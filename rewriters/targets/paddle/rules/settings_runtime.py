"""Settings of the running program: determinism, threads, generators; what guards torch's files; downloads."""

import contextlib
import hashlib
import os
import shutil
import tempfile
import urllib.request

import paddle
import torch

from rewriters.rule import rule

# 0: anything goes; 1: what is deterministic where there is a choice, without an error; 2: the same
deterministic = {"mode": 0}


@rule(torch.set_deterministic_debug_mode)
def set_deterministic_debug_mode(debug_mode):
    names = {"default": 0, "warn": 1, "error": 2}
    deterministic["mode"] = names.get(debug_mode, debug_mode)
    if paddle.is_compiled_with_cuda():
        on = int(deterministic["mode"] > 0)
        paddle.set_flags({"FLAGS_cudnn_deterministic": on, "FLAGS_embedding_deterministic": on})


@rule(torch.use_deterministic_algorithms)
def use_deterministic_algorithms(mode, *, warn_only=False):
    # Paddle raises nothing where an operator has no deterministic way
    set_deterministic_debug_mode((1 if warn_only else 2) if mode else 0)


@rule(torch.get_deterministic_debug_mode)
def get_deterministic_debug_mode():
    return deterministic["mode"]


@rule(torch.are_deterministic_algorithms_enabled)
def are_deterministic_algorithms_enabled():
    return deterministic["mode"] > 0


@rule(torch.is_deterministic_algorithms_warn_only_enabled)
def is_deterministic_algorithms_warn_only_enabled():
    return deterministic["mode"] == 1


@rule(torch.set_num_threads)
def set_num_threads(num):
    # those of the mathematical library; OpenMP's are the environment's OMP_NUM_THREADS
    return paddle.base.core.set_num_threads(num)


@rule(torch.set_num_interop_threads)
def set_num_interop_threads(num):
    # Paddle's operators run one after another
    pass


@rule(torch.get_num_interop_threads)
def get_num_interop_threads():
    return 1


@rule(torch.init_num_threads)
def init_num_threads():
    pass


@rule(torch.thread_safe_generator)
def thread_safe_generator():
    # Paddle's loaders work in processes, and in those torch has none either
    return None


@rule(
    torch.nn.functional.has_torch_function_unary,
    torch.nn.functional.has_torch_function_variadic,
)
def has_torch_function_variadic(*tensors):
    # Paddle's functions ask no argument for an implementation of its own
    return False


@rule(torch.nn.functional.has_torch_function)
def has_torch_function(tensors):
    return False


@rule(torch.set_flush_denormal)
def set_flush_denormal(mode):
    # as torch on a processor that cannot
    return False


@rule(torch.random.fork_rng)
class fork_rng:
    """After it the generators are as they were before."""

    def __init__(self, devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type="cuda"):
        self.enabled = enabled

    def __enter__(self):
        self.states = paddle.get_rng_state()
        self.cuda_states = paddle.get_cuda_rng_state() if paddle.is_compiled_with_cuda() else None

    def __exit__(self, *failure):
        if self.enabled:
            paddle.set_rng_state(self.states)
            if self.cuda_states is not None:
                paddle.set_cuda_rng_state(self.cuda_states)


@rule(torch.hub.download_url_to_file)
def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    dst = os.path.expanduser(dst)
    digest = hashlib.sha256()
    with urllib.request.urlopen(url) as answer, tempfile.NamedTemporaryFile(delete=False) as part:
        while block := answer.read(1 << 20):
            part.write(block)
            digest.update(block)
    if hash_prefix is not None and not digest.hexdigest().startswith(hash_prefix):
        os.remove(part.name)
        raise RuntimeError(f'invalid hash value (expected "{hash_prefix}", got "{digest.hexdigest()}")')
    shutil.move(part.name, dst)


# paddle.load reads pickles without asking which classes are safe, in the order of bytes of this machine.


@rule(
    torch.serialization.add_safe_globals,
    torch.serialization.set_default_load_endianness,
    torch.serialization.set_default_mmap_options,
    torch.serialization.set_crc32_options,
)
def set_of_files(setting):
    pass


@rule(torch.serialization.clear_safe_globals)
def clear_safe_globals():
    pass


@rule(torch.serialization.get_safe_globals)
def get_safe_globals():
    return []


@rule(torch.serialization.safe_globals)
def safe_globals(safe_globals):
    return contextlib.nullcontext()


# Between processes Paddle hands tensors over in shared memory that is a file.


@rule(torch.multiprocessing.set_sharing_strategy)
def set_sharing_strategy(new_strategy):
    pass


@rule(torch.multiprocessing.get_sharing_strategy)
def get_sharing_strategy():
    return "file_system"


@rule(torch.multiprocessing.get_all_sharing_strategies)
def get_all_sharing_strategies():
    return {"file_system"}


@rule(torch.multiprocessing.init_reductions)
def init_reductions():
    return paddle.incubate.multiprocessing.init_reductions()


@rule(torch.is_warn_always_enabled)
def is_warn_always_enabled():
    return False
