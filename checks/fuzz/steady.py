"""Whether what a program shows is its own doing: not drawn, not what memory held, not decided by rounding."""

from __future__ import annotations

import ast
import contextlib
import copy
import io
import re
import sys
import warnings
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import torch

from checks.programs.judge import difference
from checks.programs.worker import Seen

NUDGE = 3e-6  # of each float in a program's text
RUNTIME = SimpleNamespace(
    is_tensor=lambda value: isinstance(value, torch.Tensor),
    dtype=lambda value: str(value.dtype).removeprefix("torch."),
    array=lambda value: (
        value.detach().resolve_conj().resolve_neg().float().numpy()
        if value.dtype == torch.bfloat16
        else value.detach().resolve_conj().resolve_neg().numpy()
    ),
)


def is_steady(text: str) -> bool:
    """Whether torch shows the same with other random numbers, and nearly the same where all floats are nudged."""
    try:
        first = shown(text, 0)
        others = [text, nudged(text, 1 + NUDGE), nudged(text, 1 - NUDGE)]
        if re.search(r"<(module|class|function|bound method|built-in)| at 0x", str(first)):
            return False  # names of things, not values
        return not any(difference(first, shown(other, seed)) for seed, other in enumerate(others, start=1))
    except Exception:
        return False


def nudged(text: str, factor: float) -> str:
    """The program with each of its floats a little larger or smaller."""
    tree = copy.deepcopy(ast.parse(text))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            node.value *= factor
    return ast.unparse(tree)


def shown(text: str, seed: int) -> list[Any]:
    """What a program shows, run here."""
    seen = Seen(RUNTIME)
    torch.manual_seed(seed)
    np.random.seed(seed)
    main = ModuleType("__main__")
    vars(main)["show"] = seen.show
    held, sys.modules["__main__"] = sys.modules["__main__"], main
    # What nothing was written into shows, since it is filled all the time but the first.
    torch.use_deterministic_algorithms(seed > 0, warn_only=True)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            exec(compile(text, "<program>", "exec"), vars(main))  # noqa: S102 - our own text
    finally:
        sys.modules["__main__"] = held
        torch.use_deterministic_algorithms(False)
        torch.set_grad_enabled(True)
        torch.set_default_dtype(torch.float32)
    return seen.shown
