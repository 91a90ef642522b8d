"""torch.special: orthogonal polynomials, by their three-term recurrences."""

import torch

from rewriters.rule import family, rule
from rewriters.targets.framework.rules.special import recurrence


@family("t u v w", ("lambda x: x,", "lambda x: 2 * x,", "lambda x: 2 * x - 1,", "lambda x: 2 * x + 1,"))
@rule(torch.special.chebyshev_polynomial_t)
def chebyshev_polynomial_t(input, n):
    return recurrence(input, n, 1.0, lambda x: x, lambda k, x, a, b: 2 * x * a - b)


@family("t u v w")
@rule(torch.special.shifted_chebyshev_polynomial_t)
def shifted_chebyshev_polynomial_t(input, n):
    return chebyshev_polynomial_t(2.0 * input - 1.0, n)


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
