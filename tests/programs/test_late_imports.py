"""Names are not spelled by an import that stands further down: it may not have run when they are needed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "torch alone is tried, and made otherwise where it is not there": """
        try:
            import torch
        except ImportError:
            from elsewhere import import_otherwise

            torch = import_otherwise("torch")


        def doubled(x):
            return torch.cat([x, x], dim=0).size(0)


        show(str(torch.__version__).split("+")[0], torch.ones(2).mul(3), doubled(torch.ones(2)))
    """,
    "one of two ways to bind a name": """
        import sys
        if sys.version_info < (3, 0):
            from typing import overload
            def softplus(x, **options):
                return x
        else:
            from torch.jit import _overload as overload
            from torch.nn.functional import softplus
        import torch
        @overload
        def twice(x):
            pass
        def twice(x):
            return softplus(x, beta=2) * 2
        show(twice(torch.tensor([1.0, -2.0])))
    """,
    "at the top": """
        from torch import tensor
        x = tensor([1.0, 2.0])
        show(x.fmod(2.0), x.count_nonzero(), x.logit(), x.frac(), x.addcmul(x, x))
        import torch
        show(torch.ones(2))
    """,
    "in a function that is called before": """
        import torch.nn as nn


        def f(x):
            return x.eq(2).count_nonzero(), x.fmod(2.0)


        show(f(nn.Linear(2, 2).weight.detach() * 0))
        import torch
        show(f(torch.ones(2)))
    """,
    "of the function itself": """
        import torch.nn as nn


        def f(x):
            y = x.count_nonzero() + x.fmod(2.0)
            import torch
            return y * torch.ones(1)


        show(f(nn.Linear(2, 2).weight.detach() * 0))
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(program, target)
