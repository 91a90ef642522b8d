"""What the standard library keeps for a program and gives back: queues, heaps, getters, results of threads."""

from __future__ import annotations

from collections.abc import Sequence

from rewriters.infer.joining import either_way, element, holds_tensor
from rewriters.infer.values import HELD, MAYBE, UNKNOWN, External, Series, Value

# Behind the name of what is called: an object that comes of it.
MADE = "()"
POOLS = {f"concurrent.futures.{name}" for name in ("ThreadPoolExecutor", "ProcessPoolExecutor")}
QUEUES = {f"queue.{name}" for name in ("Queue", "LifoQueue", "PriorityQueue", "SimpleQueue")}
GETTERS = {"operator.itemgetter", "operator.attrgetter", "weakref.ref"}
# What is put into these is asked of them elsewhere, be it a tensor or a setting.
VARIABLES = {"contextvars.ContextVar"}
MAKING = VARIABLES | POOLS | QUEUES | GETTERS | {f"{name}{MADE}.submit" for name in POOLS}
# Calls that give what other places have put there.
GIVING = {f"{name}{MADE}" for name in GETTERS} | {f"{name}{MADE}.submit{MADE}.result" for name in POOLS}
GIVING |= {f"{name}{MADE}.{method}" for name in QUEUES for method in ("get", "get_nowait")}
LENDING = {f"{name}{MADE}.get" for name in VARIABLES}
# Functions on a list that is a heap: whether they put something in, and whether they give something of it.
HEAPS = {
    "heapq.heapify": (False, False), "heapq.heappush": (True, False), "heapq.heappop": (False, True),
    "heapq.heapreplace": (True, True), "heapq.heappushpop": (True, True),
}  # fmt: skip


def handed_out(name: str, given: Sequence[Value]) -> Value:
    """What a call of such a library gives, by the dotted name of what is called: an object that keeps something, or
    what comes out of one; of others, that tensors are among it where it was given some.
    """
    if name in MAKING:
        return External(f"{name}{MADE}")
    if name in GIVING:
        return MAYBE
    if name in LENDING:
        return either_way(HELD, *given)
    if MADE in name:
        return Series(MAYBE, "iterator") if name.endswith(".map") else UNKNOWN
    if name == "concurrent.futures.as_completed" and given:
        return Series(element(given[0]), "iterator")
    return MAYBE if any(map(holds_tensor, given)) else UNKNOWN


def is_keeper(value: Value) -> bool:
    """Whether it is an object that keeps something, or gets something."""
    return isinstance(value, External) and value.name.endswith(MADE)
