"""The inputs of a check, from specs such as ``float32[2,3,224,224]`` and ``tokens=int64[2,16]<50257``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

GRAMMAR = "[NAME=][LOW<=]DTYPE[SIZE,...][<HIGH], e.g. float32[2,3,224,224] or tokens=int64[2,16]<50257"
FLOATS = ("float16", "float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8")
COMPLEX = ("complex64", "complex128")
DTYPES = (*FLOATS, *INTEGERS, "bool", *COMPLEX)

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_SPEC = re.compile(
    rf"(?:(?P<name>[A-Za-z_]\w*)=(?!=))?(?:(?P<low>{_NUMBER})<=)?(?P<dtype>[A-Za-z]\w*)"
    rf"\[(?P<shape>[\d\s,]*)\](?:<(?P<high>{_NUMBER}))?"
)


class WrongSpec(ValueError):
    """A spec that cannot be read; the message names it."""


@dataclass(frozen=True)
class Input:
    """One tensor argument.

    name:  keyword under which it is passed; None when positional.
    low:   smallest value; None when a float is drawn from the standard normal distribution.
    high:  bound that is never reached.
    """

    text: str
    dtype: str
    shape: tuple[int, ...]
    name: str | None = None
    low: float | None = None
    high: float | None = None

    def draw(self, seed: int, position: int) -> np.ndarray:
        """The array: the same for the same seed and position, whatever the other inputs are."""
        random = np.random.default_rng([seed, position])
        if self.dtype == "bool":
            return random.integers(0, 2, self.shape).astype(bool)
        if self.low is not None and self.high is not None:
            if self.dtype in INTEGERS:
                return random.integers(int(self.low), int(self.high), self.shape).astype(self.dtype)
            return random.uniform(self.low, self.high, self.shape).astype(self.dtype)
        values = random.standard_normal(self.shape)
        if self.dtype in COMPLEX:
            return (values + 1j * random.standard_normal(self.shape)).astype(self.dtype)
        return np.asarray(values, self.dtype)


def parse(text: str) -> Input:
    """Read one spec.

    Integers need an upper bound, since they are indices more often than not. Raises WrongSpec.
    """
    match = _SPEC.fullmatch(text.strip())
    if match is None:
        raise WrongSpec(f"input {text!r} is not of the form {GRAMMAR}")
    dtype = match["dtype"]
    if dtype not in DTYPES:
        raise WrongSpec(f"input {text!r}: unknown dtype {dtype!r}; known: {', '.join(DTYPES)}")
    sizes = match["shape"].strip()
    try:
        shape = tuple(int(size) for size in sizes.rstrip(",").split(",")) if sizes else ()
    except ValueError:
        raise WrongSpec(f"input {text!r}: the shape [{sizes}] is not a list of sizes; {GRAMMAR}") from None
    low, high = (None if match[bound] is None else float(match[bound]) for bound in ("low", "high"))
    if dtype in INTEGERS:
        if high is None:
            raise WrongSpec(f"input {text!r}: integers need an upper bound, e.g. {text.strip()}<10; {GRAMMAR}")
        low = 0.0 if low is None else low
        limits = np.iinfo(dtype)
        if low != int(low) or high != int(high) or low < limits.min or high - 1 > limits.max:
            raise WrongSpec(f"input {text!r}: the bounds are not {dtype} values")
    elif dtype not in FLOATS:
        if low is not None or high is not None:
            raise WrongSpec(f"input {text!r}: {dtype} takes no bounds")
    elif (low is None) != (high is None):
        if high is None:
            raise WrongSpec(f"input {text!r}: a lower bound needs an upper one; {GRAMMAR}")
        low = 0.0
    if low is not None and high is not None and low >= high:
        raise WrongSpec(f"input {text!r}: no value lies between {match['low'] or 0} and {match['high']}")
    return Input(text.strip(), dtype, shape, match["name"], low, high)


def parse_all(texts: Sequence[str]) -> list[Input]:
    """Read the specs in order. Raises WrongSpec, also when a keyword is given twice."""
    inputs = [parse(text) for text in texts]
    names = [item.name for item in inputs if item.name]
    for name in names:
        if names.count(name) > 1:
            raise WrongSpec(f"input {name!r} is given twice")
    return inputs


def half_ulp_noise(array: np.ndarray, seed: int, position: int) -> np.ndarray:
    """The array in double precision, floats moved at random by up to half a unit in their last place.

    What torch64 makes of it shows how far the model carries a rounding of its inputs. Other dtypes come back as they
    are.
    """
    if array.dtype.kind not in "fc":
        return array
    random = np.random.default_rng([seed, position, 1])
    if array.dtype.kind == "c":
        real, imaginary = (half_ulp_noise(part, seed, position) for part in (array.real, array.imag))
        return real + 1j * imaginary
    ulp = np.spacing(np.abs(array)).astype(np.float64)
    return np.asarray(array.astype(np.float64) + ulp * random.uniform(-0.5, 0.5, array.shape))
