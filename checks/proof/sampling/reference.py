"""What torch makes of a printed call: its result, its gradients, and how steady both are. Runs in torch's interpreter.

Every call is run from its printed text, so that what is compared in the target is what torch was asked. The noise floor
(``checks.parity.floor``) comes from a run without oneDNN and with optimizers' coefficients in float32, one in double
precision, and two of those with half-ulp noise on the inputs and on hyperparameters.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from ...worker import noise, structure
from ...worker.samples.evaluate import evaluate

NOISES = 2
TINY = 1e-30  # moves a zero off a kink: abs at 0, a clamp's edge at 0
DRAWS = 300
BFLOAT16 = 2.0**16  # its ulp in float32's


def flat(outcome: Any) -> dict[str, Any]:
    """All arrays of an outcome under one set of paths."""
    found = dict(outcome.arrays)
    found.update({f"gradient of {name}": array for name, array in outcome.gradients.items() if array is not None})
    found.update({f"{name} after the call": array for name, array in outcome.after.items()})
    return found


def widened(arrays: dict[str, Any]) -> dict[str, Any]:
    wide = {"f": np.float64, "c": np.complex128}
    return {
        name: array.astype(wide[array.dtype.kind]) if array.dtype in (np.float32, np.complex64) else array
        for name, array in arrays.items()
    }


def noisy(arrays: dict[str, Any], seed: int, ulp: float = 1.0) -> dict[str, Any]:
    """The inputs moved by up to half an ulp; zeros, which have none to speak of, by next to nothing.

    ulp: of the precision that is computed in, in units of the array's own.
    """
    moved = {}
    for position, (name, array) in enumerate(arrays.items()):
        if array.dtype.kind not in "fc" or array.dtype == np.float16:
            moved[name] = array
            continue
        value = noise.half_ulp_noise(array, seed, position)
        if ulp != 1.0:
            value = array + ulp * (value - array)
        sign = 1.0 if seed % 2 else -1.0
        moved[name] = np.where(array == 0, sign * TINY, value).astype(value.dtype) if array.size else value
    return moved


@contextlib.contextmanager
def optimizers(change: Callable[[dict[str, Any]], None]) -> Iterator[None]:
    """Groups of parameters given to optimizers here are changed so."""
    own = torch.optim.Optimizer.add_param_group

    def add_param_group(self: Any, group: dict[str, Any]) -> None:
        own(self, group)
        change(self.param_groups[-1])

    torch.optim.Optimizer.add_param_group = add_param_group  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        torch.optim.Optimizer.add_param_group = own  # type: ignore[method-assign]


def coefficients_in_float32(group: dict[str, Any]) -> None:
    """Bias corrections in the parameters' precision, as other frameworks compute them, and torch where they must not
    leave the device: 1 - beta2 ** step loses digits that Python's floats keep.
    """
    if "differentiable" in group:  # that is how torch is told to; the optimizer's defaults still say no_grad
        group["differentiable"] = True


def noisy_hyperparameters(seed: int) -> Callable[[dict[str, Any]], None]:
    """Moved by up to half an ulp of float32, in which a framework may hold them: 1 - alpha is then another number."""
    generator = np.random.default_rng(seed)

    def moved(value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return tuple(map(moved, value))
        return value * (1 + generator.choice((-1, 1)) * 2.0**-25) if type(value) is float else value

    def change(group: dict[str, Any]) -> None:
        group.update({name: moved(value) for name, value in group.items() if name != "params"})

    return change


def run(
    make: Callable[[], Callable[..., Any]], arrays: dict[str, Any], grads: list[str], runtime: Any, **options: Any
) -> Any:
    torch.manual_seed(0)
    function = make()
    module = function if hasattr(function, "leaves") else None
    return evaluate(function, arrays, grads, runtime, module=module, **options)


def reference(
    make: Callable[[], Callable[..., Any]],
    arrays: dict[str, Any],
    grads: list[str],
    runtime: Any,
    add: Callable[[Any], Any],
    wide: Callable[[], Callable[..., Any]] | None = None,
) -> dict[str, Any]:
    """Run and describe a call.

    make:   gives the function; called for each run, so that a module starts anew.
    add:    stores an array and says where.
    wide:   the same without its casts to bfloat16, for the run in double precision.

    Raises whatever the call raises.
    """
    own = run(make, arrays, grads, runtime)
    if any(array.size == 0 for array in arrays.values()) and unwritten(make, arrays, grads, runtime, own):
        raise ValueError("torch hands out memory that it has not written")
    torch.manual_seed(1)
    # With the same leaves: without them torch may take another kernel, which rounds otherwise.
    again = evaluate(make(), arrays, grads, runtime, through=[])
    record: dict[str, Any] = {
        "nodes": own.nodes,
        "through": own.through,
        "returned": own.returned,
        "after": sorted(own.after),
    }
    if own.fields:
        record["fields"] = own.fields
    if own.gradient_error:
        record["gradient_error"] = own.gradient_error
        record["through"] = []
    unreached = [name for name, array in own.gradients.items() if array is None]
    if unreached:
        record["unreached"] = unreached
    if not all(
        path in again.arrays and np.array_equal(array, again.arrays[path], equal_nan=array.dtype.kind in "fc")
        for path, array in own.arrays.items()
    ):
        record["random"] = True
        record["draws"] = draws(make, arrays, runtime, add)
        return record
    paths = flat(own)
    record["own"] = {path: add(array) for path, array in paths.items()}
    if not any(array.dtype.kind in "fc" for array in paths.values()):
        return record
    with torch.backends.mkldnn.flags(enabled=False), optimizers(coefficients_in_float32):
        plain = flat(run(make, arrays, grads, runtime, through=own.through))
    record["variant"] = {path: add(array) for path, array in plain.items()}
    with contextlib.suppress(Exception):  # without it the judge falls back to float32
        with runtime.double(None):
            exact = flat(run(wide or make, widened(arrays), grads, runtime, through=own.through))
            ulp = BFLOAT16 if wide else 1.0
            moved = []
            for seed in range(1, NOISES + 1):
                inputs = noisy(arrays, seed, ulp)
                with optimizers(noisy_hyperparameters(seed)):
                    moved.append(flat(run(wide or make, inputs, grads, runtime, through=own.through)))
        record["exact"] = {path: add(array) for path, array in exact.items()}
        record["noisy"] = [{path: add(array) for path, array in run_.items()} for run_ in moved]
    return record


def unwritten(
    make: Callable[[], Callable[..., Any]], arrays: dict[str, Any], grads: list[str], runtime: Any, own: Any
) -> bool:
    """Whether something in the result is whatever lay in memory, as a kernel's may be that loops over nothing."""
    strict, warns = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(True, warn_only=True)  # fills new memory with NaN
    try:
        filled = flat(run(make, arrays, grads, runtime))
    finally:
        torch.use_deterministic_algorithms(strict, warn_only=warns)
    known = flat(own)
    return any(
        array.dtype.kind in "fc" and bool(np.any(np.isnan(array) & ~np.isnan(known[path])))
        for path, array in filled.items()
        if path in known and known[path].shape == array.shape
    )


def draws(
    make: Callable[[], Callable[..., Any]], arrays: dict[str, Any], runtime: Any, add: Callable[[Any], Any]
) -> Any:
    """The outputs of many calls, stacked: a random result is compared by its distribution."""
    stacks: dict[str, list[Any]] = {}
    torch.manual_seed(0)
    for _ in range(DRAWS):
        outcome = evaluate(make(), arrays, [], runtime)
        for path, array in outcome.arrays.items():
            stacks.setdefault(path, []).append(array)
    kept = {path: np.stack(stack) for path, stack in stacks.items() if len({array.shape for array in stack}) == 1}
    return {path: add(stack) for path, stack in kept.items()}


def agrees(make: Callable[[], Callable[..., Any]], arrays: dict[str, Any], own: dict[str, Any], runtime: Any) -> bool:
    """Whether another form of the call gives in torch what the first one gave."""
    torch.manual_seed(0)
    with torch.no_grad():
        tensors = [runtime.tensor(array) for array in arrays.values()]
        found, _ = structure.flatten(make()(*tensors), runtime)
    outputs = {path: array for path, array in own.items() if path.startswith("output")}
    return found.keys() == outputs.keys() and all(
        np.array_equal(array, outputs[path], equal_nan=array.dtype.kind in "fc") for path, array in found.items()
    )
