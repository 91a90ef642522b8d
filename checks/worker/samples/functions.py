"""Gradients of a sample in a framework that differentiates functions (``checks.worker.runtime.Functional``): what is
called is called once more, as a function of its leaves.
"""

from __future__ import annotations

from typing import Any, Callable

from .built import Built
from .evaluate import Outcome, leaves, projection


def differentiate(
    outcome: Outcome,
    function: Callable[..., Any],
    arguments: dict[str, Any],
    grads: list[str],
    through: list[str],
    runtime: Any,
) -> None:
    """Fill in the gradients of a call's outcome, or why there are none.

    grads:   arguments that are leaves; a module's parameters are besides.
    through: outputs to differentiate.
    """
    paths = [path for path in through if path in outcome.arrays]
    if not paths:
        return
    tensors = {name: runtime.tensor(array) for name, array in arguments.items()}
    own = function.leaves() if isinstance(function, Built) else {}
    targets = {**{name: tensors[name] for name in grads}, **own}

    def compute(values: list[Any]) -> list[Any]:
        given = dict(zip(targets, values))
        called = [given.get(name, tensor) for name, tensor in tensors.items()]
        if isinstance(function, Built):
            result = again(function, {name: given[name] for name in own}, called)
        else:
            result = function(*called)
        found = leaves(result, runtime)
        return [found[path] for path in paths]

    try:
        _, gradients = runtime.pulled_back(compute, list(targets.values()))
        weights = [projection(outcome.arrays[path]) for path in paths]
        outcome.gradients = dict(zip(targets, gradients(weights)))
    except BaseException as error:  # the helper's own error is no Exception
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        outcome.gradient_error = f"{type(error).__name__}: {str(error).strip()[:400]}"


def again(built: Built, given: dict[str, Any], tensors: list[Any]) -> Any:
    """Build the module anew, its parameters being these values, and call the program with it."""
    kept, built.module = built.module, built.build(*tensors)
    try:
        if built.state is not None:
            built.load(built.state)
        if not built.train:
            built.runtime.evaluate(built.module)
        return built.call(built.runtime.substituted(built.module, given), *tensors)
    finally:
        built.module = kept
