"""What a framework's runtime gives to the worker: a target's ``runtime.py`` and ``static_runtime.py``, and torch's.

A runtime is a module, loaded by its path in the framework's interpreter. Arrays are numpy's; models, tensors,
optimizers and contexts the framework's own.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, ContextManager, Dict, Protocol, Tuple

from .loading import load_file

Arrays = Dict[str, Any]


class Runtime(Protocol):
    """What every framework gives: tensors to arrays and back, state, modes. Enough to compare outputs."""

    def version(self) -> str:
        """The framework's version."""

    def seed(self, number: int) -> Any:
        """Of its random numbers."""

    def threads(self, number: int) -> Any:
        """How many it may use."""

    def is_tensor(self, value: Any) -> bool: ...

    def is_module(self, value: Any) -> bool: ...

    def tensor(self, array: Any) -> Any:
        """A tensor of the array's dtype and shape that owns its memory."""

    def array(self, value: Any) -> Any:
        """The tensor's values; bfloat16, which numpy does not have, as float32."""

    def dtype(self, value: Any) -> str:
        """The name of a tensor's dtype, ``float32``."""

    def evaluate(self, model: Any) -> Any:
        """Eval mode."""

    def no_grad(self) -> ContextManager[Any]: ...

    def state(self, model: Any) -> Arrays:
        """Name -> array, for parameters and persistent buffers."""

    def shapes(self, model: Any) -> dict[str, tuple[int, ...]]:
        """Name -> shape of what ``load_state`` fills."""

    def load_state(self, model: Any, arrays: Arrays) -> Any:
        """Fill parameters and buffers; names and shapes must be those of ``shapes``."""


class Training(Runtime, Protocol):
    """What layers, gradients and steps of an optimizer need besides. Gradients are had in one of two ways, ``Taped``
    and ``Functional``."""

    @property
    def MODULE(self) -> Any:
        """The base class of modules."""

    @property
    def LEVELS(self) -> tuple[str, ...]:
        """Of a check: those that the framework can be run at."""

    def differentiable(self, value: Any) -> bool:
        """Whether a gradient can be taken of it."""

    def parameters(self, model: Any) -> dict[str, Any]:
        """Name -> parameter, for those that are trained."""

    def modules(self, model: Any) -> list[tuple[str, Any]]:
        """(qualified name, module) of the model and all its parts."""

    def hooked(self, model: Any, before: Callable[..., None], after: Callable[..., None]) -> ContextManager[Any]:
        """Have each call of a module told: ``before(name, module, args, kwargs)``, ``after(name, module, result)``."""

    def clone(self, value: Any) -> Any:
        """A copy through which gradients flow."""

    def dropout(self, keep: Callable[[Any, float], Any]) -> ContextManager[Any]:
        """Have every dropout take its mask from ``keep(shape, p)``, True where an element stays."""

    def drawing(self, draws: Any) -> ContextManager[Any]:
        """Have what draws random numbers take them from ``draws`` (``side.randomness.Draws``), as far as is known."""

    def recorded(self) -> ContextManager[Any]:
        """Have what is computed in eval mode keep what its gradient needs, where the framework does not by itself."""

    def train(self, model: Any) -> Any:
        """Train mode."""

    def train_step(self, compute: Callable[[Any], Any], model: Any, optimizer: Any, scheduler: Any) -> Any:
        """One step on the loss that ``compute`` returns of the model; the loss as an array."""


class Taped(Training, Protocol):
    """A framework that keeps a tape of what is computed of leaves."""

    def leaf(self, array: Any) -> Any:
        """A tensor that gradients are taken with respect to."""

    def gradients(self, outputs: list[Any], weights: list[Any], leaves: list[Any]) -> list[Any]:
        """The gradient of sum(weight * output) with respect to each leaf as an array; None where none reaches it."""

    def backward(self, outputs: list[Any], weights: list[Any], leaves: list[Any]) -> list[Any]:
        """As ``gradients``, computed as training does: by ``backward()``, which some code allows alone."""

    def second_gradients(
        self, outputs: list[Any], weights: list[Any], first: list[Any], leaves: list[Any]
    ) -> list[Any]:
        """The gradient of the sum of squares of the gradients with respect to ``first``; otherwise as ``backward``."""


Compute = Callable[["list[Any]"], "list[Any]"]
"""From values of the leaves to outputs."""

Pulled = Tuple["list[Any]", Compute]
"""Outputs, and a function: a weight of each output's shape -> the gradient of sum(weight * output) with respect to
each leaf as an array; None where it has none."""


class Functional(Training, Protocol):
    """A framework that keeps no tape, and differentiates functions. ``load_runtime`` makes as much of a tape."""

    def pulled_back(self, compute: Compute, leaves: list[Any]) -> Pulled:
        """What ``compute(leaves)`` gives, and its gradients."""

    def pulled_back_twice(self, compute: Compute, leaves: list[Any], first: int) -> Pulled:
        """As ``pulled_back``; of the sum of squares of the gradients with respect to so many ``first`` leaves."""

    def opened(self, value: Any) -> Any:
        """The tensor in what holds a parameter; anything else as it is."""

    def substituted(self, model: Any, values: dict[str, Any]) -> Any:
        """The model, or a copy of it, whose parameters of these names are what ``compute`` was given for them."""


class Reference(Taped, Protocol):
    """What torch's side gives besides: the runs that say how far a correct computation strays."""

    @property
    def REFERENCE(self) -> bool:
        """Whether this side does."""

    @property
    def VARIANTS(self) -> tuple[str, ...]:
        """Ways to compute the same thing in another order."""

    def variant(self, name: str, model: Any, args: Any, kwargs: Any) -> ContextManager[Any]:
        """Computes so: yields its arguments, or None where it makes no difference to this model."""

    def double(self, model: Any) -> ContextManager[Any]:
        """Computes in double precision. Parameters and buffers are afterwards what they were before."""

    def kept(self, model: Any) -> ContextManager[Any]:
        """Parameters, buffers and modes are afterwards what they were before, whatever is trained inside."""

    def noise(self, model: Any, seed: int, times: float = 1.0) -> ContextManager[Any]:
        """Has so many times half-ulp noise on the parameters."""

    def noisy(self, value: Any, seed: Any) -> Any:
        """A tensor under half-ulp noise."""

    def building(self) -> ContextManager[Any]:
        """Has memory that nobody fills hold NaN."""

    def fill(self, model: Any) -> Any:
        """Zeros for those NaN, but in the state of a model."""

    def averages(self, model: Any) -> Any:
        """Follows running statistics as other conventions keep them, until ``end()``: ``found()``."""

    def mark(self, value: Any) -> Any:
        """(weak reference, version): an equal version of the same tensor is the same values. None when it has none."""

    def distance(self, value: Any, exact: Any) -> Any:
        """rms(value - exact); None where an element is not finite, or where it is not told."""

    def random_state(self) -> Any:
        """Where the random generator stands, in what can be compared."""

    def buffers(self, model: Any) -> Any:
        """Names of what is no parameter."""


class Graphs(Protocol):
    """What a ``static_runtime.py`` gives, for measuring."""

    def static(self, model: Any) -> Callable[..., Any]:
        """The model as a graph."""

    def train_step(self, model: Any, loss: Any, optimizer: Any, scheduler: Any) -> Callable[..., Any]:
        """``step(args, kwargs, targets)``: a step of training by a graph; the loss.

        loss: of what the model returned, its arguments and the targets.
        """

    def eager_step(self, model: Any, loss: Any, optimizer: Any, scheduler: Any) -> Callable[..., Any]:
        """As ``train_step``, without a graph."""

    def amp(self) -> Any:
        """A context of mixed precision on this device; a text that says why there is none."""

    def wait(self) -> Any:
        """Until all that was asked for is computed."""


class SavedGraphs(Graphs, Protocol):
    """What a target's gives besides: graphs on disk."""

    def tensors(self, value: Any) -> list[Any]:
        """The tensors in nested containers, in the order of a saved graph's outputs."""

    def export(self, model: Any, folder: str, args: Any, kwargs: Any) -> str:
        """Save the model's graph; a line on what it is."""

    def exported(self, folder: str, model: Any, args: Any, kwargs: Any) -> Any:
        """What the saved graph computes."""


class Saving(Protocol):
    """What an ``export_runtime.py`` gives: models on disk as they are deployed."""

    def tensors(self, value: Any) -> list[Any]:
        """The tensors in nested containers, in the order of an artefact's outputs."""

    def save(self, model: Any, fill: Callable[[Any], Any], inputs: Any, folder: str, asked: Any) -> dict[str, Any]:
        """Write the model to the folder, called over tensors alone; ``files``, and what else is known of it.

        fill:  tensors -> (args, kwargs) of the model. inputs: the example's tensors.
        asked: form ("native", "onnx"), names of the inputs, axes (name -> axis -> name of those that are free), opset,
               project (its folder).
        """


class SavingOwn(Saving, Protocol):
    """What a target's gives besides."""

    def read_checkpoint(self, path: str) -> Any:
        """Name -> tensor, of a checkpoint of the framework's own."""


LACKING: dict[str, Any] = {
    "LEVELS": ("outputs",),
    "MODULE": None,
    "TAPE": True,
    "REFERENCE": False,
    "VARIANTS": (),
    "mark": lambda value: None,
    "distance": lambda value, exact: None,
    "random_state": lambda: None,
    "buffers": lambda model: (),
    "modules": lambda model: [("", model)],
    "building": lambda: contextlib.nullcontext(),
    "fill": lambda model: None,
    "kept": lambda model: contextlib.nullcontext(),
    "hooked": lambda model, before, after: contextlib.nullcontext(),
    "dropout": lambda keep: contextlib.nullcontext(),
    "drawing": lambda draws: contextlib.nullcontext(),
    "opened": lambda value: value,
    "recorded": lambda: contextlib.nullcontext(),
    "noise": lambda model, seed, times=1.0: contextlib.nullcontext(),
}
"""In place of what a runtime may lack: it then has the levels that need nothing of it."""


def load_runtime(path: Path) -> Any:
    """The runtime in that file, complete as far as it can do without; ``TAPE``: whether it keeps one."""
    found = vars(load_file("runtime", path))
    lacking = {**LACKING, **(of_tape(found) if "backward" in found else {})}
    if "pulled_back" in found:
        lacking.update(TAPE=False, leaf=found["tensor"])
    return SimpleNamespace(**{**lacking, **found})


def of_tape(runtime: dict[str, Any]) -> dict[str, Any]:
    """What ``Functional`` has, of a framework that keeps a tape: it has followed the leaves by itself."""

    def pulled_back(compute: Compute, leaves: list[Any]) -> Pulled:
        outputs = compute(leaves)
        return outputs, lambda weights: list(runtime["backward"](outputs, weights, leaves))

    def pulled_back_twice(compute: Compute, leaves: list[Any], first: int) -> Pulled:
        outputs = compute(leaves)
        return outputs, lambda weights: list(runtime["second_gradients"](outputs, weights, leaves[:first], leaves))

    return {
        "pulled_back": pulled_back,
        "pulled_back_twice": pulled_back_twice,
        "substituted": lambda model, values: model,
    }
