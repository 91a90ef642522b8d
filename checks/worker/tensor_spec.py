"""One tensor in a spec: ``float32[2,3,224,224]``, ``int64[2,16]<50257``, ``-1<=float32[8]<1``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

GRAMMAR = "[LOW<=]DTYPE[SIZE,...][<HIGH], e.g. float32[2,3,224,224] or int64[2,16]<50257"
FLOATS = ("float16", "float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8")
COMPLEX = ("complex64", "complex128")
DTYPES = (*FLOATS, *INTEGERS, "bool", *COMPLEX)

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_SPEC = re.compile(
    rf"(?:(?P<low>{_NUMBER})\s*<=\s*)?(?P<dtype>[A-Za-z]\w*)"
    rf"\[(?P<shape>[\d\s,]*|\(\))\](?:\s*<\s*(?P<high>{_NUMBER}))?"
)


class WrongSpec(ValueError):
    """A spec that cannot be read; the message names it."""


@dataclass(frozen=True)
class TensorSpec:
    """A tensor to draw.

    low:   smallest value; None when a float is drawn from the standard normal distribution.
    high:  bound that is never reached.
    """

    dtype: str
    shape: tuple[int, ...]
    low: float | None = None
    high: float | None = None

    @staticmethod
    def parse(text: str) -> TensorSpec:
        """Read one. Integers need an upper bound, since they are indices more often than not. Raises WrongSpec."""
        text = text.strip()
        match = _SPEC.fullmatch(text)
        if match is None:
            raise WrongSpec(f"{text!r} is not of the form {GRAMMAR}")
        dtype = match["dtype"]
        if dtype not in DTYPES:
            raise WrongSpec(f"{text!r}: unknown dtype {dtype!r}; known: {', '.join(DTYPES)}")
        sizes = match["shape"].strip().strip("()")
        try:
            shape = tuple(int(size) for size in sizes.rstrip(",").split(",")) if sizes else ()
        except ValueError:
            raise WrongSpec(f"{text!r}: the shape [{sizes}] is not a list of sizes; {GRAMMAR}") from None
        low, high = (None if match[bound] is None else float(match[bound]) for bound in ("low", "high"))
        if dtype in INTEGERS:
            if high is None:
                raise WrongSpec(f"{text!r}: integers need an upper bound, e.g. {text}<10; {GRAMMAR}")
            low = 0.0 if low is None else low
            limits = np.iinfo(dtype)
            if low != int(low) or high != int(high) or low < limits.min or high - 1 > limits.max:
                raise WrongSpec(f"{text!r}: the bounds are not {dtype} values")
        elif dtype not in FLOATS:
            if low is not None or high is not None:
                raise WrongSpec(f"{text!r}: {dtype} takes no bounds")
        elif (low is None) != (high is None):
            if high is None:
                raise WrongSpec(f"{text!r}: a lower bound needs an upper one; {GRAMMAR}")
            low = 0.0
        if low is not None and high is not None and low >= high:
            raise WrongSpec(f"{text!r}: no value lies between {match['low'] or 0} and {match['high']}")
        return TensorSpec(dtype, shape, low, high)

    def draw(self, seed: Sequence[int]) -> np.ndarray:
        """An array, the same for the same seed."""
        random = np.random.default_rng(list(seed))
        if self.dtype == "bool":
            return random.integers(0, 2, self.shape).astype(bool)
        if self.low is not None and self.high is not None:
            if self.dtype in INTEGERS:
                return np.asarray(random.integers(int(self.low), int(self.high), self.shape), self.dtype)
            return np.asarray(random.uniform(self.low, self.high, self.shape), self.dtype)
        values = random.standard_normal(self.shape)
        if self.dtype in COMPLEX:
            return np.asarray(values + 1j * random.standard_normal(self.shape), self.dtype)
        return np.asarray(values, self.dtype)
