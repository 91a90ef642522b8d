"""Randomness that both sides share: masks of dropout and random numbers are drawn by numpy, and given to either
framework.

Which element a dropout drops depends on the seed, on the run, and on how many dropouts were called before it: torch's
and the target's calls in the same order get the same masks. So do other functions that draw (``torch.randn``,
``x.uniform_()``, ``torch.multinomial``), as far as a runtime knows them, counted by themselves. What draws elsewise
cannot be replayed: torch's generator then stands elsewhere after a run than before it, and the modules in which it
moved are named.
"""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

import numpy as np

NUMBERS = 1
"""Begins the seeds of random numbers: those of masks are lists without it."""

LEAST = 1e-7
"""The least of uniform numbers whose logarithm is taken."""


class Draws:
    """The masks and random numbers of one run.

    taken:  (shape, p) of each mask, in order.
    drawn:  (kind, shape) of the random numbers of each call, in order.
    """

    def __init__(self, seed: list[int]) -> None:
        self.seed = seed
        self.taken: list[Any] = []
        self.drawn: list[Any] = []

    def keep(self, shape: Any, p: float) -> Any:
        """Which elements stay: True with probability 1 - p. One of rate 0 draws nothing, and is not counted."""
        shape = [int(size) for size in shape]
        if p <= 0.0:
            return np.ones(shape, bool)
        self.taken.append([shape, float(p)])
        return np.random.default_rng([*self.seed, len(self.taken)]).random(shape) >= p

    def _next(self, kind: str, shape: Any) -> tuple[np.random.Generator, list[int]]:
        shape = [int(size) for size in shape]
        self.drawn.append([kind, shape])
        return np.random.default_rng([NUMBERS, *self.seed, len(self.drawn)]), shape

    def normal(self, shape: Any, mean: Any = 0.0, std: Any = 1.0) -> Any:
        """Normal numbers. mean, std: numbers, or arrays of that shape. float32, as all that are no integers."""
        generator, shape = self._next("normal", shape)
        standard = generator.standard_normal(shape, np.float32)
        return np.asarray(standard * np.asarray(std, np.float32) + np.asarray(mean, np.float32), np.float32)

    def uniform(self, shape: Any, low: float = 0.0, high: float = 1.0) -> Any:
        """Numbers from low up to high."""
        generator, shape = self._next("uniform", shape)
        return np.asarray(generator.random(shape, np.float32) * np.float32(high - low) + np.float32(low), np.float32)

    def integers(self, shape: Any, low: int, high: int) -> Any:
        """Integers from low on, below high."""
        generator, shape = self._next("integers", shape)
        return generator.integers(low, high, shape, np.int64)

    def permutation(self, count: int) -> Any:
        """The integers below count, in any order."""
        generator, shape = self._next("permutation", [count])
        return generator.permutation(shape[0])

    def exponential(self, shape: Any, rate: float = 1.0) -> Any:
        """Exponential numbers, none of them 0."""
        generator, shape = self._next("exponential", shape)
        uniform = np.maximum(generator.random(shape, np.float32).astype(np.float64), LEAST)
        return np.asarray(-np.log(uniform) / rate, np.float32)

    def chances(self, probabilities: Any) -> Any:
        """1.0 with these probabilities (an array), else 0.0; as whoever compares ``uniform`` with them has it."""
        return np.asarray(self.uniform(np.shape(probabilities)) < probabilities, np.float32)

    def choices(self, weights: Any, count: int, again: bool) -> Any:
        """``count`` indices of each row of weights, each chosen by its weight. again: one may be chosen twice."""
        weights = np.asarray(weights, np.float64)
        rows = weights.reshape(-1, weights.shape[-1])
        generator, shape = self._next("choices", [*weights.shape[:-1], count])
        found = [
            generator.choice(len(row), count, again, np.where(row > 0, row, 0) / row.sum(where=row > 0)) for row in rows
        ]
        return np.asarray(found, np.int64).reshape(shape)


@contextlib.contextmanager
def fixed(subject: Any, summary: Any = None, step: int = 0) -> Iterator[Draws]:
    """A run from the same seeds on both sides; ``summary["random"]`` gets masks, draws, and torch's modules that draw:
    ``layers`` what cannot be replayed, ``drawing`` whatever it is.

    Both sides' runs of one number have the same masks and numbers.
    """
    runtime = subject.runtime
    subject.reseed(step)
    draws = Draws([subject.seed, step])
    with runtime.dropout(draws.keep), runtime.drawing(draws):
        if summary is None or not runtime.REFERENCE:
            yield draws
        else:
            watch = Watch(runtime, draws)
            with runtime.hooked(subject.call, watch.before, watch.after):
                yield draws
            watch.finish()
            for key, found in (("layers", watch.found), ("drawing", watch.drawing)):
                known = summary["random"].setdefault(key, [])
                known += [name for name in found if name not in known]
    if summary is not None:
        summary["random"].setdefault("masks", []).append(draws.taken)
        summary["random"].setdefault("draws", []).append(draws.drawn)


class Watch:
    """Which modules move torch's generator, or draw numbers that are given.

    found:   what moves the generator, "" being the model itself.
    drawing: what draws anything.
    """

    def __init__(self, runtime: Any, draws: Draws) -> None:
        self.runtime, self.draws = runtime, draws
        self.found: list[str] = []
        self.drawing: list[str] = []
        self._start = self._now()
        self._open: list[Any] = []

    def _now(self) -> tuple[Any, int]:
        return self.runtime.random_state(), len(self.draws.drawn)

    def before(self, name: str, module: Any, args: Any, kwargs: Any) -> None:
        self._open.append(self._now())

    def after(self, name: str, module: Any, returned: Any) -> None:
        then, now = self._open.pop(), self._now()
        if then == now:
            return
        # The innermost is told; what calls it has moved the generator only if it goes on to.
        self._open = [now] * len(self._open)
        self._note(name, then, now)
        self._start = now

    def _note(self, name: str, then: Any, now: Any) -> None:
        if then[0] != now[0] and name not in self.found:
            self.found.append(name)
        if then != now and name not in self.drawing:
            self.drawing.append(name)

    def finish(self) -> None:
        """The run has ended: what moved outside of any module is the model's own doing."""
        self._note("", self._start, self._now())
