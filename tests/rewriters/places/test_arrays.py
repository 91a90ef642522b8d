"""What numpy is said to give anew: held against numpy itself."""

from __future__ import annotations

import ast
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
import pytest

from rewriters.places.arrays import BINARY, MADE, MADE_OR_OUT, METHODS_NEW, UNARY, of_array, of_numpy

SQUARE = np.array([[4.0, 1.0], [1.0, 3.0]])
# What is given besides, or instead of, one array of floats.
GIVEN: dict[str, Callable[[np.ndarray], tuple[Any, ...]]] = {
    **dict.fromkeys(BINARY | {"outer", "inner", "kron", "linalg.solve", "convolve"}, lambda x: (x, x)),
    **dict.fromkeys(("logical_not", "logical_and", "logical_or"), lambda x: (x > 0,) * 2),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), lambda x: (x.astype(int),) * 2),
    "logical_not": lambda x: (x > 0,),
    "invert": lambda x: (x.astype(int),),
    "full": lambda x: ((2,), x[0]),
    "full_like": lambda x: (x, 1.0),
    "cross": lambda x: (np.ones((2, 3)), np.ones((2, 3))),
    "where": lambda x: (x > 0, x, x),
    "clip": lambda x: (x, None, 9.0),
    "interp": lambda x: (x[0], x[0], x[1]),
    "pad": lambda x: (x, 0),
    "tile": lambda x: (x, 1),
    "repeat": lambda x: (x, 1),
    "roll": lambda x: (x, 0),
    "take_along_axis": lambda x: (x, np.zeros((2, 2), int), 0),
    "bincount": lambda x: (x[0].astype(int),),
    "convolve": lambda x: (x[0], np.ones(1)),
    "outer": lambda x: (x[0], x[1]),
    **dict.fromkeys(("linspace", "logspace", "geomspace"), lambda x: (x[0], x[1], 1)),
    **dict.fromkeys(("random.binomial", "random.beta"), lambda x: (3, 0.5, (2,))),
    "random.uniform": lambda x: (x, x),
    "random.normal": lambda x: (x, x),
}
BY_NUMBER = {"zeros", "ones", "empty", "eye", "identity", "arange", "tri", "hanning", "hamming", "blackman", "bartlett"}
BY_NUMBER |= {"kaiser", "fft.fftfreq", "fft.rfftfreq", "random.rand", "random.randn", "random.random"}
BY_NUMBER |= {"random.standard_normal", "random.randint"}


def arguments(name: str, x: np.ndarray) -> tuple[Any, ...]:
    if name in BY_NUMBER:
        return (3, 1.0) if name == "kaiser" else (3,)
    return GIVEN.get(name, lambda array: (array,))(x)


@pytest.mark.parametrize("name", sorted(UNARY | BINARY | MADE | MADE_OR_OUT))
def test_numpy_gives_what_lies_in_no_other_memory(name: str) -> None:
    x = SQUARE.copy()
    handed = arguments(name, x)
    given = attrgetter(name)(np)(*handed)
    for part in given if isinstance(given, tuple) else (given,):
        assert not any(np.shares_memory(part, one) for one in handed if isinstance(one, np.ndarray)), name
    call = ast.parse(f"np.{name}(x)", mode="eval").body
    assert isinstance(call, ast.Call)
    assert of_numpy(f"numpy.{name}", call).aliases == frozenset()


@pytest.mark.parametrize("name", sorted(METHODS_NEW))
def test_methods_too(name: str) -> None:
    x = SQUARE.copy()
    more: dict[str, tuple[Any, ...]] = {"repeat": (1,), "dot": (x,), "take": ([0, 1],), "clip": (0, 9)}
    assert not np.shares_memory(getattr(x, name)(*more.get(name, ())), x)
    call = ast.parse(f"x.{name}(1)", mode="eval").body
    assert isinstance(call, ast.Call)
    assert of_array(call).aliases == frozenset()


OUTS = {"sum": (0, None), "clip": (0, 9), "take": ([[0, 1], [1, 0]], None), "argmax": (0,), "max": (0,), "round": (1,)}


@pytest.mark.parametrize("name", OUTS)
def test_methods_that_are_given_a_place_for_it(name: str) -> None:
    x = SQUARE.copy()
    out = np.array(getattr(x, name)(*OUTS[name]))
    assert getattr(x, name)(*OUTS[name], out) is out
    call = ast.parse(f"x.{name}({', '.join('1' * (len(OUTS[name]) + 1))})", mode="eval").body
    assert isinstance(call, ast.Call)
    assert of_array(call).aliases is None


@pytest.mark.parametrize(
    "text",
    [
        "np.array(x, copy=False)",
        "np.sum(x, 0, None, y)",
        "np.sum(*x)",
        "np.zeros(**x)",
        "np.reshape(x, 2)",
        "np.diff(x)",
    ],
)
def test_what_may_hand_on_is_not_claimed(text: str) -> None:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    assert of_numpy("numpy." + ast.unparse(call.func).removeprefix("np."), call).aliases is None


def test_out_is_what_it_gives() -> None:
    call = ast.parse("np.add(x, y, out=z)", mode="eval").body
    assert isinstance(call, ast.Call)
    effect = of_numpy("numpy.add", call)
    assert effect.aliases == effect.writes == {"out"}


WINDOWED = """\
import numpy as np
import torch


class Transform(torch.nn.Module):
    def __init__(self, length, window):
        super().__init__()
        basis = np.fft.fft(np.eye(length))
        forward = torch.FloatTensor(np.vstack([np.real(basis), np.imag(basis)])[:, None, :])
        if window is not None:
            forward *= torch.from_numpy(np.hanning(length)).float()
        self.register_buffer("forward_basis", forward)
"""


def test_a_tensor_made_of_arrays_of_its_own_is_seen_by_nobody_else(converted: Callable[..., str]) -> None:
    """A parameter by which both arrays were made is no memory that they share."""
    apart = converted(WINDOWED, "oneflow")
    assert "# migrate:" not in apart
    assert "wait_for_tensors" not in apart
    shared = WINDOWED.replace("np.vstack([np.real(basis), np.imag(basis)])", "window").replace(
        "np.hanning(length)", "window"
    )
    assert "wait_for_tensors()" in converted(shared, "oneflow")


REPEATED = """\
import numpy as np
import torch


def expand(values, times):
    out = list()
    for value, count in zip(values, times):
        out += [value] * max(0, int(count))
    return np.array(out)


def f(targets, times):
    pitch = targets[0].detach().cpu().numpy()
    pitch = expand(pitch, times)
    return pitch, targets
"""


def test_a_list_that_takes_more_in_changes_nothing_that_it_holds(converted: Callable[..., str]) -> None:
    assert "# migrate:" not in converted(REPEATED, "oneflow")
