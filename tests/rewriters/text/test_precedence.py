"""Converted expressions inside of converted expressions: what stands there binds as it did."""

from __future__ import annotations

import ast
import types

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

RULES = """
@rule(torch.add, torch.Tensor.add)
def add(input, other):
    return input + other

@rule(torch.sub, torch.Tensor.sub)
def sub(input, other):
    return input - other

@rule(torch.mul, torch.Tensor.mul)
def mul(input, other):
    return input * other

@rule(torch.pow, torch.Tensor.pow)
def pow(input, exponent):
    return input ** exponent

@rule(torch.neg, torch.Tensor.neg)
def neg(input):
    return -input

@rule(torch.eq, torch.Tensor.eq)
def eq(input, other):
    return input == other

@rule(torch.addcmul, torch.Tensor.addcmul)
def addcmul(input, tensor1, tensor2):
    return input + tensor1 * tensor2

@rule(torch.where)
def where(condition, input, other):
    return input if condition else other

@rule(torch.select, torch.Tensor.select)
def select(input, dim, index):
    return input[dim, index]

@rule(torch.narrow, torch.Tensor.narrow)
def narrow(input, dim, start, length):
    return input[start:length]

@rule(torch.abs, torch.Tensor.abs)
def abs(input):
    return input.absolute

@rule(torch.exp, torch.Tensor.exp)
def exp(input):
    return toy.exp(input)

@rule(torch.maximum, torch.Tensor.maximum)
def maximum(input, other):
    return toy.maximum(y=other, x=input)
"""


def shown(value) -> str:
    return value.text if isinstance(value, Symbol) else repr(value)


class Symbol:
    """A value that knows how it was computed, with torch's methods for where the receiver does not follow."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __getitem__(self, index) -> Symbol:
        parts = index if isinstance(index, tuple) else (index,)
        texts = [f"{shown(p.start)}:{shown(p.stop)}" if isinstance(p, slice) else shown(p) for p in parts]
        return Symbol(f"{self.text}[{', '.join(texts)}]")

    def __bool__(self) -> bool:
        return len(self.text) % 2 == 0

    def __format__(self, spec: str) -> str:
        return self.text + spec

    absolute = property(lambda self: Symbol(f"|{self.text}|"))


def operator(sign: str, swapped: bool = False):
    def apply(self, other):
        left, right = (other, self) if swapped else (self, other)
        return Symbol(f"({shown(left)} {sign} {shown(right)})")

    return apply


for name, sign in (("add", "+"), ("sub", "-"), ("mul", "*"), ("pow", "**"), ("truediv", "/")):
    setattr(Symbol, f"__{name}__", operator(sign))
    setattr(Symbol, f"__r{name}__", operator(sign, swapped=True))
for name, sign in (("eq", "=="), ("lt", "<")):
    setattr(Symbol, f"__{name}__", operator(sign))
Symbol.__neg__ = lambda self: Symbol(f"(-{self.text})")

MEANING = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "pow": lambda a, b: a**b,
    "neg": lambda a: -a,
    "eq": lambda a, b: a == b,
    "addcmul": lambda input, tensor1, tensor2: input + tensor1 * tensor2,
    "where": lambda c, a, b: a if c else b,
    "select": lambda a, dim, index: a[dim, index],
    "narrow": lambda a, dim, start, length: a[start:length],
    "abs": lambda a: a.absolute,
    "exp": lambda a: Symbol(f"exp({shown(a)})"),
    "maximum": lambda x, y: Symbol(f"max({shown(x)}, {shown(y)})"),
}
TORCH = types.SimpleNamespace(Tensor=Symbol, **MEANING)
for name, meaning in MEANING.items():
    if name != "where":
        setattr(Symbol, name, meaning)
TENSORS = {"x": Symbol("x"), "y": Symbol("y"), "z": Symbol("z")}
SOURCE = """
import torch


def first(*values, k=None):
    return values[0] if values else k


def program(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor, c: bool, n: int):
    return {}
"""


@pytest.fixture(scope="module")
def toy(toy_target):
    return toy_target(RULES)


@pytest.fixture(scope="module")
def agree(toy, conversion, execute):
    def check(expression: str) -> str:
        done = conversion(SOURCE.format(expression), toy)
        text = next(iter(done.files.values())).decode()
        scope = execute(done, Tensor=Symbol, exp=MEANING["exp"], maximum=MEANING["maximum"])
        for c in (True, False):
            inside = {"__name__": "snippet", "torch": TORCH}
            exec(SOURCE.format(expression).replace("import torch\n", ""), inside)  # noqa: S102
            expected = shown(inside["program"](**TENSORS, c=c, n=2))
            assert shown(scope["program"](**TENSORS, c=c, n=2)) == expected, text
        return text

    return check


@pytest.mark.parametrize(
    ("expression", "becomes"),
    [
        ("x.mul(y.add(1))", "x * (y + 1)"),
        ("torch.pow(x.add(1), 2)", "(x + 1) ** 2"),
        ("torch.pow(x ** y, 2)", "(x ** y) ** 2"),
        ("torch.pow(2, x.neg())", "2 ** -x"),
        ("torch.pow(-2, x)", "(-2) ** x"),
        ("x.sub(y.sub(1))", "x - (y - 1)"),
        ("torch.mul(torch.sub(x, y), z)", "(x - y) * z"),
        ("torch.addcmul(x, y.add(1), y.sub(1))", "x + (y + 1) * (y - 1)"),
        ("x.mul(y if c else z)", "x * (y if c else z)"),
        ("torch.add(torch.where(c, x, y), z)", "(x if c else y) + z"),
        ("torch.neg(x.pow(2))", "-x ** 2"),
        ("(x.add(1)).mul(2)", "(x + 1) * 2"),
        ("torch.exp(x.add(1) * 2)", "toy.exp((x + 1) * 2)"),
        ("x.add(1).exp()", "toy.exp(x + 1)"),
        ("x.add(1).abs()", "(x + 1).absolute"),
        ("torch.eq(x.eq(y), z)", "(x == y) == z"),
        ("torch.add(x, (w := y.add(1)))", "x + (w := y + 1)"),
        ("x.select(0, (1, 2))", "x[0, (1, 2)]"),
        ("torch.mul((lambda: x.add(1))(), y)", "(lambda: x + 1)() * y"),
        ("first(k=x.add(1), *[y.add(1)]).mul(2)", "first(k=x + 1, *[y + 1]) * 2"),
        ("f'{x.mul(y.add(1))}'", "f'{x * (y + 1)}'"),
        ("x.mul(\n        y.add(1)\n    )", "x * (y + 1)"),
        ("x.mul(y\n        .add(1))", "x * (y + 1)"),
        ("torch.mul(y +\n        z, x.add(1))", "(y +\n        z) * (x + 1)"),
    ],
)
def test_brackets_follow_what_an_argument_has_become(agree, expression, becomes):
    assert f"    return {becomes}\n" in agree(expression)


def composed(inner):
    """Expressions of expressions: calls of rules, operators, and the other places an expression can stand in."""
    binary = st.sampled_from(["add", "sub", "mul", "pow", "eq", "maximum"])
    unary = st.sampled_from(["neg", "abs", "exp"])
    sign = st.sampled_from(["+", "-", "*", "**", "/"])
    gap = st.sampled_from(["", "\n        "])
    number = st.sampled_from(["n", "n + 1", "-n", "n if c else 1", "(n * 2)"])
    return st.one_of(
        st.builds("torch.{}({}, {})".format, binary, inner, inner),
        st.builds("({}).{}({}{})".format, inner, binary, gap, inner),
        st.builds("torch.{}({})".format, unary, inner),
        st.builds("({}).{}()".format, inner, unary),
        st.builds("torch.addcmul({}, {},{} {})".format, inner, inner, gap, inner),
        st.builds("({}).addcmul(tensor1={}, tensor2={})".format, inner, inner, inner),
        st.builds("torch.where(c, {}, {})".format, inner, inner),
        st.builds("torch.narrow({}, 0, {}, {})".format, inner, number, number),
        st.builds("({}).select({}, {})".format, inner, number, number),
        st.builds("({}) {} ({})".format, inner, sign, inner),
        st.builds("-({})".format, inner),
        st.builds("({}) < ({}) < ({})".format, inner, inner, inner),
        st.builds("({}) if c else ({})".format, inner, inner),
        st.builds("({}) and ({})".format, inner, inner),
        st.builds("({})[({})]".format, inner, inner),
        st.builds("({})[({}):({}), ({})]".format, inner, inner, inner, inner),
        st.builds("(lambda: {})()".format, inner),
        st.builds("first(*[{}], k={})".format, inner, inner),
        st.builds("[({}), *({}, n)][0]".format, inner, inner),
        st.builds("{{'k': {}}}['k']".format, inner),
        st.builds("[({}) for _ in range(1)][0]".format, inner),
        st.builds("(w := {})".format, inner),
    )


LEAVES = st.sampled_from(["x", "y", "z", "x + 1", "-y", "x ** 2"])
EXPRESSIONS = st.recursive(LEAVES, composed, max_leaves=6)


@settings(max_examples=200, deadline=None)
@given(expression=EXPRESSIONS, plain=st.booleans(), formatted=st.booleans())
def test_random_nestings(agree, expression, plain, formatted):
    if plain:
        expression = ast.unparse(
            ast.parse(expression.strip(), mode="eval")
        )  # with the brackets that it needs and no others
    if (
        formatted
        and plain
        and not set("'{\n") & set(expression)
        and ":=" not in expression
        and "lambda" not in expression
    ):
        expression = f"f'{{{expression}:s}}'"
    agree(f"({expression})" if "\n" in expression else expression)
