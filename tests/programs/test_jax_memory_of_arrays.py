"""To JAX, arrays of numpy's that have their memory in common with tensors in torch: who changes one is told."""

from __future__ import annotations

from collections.abc import Callable

from migrate.programs import Outcome


def test_changes_of_arrays_name_the_tensors(outcome: Callable[..., Outcome]) -> None:
    found = outcome(
        """
        import numpy as np
        import torch

        t = torch.linspace(-1, 1, 6).reshape(2, 3)
        t.numpy().fill(2)
        t.numpy()[0] = 3
        a = t.numpy()
        a[1] = 4
        a += 1
        show(t, a)
        b = np.ones(3, dtype=np.float32)
        u = torch.from_numpy(b)
        b[0] = 5
        show(u)
        c = (t * 2).numpy()
        c[0] = 0
        d = np.zeros(3)
        d.fill(1)
        d[2] = 4
        d *= 2
        show(c, d)
        """,
        "jax",
    )
    assert found.verdict == "warned", str(found)
    assert [site.line for site in found.sites if site.outcome == "differs"] == [6, 7, 9, 10, 14]


def test_tensors_that_come_by_parameters_are_named(outcome: Callable[..., Outcome]) -> None:
    found = outcome(
        """
        import torch

        def given_back(t: torch.Tensor):
            t.numpy()[...] = 0.5
            return t

        def filled(t):
            a = t.detach().numpy()
            a.fill(3)
            other = a
            return other

        def new(t):
            a = (t * 2).numpy()
            a[0] = 3
            return a

        t = torch.ones(3)
        show(given_back(t), filled(t), new(t))
        """,
        "jax",
    )
    assert found.verdict == "warned", str(found)
    assert [site.line for site in found.sites if site.outcome == "differs"] == [5, 10]
