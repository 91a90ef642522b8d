"""Room for deeply nested source: a sum of a thousand terms is a thousand levels of syntax tree."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

# The parser gives up at some 6,000 levels; a visitor spends a few frames on each.
FRAMES = 50_000
STACK = 512 << 20  # bytes of address space; only what is used becomes memory


def with_deep_stack(function: Callable[[], T]) -> T:
    """What ``function`` returns or raises, run in a thread with a deep stack."""
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(function())
        except BaseException as error:
            errors.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(STACK)
    sys.setrecursionlimit(FRAMES)
    try:
        thread = threading.Thread(target=run, daemon=True)  # a Ctrl-C does not wait for it
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]
