"""What is said of arrays."""

from __future__ import annotations

import hashlib

import numpy
from framework import jax, jnp
from jax.experimental import sparse as matrices
from probing import close, probe


@probe(namesakes=("log_softmax", "softmax", "sum"))  # of dense arrays
def sparse(names: list[str]) -> None:
    dense = jnp.array([[0.0, 2.0], [0.0, 0.0]])
    found = jax.experimental.sparse.BCOO.fromdense(dense)
    assert isinstance(found, matrices.BCOO)
    close(found.todense(), dense)


@probe()
def hashed(names: list[str]) -> None:
    of_ones, of_zeros = (hashlib.sha256(numpy.asarray(x).tobytes()).digest() for x in (jnp.ones(2), jnp.zeros(2)))
    assert of_ones != of_zeros
