"""Samples that are more than one call: a module that is built, given a state and called; a few lines of code."""

from __future__ import annotations

from typing import Any, Callable


class WrongState(Exception):
    """The module's parameters and buffers are not those that it should have."""


class Built:
    """Builds a module anew at each call, loads its state, and calls the program with it and the tensors.

    state: name -> array; None leaves the initial one, which is how torch's side finds it.
    """

    def __init__(
        self,
        build: Callable[..., Any],
        call: Callable[..., Any],
        state: dict[str, Any] | None,
        train: bool,
        runtime: Any,
    ) -> None:
        self.build, self.call, self.state, self.train, self.runtime = build, call, state, train, runtime
        self.module: Any = None

    def __call__(self, *tensors: Any) -> Any:
        self.module = self.build(*tensors)
        if self.state is not None:
            self.load(self.state)
        if not self.train:
            self.runtime.evaluate(self.module)
        self.before = {name: array.copy() for name, array in self.runtime.state(self.module).items()}
        return self.call(self.module, *tensors)

    def load(self, state: dict[str, Any]) -> None:
        shapes = self.runtime.shapes(self.module)
        wrong = [f"no {name}" for name in state if name not in shapes]
        wrong += [f"{name} besides" for name in shapes if name not in state]
        wrong += [
            f"{name} of shape {list(shape)} for {list(state[name].shape)}"
            for name, shape in shapes.items()
            if name in state and tuple(shape) != tuple(state[name].shape)
        ]
        if wrong:
            raise WrongState(", ".join(wrong))
        if state:
            self.runtime.load_state(self.module, state)

    def leaves(self) -> dict[str, Any]:
        """Parameters of the module called last, by name."""
        return dict(self.runtime.parameters(self.module))

    def changed(self) -> dict[str, Any]:
        """What the call changed of the module's state: name -> array."""
        now = self.runtime.state(self.module)
        return {
            name: array for name, array in now.items() if name not in self.before or (array != self.before[name]).any()
        }
