"""What torch's programs see and JAX's would not: errors, pieces that are kept, seeds."""

from __future__ import annotations

from collections.abc import Callable

import pytest


def test_handlers_catch_what_shapes_raise(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        def tried():
            a, b = torch.ones(2, 3), torch.ones(4)
            found = []
            ways = (
                lambda: a @ torch.ones(4, 5),
                lambda: a + b,
                lambda: a.view(7),
                lambda: torch.cat([a, torch.ones(2, 2)]),
                lambda: torch.stack([a, b]),
                lambda: a + 1,
            )
            for way in ways:
                try:
                    found.append(way())
                except RuntimeError:
                    found.append("shapes")
            try:
                a.sum(3)
            except IndexError:
                found.append("axis")
            try:
                a.squeeze(3)
            except IndexError:
                found.append("no axis")
            return found

        show(tried())
        """,
        "jax",
    )


@pytest.mark.parametrize(
    "body",
    [
        "show(x[7])",
        "x[torch.tensor([1, 12])] = 3.0",
        "show(x.gather(0, torch.tensor([9])))",
        "show(layer(x.long() + 3))",
    ],
)
def test_handlers_of_indices_are_named(announced: Callable[..., object], body: str) -> None:
    announced(
        f"""
        import torch

        layer = torch.nn.Embedding(5, 2)
        x = torch.arange(5.0)
        try:
            {body}
            show("taken")
        except (IndexError, RuntimeError):
            show("out of bounds")
        """,
        "jax",
    )


@pytest.mark.parametrize(
    "kept",
    ["self.seen.append(self.x[0])", "self.first = self.x.view(-1)[:2]", "self.seen += [0]; self.seen[0] = self.x"],
)
@pytest.mark.parametrize("change", ["self.x += 1", "self.x[0] = 7.0", "self.x.mul_(3)"])
def test_pieces_that_objects_keep_are_named(announced: Callable[..., object], kept: str, change: str) -> None:
    announced(
        f"""
        import torch

        class Log:
            def __init__(self):
                self.x = torch.ones(2, 3)
                self.first = None
                self.seen = []

            def keep(self):
                {kept}

            def step(self):
                {change}

        log = Log()
        log.keep()
        log.step()
        show(log.seen, log.first, log.x)
        """,
        "jax",
    )


def test_what_a_method_gives_is_named(announced: Callable[..., object]) -> None:
    announced(
        """
        import torch

        class Stat:
            def __init__(self):
                self.total = torch.zeros(2)

            def get(self):
                return self.total

            def add(self, x: torch.Tensor):
                self.total += x

        stat = Stat()
        before = stat.get()
        stat.add(torch.ones(2))
        show(before, stat.get())
        """,
        "jax",
    )


def test_pieces_that_are_copies_are_not_named(agrees: Callable[..., object]) -> None:
    found = agrees(
        """
        import torch

        class Log:
            def __init__(self):
                self.x = torch.ones(2, 3)
                self.seen = []

            def step(self):
                self.seen.append(self.x[0].clone())
                self.seen.append(self.x[[1, 0]])
                self.seen.append(self.x.shape[0])
                self.x += 1

        log = Log()
        log.step()
        show(log.seen, log.x)
        """,
        "jax",
    )
    assert not [site for site in found.sites if site.outcome == "differs"]  # type: ignore[attr-defined]


def test_a_tensor_of_the_class_is_named(announced: Callable[..., object]) -> None:
    announced(
        """
        import torch

        class Running:
            mean = torch.zeros(2)

            def update(self, x: torch.Tensor):
                self.mean += x

        one, other = Running(), Running()
        one.update(torch.ones(2))
        show(one.mean, other.mean)
        """,
        "jax",
    )


def test_a_seed_begins_the_draws_of_layers_anew(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn

        net = nn.Sequential(nn.Linear(8, 64), nn.Dropout(0.5), nn.Dropout2d(0.5))
        x = torch.ones(4, 8)
        torch.manual_seed(0)
        a, drawn = net(x), torch.rand(3)
        c = net(x)
        torch.manual_seed(0)
        b, again = net(x), torch.rand(3)
        show(torch.equal(a, b), torch.equal(a, c), torch.equal(drawn, again))
        """,
        "jax",
    )
