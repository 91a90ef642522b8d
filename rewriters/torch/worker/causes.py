"""What may explain that a converted layer computes something else: tried on torch's own layer, by running it again.

Loaded by path in the worker that has torch.
"""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

SECONDS = 30.0
"""For all that is tried; what is likeliest comes first."""

UNIT = 2.0**-24
LSTM, GRU = ("i", "f", "g", "o"), ("r", "z", "n")


def explain(subject: Any, command: dict[str, Any], tools: Any) -> dict[str, str]:
    """{"cause": "agrees when eps=1e-06"}, "" when nothing that is tried brings torch to what the target returned.

    command: recorded, name, path (the tensor of the record), target (the folder of its result), floor, limit; for the
    entry itself (name "") also inputs, positional, keywords.
    tools:   ``alone.arguments``, ``store``, ``runs.widened``, ``randomness.fixed``, ``walk`` and ``distance``.
    """
    layer = _Layer(subject, command, tools)
    start = time.monotonic()
    best, said = float(command["limit"]), ""
    with subject.runtime.kept(subject.call), subject.runtime.double(subject.call):
        if layer.ratio(layer.run()) <= best:
            return {"cause": ""}
        for label, result in itertools.chain(layer.with_other_calls(), layer.with_other_state()):
            ratio = layer.ratio(result)
            if ratio <= best and (not said or ratio < best / 2):
                best, said = ratio, label
            if time.monotonic() - start > SECONDS:
                break
    return {"cause": f"agrees when {said}" if said else ""}


class _Layer:
    """Torch's layer, or the entry itself, with the input that it was given and the target's result."""

    def __init__(self, subject: Any, command: dict[str, Any], tools: Any) -> None:
        self.subject, self.command, self.tools = subject, command, tools
        recorded = tools.store.Reader(Path(command["recorded"]))
        self.record = recorded.find(command["name"])
        self.recorded = recorded
        self.target = tools.store.Reader(Path(command["target"])).get(command["name"], command["path"])
        self.module = (
            dict(subject.runtime.modules(subject.call))[self.record["module"]] if command["name"] else subject.call
        )

    def run(self) -> Any:
        """The tensor in question; None where the layer raises or returns something else."""
        runtime, tools = self.subject.runtime, self.tools
        try:
            with runtime.no_grad(), tools.fixed(self.subject):
                args, kwargs = self._arguments()
                returned = self.module(*args, **kwargs)
            found = tools.walk(returned, runtime, "")[0].get(self.command["path"])
            return None if found is None else tools.array_of(found, runtime)
        except (RuntimeError, ValueError, TypeError, IndexError, NotImplementedError):
            return None  # what was tried makes no sense here

    def ratio(self, result: Any) -> float:
        """The target's distance to a result, in units of the noise floor."""
        if result is None or self.target is None or result.shape != self.target.shape or result.dtype.kind not in "fc":
            return float("inf")
        scale = float(np.sqrt(np.mean(np.square(np.abs(result))))) if result.size else 0.0
        floor = max(self.command["floor"] or 0.0, UNIT * scale)
        distance = float(self.tools.distance(self.target, result))
        return distance / floor if floor else float("inf") if distance else 0.0

    def with_other_calls(self) -> Iterator[tuple[str, Any]]:
        """Results with one call, or all calls of one function, changed."""
        found = _Calls(self.module, self.subject.runtime)
        with found:
            self.run()
        tries: list[tuple[str, str, set[int]]] = []
        for place, (name, args, kwargs) in enumerate(found.calls):
            tries += [(name, said, {place}) for said, _, _ in alternatives(name, args, kwargs)]
        places: dict[tuple[str, str], set[int]] = {}
        for name, said, at in tries:
            places.setdefault((name, said), set()).update(at)
        tries += [(name, said, at) for (name, said), at in places.items() if len(at) > 1]
        names = [name for name, _, _ in found.calls]
        single = isinstance(self.module, torch.nn.Module) and not list(self.module.children())
        for name, said, at in tries:
            with _Calls(self.module, self.subject.runtime, at, said):
                result = self.run()
            count = names.count(name)
            which = "" if single or count == 1 else f" (call {sum(n == name for n in names[: min(at)]) + 1} of {count})"
            where = "" if single else f"{name}{which if len(at) == 1 else ''} has "
            yield where + said, result

    def with_other_state(self) -> Iterator[tuple[str, Any]]:
        """Results with the layer in another mode, or with other parameters."""
        module = self.module
        if not isinstance(module, torch.nn.Module):
            return
        was = [(part, part.training) for part in module.modules()]
        module.train(not module.training)
        yield "it is in train mode" if module.training else "it is in eval mode", self.run()
        for part, training in was:
            part.training = training
        for label, change in _changes(module):
            saved = {name: value.data for name, value in module.named_parameters()}
            buffers = dict(module._buffers)
            with torch.no_grad():
                change()
            yield label, self.run()
            for name, value in module.named_parameters():
                value.data = saved[name]
            module._buffers.update(buffers)

    def _arguments(self) -> Any:
        tools, command, runtime = self.tools, self.command, self.subject.runtime
        if command["name"]:
            return tools.arguments(runtime, self.recorded, self.record, True, None)
        given = {name[len("0:") :]: array for name, array in tools.read(command["inputs"]).items() if name[:2] == "0:"}
        return self.subject.arguments(
            given,
            command["positional"],
            command["keywords"],
            lambda array, name: runtime.tensor(tools.widened(array, True)),
        )


def _changes(module: torch.nn.Module) -> Iterator[tuple[str, Callable[[], None]]]:
    own = dict(module.named_parameters(recurse=False))
    if isinstance(module, torch.nn.RNNBase | torch.nn.LSTMCell | torch.nn.GRUCell):
        gates = LSTM if "LSTM" in type(module).__name__ else GRU if "GRU" in type(module).__name__ else ()
        for order in itertools.permutations(range(len(gates))):
            if list(order) != sorted(order):
                yield f"the gates are ordered {', '.join(gates[i] for i in order)}", _reordered(own, order)
        return
    for name, value in own.items():
        if value.dim() == 2 and value.shape[0] == value.shape[1]:
            yield f"{name} is transposed", _set(value, value.data.T)
        if "bias" in name:
            yield f"{name} is left out", _set(value, torch.zeros_like(value.data))
        if name == "weight" and value.dim() == 1:
            yield "weight is left out", _set(value, torch.ones_like(value.data))
    if "running_mean" in module._buffers and "running_var" in module._buffers:

        def swap() -> None:
            mean, variance = module._buffers["running_mean"], module._buffers["running_var"]
            module._buffers.update(running_mean=variance, running_var=mean)

        yield "running_mean and running_var are swapped", swap
    if {"weight", "bias"} <= own.keys() and own["weight"].shape == own["bias"].shape:

        def exchange() -> None:
            own["weight"].data, own["bias"].data = own["bias"].data, own["weight"].data

        yield "weight and bias are swapped", exchange


def _set(value: torch.nn.Parameter, data: torch.Tensor) -> Callable[[], None]:
    def change() -> None:
        value.data = data.contiguous()

    return change


def _reordered(own: dict[str, torch.nn.Parameter], order: tuple[int, ...]) -> Callable[[], None]:
    def change() -> None:
        for value in own.values():
            parts = value.data.chunk(len(order))
            if value.shape[0] % len(order) == 0:
                value.data = torch.cat([parts[place] for place in order])

    return change


class _Calls(TorchFunctionMode):
    """Sees the calls of torch functions in the layer itself, not in its parts; changes some of them.

    places: which calls, counted from 0; said: the alternative that they become.
    """

    def __init__(self, module: Any, runtime: Any, places: Any = (), said: str = "") -> None:
        super().__init__()
        self.calls: list[tuple[str, list[Any], dict[str, Any]]] = []
        self.places, self.said = places, said
        self._depth = 0
        self._hooks: Any = contextlib.nullcontext()
        if isinstance(module, torch.nn.Module):
            self._hooks = runtime.hooked(module, self._enter, self._leave)
            self._depth = -1

    def __enter__(self) -> Any:
        self._hooks.__enter__()
        return super().__enter__()  # type: ignore[no-untyped-call]

    def __exit__(self, *exception: Any) -> None:
        super().__exit__(*exception)  # type: ignore[no-untyped-call]
        self._hooks.__exit__(*exception)

    def _enter(self, *told: Any) -> None:
        self._depth += 1

    def _leave(self, *told: Any) -> None:
        self._depth -= 1

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if self._depth == 0:
            place = len(self.calls)
            self.calls.append((name, list(args), dict(kwargs)))
            if place in self.places:
                for said, other, others in alternatives(name, list(args), dict(kwargs)):
                    if said == self.said:
                        return func(*other, **others)
        return func(*args, **kwargs)


def _load_alternatives() -> Any:
    path = Path(__file__).with_name("alternatives.py")
    spec = importlib.util.spec_from_file_location("_migrate_torch_alternatives", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.alternatives


alternatives = _load_alternatives()
