"""Packages whose files import from the package what others of its files define, and what such packages ask of torch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.programs import Outcome

PACKAGE = {
    "pkg/__init__.py": "from .base import *\nfrom .scaled import *\n",
    "pkg/base.py": """
from typing import Tuple
import torch.nn as nn
class Invertible(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.dims = dims
""",
    "pkg/scaled.py": """
from . import Invertible
import torch
import torch.nn as nn
class Scaled(Invertible):
    def __init__(self, dims):
        super().__init__(dims)
        self.w = nn.Parameter(torch.ones(dims))
        self.register_buffer("seen", torch.zeros(1))
    def forward(self, x, rev=False):
        self.seen += 1
        return x / self.w if rev else x * self.w
""",
    "program.py": """
import torch
from pkg import Scaled
m = Scaled(2)
show(m(torch.ones(3, 2)), m(torch.ones(3, 2), rev=True), m.seen, sorted(m.state_dict()))
m.register_full_backward_hook(lambda *given: None)
""",
}

HANDED_ON = {
    "pkg/__init__.py": "from pkg.sched import *\n",
    "pkg/sched.py": """
from torch.optim.lr_scheduler import ConstantLR, StepLR
import torch.nn.functional as F
from torch.nn import GELU
__all__ = ['ConstantLR', 'StepLR', 'table', 'F', 'GELU']
table = {'c': ConstantLR, 's': StepLR}
""",
    "program.py": """
import torch
import pkg
from pkg import table
from pkg.sched import *
w = torch.nn.Parameter(torch.ones(2))
opt = torch.optim.SGD([w], lr=0.1)
s = table['s'](opt, step_size=1)
opt.step(); s.step()
show(opt.param_groups[0]['lr'], F.relu(w), GELU()(torch.ones(1)))
show(pkg.StepLR is table['s'])
""",
}

READ_OF_PACKAGES = {
    "pkg/__init__.py": """
from . import linalg
from . import user
""",
    "pkg/linalg/__init__.py": """
from .batch import svd, sym
""",
    "pkg/linalg/batch.py": """
import torch
__all__ = ['svd', 'sym']
def sym(x):
    return 0.5 * (x + x.t())
svd = torch.linalg.svd
""",
    "pkg/user.py": """
import torch
from . import linalg
def values(x):
    return linalg.svd(linalg.sym(x), full_matrices=False)[1]
""",
    "program.py": """
import torch
from pkg.user import values
from pkg.linalg import svd
show(values(torch.tensor([[2.0, 1.0], [0.0, 3.0]])), svd(torch.eye(2))[1])
""",
}

ASKED = """
import torch
from torch import _C
def tracing():
    return torch._C._is_tracing()
show(tracing(), torch.jit.is_tracing(), _C._get_tracing_state())
class Recorded(torch.nn.Module):
    def forward(self, x):
        self.cuda_in_fwd = False
        if torch.cuda._initialized:
            self.cuda_in_fwd = True
        return x + 1 if not torch._C._get_tracing_state() else x
show(Recorded()(torch.ones(2)))
"""

PADDED = """
import torch
import torch.nn.functional as F
def pad_to(t, mult, dim=-1, value=0.):
    n = t.shape[dim]
    rest = -n % mult
    return F.pad(t, (*((0,) * (-1 - dim) * 2), 0, rest), value=value)
def both(x, mask=None):
    x = pad_to(x, 4)
    if mask is not None:
        mask = pad_to(mask, 4, value=False)
        return x.masked_fill(~mask, 9.0)
    return x
show(both(torch.ones(2, 5)))
show(both(torch.ones(2, 5), torch.ones(2, 5).bool()))
show(pad_to(torch.ones(3).long(), 2, value=7))
x = torch.ones(1, 2)
show(F.pad(x, (1, 1)))
show(F.pad(x, (1, 1), value=2))
show(F.pad(x, (0, 1), 'constant', 0.5))
show(F.pad(x, (1, 0), 'constant', 3))
show(F.pad(x.bool(), (1, 0), value=True))
show(F.pad(x.bool(), (1, 0)))
show(F.pad(x.long(), (1, 0), value=-100))
def g(x, n, v): return F.pad(x, (n, n), value=v)
show(F.pad(x.bool(), (1, 0), "constant", True), F.pad(x, (1, 0), "constant", False))
show(g(x, 1, 0), g(x.bool(), 1, False), g(x.bool(), 1, True), g(x, 1, None), g(x, 1, 1.5))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_classes_of_the_package_are_known(outcome: Callable[..., Outcome], target: str) -> None:
    ran = outcome(PACKAGE, target)
    assert ran.verdict == "agrees", ran
    assert "_helpers.register_full_backward_hook(m" in ran.converted["program.py"]


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_nothing_is_traced(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(ASKED, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_masks_are_padded_by_what_is_handed_on(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(PADDED, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_names_that_a_file_says_to_have_stay_bound(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(HANDED_ON, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_functions_that_others_read_of_a_package_stay_bound(agrees: Callable[..., Outcome], target: str) -> None:
    agrees(READ_OF_PACKAGES, target)
