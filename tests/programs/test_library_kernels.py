"""What libraries ask of tensors at run time: kinds that the target's kernels lack, matrices without a factor."""

from __future__ import annotations

from collections.abc import Callable

import pytest

PROGRAMS = {
    "a batch of which one matrix is not positive definite": """
import torch
a = torch.tensor([[[2.0, 0.5], [0.5, 1.0]], [[1.0, 2.0], [2.0, 1.0]]], requires_grad=True)
for upper in (False, True):
    factor, info = torch.linalg.cholesky_ex(a, upper=upper)
    show(factor[0], info)
show(torch.linalg.cholesky_ex(a.detach()[0]), torch.linalg.cholesky_ex(a.detach()[1]).info)
""",
    "the type of what may be a device": """
import torch
def place(*values):
    kinds = []
    for value in values:
        if type(value) is torch.dtype:
            kinds.append("dtype")
        elif type(value) is torch.device:
            kinds.append("device")
        elif type(value) != torch.device and not (type(value) is not torch.Generator):
            kinds.append("generator")
        else:
            kinds.append("else")
    return kinds
show(place(torch.float64, torch.device("cpu"), torch.ones(2).device, 3, "cpu", torch.Generator()))
""",
    "a dtype that is handed on is asked": """
import torch
def kind(size, dtype=None):
    dtype = dtype or torch.get_default_dtype()
    return "real" if dtype.is_floating_point else "complex" if dtype.is_complex else "whole"
class Settings:
    is_floating_point = "its own"
def own(settings):
    return settings.is_floating_point
show([kind(1, d) for d in (None, torch.float64, torch.int32, torch.bool)], own(Settings()))
""",
}
COMPLEX = """
import torch
def added(x, rows, dim=-1):
    return torch.index_add(x, dim, torch.tensor([2, 0]), rows, alpha=2)
def add_to(image, rows):
    image.index_add_(0, torch.tensor([2, 0]), rows)
def both(image, rows):
    add_to(image * 1, rows)
    y = image.clone()
    y.index_add_(0, torch.tensor([1, 1]), rows)
    return y
x = torch.view_as_complex(torch.linspace(-1, 1, 12).view(2, 3, 2)).requires_grad_()
rows = x[:, 1:] * (1 + 2j)
y = added(x, rows)
torch.view_as_real(y).square().sum().backward()
show(y, x.grad, added(x.real, rows.real), both(x.detach().T, rows.detach()))
"""
FACTORS = """
import torch
a = torch.tensor([[[2.0, 0.5], [0.5, 1.0]], [[1.0, 2.0], [2.0, 1.0]]], requires_grad=True)
factor, info = torch.linalg.cholesky_ex(a)
factor[0].sum().backward()
show(a.grad[0], info)
"""
PRODUCTS = """
import torch
def matrix(rows, values):
    places = torch.stack([rows, torch.tensor([0, 1, 1])])
    return torch.sparse_coo_tensor(places, values, (2, 2))
def product(one, other):
    return torch.mm(one, other)
def product_of(one, other):
    return one.mm(other)
def product_across(pair, other):
    one, _ = pair
    one = one.t()
    return torch.mm(one, other)
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
m = matrix(torch.tensor([0, 1, 1]), torch.tensor([2.0, 3.0, 5.0]))  # two values at one place
y = product(m, x)
y.square().sum().backward()
show(y, x.grad, product(x.detach(), x.detach()), torch.sparse.mm(m, x.detach()))
show(product_of(m, x.detach()), product_across((m, 1), x.detach()), product_across((x, 1), x))
sizes = torch.tensor(x.shape)
sizes[0] = 1
show(torch.zeros(*sizes), torch.ones(*sizes, dtype=torch.float64))
"""
SPARSE = """
import torch
def parts(sparse):
    return sparse._indices(), sparse._values()
show(*parts(torch.tensor([[0.0, 2.0], [3.0, 0.0]]).to_sparse()))
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_libraries_ask(agrees: Callable[..., object], name: str, target: str) -> None:
    agrees(PROGRAMS[name], target)


@pytest.mark.parametrize(
    "program", [COMPLEX, FACTORS, PRODUCTS, SPARSE], ids=["complex", "factors", "products", "sparse"]
)
def test_what_paddle_has_alone(agrees: Callable[..., object], program: str) -> None:
    agrees(program, "paddle")
