"""Functions behind decorators of the project: what is called by their names is what the decorator gives."""

from __future__ import annotations

from collections.abc import Callable

import pytest

HEAD = """\
import torch
def counted(inner):
    def wrapper(*args, **kwargs):
        return inner(*args, **kwargs)
    return wrapper
def scaled(by):
    def decorate(inner):
        def wrapper(x, *rest):
            return inner(x * by, *rest)
        return wrapper
    return decorate
known = {}
def registered(function):
    known[function.__name__] = function
    return function
x = torch.linspace(-1, 1.5, 12).view(2, 3, 2)
"""
PROGRAMS = {
    "operators and methods on what a wrapper hands on": """
@counted
def f(u):
    return u * 1.3 % 0.6, u[0].norm(p=2, dim=(0, 1))
show(f(x))
""",
    "what a wrapper gives changes in place": """
@counted
def f(v):
    return torch.einsum("ij,jk->ki", v.T, v)
result = f(x[0])
other = result
other += 1
show(result)
""",
    "a decorator with arguments": """
@scaled(2)
def f(u, dims):
    return u.sum(dims, keepdim=True)
show(f(x, (0, 1)), f(x, 1))
""",
    "one upon the other": """
@counted
@scaled(0.5)
def f(u, dim):
    v = -u
    return v % 0.4, v.std(dim)
show(f(x, 1))
""",
    "registered": """
@registered
def f(u):
    return u.view(-1).max(0).values, u % 0.7
show(f(x), known["f"](x))
""",
    "several behind one decorator, of which one takes no tensor": """
@counted
def f(u):
    return u.size(0)
@counted
def g(n, by=3):
    return n % by
show(f(x), g(7), g(-7, by=4))
""",
    "nothing is handed on": """
@counted
def f():
    return x % 0.7
show(f())
""",
}
PART = """
@counted
def f(v):
    return v.split(1, dim=0)[0].view(-1)
y = x * 2
part = f(y)
torch.nn.LeakyReLU(0.1, inplace=True)(part)
part[2] = 5.0
show(y)
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_decorated(agrees: Callable[..., object], name: str, target: str) -> None:
    agrees(HEAD + PROGRAMS[name], target)


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_a_part_that_a_wrapper_gives_changes_in_place(agrees: Callable[..., object], target: str) -> None:
    agrees(HEAD + PART, target)
