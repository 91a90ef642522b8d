"""Differences that a target's page names (``docs/TARGET.md``), where no line can be marked for them."""

from __future__ import annotations

import re

NAMED: dict[str, list[tuple[str, str]]] = {
    "paddle": [
        (r"", r"kernel .*is not registered"),  # Kernels that a CPU lacks
        (r"[Hh]ardshrink", r": 0\.0 against"),  # hardshrink
        (r"^torch\.Tensor\.\w+_$", r"tensor (b?float16|float32) against float(32|64)"),  # Dtypes in place
    ],
    "oneflow": [
        (r"", r"op_kernel_not_found_error"),  # Kernels that a CPU lacks
        (r"SyncBatchNorm$", r"on GPU"),
    ],
}
"""Target -> (pattern of torch's name, pattern of the difference), each with the words that its page begins with."""


def documented(target: str, key: str, detail: str) -> bool:
    """Whether the page says that the name differs in that way."""
    return any(re.search(name, key) and re.search(what, detail) for name, what in NAMED.get(target, []))
