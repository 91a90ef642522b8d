"""To JAX: names of a function around, which a function inside of it changes in place."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from migrate.programs import Outcome


def test_what_a_function_inside_changes(agrees: Callable[..., object]) -> None:
    agrees(
        '''
        import torch

        def make():
            total = torch.zeros(2)
            count = torch.zeros(3)

            def add(x):
                """Adds."""
                total.add_(x)
                count[0] += 1
                count[1] = 5

            def get():
                return total, count

            return add, get

        add, get = make()
        add(torch.ones(2))
        add(torch.ones(2))
        show(get())

        def outer(n):
            best = torch.full((2,), -1.0)

            def visit(values):
                for value in values:
                    if value > 0:
                        best.clamp_(min=value.item())

                def deep():
                    best.mul_(2)

                deep()

            visit(torch.arange(float(n)))
            return best

        show(outer(3))

        def reached(grid):
            seen = torch.zeros_like(grid, dtype=torch.bool)

            def visit(i, j):
                if i < 0 or j < 0 or i >= grid.shape[0] or j >= grid.shape[1] or seen[i, j] or grid[i, j] == 0:
                    return 0
                seen[i, j] = True
                return 1 + visit(i + 1, j) + visit(i - 1, j) + visit(i, j + 1) + visit(i, j - 1)

            return visit(0, 0), seen

        show(reached(torch.tensor([[1, 1, 0], [0, 1, 0], [1, 0, 1]])))
        ''',
        "jax",
    )


def test_a_function_of_one_line_is_marked(announced: Callable[..., object]) -> None:
    announced(
        """
        import torch

        def make():
            total = torch.zeros(2)
            def add(x): total.add_(x)
            add(torch.ones(2))
            return total

        show(make())
        """,
        "jax",
    )


def test_gradients_in_a_comprehension(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        def hessian(f, x):
            g = torch.autograd.grad(f(x), x, create_graph=True)[0]
            return torch.stack([torch.autograd.grad(g[i], x, retain_graph=True)[0] for i in range(2)])

        show(hessian(lambda t: t.prod() + t.sin().sum(), torch.tensor([1.0, 2.0], requires_grad=True)))
        """,
        "jax",
    )


BESIDE = {
    "whoever gives x": """
        def counter(x):
            def add(i, v):
                x[i] += v
            return add
        x = torch.zeros(3)
        counter(x)(1, 2.0)
        show(x)
    """,
    "whoever gives x too": """
        def halve(x):
            rows = x.view(-1, 2)
            def one(i):
                rows[i] /= 2
            for i in range(3):
                one(i)
            return x
        show(halve(torch.arange(6.0)))
    """,
    "top (the same tensor)": """
        def first(x):
            rows = x * 2
            top = rows[0]
            def one(i):
                rows[i] /= 4
            for i in range(2):
                one(i)
            return top
        show(first(torch.arange(6.0).reshape(2, 3)))
    """,
    "who has what line": """
        def make():
            total = torch.zeros(2)
            def add(v):
                total.add_(v)
                return total
            return add
        add = make()
        show([add(1.0), add(2.0)])
    """,
}


@pytest.mark.parametrize("who", BESIDE)
def test_who_else_has_what_a_function_inside_changes_is_named(outcome: Callable[..., Outcome], who: str) -> None:
    found = outcome("import torch\n" + dedent(BESIDE[who]), "jax")
    assert found.verdict == "warned"
    assert any(f"torch changes it for {who}" in site.detail for site in found.sites)


def test_what_nobody_else_has_is_not_named(agrees: Callable[..., object]) -> None:
    program = """
        import torch


        def outer(n):
            out = torch.zeros(n)

            def middle(k):
                total = torch.zeros(())

                def leaf(v):
                    out[k] += v
                    total.add_(v)

                for v in range(3):
                    leaf(float(v))
                return total

            return [middle(k) for k in range(n)], out


        show(outer(2))
    """
    found = agrees(program, "jax")
    assert "differs" not in found.converted["program.py"]  # type: ignore[attr-defined]
