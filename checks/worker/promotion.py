"""What one framework's operators give for operands of each dtype and kind of number.

Reads lines [operator, left, right] of JSON; answers each with [dtype, [shape, values]], or with ["!error", message].
Operands are named as in the table: "float32" has an axis, "float32[]" has none, "float32[1]" a single element, "int"
is Python's number, "np.float32" numpy's.
"""

from __future__ import annotations

import json
import operator
import sys
from pathlib import Path
from typing import Any

import numpy

from .runtime import load_runtime

VALUES: dict[str, tuple[list[Any], list[Any]]] = {
    "bool": ([True, False, True, False], [True, True, False, False]),
    "unsigned": ([7, 3, 200, 2], [2, 3, 100, 1]),
    "signed": ([-7, 3, 5, 2], [2, -3, 4, 1]),
    "float": ([2.5, -7.5, 0.25, 3.0], [2.5, -3.0, 0.5, 1.5]),
    "complex": ([1 - 2j, 3j, 0.5, 2 + 1j], [2 + 1j, -3.0, 0.5, 1j]),
}
# By side: the first number stands on the left.
NUMBERS: dict[str, tuple[Any, Any]] = {
    "True": (True, True), "int": (5, 3), "-int": (-5, -3), "float": (2.5, 0.5), "complex": (1 + 2j, 2 - 1j),
    "np.float32": (numpy.float32(2.5), numpy.float32(0.5)), "np.float64": (numpy.float64(2.5), numpy.float64(0.5)),
    "np.int64": (numpy.int64(5), numpy.int64(3)),
}  # fmt: skip


def category(dtype: str) -> str:
    if dtype == "bool":
        return dtype
    if "int" in dtype:
        return "unsigned" if dtype.startswith("u") else "signed"
    return "complex" if dtype.startswith("complex") else "float"


def operand(runtime: Any, name: str, side: int) -> Any:
    """A tensor of its own, since operators in place change it, or a number."""
    if name in NUMBERS:
        return NUMBERS[name][side]
    dtype = name.partition("[")[0]
    values = VALUES[category(dtype)][side]
    given = values[0] if name.endswith("[]") else values[:1] if name.endswith("[1]") else values
    return runtime.tensor(numpy.array(given, dtype))


def listed(runtime: Any, value: Any) -> list[Any]:
    """[dtype, [shape, values]] of a result, an array's too: that is what becomes of a tensor which numpy took over."""
    if not runtime.is_tensor(value):
        return [type(value).__module__ + "." + type(value).__name__, repr(value)]
    name = runtime.dtype(value)
    array = runtime.array(value).astype("complex128" if "complex" in name else "float64").reshape(-1)
    flat = [[float(v.real), float(v.imag)] if "complex" in name else float(v) for v in array]
    return [name, [list(value.shape), flat]]


def main(arguments: list[str]) -> None:
    """Arguments: the framework's runtime."""
    runtime = load_runtime(Path(arguments[0]))
    for line in sys.stdin:
        name, left, right = json.loads(line)
        try:
            function = getattr(operator, name + "_" if name in ("and", "or") else name)
            result = listed(runtime, function(operand(runtime, left, 0), operand(runtime, right, 1)))
        except BaseException as error:
            result = ["!" + type(error).__name__, str(error).strip()[:80]]
        print("\n=" + json.dumps(result), flush=True)
