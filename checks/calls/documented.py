"""Differences that a target's page names (``docs/TARGET.md``), where no line can be marked for them."""

from __future__ import annotations

import math
import re

NAMED: dict[str, list[tuple[str, str]]] = {
    "paddle": [
        (r"", r"kernel .*is not registered"),  # Kernels that a CPU lacks
        (r"[Hh]ardshrink", r": 0\.0 against"),  # hardshrink
        (r"^torch\.Tensor\.\w+_$", r"tensor (b?float16|float32) against float(32|64)"),  # Dtypes in place
        (r"lr_scheduler\.", r"'values': \[(?P<one>[-\d.e]+)\]\} against (?P<other>[-\d.e]+)$"),  # Schedules
    ],
    "oneflow": [
        (r"", r"op_kernel_not_found_error"),  # Kernels that a CPU lacks
        (r"SyncBatchNorm$", r"on GPU"),
        (r"lr_scheduler\.", r"'values': \[(?P<one>[-\d.e]+)\]\} against (?P<other>[-\d.e]+)$"),  # Schedules
    ],
}
"""Target -> (pattern of torch's name, of the difference), each with the words that its page begins with. Where a
pattern names one number and another, they are the same."""


def documented(target: str, key: str, detail: str) -> bool:
    """Whether the page says that the name differs in that way."""
    found = [re.search(what, detail) for name, what in NAMED.get(target, []) if re.search(name, key)]
    return any(one is not None and is_same_number(one) for one in found)


def is_same_number(found: re.Match[str]) -> bool:
    numbers = found.groupdict()
    return not numbers or math.isclose(float(numbers["one"]), float(numbers["other"]), rel_tol=1e-6)
