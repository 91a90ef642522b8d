"""Whether gradients are recorded: statements, blocks, decorators, modes kept in names, generators, errors."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import torch
import torch.nn as nn
import torch.nn.functional as F
"""

PROGRAMS = {
    "set as a statement": """
        p = nn.Parameter(torch.ones(3))
        torch.set_grad_enabled(False)
        y = p * 2
        show(y.requires_grad, torch.is_grad_enabled())
        torch.set_grad_enabled(True)
        show((p * 2).requires_grad, torch.is_grad_enabled())
    """,
    "with": """
        p = nn.Parameter(torch.ones(3))
        with torch.set_grad_enabled(False):
            show((p * 2).requires_grad)
        with torch.set_grad_enabled(mode=True):
            show((p * 2).requires_grad)
        show((p * 2).requires_grad)
    """,
    "decorators": """
        p = nn.Parameter(torch.ones(3))
        @torch.no_grad()
        def f(x):
            return x * 2
        @torch.inference_mode()
        def g(x):
            return x * 2
        @torch.set_grad_enabled(False)
        def h(x):
            return x * 2
        @torch.no_grad
        def k(x):
            return x * 2
        @torch.enable_grad()
        def e(x):
            return x * 2
        show(f(p).requires_grad, g(p).requires_grad, h(p).requires_grad, k(p).requires_grad, (p * 2).requires_grad)
        with torch.no_grad():
            show(e(p).requires_grad, f(p).requires_grad, (p * 3).requires_grad)
    """,
    "asked for inference mode": """
        def smart(f):
            return f if torch.is_inference_mode_enabled() else torch.inference_mode()(f)
        @smart
        def f(x):
            return x * 2
        p = nn.Parameter(torch.ones(3))
        show(f(p).requires_grad, torch.is_inference_mode_enabled())
        with torch.inference_mode():
            show(torch.is_inference_mode_enabled())
    """,
    "set and set back": """
        p = nn.Parameter(torch.ones(3))
        prev = torch.is_grad_enabled()
        torch.set_grad_enabled(False)
        try:
            q = p + 1
        finally:
            torch.set_grad_enabled(prev)
        show(q.requires_grad, (p + 1).requires_grad)
    """,
    "nested blocks": """
        p = nn.Parameter(torch.ones(3))
        with torch.no_grad():
            a = torch.is_grad_enabled()
            with torch.enable_grad():
                b = (p * 2).requires_grad
                c = torch.is_grad_enabled()
            d = (p * 2).requires_grad
        show(a, b, c, d)
        with torch.inference_mode():
            show((p * 2).requires_grad)
        with torch.inference_mode(False):
            show((p * 2).requires_grad)
        with torch.inference_mode(mode=True):
            show((p * 2).requires_grad)
    """,
    "in a loop": """
        p = nn.Parameter(torch.ones(3))
        for train in (True, False):
            with torch.set_grad_enabled(train):
                show((p * 2).requires_grad, torch.is_grad_enabled())
        ctx = torch.no_grad()
        with ctx:
            show((p * 2).requires_grad)
        ctx = torch.no_grad() if True else torch.enable_grad()
        with ctx:
            show((p * 2).requires_grad)
    """,
    "layers made meanwhile": """
        torch.set_grad_enabled(False)
        lin = nn.Linear(2, 2)
        show(lin.weight.requires_grad, lin(torch.ones(1, 2)).requires_grad)
        torch.set_grad_enabled(True)
        show(lin(torch.ones(1, 2)).requires_grad)
    """,
    "by its inner name": """
        torch._C._set_grad_enabled(False)
        p = nn.Parameter(torch.ones(3))
        show((p * 2).requires_grad)
        torch._C._set_grad_enabled(True)
    """,
    "kept in names": """
        p = nn.Parameter(torch.ones(3))
        ctx = torch.no_grad()
        with ctx:
            show((p * 2).requires_grad)
        show((p * 2).requires_grad)
        with torch.no_grad() as c:
            pass
        show((p * 2).requires_grad)
        g = torch.set_grad_enabled(False)
        show((p * 2).requires_grad)
        with g:
            show((p * 2).requires_grad)
        show((p * 2).requires_grad)
        torch.set_grad_enabled(False)
        f = torch.set_grad_enabled(True)
        show((p * 2).requires_grad)
    """,
    "errors end a block": """
        p = nn.Parameter(torch.ones(3))
        try:
            with torch.no_grad():
                raise ValueError("x")
        except ValueError:
            show((p * 2).requires_grad)
        def f():
            with torch.no_grad():
                q = p * 2
                raise ValueError(q)
        try:
            f()
        except ValueError as e:
            show((p * 2).requires_grad)
            kept = e
        show((p * 2).requires_grad)
        @torch.no_grad()
        def g():
            raise ValueError("y")
        try:
            g()
        except ValueError as e:
            show((p * 2).requires_grad)
            kept = e
        show((p * 2).requires_grad)
    """,
    "generators and methods": """
        p = nn.Parameter(torch.ones(3))
        @torch.no_grad()
        def gen():
            for i in range(2):
                yield (p * i).requires_grad
        for r in gen():
            show(r, (p * 2).requires_grad)
        @torch.no_grad
        def k(x):
            return x * 2
        show(k(p).requires_grad, k.__name__)
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.w = nn.Parameter(torch.ones(2))
            @torch.no_grad()
            def predict(self, x):
                return self.w * x
            @torch.inference_mode()
            def infer(self, x):
                return self.w * x
            def forward(self, x):
                return self.w * x
        m = M()
        show(m.predict(2).requires_grad, m.infer(2).requires_grad, m(torch.ones(2)).requires_grad)
    """,
    "chosen": """
        import contextlib
        p = nn.Parameter(torch.ones(3))
        for train in [True, False]:
            with contextlib.nullcontext() if train else torch.no_grad():
                show((p * 2).requires_grad)
            cm = torch.enable_grad if train else torch.no_grad
            with cm():
                show((p * 2).requires_grad)
        with contextlib.ExitStack() as stack:
            stack.enter_context(torch.no_grad())
            show((p * 2).requires_grad)
        show((p * 2).requires_grad)
    """,
    "imported by name": """
        import contextlib
        from torch import no_grad, set_grad_enabled
        p = nn.Parameter(torch.ones(3))
        with no_grad(), contextlib.nullcontext() as f:
            show((p * 2).requires_grad)
        set_grad_enabled(False)
        show((p * 2).requires_grad)
        with torch.enable_grad():
            show((p * 2).requires_grad)
            torch.set_grad_enabled(False)
            show((p * 2).requires_grad)
        show((p * 2).requires_grad)
        set_grad_enabled(mode=True)
        show((p * 2).requires_grad)
        with torch.no_grad():
            set_grad_enabled(True)
            show((p * 2).requires_grad)
        show((p * 2).requires_grad)
        f = torch.no_grad()(lambda x: x * 2)
        show(f(p).requires_grad)
        mode = torch.no_grad
        with mode():
            show((p * 2).requires_grad)
        show((p * 2).requires_grad)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_agrees(agrees: Callable[..., object], program: str) -> None:
    agrees(HEAD + dedent(program), "oneflow")
