"""Whether what a program shows is its own doing: not drawn, not what memory held, not decided by rounding or by the
order in which elements are written that share memory.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import io
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from checks.fuzz.as_documented import (
    InOnePiece,
    NarrowLosses,
    NearLogits,
    PickedByTruth,
    RoundedNumbers,
    Unsigned,
    UnsignedAtOneflow,
)
from checks.fuzz.undefined import Watch
from checks.programs.judge import difference
from checks.worker.programs import Seen
from checks.worker.runtime import LACKING
from rewriters.text.parsing import module_of

NUDGE = 3e-6  # of each float in a program's text, and of the gradients that an optimizer is given
# What the sum of a tensor without axes may be, where nothing says that it has none.
NARROW_SUM = re.compile(r"tensor int64 against (bool|u?int8|int32)")
# What is divided by a zero, of which OneFlow keeps no sign.
ZEROS = re.compile(r" -inf against inf| inf against -inf")
# Whose gradient OneFlow takes to be 0 where they are, whatever comes in.
AT_ZERO = re.compile(r"\b(abs|norm|l1_loss)\b")
ROUNDINGS = 4  # ways in which sums are rounded
RUNTIME = SimpleNamespace(
    **LACKING,
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
        others_shown = []
        for seed in range(ROUNDINGS):
            with Watch(seed) as watch, nudged_steps(seed):
                others_shown.append(shown(text, 0))
            if watch.overlaps or watch.relaid or watch.tied:
                return False
        if re.search(r"<(module|class|function|bound method|built-in)| at 0x", str(first)):
            return False  # names of things, not values
        others_shown += [shown(other, seed) for seed, other in enumerate(others, start=1)]
        return not any(difference(first, other) for other in others_shown)
    except Exception:
        return False


def nudged(text: str, factor: float) -> str:
    """The program with each of its floats a little larger or smaller."""
    tree = copy.deepcopy(module_of(text))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            node.value *= factor
    return ast.unparse(tree)


@contextlib.contextmanager
def nudged_steps(seed: int) -> Iterator[None]:
    """Optimizers' gradients a little off: by what counts as nothing beside the largest, which Adam makes a full step.

    Each element by another amount, for what all share a layer norm takes away.
    """
    drawn = torch.Generator().manual_seed(seed)

    def nudge(optimizer: torch.optim.Optimizer, args: Any, kwargs: Any) -> None:
        parameters = [one for group in optimizer.param_groups for one in group["params"] if one.grad is not None]
        gradients = [one.grad.data for one in parameters if one.grad.is_floating_point() and one.grad.numel()]
        largest = max((float(one.abs().max()) for one in gradients), default=0.0)
        for one in gradients:
            one.add_(largest * NUDGE * torch.randn(one.shape, generator=drawn).to(one))

    handle = register_optimizer_step_pre_hook(nudge)
    try:
        yield
    finally:
        handle.remove()


def is_documented(text: str, target: str, detail: str, found: list[Any]) -> bool:
    """Whether a program does what the target's page says to differ, where no line can be marked for it.

    detail: in what it differs; found: what the target showed.
    """
    said: list[Any] = []
    with Watch() as watch, contextlib.suppress(Exception):
        said = shown(text, 0)
    if re.search(r"tensor\(", str(said)):
        return True  # texts of tensors are the target's own
    if target == "jax" and "torch.Size(" in str(said):
        return True  # shapes are tuples
    if target == "jax" and (
        is_shown_by(InOnePiece, text, found) or ("nan against" in detail and first_of_nan(text) == "Hypot")
    ):
        return True
    if is_shown_by(RoundedNumbers, text, found):
        return True
    if target == "paddle":
        return watch.numbers or any(is_shown_by(mode, text, found) for mode in (Unsigned, NarrowLosses, NearLogits))
    if target == "oneflow" and any(is_shown_by(mode, text, found) for mode in (UnsignedAtOneflow, PickedByTruth)):
        return True
    if ZEROS.search(detail) or ("nan against 0.0" in detail and AT_ZERO.search(text) and first_of_nan(text)):
        return True
    return watch.nothing or (watch.narrow and bool(NARROW_SUM.search(detail)))


def first_of_nan(text: str) -> str:
    """The function in whose backward the first NaN of torch's gradients comes up, "" for none: an infinity that meets 0."""
    try:
        with torch.autograd.detect_anomaly(check_nan=True):
            shown(text, 0)
    except Exception as error:
        found = re.search(r"Function '(\w+?)Backward\d*' returned nan", str(error))
        return found[1] if found else ""
    return ""


def is_shown_by(mode: Callable[[], contextlib.AbstractContextManager[Any]], text: str, found: list[Any]) -> bool:
    """Whether torch shows what the target did when it does in that mode what docs/ say of the target."""
    with contextlib.suppress(Exception), mode():
        return not difference(shown(text, 0), found)
    return False


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
