"""The noise floor: how far from the exact result a correct float32 computation of the same model may stand.

For each tensor, with torch64 the torch model in double precision:

    error = rms(target - torch64)
    floor = max(rms(torch32 - torch64) over torch's variants, u * rms(torch64), change of torch64 under half-ulp noise
                on its inputs and parameters)

where u is half the spacing of the tensor's dtype at 1 (2**-24 for float32); of what is not zero the floor is at least
the smallest normal number. The ratio error / floor was at most 10 in 3,120 comparisons of correct operators, while a
wrong epsilon or a tanh GELU stands in the hundreds.

An artefact of a lower precision has a further term, by which it is judged: the largest error that torch itself makes
when it computes in that precision (``checks.worker.side.lowered``), of several runs. It predicts the error itself, so
that there is less room above.
"""

from __future__ import annotations

from collections.abc import Mapping

from checks.worker.side.runs import ACCEPTED

WARN = 4.0
FAIL = ACCEPTED
ROUNDING = {"float64": 2.0**-53, "complex128": 2.0**-53, "float16": 2.0**-11, "bfloat16": 2.0**-8}

LOWERED = ("float16", "bfloat16", "int8")
"""Terms that predict the error of a lower precision."""

LOWERED_WARN, LOWERED_FAIL = 1.5, 3.0
"""Times the prediction: artefacts of six kinds stood between 0.3 and 1.7, and one that was quantized with ranges of
inputs a tenth as large as its calibration set's stands above (tests/migrate/export/test_precision.py)."""

OWN, ROUNDED, NORMAL = "float32", "rounding of the result", "the smallest normal number"
"""Terms of the floor, beside the names of the variants and NOISY."""


def rounding(dtype: str) -> float:
    """Half the spacing at 1."""
    return ROUNDING.get(dtype, 2.0**-24)


def normal(dtype: str) -> float:
    """The smallest number of which all bits count; what lies below it a framework may take for zero, as XLA does. Half
    precision has such numbers in use.
    """
    return {"float64": 2.0**-1022, "complex128": 2.0**-1022, "float16": 0.0}.get(dtype, 2.0**-126)


def highest(terms: Mapping[str, float]) -> tuple[float, str]:
    """(the floor, the term that set it)."""
    name = max(terms, key=lambda key: terms[key])
    return terms[name], name


def limits(source: str) -> tuple[float, float]:
    """(above which a row is warned of, above which it differs), for the term that set its floor."""
    return (LOWERED_WARN, LOWERED_FAIL) if source in LOWERED else (WARN, FAIL)


def unit(source: str) -> str:
    """What a ratio counts."""
    return f"the error predicted for {source}" if source in LOWERED else "the noise floor"


def ratio(error: float, floor: float) -> float:
    """error / floor; infinite when torch is exact and the target is not."""
    if error == 0.0:
        return 0.0
    return error / floor if floor > 0.0 else float("inf")
