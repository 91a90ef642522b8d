"""To JAX: what changes in place keeps its dtype, of whatever width the other is."""

from __future__ import annotations

from collections.abc import Callable


def test_what_changes_by_a_wider_tensor_keeps_its_dtype(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        wide = torch.tensor([1.7570000001, 2.0], dtype=torch.float64)
        total = torch.zeros(())
        for term in wide:
            total.add_(term)
        show(total)

        def changed():
            x = torch.ones(2)
            x += wide
            x *= wide
            x.sub_(wide, alpha=2).div_(wide)
            x.addcmul_(wide, wide, value=0.5)
            x.pow_(wide)
            return x, torch.ones(2).mul_(wide), torch.ones(2).remainder_(wide)

        show(changed())
        """,
        "jax",
    )


def test_what_cannot_be_kept_raises_as_in_torch(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        def changed(x, wide):
            try:
                x += wide
            except RuntimeError:
                return "raised"
            return x

        wide = torch.ones(2, dtype=torch.float64)
        show(changed(torch.ones(2), wide))
        show(changed(torch.ones(2, dtype=torch.int64), wide))
        """,
        "jax",
    )


def test_the_greater_of_what_is_not_known(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import json
        import pickle
        import torch

        def greater(x, t):
            return x.max(t), torch.min(x, t)

        def along(x, axis):
            return x.max(axis)[0], torch.min(x, axis)[1]

        number = pickle.loads(pickle.dumps(torch.tensor(2.0, dtype=torch.float64)))
        show(greater(torch.tensor([1.5, 2.5]), number))
        show(along(torch.tensor([1.5, 2.5]), json.loads("0")), along(torch.tensor(1.5), json.loads("0")))
        """,
        "jax",
    )
