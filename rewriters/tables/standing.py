"""What stands in torch's public modules, asked of the installed torch: which names there are, which are documented, and
which are no one's API. For ``rewriters.tables.names``.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import types
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import torch

# Modules whose public names user code reaches. Their order decides which of several names is the canonical one.
MODULES = [
    "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.nn.utils.rnn",
    "torch.nn.utils.parametrizations", "torch.nn.utils.parametrize", "torch.nn.utils.prune", "torch.nn.parallel",
    "torch.nn.parameter", "torch.nn.attention", "torch.optim", "torch.optim.lr_scheduler", "torch.optim.swa_utils",
    "torch.utils.data", "torch.utils.data.distributed", "torch.utils.checkpoint", "torch.utils",
    "torch.utils.dlpack", "torch.utils.hooks", "torch.utils.tensorboard", "torch.autograd", "torch.autograd.function",
    "torch.autograd.functional", "torch.autograd.profiler", "torch.autograd.forward_ad", "torch.linalg",
    "torch.fft", "torch.special", "torch.sparse", "torch.distributions", "torch.distributions.constraints",
    "torch.distributions.kl", "torch.distributions.transforms", "torch.distributions.utils", "torch.cuda",
    "torch.cuda.amp", "torch.cuda.comm", "torch.cuda.nvtx", "torch.cuda.random", "torch.cpu", "torch.mps",
    "torch.xpu", "torch.accelerator", "torch.amp", "torch.jit", "torch.backends", "torch.backends.cuda",
    "torch.backends.cudnn", "torch.backends.mkldnn", "torch.backends.mps", "torch.backends.mkl",
    "torch.backends.openmp",
    "torch.distributed", "torch.multiprocessing", "torch.random", "torch.testing", "torch.hub", "torch.onnx",
    "torch.fx", "torch.func", "torch.compiler", "torch.profiler", "torch.serialization", "torch.futures",
    "torch.overrides", "torch.types", "torch.version", "torch.quantization", "torch.package", "torch.library",
    "torch.export", "torch.monitor", "torch.signal", "torch.signal.windows", "torch.masked", "torch.nested",
    "torch.utils.model_zoo",
    "torch.storage", "torch.functional", "torch.return_types", "torch.optim.optimizer",
    "torch.nn.modules.activation", "torch.nn.modules.adaptive", "torch.nn.modules.batchnorm",
    "torch.nn.modules.container", "torch.nn.modules.conv", "torch.nn.modules.distance", "torch.nn.modules.dropout",
    "torch.nn.modules.embedding", "torch.nn.modules.flatten", "torch.nn.modules.fold",
    "torch.nn.modules.instancenorm", "torch.nn.modules.linear", "torch.nn.modules.loss", "torch.nn.modules.module",
    "torch.nn.modules.normalization", "torch.nn.modules.padding", "torch.nn.modules.pixelshuffle",
    "torch.nn.modules.pooling", "torch.nn.modules.rnn", "torch.nn.modules.sparse", "torch.nn.modules.transformer",
    "torch.nn.modules.upsampling", "torch.nn.modules.utils", "torch.optim.adadelta", "torch.optim.adagrad",
    "torch.optim.adam", "torch.optim.adamax", "torch.optim.adamw", "torch.optim.asgd", "torch.optim.lbfgs",
    "torch.optim.nadam", "torch.optim.radam", "torch.optim.rmsprop", "torch.optim.rprop", "torch.optim.sgd",
    "torch.utils.data.dataloader", "torch.utils.data.dataset", "torch.utils.data.sampler",
    "torch.utils.data._utils.collate",
    "torch.nn.parallel.distributed", "torch.nn.parallel.data_parallel",
    *(f"torch.distributions.{name}" for name in (
        "bernoulli", "beta", "binomial", "categorical", "cauchy", "dirichlet", "distribution", "exponential", "gamma",
        "geometric", "gumbel", "half_normal", "independent", "laplace", "log_normal", "mixture_same_family",
        "multinomial", "multivariate_normal", "normal", "one_hot_categorical", "poisson", "relaxed_bernoulli",
        "relaxed_categorical", "studentT", "transformed_distribution", "uniform", "von_mises",
    )),
]  # fmt: skip

SHORT_DTYPES = {"float", "double", "half", "long", "int", "short", "cfloat", "cdouble", "chalf"}

# Imported there for torch's own use.
NO_NAMES = {
    "euler_constant", "D", "Join", "JoinHook", "Joinable", "RPC_AVAILABLE", "RRef", "scatter_kwargs",
    "tree_flatten", "tree_unflatten",
    "TYPE_CHECKING", "T", "R", "F", "required", "tree_map", "TorchDispatchMode", "DefaultDeviceType",
}  # fmt: skip

# Private by name, and used all over.
PRIVATE = [
    "torch.nn.modules.batchnorm._BatchNorm", "torch.nn.modules.instancenorm._InstanceNorm",
    "torch.nn.modules.conv._ConvNd", "torch.nn.modules.conv._ConvTransposeNd", "torch.nn.modules.loss._Loss",
    "torch.nn.modules.loss._WeightedLoss", "torch.optim.lr_scheduler._LRScheduler",
    "torch.nn.modules.dropout._DropoutNd",
]  # fmt: skip

# Without docstrings of their own, but with pages or paragraphs in torch's documentation.
PAGES = {
    "torch.Size", "torch.Tensor", "torch.Generator", "torch.device", "torch.dtype", "torch.layout",
    "torch.memory_format", "torch.finfo", "torch.iinfo", "torch.inf", "torch.nan", "torch.pi", "torch.e",
    "torch.newaxis", "torch.Tensor.dtype", "torch.Tensor.data", "torch.Tensor.layout", "torch.Tensor.name",
    "torch.autograd.Variable", "torch.multiprocessing.spawn",
    *(f"torch.{kind}Tensor" for kind in (
        "Float", "Double", "Half", "BFloat16", "Byte", "Char", "Short", "Int", "Long", "Bool",
    )),
}  # fmt: skip

# Modules of helpers that torch's public modules import for themselves.
HELPERS = {
    "torch._environment", "torch._jit_internal", "torch._library.opaque_object", "torch._opaque_base",
    "torch._sources", "torch._utils", "torch._utils_internal", "torch.testing._internal.logging_tensor",
    "torch.utils._python_dispatch", "torch.utils._pytree", "torch.utils._typing_utils",
}  # fmt: skip

PLAIN = (str, bytes, bool, int, float, dict, list, tuple)  # texts for documentation, constants of torch's own code

LISTED = {"torch.jit.is_scripting"}  # in no `__all__`, and with a page


def is_torch(obj: Any) -> bool:
    return (getattr(obj, "__module__", None) or type(obj).__module__ or "").split(".")[0] in {"torch", "builtins", ""}


def is_imported(name: str, module: types.ModuleType, obj: Any) -> bool:
    """Whether a module has a name of another package for its own use."""
    owner = getattr(obj, "__module__", None) or ""
    if name in getattr(module, "__all__", ()) or owner.partition(".")[0] in {"torch", "builtins", ""}:
        return False
    return getattr(sys.modules.get(owner), name, None) is obj


def documented(name: str, obj: Any) -> bool:
    """Whether torch documents a name: a docstring of its own, or a page. What it does not is its insides."""
    if name in PAGES or isinstance(obj, (torch.dtype, torch.layout, torch.memory_format)):
        return True
    if isinstance(obj, type):
        return type(obj).__name__ != "pybind11_type" and bool((vars(obj).get("__doc__") or "").strip())
    text = getattr(obj, "__doc__", None) or ""
    described = callable(obj) or inspect.isdatadescriptor(obj)
    return bool(text.strip()) if described else text != type(obj).__doc__


def private(obj: Any, described: bool) -> bool:
    """Whether what no ``__all__`` lists is nobody's API: plain values without a page, helpers from elsewhere."""
    if type(obj) in PLAIN:
        return not described
    return (getattr(obj, "__module__", None) or type(obj).__module__) in HELPERS


def listed(name: str, modules: Mapping[str, types.ModuleType]) -> bool:
    """Whether the module that a name stands in says that it is public."""
    owner, _, last = name.rpartition(".")
    return name in LISTED or (owner in modules and last in getattr(modules[owner], "__all__", ()))


def imported_modules() -> dict[str, types.ModuleType]:
    modules = {}
    for name in MODULES:
        try:
            modules[name] = importlib.import_module(name)
        except ImportError as error:
            print(f"left out: {name}: {error}")
    return modules


class Gathered:
    """What stands in the modules.

    objects: by canonical name.
    canonical: the canonical names by the object's id.
    imported: module -> what of others' it has for its own use.
    """

    def __init__(self, modules: Mapping[str, types.ModuleType]) -> None:
        self.objects: dict[str, Any] = {}
        self.canonical: dict[int, str] = {}
        self.aliases: dict[str, str] = {}
        self.imported: dict[str, list[str]] = defaultdict(list)
        for name, module in modules.items():
            self.gather(name, module)
        self.gather_paths()

    def gather_paths(self) -> None:
        """Every other path by which torch's public modules know what was gathered: the object itself tells."""
        for module_name, module in sorted(sys.modules.items()):
            if not module_name.startswith("torch.") or any(part.startswith("_") for part in module_name.split(".")):
                continue
            for attribute, obj in sorted(vars(module).items()):
                name, known = f"{module_name}.{attribute}", self.canonical.get(id(obj), "")
                taken = name in self.objects or name in self.aliases or attribute.startswith("_")
                if known and not taken and not isinstance(obj, torch.dtype):
                    self.aliases[name] = known

    def gather(self, module_name: str, module: types.ModuleType) -> None:
        # float32 before float: the name that says the size is the canonical one.
        for attribute in sorted(dir(module), key=lambda name: (name in SHORT_DTYPES, name)):
            if attribute.startswith("_") and f"{module_name}.{attribute}" not in PRIVATE:
                continue
            if attribute == "reduce_op":  # it warns when touched
                self.aliases[f"{module_name}.{attribute}"] = "torch.distributed.ReduceOp"
                continue
            if attribute in {"inf", "nan"} and module_name != "torch":
                continue
            obj = getattr(module, attribute)
            if isinstance(obj, types.ModuleType):
                continue
            if attribute in NO_NAMES or is_imported(attribute, module, obj):
                self.imported[module_name].append(attribute)
            if attribute in NO_NAMES or not is_torch(obj):
                continue
            name = f"{module_name}.{attribute}"
            singleton = isinstance(obj, (type, types.FunctionType, types.BuiltinFunctionType, torch.dtype)) or callable(
                obj
            )
            # Only what says that it is torch's own: `torch.nn.functional.List` and the like are other people's.
            owner = getattr(obj, "__module__", "") or ""
            if (
                singleton
                and not isinstance(obj, torch.dtype)
                and owner.split(".")[0] not in {"torch", ""}
                and not (owner == "builtins" and isinstance(obj, types.BuiltinFunctionType))
            ):
                continue
            if singleton and id(obj) in self.canonical:
                self.aliases[name] = self.canonical[id(obj)]
                continue
            if singleton:
                self.canonical[id(obj)] = name
            self.objects[name] = obj
