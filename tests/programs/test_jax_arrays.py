"""Arrays that do not change, and dtypes that JAX promotes otherwise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

import pytest

from migrate.programs import Outcome
from rewriters.convert import convert_sources
from rewriters.target import load_target


def test_changes_in_place(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn.functional as F

        class Counts:
            def __init__(self):
                self.seen = torch.zeros(3)

            def add(self, place: int, by: torch.Tensor):
                self.seen[place] += 2
                self.seen.mul_(0.5).add_(by, alpha=0.25)

        def changed(n: int):
            x = torch.zeros(3, 4)
            x[0] = 1
            x[1, 2:] += 2
            x[0][1] = 5
            x[x > 4] = 0.5
            picked = torch.tensor([1, 1, 2])
            x[picked] += 1
            for i in range(n):
                x[i, i] -= i
            x.clamp_(min=0.25)
            x[2].fill_(3.0)
            F.relu(x, inplace=True)
            y = x.add(1).mul_(2)
            x += y
            x.masked_fill_(x > 20, -1.0)
            return x, y

        counts = Counts()
        counts.add(1, torch.ones(3))
        show(*changed(3), counts.seen)
        """,
        "jax",
    )


@pytest.mark.parametrize("body", ["v = x[1:]; v[0] = 7", "v = x; v += 1", "v = x.view(-1); v.zero_()"])
def test_whoever_else_sees_a_change_is_named(announced: Callable[..., object], body: str) -> None:
    announced(
        f"""
        import torch

        x = torch.ones(3)
        {body}
        show(x, v)
        """,
        "jax",
    )


def test_an_argument_that_changes_is_named(announced: Callable[..., object]) -> None:
    announced(
        """
        import torch

        def double(x: torch.Tensor):
            x *= 2

        a = torch.ones(2)
        double(a)
        show(a)
        """,
        "jax",
    )


def test_kinds_of_dtype(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        def half(x: torch.Tensor):
            return x / 2, x * 0.5, torch.sqrt(x), x.float().mean(), x.sum(), 1 / x

        i, f, b = torch.arange(1, 5), torch.linspace(0, 1, 4), torch.tensor([True, False, True, True])
        show(*half(i), *half(f + 1), i + f, b * f, i > 2.5, i // 2)
        show(i % 3, i**2, f**2, -i, b.sum(), (b & (i > 1)).any())
        show(torch.tensor(1.5), torch.tensor([1, 2]), torch.tensor([1.0, 2]), torch.arange(3.0))
        show(torch.zeros(2), torch.full((2,), 3))
        show(torch.full((2,), 0.5), torch.eye(2), torch.ones(2, dtype=torch.int32) * 1.5)
        show(torch.where(b, f, i.float()), torch.where(b, f, 0.0), f.clamp(0.2, 0.7))
        show(i.clamp(max=2), f.argmax(), f.max(0))
        """,
        "jax",
    )


def test_shapes_and_places(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn.functional as F

        x = torch.arange(24.0).view(2, 3, 4)
        q, k = x.chunk(2, dim=-1)
        att = F.softmax(q @ k.transpose(-2, -1), dim=-1)
        show(att, x.permute(2, 0, 1).reshape(4, -1), x[:, None].expand(2, 5, 3, 4).sum(1), torch.cat([q, k], dim=1))
        show(x.split(2, dim=1)[1], x.flatten(1), x.unsqueeze(0).squeeze(0))
        show(x.repeat(1, 2, 1).shape, x.size(1), x[..., -1])
        places = torch.tensor([[0, 2], [1, 0], [2, 1]])
        rows = torch.arange(9.0).view(3, 3)
        show(rows.gather(1, places))
        show(torch.zeros(3, 3).scatter(1, places, 1.0), rows.index_select(0, torch.tensor([2, 0])))
        values, order = rows.sort(descending=True)
        best = rows.topk(2)
        show(values, order, best.values, best.indices, rows[rows > 4], rows.tril(), rows.T, torch.nonzero(rows > 6))
        show(F.one_hot(torch.tensor([0, 2]), 3), F.pad(rows, (1, 1)), F.cross_entropy(rows, torch.tensor([0, 1, 2])))
        show(torch.einsum("ij,jk->ik", rows, rows), rows.norm())
        show(rows.std(0), rows.cumsum(1), torch.linalg.inv(rows + torch.eye(3)))
        """,
        "jax",
    )


def test_the_last_change_in_place_is_a_value(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        def shares(right: torch.Tensor, of: list):
            found = []
            for k in of:
                count = right[:k].float().sum()
                found.append(count.mul_(100.0 / k).item())
            return found

        show(shares(torch.tensor([1, 0, 1]), [1, 2, 3]))

        def counts(of: torch.Tensor, size: int):
            found = torch.zeros(size)
            for _ in range(2):
                found = found.scatter_add_(0, of, torch.ones(of.shape[0])) / of.shape[0]
            for k in range(2):
                found = found.mul_(2.0).exp() + k
            return found

        show(counts(torch.tensor([1, 0, 1]), 3))
        """,
        "jax",
    )


def test_a_change_in_place_whose_name_stands_for_something_else_then_is_still_seen_by_others(
    announced: Callable[..., object],
) -> None:
    announced(
        """
        import torch

        def scaled(x: torch.Tensor):
            y = x * 1
            other = y
            y = y.mul_(3).exp()
            return y, other + 0

        show(*scaled(torch.ones(2)))
        """,
        "jax",
    )


def test_parts_of_what_a_dict_holds(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        z = torch.zeros(2, 3)
        held = {"b": [torch.ones(4)]}
        held["b"][-1][::2] = 5.0
        held["b"][0].mul_(3)
        z[[0, 1], 0] = 5.0
        z[[1]] += 1
        show(held["b"][0], z, z[[0, -1]][0, 0], z[:, [2, 0]])
        """,
        "jax",
    )


def test_chains_of_changes_of_what_is_new(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        def made(n: int, width):
            mask = torch.empty(n, n).fill_(2.5).triu_(1)
            drawn = torch.Tensor(width).uniform_()
            alone = torch.empty(3).uniform_()
            show(mask, torch.zeros(n).add_(1).mul_(2), drawn.shape, bool((drawn < 1).all()), alone.shape)
            show(torch.Tensor([1, 2]), torch.Tensor(n, 2).zero_(), torch.spmm(mask, mask))

        made(3, 4)
        """,
        "jax",
    )


def test_functions_in_place(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        def changed():
            x = torch.arange(6.0).reshape(2, 3).cos()
            y = torch.arange(9.0).reshape(3, 3).sin()
            z = torch.ones(2, 3)
            z.addmm_(x, y, beta=0.5, alpha=2)
            x.atan2_(z).cumsum_(1)
            z.masked_scatter_(x > 0, torch.arange(6.0)).frac_()
            n = torch.tensor([5, -2, 0])
            n.bitwise_not_().cumprod_(0)
            n.bitwise_left_shift_(1)
            w = torch.zeros(3)
            w.index_put_((torch.tensor([0, 2]),), torch.tensor([1.5, -2.5])).fix_()
            y.greater_equal_(0.5)
            v = torch.tensor([0.2, 0.7]).logit_()
            u = torch.ones(2, 2).renorm_(2, 0, 1.0)
            u.put_(torch.tensor([1]), torch.tensor([4.0]))
            return x, y, z, n, w, v, u

        show(*changed())
        """,
        "jax",
    )


def test_a_marked_gradient_that_changes_in_place_keeps_no_file_from_being_converted() -> None:
    program = b"""
import torch

def zeroed(x: torch.Tensor):
    (x * 2).sum().backward()
    x.grad.zero_()
    x.grad[0] = 1
    return x.grad
"""
    done = convert_sources({PurePosixPath("program.py"): program}, load_target("jax"))
    assert done.files[PurePosixPath("program.py")] is not None
    assert "zero_" in {site.api.rpartition(".")[2] for site in done.reports[0].sites if site.outcome == "marked"}


def test_what_became_idle_goes_and_calls_keep_their_lines() -> None:
    program = b"""
import torch
from torch.utils.data import DataLoader

def batches(data, x: torch.Tensor, y: torch.Tensor, device):
    x, y = x.to(device), y.to(device)
    loader = DataLoader(
        data,
        shuffle=True,
        drop_last=True,  # no tiny ones
    )
    return loader, x[:, [-1]], x[[0]], x[..., [0, 1]], x[0, [-1]]
"""
    done = convert_sources({PurePosixPath("program.py"): program}, load_target("jax"))
    text = done.files[PurePosixPath("program.py")].decode()  # type: ignore[union-attr]
    assert "x, y = x, y" not in text
    assert "drop_last=True,  # no tiny ones\n        rngs=jax_helpers.rngs,\n    )" in text
    assert "x[:, -1:], x[:1], x[..., jnp.array([0, 1])], x[0, jnp.array([-1])]" in text


def test_changes_beside_others_on_a_line(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        x = torch.ones(2); x.add_(1); x.mul_(2)
        if x.sum() > 0: x.add_(1)
        show(x)

        def changed(y):
            y = y + 1; y.mul_(2); return y

        show(changed(x))
        """,
        "jax",
    )


def test_items_of_tuples_cannot_be_stored_to(announced: Callable[..., Outcome]) -> None:
    found = announced(
        """
        from typing import NamedTuple
        import torch

        class Both(NamedTuple):
            first: torch.Tensor
            second: torch.Tensor

        def changed():
            pair = (torch.ones(2), torch.zeros(2))
            pair[0].add_(1)
            return pair

        show(changed())
        both = Both(torch.ones(2), torch.ones(2))
        both[0].mul_(3)
        show(both[0])
        """,
        "jax",
    )
    assert [site.line for site in found.sites if site.outcome == "marked"] == [11, 16]


def test_changed_items_are_told_to_who_has_what_they_are_of(announced: Callable[..., Outcome]) -> None:
    found = announced(
        """
        import torch

        whole = torch.tensor([[1.0, 2.0]])
        parts = {place: part for place, part in enumerate(whole)}
        parts[0] += 1
        show(whole)
        """,
        "jax",
    )
    assert [site.line for site in found.sites if site.outcome == "differs"] == [6]


def test_parameters_are_handed_to_helpers_as_arrays(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        layer = torch.nn.Linear(3, 2)
        with torch.no_grad():
            for p in layer.parameters():
                p.fill_(2.0)
        show([torch.norm(p) for p in layer.parameters()], [p.norm(2) for p in layer.parameters()])
        first = next(layer.parameters())
        show(torch.norm(first), torch.linalg.norm(first), torch.norm(input=first))
        """,
        "jax",
    )


def test_axes_of_what_has_none(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn.functional as F

        x = torch.tensor(3.0)
        show(x.norm(dim=-1), torch.linalg.vector_norm(x, dim=-1), x.argsort(-1), x.movedim(0, -1), x.flip(0))
        show(x.var(-1, unbiased=False), x.std(0, unbiased=False), x.nansum(-1))
        show(x.count_nonzero(-1), x.quantile(0.5, -1))
        show(F.pairwise_distance(x, x), F.cosine_similarity(x, x, dim=-1), F.normalize(x, dim=-1))
        show(F.gumbel_softmax(x, dim=-1))
        """,
        "jax",
    )
