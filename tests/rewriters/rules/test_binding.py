"""A call's arguments meet the parameters of a rule, and the overload that is meant is found."""

from __future__ import annotations

import pytest

VIEW = """
alias(torch.dtype, "toy.dtype")
alias(torch.Tensor, "toy.Tensor")

@rule(torch.Tensor.view)
def view(self, *shape: int):
    return self.ints(shape)


@rule(torch.Tensor.view)
def view(self, shape: list | tuple):
    return self.sequence(shape)


@rule(torch.Tensor.view)
def view(self, dtype: torch.dtype):
    return self.dtype(dtype)


@rule(torch.Tensor.max)
def max(self):
    return self.all()


@rule(torch.Tensor.max)
def max(self, other: torch.Tensor):
    return self.other(other)


@rule(torch.Tensor.max)
def max(self, dim: int, keepdim=False):
    return self.dim(dim, keep=keepdim)


@rule(torch.g)
def g(x: int | None, y: str | float = 1.0):
    return toy.plain(x, y)


@rule(torch.g)
def g(x: toy.Tensor):
    return toy.tensor(x)


alias(torch.float32, "toy.float32")
"""


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("t.view(1, 2)", "t.ints([1, 2])"),
        ("t.view(-1)", "t.ints([-1])"),
        ("t.view(t.size(0), -1)", "t.ints([t.size(0), -1])"),
        ("t.view(len(n), 2 * len(n))", "t.ints([len(n), 2 * len(n)])"),
        ("t.view(len('a'))", "t.ints([len('a')])"),
        ("t.view((1, 2))", "t.sequence((1, 2))"),
        ("t.view([n, 2])", "t.sequence([n, 2])"),
        ("t.view(t.shape)", "t.sequence(t.shape)"),
        ("t.view(shape=(1, 2))", "t.sequence((1, 2))"),
        ("t.view(torch.float32)", "t.dtype(toy.float32)"),
        ("t.view(t.dtype)", "t.dtype(t.dtype)"),
        ("t.max()", "t.all()"),
        ("t.max(1)", "t.dim(1, keep=False)"),
        ("t.max(dim=1)", "t.dim(1, keep=False)"),
        ("t.max(1, True)", "t.dim(1, keep=True)"),
        ("t.max(axis=1, keepdims=True)", "t.dim(1, keep=True)"),
        ("t.max(t + 1)", "t.other(t + 1)"),
        ("torch.Tensor.max(t, 1)", "t.dim(1, keep=False)"),
        ("torch.g(1)", "toy.plain(1, 1.0)"),
        ("torch.g(None, 'a')", "toy.plain(None, 'a')"),
        ("torch.g(t)", "toy.tensor(t)"),
    ],
)
def test_overload(call, expected, toy_target, converted):
    rules = VIEW + 'same("torch.Tensor.size", "torch.Tensor.shape", "torch.Tensor.dtype")\n'
    out = converted(f"import torch\ndef f(t: torch.Tensor, n: int):\n    r = {call}\n", toy_target(rules))
    assert out.split("\n")[2] == f"    r = {expected}"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("t.view(u)", "toy_helpers.view(t, u)"),
        ("t.view(u, v)", "toy_helpers.view(t, u, v)"),
        ("t.view(1, u)", "toy_helpers.view(t, 1, u)"),
        ("t.max(u)", "toy_helpers.torch_max(t, u)"),
        ("t.max(u, keepdims=True)", "toy_helpers.torch_max(t, u, keepdim=True)"),
        ("(t + 1).max(\n    u,  # what\n)", "toy_helpers.torch_max(t + 1,\n    u,  # what\n)"),
    ],
)
def test_undecided(call, expected, toy_target, conversion):
    done = conversion(
        f"import torch\ndef f(t: torch.Tensor, u, v):\n    r = {call}\n",
        toy_target(VIEW),
    )
    text = next(iter(done.files.values())).decode()
    assert f"    r = {expected}\n" in text
    site = next(site for site in done.reports[0].sites if site.outcome == "helper")
    assert "UndecidedOverload" in site.detail or "keepdim" in expected


@pytest.mark.parametrize(
    "call", ["t.max(1, 2, 3)", "t.max(k=1)", "t.max(1, dim=1)", "t.view()", "t.view('a', 'b')", "torch.g()"]
)
def test_no_overload_takes_it(call, toy_target, converted):
    target = toy_target(VIEW.replace("*shape: int", "first: int, *shape: int"))
    out = converted(f"import torch\ndef f(t: torch.Tensor):\n    return {call}\n", target)
    assert "# migrate: unsupported no rule of " in out
    assert "return toy_helpers.torch." in out


class Tensor(list):
    """A tensor of the toy framework: its methods say what was called."""

    def ints(self, shape):
        return ("ints", tuple(shape))

    def sequence(self, shape):
        return ("sequence", tuple(shape))

    def all(self):
        return "all"

    def other(self, other):
        return ("other", other)

    def dim(self, dim, keep):
        return ("dim", dim, keep)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("t.view(u)", ("ints", (3,))),
        ("t.view(u, 4)", ("ints", (3, 4))),
        ("t.view(v)", ("sequence", (1, 2))),
        ("t.view(*v)", ("ints", (1, 2))),
        ("t.max(u)", ("dim", 3, False)),
        ("t.max(u, keepdims=w)", ("dim", 3, "w")),
        ("t.max(t if w else u)", ("other", [])),
        ("t.max(*[])", "all"),
        ("torch.g(u)", 30),
        ("torch.g(u, w)", 31),
    ],
)
def test_the_helper_decides_at_run_time(call, expected, toy_target, conversion, execute):
    rules = VIEW
    done = conversion(f"import torch\ndef f(t: torch.Tensor, u, v, w):\n    return {call}\n", toy_target(rules))
    assert "toy_helpers." in next(iter(done.files.values())).decode()
    scope = execute(done, Tensor=Tensor, dtype=type("dtype", (), {}), plain=lambda x, y: x * 10 + (y == "w"))
    assert scope["f"](Tensor(), 3, (1, 2), "w") == expected


def test_no_form_fits_at_run_time(toy_target, conversion, execute):
    done = conversion("import torch\ndef f(t: torch.Tensor, u):\n    return t.view(u)\n", toy_target(VIEW))
    with pytest.raises(TypeError, match="no form of "):
        execute(done, dtype=int, Tensor=Tensor)["f"](Tensor(), {})


def test_aliases_keep_the_spelling(check_converted, toy_target):
    target = toy_target('alias(torch.float, "toy.float")\nalias(torch.float32, "toy.float32")\n')
    check_converted(
        "import torch\nx = torch.float, torch.float32\n", "import toy\nx = toy.float, toy.float32\n", target
    )
