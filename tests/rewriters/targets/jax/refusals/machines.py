"""What is said of devices and of profiling."""

from __future__ import annotations

from framework import jax, jnp
from probing import probe


@probe()
def ranges(names: list[str]) -> None:
    with jax.profiler.TraceAnnotation("a stretch"):
        assert jnp.ones(2).sum() == 2
