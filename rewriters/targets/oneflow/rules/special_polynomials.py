"""torch.special: orthogonal polynomials, by their recurrences."""

import oneflow
import torch

from rewriters.rule import family, rule


def recurrence(x, n, first, second, following):
    """The polynomial of each element's degree; ``following`` gives the one after ``a`` and ``b``."""
    if not isinstance(n, oneflow.Tensor):
        n = oneflow.full_like(x, float(n)) if isinstance(x, oneflow.Tensor) else n
    if not isinstance(x, oneflow.Tensor):
        x = oneflow.full_like(n, float(x))
    x, n = oneflow.broadcast_tensors(x, n.to(x.dtype))
    degrees = oneflow.trunc(n)
    found = oneflow.zeros_like(x)
    before, now = oneflow.full_like(x, first), second(x)
    highest = int(oneflow.max(degrees).item()) if x.numel() else -1
    for degree in range(highest + 1):
        value = before if degree == 0 else now
        found = oneflow.where(degrees == degree, value, found)
        if degree:
            before, now = now, following(degree, x, now, before)
    return found


@rule(torch.special.chebyshev_polynomial_t)
def chebyshev_polynomial_t(input, n):
    return recurrence(input, n, 1.0, lambda x: x, lambda k, x, a, b: 2 * x * a - b)


@rule(torch.special.chebyshev_polynomial_u)
def chebyshev_polynomial_u(input, n):
    return recurrence(input, n, 1.0, lambda x: 2 * x, lambda k, x, a, b: 2 * x * a - b)


@rule(torch.special.chebyshev_polynomial_v)
def chebyshev_polynomial_v(input, n):
    return recurrence(input, n, 1.0, lambda x: 2 * x - 1, lambda k, x, a, b: 2 * x * a - b)


@rule(torch.special.chebyshev_polynomial_w)
def chebyshev_polynomial_w(input, n):
    return recurrence(input, n, 1.0, lambda x: 2 * x + 1, lambda k, x, a, b: 2 * x * a - b)


@family("t u v w")
@rule(torch.special.shifted_chebyshev_polynomial_t)
def shifted_chebyshev_polynomial_t(input, n):
    return chebyshev_polynomial_t(2 * input - 1, n)


@rule(torch.special.hermite_polynomial_h)
def hermite_polynomial_h(input, n):
    return recurrence(input, n, 1.0, lambda x: 2 * x, lambda k, x, a, b: 2 * x * a - 2 * k * b)


@rule(torch.special.hermite_polynomial_he)
def hermite_polynomial_he(input, n):
    return recurrence(input, n, 1.0, lambda x: x, lambda k, x, a, b: x * a - k * b)


@rule(torch.special.laguerre_polynomial_l)
def laguerre_polynomial_l(input, n):
    return recurrence(input, n, 1.0, lambda x: 1 - x, lambda k, x, a, b: ((2 * k + 1 - x) * a - k * b) / (k + 1))


@rule(torch.special.legendre_polynomial_p)
def legendre_polynomial_p(input, n):
    return recurrence(input, n, 1.0, lambda x: x, lambda k, x, a, b: ((2 * k + 1) * x * a - k * b) / (k + 1))
