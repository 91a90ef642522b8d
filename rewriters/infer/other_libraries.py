"""Other libraries, as far as tensors may come out of them."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from rewriters.infer.values import Plain

# Libraries whose functions never give a torch tensor back.
TENSORLESS = frozenset(sys.stdlib_module_names) | {
    "numpy", "pandas", "PIL", "cv2", "scipy", "sklearn", "matplotlib", "yaml", "requests",
    "skimage", "imageio", "seaborn", "nltk", "regex", "h5py", "click", "typer", "rich", "absl",
    "tensorflow", "tensorflow_datasets", "jax", "librosa", "soundfile", "pyworld", "rdkit", "lmdb", "psutil", "plotly",
    "megengine", "paddle", "mindspore", "oneflow", "jittor", "mxnet", "tinygrad", "mlx", "chainer",
    "sentencepiece", "unidecode",
    "triton", "flax", "optax", "chex", "haiku", "distrax", "envpool", "inflect", "tabulate", "termcolor", "pycocotools",
}  # fmt: skip
# Libraries that give tensors, none of whose classes is one: an object of such a class is none.
WITH_OBJECTS = {
    "transformers", "diffusers", "tokenizers", "datasets", "accelerate", "peft", "sentence_transformers", "timm",
    "torchmetrics", "lightning", "pytorch_lightning", "deepspeed", "apex", "einops", "lpips", "open_clip",
    "wandb", "omegaconf", "hydra", "ray", "tyro", "tensorboardX", "optuna", "mmcv", "mmengine", "detectron2",
    "gym", "gymnasium", "stable_baselines3", "pyquaternion", "nuscenes", "trimesh", "viser",
    "spconv", "torchinfo", "fvcore", "iopath", "yacs", "easydict", "addict",
}  # fmt: skip
# What is an object with an attribute for each keyword.
NAMESPACES = {"argparse.Namespace", "types.SimpleNamespace"}
# Classes whose members are gone through, each with a name.
ENUMS = {f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")}
PATHS = {f"os.path.{name}" for name in ("join", "basename", "dirname", "abspath", "realpath", "expanduser", "normpath")}
# Wrappers that hand their first argument through.
PASS_THROUGH = {
    "tqdm.tqdm",
    "tqdm.auto.tqdm",
    "tqdm.notebook.tqdm",
    "copy.deepcopy",
    "copy.copy",
    "types.MappingProxyType",
    "rich.progress.track",
}
# Functions that make a tensor of a tensor, or of a list of them.
OF_TENSORS = {f"einops.{name}" for name in ("rearrange", "repeat", "reduce", "einsum")}
# What makes environments of reinforcement learning: what these give is numpy's.
ENVIRONMENTS = {
    f"{library}.{name}"
    for library in ("gym", "gymnasium")
    for name in ("make", "make_vec", "vector.make", "vector.SyncVectorEnv", "vector.AsyncVectorEnv")
}
# Modules of the standard library that hand other people's objects through.
HANDS_ON = {
    "itertools", "functools", "operator", "concurrent", "pickle", "multiprocessing", "queue", "weakref",
    "contextlib", "contextvars", "types", "typing", "importlib", "copy", "collections", "heapq", "random",
    "asyncio", "threading", "joblib", "dataclasses", "inspect", "abc", "enum", "gc", "ctypes", "unittest", "shelve",
    "builtins", "copyreg", "sched", "bisect", "marshal", "typing_extensions", "traceback", "runpy", "timeit",
}  # fmt: skip
# Functions of numpy's that make an array of whatever they are given; of others, torch makes tensors of tensors.
ARRAYS = {
    f"numpy.{name}"
    for name in (
        "array", "asarray", "asanyarray", "ascontiguousarray", "stack", "concatenate", "vstack", "hstack", "save",
        "savez", "savetxt", "savez_compressed", "float32", "float64", "int64", "int32", "isclose", "allclose", "shape",
        "zeros", "ones", "full", "empty", "arange", "linspace", "save", "load", "unique", "where", "argsort",
    )
}  # fmt: skip
# numpy's functions that work by the elements: those that make a tensor of a tensor.
BY_ELEMENT = {
    f"numpy.{name}"
    for name in (
        "abs", "absolute", "add", "subtract", "multiply", "divide", "true_divide", "power", "sqrt", "square", "exp",
        "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "floor", "ceil",
        "sign", "negative", "maximum", "minimum", "sum", "mean", "prod", "max", "min", "squeeze", "transpose", "clip",
    )
}  # fmt: skip
# Those that give a tensor where one of their arguments is one: all ufuncs of one result, and what calls the argument's
# method or wraps an array's. Of a comparison torch's has the dtype uint8.
OF_A_TENSOR = {
    f"numpy.{name}"
    for name in (
        "abs", "absolute", "acos", "acosh", "add", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2",
        "arctanh", "asin", "asinh", "atan", "atan2", "atanh", "bitwise_and", "bitwise_count", "bitwise_invert",
        "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "cbrt", "ceil", "conj",
        "conjugate", "copysign", "cos", "cosh", "deg2rad", "degrees", "divide", "equal", "exp", "exp2", "expm1", "fabs",
        "float_power", "floor", "floor_divide", "fmax", "fmin", "fmod", "gcd", "greater", "greater_equal", "heaviside",
        "hypot", "invert", "isfinite", "isinf", "isnan", "lcm", "ldexp", "left_shift", "less", "less_equal", "log",
        "log10", "log1p", "log2", "logaddexp", "logaddexp2", "logical_and", "logical_not", "logical_or", "logical_xor",
        "matmul", "maximum", "minimum", "mod", "multiply", "negative", "nextafter", "not_equal", "positive", "pow",
        "power", "rad2deg", "radians", "reciprocal", "remainder", "right_shift", "rint", "sign", "signbit", "sin",
        "sinh", "spacing", "sqrt", "square", "subtract", "tan", "tanh", "true_divide", "trunc",
        "argmax", "argmin", "around", "clip", "cumprod", "cumsum", "round", "squeeze",
    )
}  # fmt: skip

# Numbers that libraries have names for.
NUMBERS = {f"{library}.{name}" for library in ("math", "numpy") for name in ("pi", "e", "inf", "nan", "tau")}


def is_tensorless(name: str) -> bool:
    """Whether what the library gives is no tensor, nor holds one."""
    root = name.partition(".")[0]
    return root in TENSORLESS and root not in HANDS_ON


def makes_an_object(name: str) -> bool:
    """Whether it is a class of such a library, or makes an object of one: ``AutoModel.from_pretrained``."""
    root, _, inner = name.partition(".")
    owner, _, last = inner.rpartition(".")
    made_by = last in {"from_pretrained", "from_config"} and is_class(owner.rpartition(".")[2])
    return root in WITH_OBJECTS and (is_class(last) or made_by)


def is_class(name: str) -> bool:
    return name[:1].isupper() and not name.isupper()


# Decorators after which a function is given arrays, numbers and tuples of them, and gives such: tensors it refuses.
COMPILING = {
    "numba.njit", "numba.vectorize", "numba.guvectorize", "numba.cuda.jit", "numba.core.decorators.njit", "triton.jit",
}  # fmt: skip
COMPILED = Plain("numba.compiled")
# Those that do so where they are told to.
COMPILING_SO = {"numba.jit": "nopython"}
# Those that do so unless they are told which arguments are to stay what they are.
TRACING = {"jax.jit", "jax.pmap"}
# What numpy gives of an index alone.
OF_INDICES = {"numpy.ogrid", "numpy.mgrid", "numpy.r_", "numpy.c_"}


def compiles(name: str, words: Mapping[str | None, object]) -> bool:
    """Whether a decorator compiles a function for arrays.

    words: what it is given by keywords that is written out.
    """
    told = name in COMPILING_SO and words.get(COMPILING_SO[name]) is True
    return name in COMPILING or told or (name in TRACING and not words)


# Decorators after which a function is called as it was written.
TRANSPARENT = {
    "functools.wraps", "functools.lru_cache", "functools.cache", "abc.abstractmethod", "typing.overload",
    "typing.override", "typing.final", "typing.no_type_check", "typing_extensions.override", "typing_extensions.final",
    "warnings.deprecated", "typing_extensions.deprecated", "atexit.register", "jaxtyping.jaxtyped",
    "beartype.beartype", "typeguard.typechecked", "line_profiler.profile", "memory_profiler.profile", "nvtx.annotate",
}  # fmt: skip


def is_transparent(name: str) -> bool:
    return name in TRANSPARENT or name.startswith("pytest.mark.")
