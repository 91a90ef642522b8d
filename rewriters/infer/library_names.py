"""Other libraries, as far as tensors may come out of them."""

from __future__ import annotations

import sys

# Libraries whose functions never give a torch tensor back.
TENSORLESS = frozenset(sys.stdlib_module_names) | {
    "numpy", "pandas", "PIL", "cv2", "scipy", "sklearn", "matplotlib", "yaml", "requests",
    "typing_extensions", "skimage",
    "imageio", "seaborn", "joblib", "nltk", "regex", "h5py", "pydantic", "click", "typer", "rich", "absl",
}  # fmt: skip
PATHS = {f"os.path.{name}" for name in ("join", "basename", "dirname", "abspath", "realpath", "expanduser", "normpath")}
# Wrappers that hand their first argument through.
PASS_THROUGH = {
    "tqdm.tqdm",
    "tqdm.auto.tqdm",
    "tqdm.notebook.tqdm",
    "copy.deepcopy",
    "copy.copy",
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
    "asyncio", "threading", "joblib", "dataclasses", "inspect", "abc", "enum",
}  # fmt: skip
# Decorators after which a function is called as it was written.
TRANSPARENT = {"functools.wraps", "functools.lru_cache", "functools.cache", "abc.abstractmethod", "typing.overload"}
