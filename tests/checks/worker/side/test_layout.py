from __future__ import annotations

import numpy as np

from checks.worker.side.layout import Layout
from rewriters.weights.recipe import part, summed, take

WEIGHT = np.arange(12.0).reshape(6, 2)
BIAS = np.arange(6.0)
SHAPES = {"weight": (6, 2), "bias": (6,), "b1": (6,), "b2": (6,)}


def test_there_and_back():
    layout = Layout([("w", take("weight", 1, 0)), ("b", take("bias"))], SHAPES)
    there = dict(layout.make({"weight": WEIGHT, "bias": BIAS}))
    assert np.array_equal(there["w"], WEIGHT.T)
    back = dict(layout.unmake(there, gradients=False))
    assert np.array_equal(back["weight"], WEIGHT)
    assert np.array_equal(back["bias"], BIAS)


def test_parts_are_put_together_when_all_are_there():
    layout = Layout([(name, part("weight", i, 3, 1, 0)) for i, name in enumerate("qkv")], SHAPES)
    there = dict(layout.make({"weight": WEIGHT}))
    assert there["k"].shape == (2, 2)
    assert np.array_equal(dict(layout.unmake(there, gradients=False))["weight"], WEIGHT)
    del there["v"]
    assert dict(layout.unmake(there, gradients=False)) == {}


def test_a_sum_tells_the_gradient_of_each_but_no_value():
    layout = Layout([("b", summed("b1", "b2"))], SHAPES)
    assert dict(layout.unmake({"b": BIAS}, gradients=False)) == {}
    found = dict(layout.unmake({"b": BIAS}, gradients=True))
    assert np.array_equal(found["b1"], BIAS)
    assert np.array_equal(found["b2"], BIAS)
