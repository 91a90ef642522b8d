"""Filling what may be a part of another tensor: a loop, or a call at any distance, hands the part over."""

from __future__ import annotations

from collections.abc import Callable

HEAD = "import torch\nimport torch.nn as nn\n\n\n"
TEACH = """def first(w):
    again(w, 2)


def again(weight, times):
    nn.init.normal_(weight)
    if times:
        again(weight, times - 1)


def fill(layer: nn.LSTM):
    {loop}
        first({part})
"""


def test_functions_that_call_themselves_hand_parts_on(converted: Callable[..., str]) -> None:
    text = converted(HEAD + TEACH.format(loop="for part in layer.weight_ih_l0.chunk(4):", part="part"))
    assert "nn.init.normal_(weight)" not in text
    assert "_(weight)" in text


def test_or_whole_tensors(converted: Callable[..., str]) -> None:
    text = converted(HEAD + TEACH.format(loop="for part in [layer.weight_ih_l0, layer.weight_hh_l0]:", part="part"))
    assert "nn.init.normal_(weight)" in text


def test_what_a_part_is_of_is_asked_once_where_functions_call_each_other(converted: Callable[..., str]) -> None:
    names = [f"f{number}" for number in range(12)]
    others = "".join(f"    {name}(w)\n" for name in names)
    text = HEAD + "".join(f"def {name}(w):\n    nn.init.normal_(w)\n{others}\n\n" for name in names)
    assert converted(text).count("nn.init.normal_(w)") == len(names)
    parts = text + "def fill(w: torch.Tensor):\n    f0(w[0])\n"
    assert converted(parts).count("nn.init.normal_(w)") == 0
