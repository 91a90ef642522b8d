"""One call of one function in one framework: what it returned, its gradients, and what it did to its arguments.

The same on both sides; what the frameworks do differently is in the runtime that is handed in.
"""

from __future__ import annotations

from typing import Any, Callable, Dict

import numpy as np

from .. import structure

Tensors = Dict[str, Any]


def leaves(value: Any, runtime: Any, path: str = "output") -> Tensors:
    """The tensors in a result, under the paths that ``checks.worker.structure.flatten`` gives them."""
    value = getattr(runtime, "opened", lambda value: value)(value)
    if runtime.is_tensor(value):
        return {path: value}
    found: Tensors = {}
    if hasattr(value, "keys") and hasattr(value, "__getitem__"):
        for key in value:
            found.update(leaves(value[key], runtime, f"{path}[{key!r}]"))
    elif isinstance(value, (tuple, list)):
        for position, item in enumerate(value):
            found.update(leaves(item, runtime, f"{path}[{position}]"))
    return found


def named_fields(value: Any, path: str = "output") -> dict[str, list[str]]:
    """Path -> names of the items of a named tuple, which callers read as attributes: ``.values``, ``.indices``."""
    if not isinstance(value, tuple) or type(value) is tuple:
        return {}
    names = getattr(type(value), "_fields", None) or getattr(type(value), "__match_args__", None)
    return {path: list(names)} if names and len(names) == len(value) else {}


def missing_fields(value: Any, fields: dict[str, list[str]], runtime: Any) -> list[str]:
    """Names that torch's result has and this one has not, or has for another item."""
    missing = []
    for names in fields.values():
        for position, name in enumerate(names):
            found = getattr(value, name, None)
            if found is None:
                missing.append(name)
                continue
            item = value[position]
            if found is not item and not np.array_equal(
                runtime.array(found), runtime.array(item), equal_nan=runtime.array(item).dtype.kind in "fc"
            ):
                missing.append(name)
    return missing


def projection(array: Any) -> Any:
    """The fixed weights under which an output enters the sum that is differentiated: of no symmetry, on the unit
    circle."""
    angles = 1.0 + 2.399963 * np.arange(array.size).reshape(array.shape)
    weights = np.cos(angles) + 1j * np.sin(angles) if array.dtype.kind == "c" else np.cos(angles)
    return weights.astype(array.dtype)


class Outcome:
    """What one call did.

    arrays, nodes:  what it returned, as ``checks.worker.structure.flatten`` makes it.
    fields:         items of named tuples; when ``expected`` fields were given: names that are missing.
    gradients:      argument -> array, None where no gradient reaches it.
    through:        paths of the outputs that were differentiated.
    after:          argument -> its values after the call, where they changed.
    returned:       path -> argument, for outputs that are the very object of an argument.
    """

    def __init__(self) -> None:
        self.arrays: dict[str, Any] = {}
        self.nodes: dict[str, Any] = {}
        self.fields: dict[str, list[str]] = {}
        self.missing: list[str] = []
        self.gradients: dict[str, Any] = {}
        self.gradient_error = ""
        self.through: list[str] = []
        self.after: dict[str, Any] = {}
        self.returned: dict[str, str] = {}


def evaluate(
    function: Callable[..., Any],
    arguments: dict[str, Any],
    grads: list[str],
    runtime: Any,
    through: list[str] | None = None,
    fields: dict[str, list[str]] | None = None,
    module: Any = None,
) -> Outcome:
    """Call ``function`` with tensors made of these arrays.

    grads:        arguments that are leaves of the graph.
    through:      outputs to differentiate; None: all that the runtime finds differentiable (torch's side).
    fields:       torch's named items, to be looked up in the result.
    more_leaves:  after the call, further leaves by name: a module's parameters.
    """
    tensors = {name: (runtime.leaf if name in grads else runtime.tensor)(array) for name, array in arguments.items()}
    result = function(*tensors.values())
    outcome = Outcome()
    outcome.arrays, outcome.nodes = structure.flatten(result, runtime)
    outcome.fields = named_fields(result)
    if fields:
        outcome.missing = missing_fields(result, fields, runtime)
    found = leaves(result, runtime)
    for path, tensor in found.items():
        for name, argument in tensors.items():
            if tensor is argument:
                outcome.returned[path] = name
    if grads or module is not None:
        outcome.through = (
            [path for path, tensor in found.items() if runtime.differentiable(tensor)] if through is None else through
        )
    if outcome.through:
        targets = {name: tensors[name] for name in grads}
        if module is not None:
            targets.update(module.leaves())
        try:
            chosen: list[Any] = [found[path] for path in outcome.through if path in found]
            if through is not None and not all(runtime.differentiable(tensor) for tensor in chosen):
                raise RuntimeError("the result is cut off from its arguments: it has no gradient")
            weights = [projection(outcome.arrays[path]) for path in outcome.through if path in found]
            gradients = runtime.gradients(chosen, weights, list(targets.values()))
            outcome.gradients = dict(zip(targets, gradients))
        except BaseException as error:  # the helper's own error is no Exception
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            outcome.gradient_error = f"{type(error).__name__}: {str(error).strip()[:400]}"
    for name, tensor in tensors.items():
        now = runtime.array(tensor)
        before = np.asarray(arguments[name])
        if now.shape != before.shape or not np.array_equal(now, before, equal_nan=before.dtype.kind in "fc"):
            outcome.after[name] = np.array(now)
    if module is not None:
        outcome.after.update(module.changed())
    return outcome
