"""To JAX: the texts of dtypes, sizes and devices that a program works with are torch's."""

from __future__ import annotations

from collections.abc import Callable


def test_texts_are_torchs(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import types
        import numpy as np
        import torch

        x, f = torch.arange(3), torch.ones(2, 3)
        show(str(x.dtype), str(torch.float32), f"{f.dtype}", "%s" % x.dtype, "{}".format(x.dtype), repr(x.dtype))
        show(str(f.half().dtype), str((f > 0).dtype), str(f.bfloat16().dtype), str(torch.bool), str(x.shape[0]))
        show(str(f.shape), f"{f.shape}", repr(f.size()), "%s" % (f.shape,), str(f.device), f"{torch.device('cpu')}")
        show(str(f.dtype).split(".")[-1], str(torch.float32).split(".")[-1])

        def named(dtype: torch.dtype):
            return str(dtype).split(".")[1], str(dtype).replace("torch.", "")

        def of(owner):
            return [str(owner.dtype), f"{owner.dtype}", str(owner.shape)]

        kinds = {"a": torch.float32, "b": torch.int64}
        show(named(torch.float32), named(f.dtype), [str(kind) for kind in kinds.values()])
        for owner in vars(types.SimpleNamespace(a=torch.ones(2), b=np.ones(2), c=torch.arange(2))).values():
            show(of(owner))
        """,
        "jax",
    )
