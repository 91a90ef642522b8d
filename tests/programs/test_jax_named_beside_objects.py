"""A tensor that a name and an object's attribute hold: where the attribute changes, the line names the name."""

from __future__ import annotations

from collections.abc import Callable


def test_a_change_by_an_attribute_names_the_name(outcome: Callable[..., object], agrees: Callable[..., object]) -> None:
    program = """
        import torch


        class Box:
            pass


        z = torch.ones(3)
        box = Box()
        box.x = z
        box.x.mul_(1.25)
        box.x[0] = 5
        box.x -= 2
        show(z)
    """
    found = outcome(program, "jax")
    assert found.verdict == "warned", str(found)
    assert [site.line for site in found.sites if site.outcome == "differs"] == [12, 13, 14]
    agrees(program.replace("box.x = z", "box.x = z * 2").replace("show(z)", "show(z, box.x)"), "jax")


def test_however_it_is_stored(outcome: Callable[..., object]) -> None:
    found = outcome(
        """
        import types
        import torch


        class Box:
            pass


        z, y, x, w = torch.ones(3), torch.zeros(2), torch.ones(2), torch.ones(2)
        box = Box()
        vars(box)["z"] = z
        box.__dict__.update(y=y)
        setattr(box, "x", x)
        box.z.mul_(1.25)
        box.y += 1
        box.x[0] = 3
        space = types.SimpleNamespace(w=w)
        space.w.mul_(2)
        show(z, y, x, w)
        v = torch.ones(2)
        box.v = []
        box.v = v
        box.v -= 1
        show(v)
        """,
        "jax",
    )
    assert found.verdict == "warned", str(found)
    assert [site.line for site in found.sites if site.outcome == "differs"] == [15, 16, 17, 19, 24]


def test_attributes_of_which_little_is_known(outcome: Callable[..., object]) -> None:
    found = outcome(
        """
        import torch


        class Box:
            pass


        class Base:
            def __init__(self):
                self.w, self.count = 0, 0


        class Other(Base):
            def __init__(self, w):
                self.w = w
                self.count = 0

            def grow(self):
                self.count += 1
                self.w += 1.0


        x, y, state = torch.arange(4).float(), torch.ones(2), {"z": torch.zeros(3)}
        box = Box()
        box.x = 0
        box.x = x
        getattr(box, "x").sum()
        box.x /= 1.5
        setattr(box, "z", state["z"])
        box.z.add_(1.2)
        other = Other(y)
        other.grow()
        show(x, y, state)
        """,
        "jax",
    )
    assert found.verdict == "warned", str(found)
    assert [site.line for site in found.sites if site.outcome == "differs"] == [21, 29, 31]


def test_items_that_tuples_and_objects_have(outcome: Callable[..., object]) -> None:
    """A list that is given a tensor of a tuple or an object: who has that keeps what it was."""
    program = """
        from dataclasses import dataclass
        from typing import NamedTuple
        import torch


        class Output(NamedTuple):
            first: torch.Tensor
            second: torch.Tensor


        @dataclass
        class Held:
            one: torch.Tensor


        h, g, f = torch.tensor(-1.5), torch.tensor(-2.5), torch.tensor(-3.5)
        pair, held, outs = Output(first=h, second=f), Held(g), []
        outs.append(PART)
        for i, v in enumerate(outs):
            v.relu_()
        show(h, g, f)
    """
    for part in ("pair.first", "held.one", "pair[1]"):
        found = outcome(program.replace("PART", part), "jax")
        assert found.verdict == "warned", str(found)
        assert f"torch changes it for {part}, whose tensor it is, too" in found.converted["program.py"]
    assert outcome(program.replace("PART", "pair.first.clone()"), "jax").verdict == "agrees"
