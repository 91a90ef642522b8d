"""What a target's signatures let a call be written as: one signature, or overloads of which it must stay the same."""

from __future__ import annotations

import json

import pytest

TENSOR, NUMBER, FLAG = "Tensor", "Int32", "Bool"
X, DIM, KEEP = ["x", "positional", None], ["dim", "positional", None], ["keepdim", "positional", "False"]


def typed(row: list, kind: str) -> list:
    return [*row, kind]


REDUCED = [typed(X, TENSOR), typed(DIM, NUMBER), typed(KEEP, FLAG)]
WHOLE = [typed(X, TENSOR)]
OTHER = [typed(X, TENSOR), typed(["other", "positional", None], TENSOR)]
DRAWN = [
    typed(["size", "positional", None], "Shape"),
    typed(["dtype", "keyword", "None"], "DataType"),
]
PLACED = [DRAWN[0], typed(["placement", "keyword", None], "Placement"), DRAWN[1]]
SIGNATURES = {
    "version": "1",
    "signatures": {
        "toy.g": [X, ["dim", "positional", "0"], ["scale", "positional", "None"], ["name", "keyword", "kWord"]],
    },
    "overloads": {"toy.sum": [REDUCED, WHOLE], "toy.max": [WHOLE, REDUCED, OTHER], "toy.rand": [DRAWN, PLACED]},
}
CASES = {
    # name: (rule, call, what it becomes)
    "a default may be written as another kind of number": (
        "def f(x, dim=0.0): return toy.g(x, dim)",
        "torch.f(y)",
        "toy.g(y)",
    ),
    "a truth value is no number": ("def f(x, dim=False): return toy.g(x, dim)", "torch.f(y)", "toy.g(y, False)"),
    "defaults go": ("def f(x, dim=0): return toy.g(x, dim=dim, scale=None)", "torch.f(y)", "toy.g(y)"),
    "default before a keyword": (
        "def f(x, scale=None): return toy.g(x, 0, scale)",
        "torch.f(y, scale=2)",
        "toy.g(y, scale=2)",
    ),
    "a default in the target's words stays": (
        "def f(x): return toy.g(x, name='kWord')",
        "torch.f(y)",
        'toy.g(y, name="kWord")',
    ),
    "a keyword of the source stays": ("def f(x, dim): return toy.g(x, dim)", "torch.f(y, dim=1)", "toy.g(y, dim=1)"),
    "a position of the source stays": ("def f(x, dim): return toy.g(x, dim=dim)", "torch.f(y, 1)", "toy.g(y, 1)"),
    "only overload that takes it": (
        "def f(x, dim, keepdim=False): return toy.sum(x, dim, keepdim)",
        "torch.f(y, dim=1)",
        "toy.sum(y, dim=1)",
    ),
    "overload without the parameter": ("def f(x): return toy.sum(x, keepdim=False)", "torch.f(y)", None),
    "a number is no tensor": (
        "def f(x, dim): return toy.max(x, dim=dim, keepdim=False)",
        "torch.f(y, 1)",
        "toy.max(y, 1)",
    ),
    "what may be a tensor stays under its name": (
        "def f(x, dim): return toy.max(x, dim=dim, keepdim=False)",
        "torch.f(y, z)",
        "toy.max(y, dim=z, keepdim=False)",
    ),
    "a list in one argument or in several": (
        "def f(*size, dtype=None): return toy.rand(*size, dtype=dtype)",
        "torch.f(2, 3)",
        "toy.rand(2, 3)",
    ),
    "an overload that asks for more": (
        "def f(size, dtype=None): return toy.rand(size, dtype=dtype)",
        "torch.f((2, 3))",
        "toy.rand((2, 3))",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_calls_as_signatures_let_them_be_written(name, toy_target, check_converted):
    rule, call, expected = CASES[name]
    target = toy_target(f"@rule(torch.f)\n{rule}\n", signatures__json=json.dumps(SIGNATURES))
    names = "from world import y, z\n"
    expected = expected or "toy.sum(y, keepdim=False)"
    check_converted(f"import torch\n{names}r = {call}\n", f"import toy\n{names}r = {expected}\n", target)


@pytest.mark.parametrize(
    ("rule", "stays"),
    [
        ("def f(x, dim=0): return toy.g(x, dim=dim)", True),
        ("def f(x, dim=-1): return toy.g(x, dim=dim)", False),
        ("def f(x, dim): return toy.sum(x, dim)", False),
    ],
)
def test_a_function_is_handed_on_where_it_has_the_rules_defaults(rule, stays, toy_target, conversion):
    target = toy_target(f"@rule(torch.f)\n{rule}\n", signatures__json=json.dumps(SIGNATURES))
    done = conversion("import torch\n\nfs = [torch.f]\n", target)
    assert bool(done.helpers) is not stays


@pytest.mark.parametrize(
    ("method", "expected"),
    [([REDUCED, WHOLE], "y.sum(1)"), ([REDUCED, OTHER], "toy.sum(y, 1)"), ([REDUCED], "toy.sum(y, 1)")],
)
def test_a_method_comes_out_where_it_has_the_functions_overloads(method, expected, toy_target, converted):
    overloads = {**SIGNATURES["overloads"], "torch.Tensor.sum": [overload[1:] for overload in method]}
    rules = 'alias(torch.Tensor, "toy.Tensor")\n\n@rule(torch.Tensor.sum)\ndef sum(x, dim): return toy.sum(x, dim)\n'
    target = toy_target(rules, signatures__json=json.dumps({**SIGNATURES, "overloads": overloads}))
    made = converted("import torch\n\ndef f(y: torch.Tensor):\n    return y.sum(1)\n", target)
    assert made.splitlines()[-1] == f"    return {expected}"
