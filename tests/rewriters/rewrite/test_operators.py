"""Operators between tensors: rules for them, and the promotion of dtypes that a target lacks."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from textwrap import dedent

import pytest

from migrate.environments import Interpreter
from rewriters.convert import Conversion
from rewriters.report import Site, Status

SETUP = """\
import torch

i = torch.arange(3)
f = torch.ones(3)
b = f > 0.5
"""
PADDLE = """\
import paddle

i = paddle.arange(3)
f = paddle.ones([3])
b = f > 0.5
"""
# What stands there, and what becomes of it for Paddle.
PROMOTED = {
    "i + f": "i.astype(f.dtype) + f",
    "f - i": "f - i.astype(f.dtype)",
    "(i > 1) * f": "(i > 1).astype(f.dtype) * f",
    "b*i": "b.astype(i.dtype)*i",
    "f ** (i + 1)": "f ** (i + 1).astype(f.dtype)",
    "(i == f)": "(i.astype(f.dtype) == f)",
    "(f < i).sum()": "(f < i.astype(f.dtype)).sum()",
    "i[:, None] * f[None]": "i[:, None].astype(f[None].dtype) * f[None]",
    "-i / f": "(-i).astype(f.dtype) / f",
}
KEPT = ["i + i", "f * f", "i * 2", "f * 2", "i * 2.5", "b & b", "i == 1", "i / i", "2 * f", "-i", "~b", "b == b"]


@pytest.mark.parametrize(("torch_text", "paddle_text"), PROMOTED.items())
def test_promoted(check_converted: Callable[..., None], torch_text: str, paddle_text: str) -> None:
    check_converted(f"{SETUP}x = {torch_text}\n", f"{PADDLE}x = {paddle_text}\n")


@pytest.mark.parametrize("text", KEPT)
def test_kept(check_converted: Callable[..., None], text: str) -> None:
    check_converted(f"{SETUP}x = {text}\n", f"{PADDLE}x = {text}\n")


def test_in_place(check_converted: Callable[..., None]) -> None:
    check_converted(f"{SETUP}f += i\nf *= 2\n", f"{PADDLE}f += i.astype(f.dtype)\nf *= 2\n")


def test_unknown_is_left(check_converted: Callable[..., None]) -> None:
    """A parameter may be of any dtype, and is likely of floats: no cast is guessed between those."""
    text = "def g(x: torch.Tensor, y: torch.Tensor):\n    return (x * f + y) / y ** 2 - 1.5 * (x > y)\n"
    check_converted(SETUP + text, PADDLE + text.replace("torch", "paddle"))


def test_mask_takes_any_dtype(check_converted: Callable[..., None]) -> None:
    text = "def g(x: torch.Tensor):\n    return b * x + x\n"
    expected = text.replace("torch", "paddle").replace("b * x", "b.astype(x.dtype) * x")
    check_converted(SETUP + text, PADDLE + expected)


def test_integers_beside_the_unknown_ask(converted: Callable[..., str]) -> None:
    text = "def g(x: torch.Tensor):\n    return x * i + x\n"
    assert "return paddle_helpers.promoted_mul(x, i) + x" in converted(SETUP + text)


def test_work_is_not_doubled(sites: Callable[..., list[Site]], converted: Callable[..., str]) -> None:
    """The other operand's dtype would have to be computed twice: a helper computes it once."""
    text = f"{SETUP}x = i * torch.exp(f)\n"
    assert "x = paddle_helpers.promoted_mul(i, paddle.exp(f))" in converted(text)
    assert [site.outcome for site in sites(text) if "promotion" in site.detail] == ["helper"]


def test_promoted_as_torch(
    tmp_path_factory: pytest.TempPathFactory, converted: Callable[..., str], paddle_python: Interpreter
) -> None:
    """What comes out runs in Paddle and gives torch's dtypes."""
    prints = "".join(f"print(str(({text}).dtype).split('.')[-1])\n" for text in [*PROMOTED, *KEPT])
    import torch

    scope: dict[str, object] = {}
    exec(SETUP, scope)  # noqa: S102
    expected = [str(eval(text, scope).dtype).split(".")[-1] for text in [*PROMOTED, *KEPT]]  # noqa: S307
    assert isinstance(scope["torch"], type(torch))
    file = tmp_path_factory.mktemp("promoted") / "snippet.py"
    file.write_text(converted(SETUP + prints))
    ran = subprocess.run([paddle_python.python, "-W", "ignore", file], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == expected


RULES = """
    @rule("torch.Tensor.__floordiv__")
    def floordiv(self: IntTensor, other: IntTensor | int):
        return toy.floor_divide(self, other)

    @rule("torch.Tensor.__floordiv__")
    def floordiv(self: FloatTensor, other):
        return self // other

    alias(torch.Tensor, "toy.Array")
    same("torch.arange", "torch.ones")
"""


def test_rule(toy_target: Callable[..., object], check_converted: Callable[..., None]) -> None:
    """A rule for an operator applies where its kinds are known; undecided, the helper asks at run time."""
    target = toy_target(
        RULES.replace("    @rule", "    from rewriters.rule import FloatTensor, IntTensor\n\n    @rule", 1)
    )
    source = """
        import torch
        i = torch.arange(3)
        f = torch.ones(3)
        a = i // 2
        c = f // 2  # stays
        def g(x: torch.Tensor):
            return x // 2
    """
    expected = """
        import toy
        import toy_helpers
        i = toy.arange(3)
        f = toy.ones(3)
        a = toy.floor_divide(i, 2)
        c = f // 2  # stays
        def g(x: toy.Array):
            return toy_helpers.floordiv(x, 2)
    """
    check_converted(source, expected, target, helpers=("floordiv",))


def test_helper_asks_for_the_kind(toy_target: Callable[..., object], conversion: Callable[..., object]) -> None:
    target = toy_target(
        RULES.replace("    @rule", "    from rewriters.rule import FloatTensor, IntTensor\n\n    @rule", 1)
    )
    done = conversion("import torch\ndef g(x: torch.Tensor, n):\n    return x // n\n", target)
    text = next(iter(done.helpers.values()))  # type: ignore[attr-defined]

    class Array:
        def __init__(self, dtype: str) -> None:
            self.dtype = f"toy.{dtype}"

        def __floordiv__(self, other: object) -> str:
            return "operator"

    import sys
    import types

    toy = types.ModuleType("toy")
    toy.Array = Array  # type: ignore[attr-defined]
    toy.floor_divide = lambda x, y: "function"  # type: ignore[attr-defined]
    sys.modules["toy"] = toy
    try:
        scope: dict[str, object] = {}
        exec(compile(dedent(text), "helpers", "exec", dont_inherit=True), scope)  # noqa: S102
    finally:
        del sys.modules["toy"]
    floordiv = scope["floordiv"]
    assert floordiv(Array("int64"), 2) == "function"  # type: ignore[operator]
    assert floordiv(Array("float32"), 2) == "operator"  # type: ignore[operator]
    with pytest.raises(TypeError, match="no form of"):
        floordiv(Array("bool"), 2)  # type: ignore[operator]


LONG = """\
def f(x, scale):
    scale = (
        x * 2
        - scale * 3
    )
    return scale // 2


def g(y):
"""


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_operators_computed_is_followed_to_its_end(conversion: Callable[..., Conversion], target: str) -> None:
    """An assignment of several lines reads what stood there before, and each of many is looked at once."""
    text = LONG + "    y = y * 2 + y\n" * 60 + "    return y // 2, y in [1]\n"
    assert conversion("import torch\n\n\n" + text, target).reports[0].status != Status.FAILED
