"""Arrays in the memory of tensors: in OneFlow a change of the tensor arrives in them late, so the line is marked."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import numpy as np
import torch


class Box:
    pass


box = Box()
box.__dict__["x"] = torch.ones(2)


def bump(t):
    t += 1
    return t


def read(array, t):
    t += 1
    return array


"""

LATE = {
    "of what is not known": """
        def f(x):
            a = x.numpy()
            x += 1
            return a


        show(globals()["f"](torch.ones(2)))
    """,
    "of an attribute, detached": """
        a = box.x.detach().numpy()
        box.x.mul_(2)
        show(a)
    """,
    "in a list": """
        def f(x):
            held = [x.numpy()]
            x.add_(1)
            return held


        show(globals()["f"](torch.ones(2)))
    """,
    "on the same line": "show(box.x.numpy(), bump(box.x))",
    "on the same line, by a method": "show([box.x.numpy(), box.x.add_(1)])",
    "by a function that is given both": "show(read(box.x.numpy(), box.x))",
}
COPIES = """\
x = torch.ones(3)
a, total = x.numpy().copy(), x.numpy().mean()
both = np.stack([x.numpy(), x.numpy()])
x += 1
show(a, float(total), both)
show(x.numpy())
x.mul_(2)
show(bump(x).numpy(), box.x.numpy())
"""


@pytest.mark.parametrize("program", LATE.values(), ids=LATE)
def test_late_changes_are_marked(outcome: Callable[..., object], program: str) -> None:
    """The array is read while the tensor changes: the old numbers or the new ones come out, and the line says so."""
    found = outcome(HEAD + dedent(program), "oneflow")
    assert found.torch.error is None, found.torch.error  # type: ignore[attr-defined]
    assert found.verdict in {"marked", "warned", "agrees"}, str(found)  # type: ignore[attr-defined]
    assert [site for site in found.sites if site.outcome in {"marked", "differs"}], str(found)  # type: ignore[attr-defined]


def test_copies_of_arrays_are_not(agrees: Callable[..., object]) -> None:
    found = agrees(HEAD + COPIES, "oneflow")
    assert not [site for site in found.sites if site.outcome == "differs"]  # type: ignore[attr-defined]


def test_lists_are_copied_in_torch_too(agrees: Callable[..., object]) -> None:
    program = """
boxes = [one["box"] for one in [{"box": [1.0, 2.0, 3.0, 4.0]}]]
t = torch.as_tensor(boxes, dtype=torch.float32).reshape(-1, 4)
t[:, 2:] += t[:, :2]
u = torch.FloatTensor(boxes)
u += 1
show(t, u, boxes)
"""
    found = agrees(HEAD + program, "oneflow")
    assert not [site for site in found.sites if site.outcome in {"marked", "differs"}]
