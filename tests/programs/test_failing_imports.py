"""``try: from torch.x import a, b`` where torch has a and not b: the handler runs, and what it binds is what holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "one name exists, another does not": """
        import torch

        try:
            from torch.linalg import norm as y, nothing
        except ImportError:
            y = None
        show(y is None)
    """,
    "names bound by one handler": """
        import torch

        try:
            from torch.nn.functional import relu as f, no_such_function as g
            have = True
        except ImportError:
            have = False
            f = g = None
        show(have, f is None)
    """,
    "what stands before stays bound": """
        import torch

        try:
            from torch.nn.functional import relu as f, no_such_function as g
        except ImportError:
            g = None
        show(g is None, f(torch.tensor([-1.0, 2.0])))
    """,
    "a statement below": """
        import torch

        try:
            from torch.nothing import z
            from torch.linalg import norm as y
        except ImportError:
            y = None
        show(y is None)
    """,
    "a statement above, and a handler that binds at times": """
        import torch

        import sys
        try:
            from torch.linalg import norm as y
            from torch.nn.functional import no_such_function
        except ImportError:
            if sys.maxsize < 0:
                y = None
        show(y(torch.tensor([3.0, 4.0])))
    """,
    "the handler's own functions": """
        import torch

        try:
            from torch.nn.functional import softplus as sp, no_such_function as g
        except ImportError:
            def sp(x): return x * 100
            g = abs
        show(sp(torch.tensor([1.0])), g(torch.tensor([-1.0])))
    """,
    "two of them": """
        import torch

        try:
            from torch.nn.functional import relu as f
        except ImportError:
            f = None
        try:
            from torch.nn.functional import silu as h, no_such_function
        except ImportError:
            h = None
        show(f is None, h is None)
        show(f(torch.tensor([-1.0, 1.0])))
    """,
    "a module": """
        import torch

        try:
            from torch import fft, nothing_here
        except ImportError:
            fft = None
        show(fft is None)
    """,
    "a class": """
        import torch

        try:
            from torch.nn import GELU as Act, NoSuchLayer
        except ImportError:
            from torch.nn import ReLU as Act
        show(Act()(torch.tensor([-1.0, 1.0])))
    """,
    "one inside another": """
        import torch

        try:
            try:
                from torch.nn.functional import relu as f, no_such_function
            except ImportError:
                f = None
            from torch.linalg import norm as y
        except ImportError:
            y = None
        show(f is None, y is None)
    """,
}


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str, target: str) -> None:
    agrees(program, target)
