"""What is called: torch's public, documented callables, each under the names by which torch itself knows it.

Needs torch in its interpreter.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

FUNCTIONS = {
    "torch": "torch",
    "torch.nn.functional": "nn.functional",
    "torch.linalg": "linalg",
    "torch.fft": "fft",
    "torch.special": "special",
    "torch.nn.init": "nn.init",
    "torch.signal.windows": "windows",
    "torch.nn.utils": "nn.utils",
    "torch.nn.utils.rnn": "nn.utils",
}
"""Module -> the family under which its functions are counted."""

FAMILIES = (
    "torch", "Tensor", "nn.functional", "nn", "linalg", "fft", "special", "optim", "lr_scheduler", "nn.init",
    "nn.utils", "windows", "foreach",
)  # fmt: skip

# What changes the process, asks the machine, or reads what no program of one call has at hand.
LEFT_OUT = frozenset(
    """
    compile export load save set_default_device set_default_dtype set_default_tensor_type
    set_deterministic_debug_mode set_float32_matmul_precision set_num_interop_threads set_num_threads
    set_printoptions set_warn_always seed use_deterministic_algorithms set_rng_state get_rng_state initial_seed
    get_num_threads get_num_interop_threads set_flush_denormal unify_type_list import_ir_module
    import_ir_module_from_buffer parse_ir parse_schema from_file cuda xpu mtia ipu hpu npu record_stream
    share_memory_ is_shared storage untyped_storage typed_storage data_ptr register_hook
    register_post_accumulate_grad_hook backward apply_ map_ map2_ module_load retain_grad as_subclass vmap cond
    while_loop thread_safe_generator typename get_device_module get_file_path set_grad_enabled handle_torch_function
    has_torch_function has_torch_function_unary has_torch_function_variadic boolean_dispatch assert_int_or_pair
    prepare_multiprocessing_environment fork wait autocast_increment_nesting autocast_decrement_nesting
    clear_autocast_cache set_autocast_enabled set_autocast_cache_enabled reinforce get_deterministic_debug_mode
    are_deterministic_algorithms_enabled is_deterministic_algorithms_warn_only_enabled
    sym_ite sym_fresh_size sym_float sym_int sym_max sym_min sym_not sym_sqrt sym_sum
    is_vulkan_available is_inference storage_type resize_as_sparse_ set_ from_dlpack to_dlpack unravel_index_ handle
    refine_names rename rename_ align_to align_as names storage_offset lobpcg const_data_ptr
    """.split()  # noqa: SIM905
)
ABSTRACT = {"Module", "Container", "RNNBase", "RNNCellBase", "Optimizer", "LRScheduler", "DataParallel"}


@dataclass(frozen=True)
class Callable_:
    """One public callable.

    owner: ``torch``, ``torch.Tensor``, ``torch.nn``, ...; where its name is looked up.
    paths: further names of the same object, ``torch.nn.modules.conv.Conv2d``.
    """

    family: str
    owner: str
    name: str
    value: Any
    paths: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return f"{self.owner}.{self.name}"


def is_public(name: str, value: Any) -> bool:
    return not name.startswith("_") and name not in LEFT_OUT and callable(value) and bool(value.__doc__)


def catalogue() -> Iterator[Callable_]:
    """All of them, in order."""
    seen: set[int] = set()
    for module, family in FUNCTIONS.items():
        place = importlib.import_module(module)
        for name in sorted(dir(place)):
            value = getattr(place, name)
            home = str(getattr(value, "__module__", None) or "torch")
            foreign = not home.startswith("torch")
            if isinstance(value, type) or not is_public(name, value) or foreign or inspect.ismodule(value):
                continue
            if id(value) in seen and family not in ("torch", "nn.functional"):
                continue
            seen.add(id(value))
            yield Callable_(family, module, name, value, aliases(module, name, value))
    for name in sorted(dir(torch)):
        if name.startswith("_foreach_") and getattr(torch, name).__doc__:
            yield Callable_("foreach", "torch", name, getattr(torch, name))
    for name in sorted(dir(torch.Tensor)):
        value = inspect.getattr_static(torch.Tensor, name)
        if is_public(name, value) and not isinstance(value, (property, type)):
            yield Callable_("Tensor", "torch.Tensor", name, getattr(torch.Tensor, name))
    yield from classes("torch.nn", "nn", torch.nn.Module)
    yield from classes("torch.optim", "optim", torch.optim.Optimizer)
    yield from classes("torch.optim.lr_scheduler", "lr_scheduler", torch.optim.lr_scheduler.LRScheduler)


def classes(module: str, family: str, base: type) -> Iterator[Callable_]:
    place = importlib.import_module(module)
    for name in sorted(dir(place)):
        value = getattr(place, name)
        if isinstance(value, type) and issubclass(value, base) and is_public(name, value) and name not in ABSTRACT:
            yield Callable_(family, module, name, value, aliases(module, name, value))


@functools.cache
def places() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Torch's public modules, by name."""
    found = []
    for module in sorted(sys.modules):
        if module.startswith("torch.") and not any(part.startswith("_") for part in module.split(".")):
            found.append((module, dict(vars(sys.modules[module]))))
    return tuple(found)


def aliases(module: str, name: str, value: Any) -> tuple[str, ...]:
    """Paths by which torch knows the object under its name: the module that defines it, and those that offer it."""
    home = getattr(value, "__module__", None)
    near = [place for place, names in places() if names.get(name) is value and place != module]
    # Torch's own modules import from each other: those that define it, and the packages around them, offer it.
    own = [place for place in near if place == home or str(home).startswith(place + ".")]
    others = [place for place in ("torch.functional", "torch.linalg", "torch.special", "torch.optim") if place in near]
    return tuple(f"{place}.{name}" for place in dict.fromkeys([*own, *others]) if not testing(place))


def testing(place: str) -> bool:
    return ".testing" in place or ".onnx" in place or ".fx" in place or ".quantization" in place or ".ao" in place
