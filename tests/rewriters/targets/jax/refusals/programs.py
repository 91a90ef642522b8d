"""What is said of torch's packages that are written in Python."""

from __future__ import annotations

import inspect

from framework import jax, jnp
from probing import close, probe


@probe(namesakes=("multinomial", "stack"), elsewhere=("distributions",))
def distributions(names: list[str]) -> None:
    assert "event_dim" not in inspect.signature(jnp.stack).parameters  # torch's is a constraint's
    assert jax.random.multinomial(jax.random.key(0), 4, jnp.ones(2) / 2).sum() == 4  # draws, without a class
    drawn = jax.random.normal(jax.random.key(0), (3,))
    close(jax.scipy.stats.norm.logpdf(drawn), -0.5 * drawn**2 - 0.5 * jnp.log(2 * jnp.pi))
