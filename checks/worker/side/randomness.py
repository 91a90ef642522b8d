"""Randomness that both sides share: the masks of dropout are drawn once, by numpy, and given to either framework.

Which element a dropout drops depends on the seed, on the run, and on how many dropouts were called before it: torch's
and the target's calls in the same order get the same masks. Random numbers of any other kind cannot be replayed:
torch's generator then stands elsewhere after a run than before it, and the modules in which it moved are named.
"""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

import numpy as np


class Draws:
    """The masks of one run.

    taken:  (shape, p) of each, in order.
    """

    def __init__(self, seed: list[int]) -> None:
        self.seed = seed
        self.taken: list[Any] = []

    def keep(self, shape: Any, p: float) -> Any:
        """Which elements stay: True with probability 1 - p. One of rate 0 draws nothing, and is not counted."""
        shape = [int(size) for size in shape]
        if p <= 0.0:
            return np.ones(shape, bool)
        self.taken.append([shape, float(p)])
        return np.random.default_rng([*self.seed, len(self.taken)]).random(shape) >= p


@contextlib.contextmanager
def fixed(subject: Any, summary: Any = None, step: int = 0) -> Iterator[Draws]:
    """A run from the same seeds on both sides; ``summary["random"]`` gets the masks and torch's other random numbers.

    Both sides' runs of one number have the same masks.
    """
    runtime = subject.runtime
    subject.reseed(step)
    draws = Draws([subject.seed, step])
    with runtime.dropout(draws.keep):
        if summary is None or not runtime.REFERENCE:
            yield draws
        else:
            watch = Watch(runtime)
            with runtime.hooked(subject.call, watch.before, watch.after):
                yield draws
            watch.finish()
            known = summary["random"].setdefault("layers", [])
            known += [name for name in watch.found if name not in known]
    if summary is not None:
        summary["random"].setdefault("masks", []).append(draws.taken)


class Watch:
    """Which modules move torch's generator."""

    def __init__(self, runtime: Any) -> None:
        self.runtime = runtime
        self.found: list[str] = []
        self._start = runtime.random_state()
        self._open: list[Any] = []

    def before(self, name: str, module: Any, args: Any, kwargs: Any) -> None:
        self._open.append(self.runtime.random_state())

    def after(self, name: str, module: Any, returned: Any) -> None:
        then, now = self._open.pop(), self.runtime.random_state()
        if then == now:
            return
        # The innermost is told; what calls it has moved the generator only if it goes on to.
        self._open = [now] * len(self._open)
        self._start = now
        if name not in self.found:
            self.found.append(name)

    def finish(self) -> None:
        """The run has ended: what moved outside of any module is the model's own doing."""
        if self.runtime.random_state() != self._start and "" not in self.found:
            self.found.append("")
