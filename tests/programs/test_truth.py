"""A tensor as a condition holds where it is not 0, also below 0 and for NaN."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_tensors_as_conditions(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch

        low, zero, high = torch.tensor(-1.5), torch.tensor(0.0), torch.tensor([2])
        nothing = None
        flag = torch.tensor(True)

        def told(x):
            if x:
                return "yes"
            return "no"

        show([told(x) for x in (low, zero, high, flag)])
        show(1 if low else 2, not low, not zero, bool(low), bool(zero - 1), bool(high))
        if low and not zero:
            show("both")
        if zero or (low.mul(2) and high):
            show("one")
        if nothing or (flag and (low < 0)):
            show("mixed")
        assert low, "below"
        show([t.item() for t in (low, zero, high) if t], low - zero if low.sum() else zero)
        n = torch.tensor(-3)
        turns = 0
        while n:
            n += 1
            turns += 1
        show(turns, n)
        """,
        target,
    )


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_is_known_to_be_true_or_false_stays(outcome: Callable[..., object], target: str) -> None:
    found = outcome(
        """
        import torch

        x = torch.ones(3)
        if (x > 0).all() and x.sum() > 2:
            show(1)
        """,
        target,
    )
    assert "truth" not in found.converted["program.py"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_tensors_whose_truth_others_ask_for(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import itertools
        import operator
        import torch

        xs = [torch.tensor(-1.0), torch.tensor(0.0), torch.tensor(2.0)]
        x = torch.tensor([-1.0, 0.0])
        show(list(map(bool, xs)), list(filter(None, xs)), list(filter(bool, xs)))
        show(any(xs), all(xs[:1]), any(xs[:2]), any(x), all(x - 1), any(v for v in x), all([v for v in x]))
        show(list(itertools.takewhile(bool, x)), list(itertools.filterfalse(None, x)), sum(map(bool, x)))
        show(operator.truth(xs[0]), operator.not_(xs[0]))
        show(any(x > 0), any(n > 1 for n in [1, 2]), list(filter(None, [1, 0])), list(map(bool, [1, 0])))
        """,
        target,
    )


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_choices_between_values(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch

        low, zero = torch.tensor(-1.5), torch.tensor(0.0)

        class Scaled:
            def __init__(self, by=None):
                self.by = by

            def times(self, x):
                return x * (self.by or 1)

        def added(x, extra=None):
            return x + extra if extra else x

        def other(x, y=None):
            y = y or x
            return y * 2

        def all_of(x, extra=None):
            return extra and x + extra

        held = {"extra": -x for x in [torch.tensor(2.0)]}
        show((low or 0) * 2, low and zero, zero or low or 3, low and (zero or 1), [low or 1, zero and 2])
        show([Scaled(by).times(low) for by in (None, low, 2, zero)], other(low), other(low, zero), other(zero, low))
        show(added(torch.ones(2), **held), all_of(torch.ones(2), **held), added(low), None or "title")
        """,
        target,
    )


def test_a_choice_between_values_that_are_computed_is_marked(announced: Callable[..., object]) -> None:
    announced("import torch\nlow = torch.tensor(-1.5)\nshow((low.mul(2) or 0) * 2)", "paddle")


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_what_is_reckoned_with_elsewhere(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch

        class Shifted:
            def __init__(self, **words):
                self.__dict__.update(words)

            def of(self, x):
                if self.shift:
                    return x - self.shift
                return x * 100

        def added(x, extra=None):
            if extra:
                return x + extra
            return x

        def method(x, extra=None):
            y = x * 2
            if not extra:
                return y
            return y.add(extra)

        def both(x, **words):
            return added(x, **words), method(x, **words)

        show(both(torch.ones(2), extra=torch.tensor([-1.0])), both(torch.ones(2)))
        show([Shifted(shift=by).of(torch.ones(2)) for by in (torch.tensor(-2.0), None, 2)])
        """,
        target,
    )


SWITCHES = """
import torch


class Layer(torch.nn.Module):
    def __init__(self, width, causal=False, scale=None, *, gated=True):
        super().__init__()
        self.causal, self.scale, self.gated = causal, scale, gated
        self.mixed = torch.nn.Linear(width, width)
        torch.nn.init.ones_(self.mixed.weight)
        torch.nn.init.zeros_(self.mixed.bias)

    def forward(self, x):
        if self.causal:
            x = x.tril()
        x = self.mixed(x) if self.gated else x
        return x * self.scale if self.scale else x


def built(**options):
    return Layer(2, **options)


class Trained:
    def __init__(self, kinds):
        self.loss = kinds.get("loss")

    def told(self, x):
        if self.loss:
            return self.loss(x, x + 1)
        return None


class Outer:
    def __init__(self, told=False, low=False, **options):
        self.told, self.low = told, low
        self.layer = Layer(2, **options)

    def asked(self):
        return [1 if self.told else 2, 3 if self.low else 4]


kinds = {"told": True, "mask": torch.ones(2)}
show(Outer(kinds.pop("told", False)).asked(), Outer(low=torch.tensor(-1.0)).asked())
scaled = built(scale=torch.tensor(-2.0), causal=True)
show(scaled(torch.ones(2, 2)), built()(torch.ones(2, 2)), built(gated=False, scale=3)(torch.ones(2, 2)))
show(Trained({"loss": torch.nn.MSELoss(), "w": torch.ones(2)}).told(torch.ones(2)), Trained({}).told(torch.ones(2)))
"""


def test_switches_and_what_is_called_are_no_tensors(agrees: Callable[..., object]) -> None:
    text = agrees(SWITCHES, "paddle").converted["program.py"]  # type: ignore[attr-defined]
    assert "if self.causal:" in text
    assert "if self.gated else" in text
    assert "if self.loss:" in text
    assert "truth(self.scale)" in text
    assert "truth(self.low)" in text
    assert "if self.told else" in text


GUARDS = """
import torch


class Scale:
    def __init__(self, of):
        self.held = of

    @property
    def levels(self):
        return self.held


class Pipeline:
    def keep(self, **parts):
        for name, part in parts.items():
            setattr(self, name, part)

    def __init__(self, vae, shift):
        self.keep(vae=vae, shift=shift)
        self.factor = 2 ** len(self.vae.levels) if getattr(self, "vae", None) else 8

    def told(self):
        if self.vae:
            n = len(self.vae.levels)
            return n
        if self.shift:
            return self.shift * 2
        return self.vae and self.vae.levels

    def sort(self, x):
        if x:
            return len(x.levels) if isinstance(x, Scale) else x + 1
        return 0


made = Pipeline(Scale([1, 2]), torch.tensor(-1.0))
show(made.factor, made.told(), made.sort(made.vae), made.sort(made.shift))
none = Pipeline(None, torch.tensor(-1.0))
show(none.factor, none.told(), Pipeline(None, torch.tensor(0.0)).told())
"""


def test_what_is_asked_for_what_tensors_lack_where_it_holds_is_none(agrees: Callable[..., object]) -> None:
    text = agrees(GUARDS, "paddle").converted["program.py"]  # type: ignore[attr-defined]
    assert 'if getattr(self, "vae", None) else 8' in text
    assert "if self.vae:" in text
    assert "return self.vae and self.vae.levels" in text
    assert "truth(self.shift)" in text
    assert "truth(x)" in text
