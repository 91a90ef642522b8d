"""Factorizations of matrices of which a part alone has one."""

import numpy


def as_far_as_positive(matrix):
    """The factor of the part that is positive definite, and the row, from 1, at which it ends; 0 where that is all."""
    factor = numpy.tril(matrix)
    for n in range(len(matrix)):
        rest = factor[n, n] - factor[n, :n] @ factor[n, :n]
        if not rest > 0:
            factor[n, n] = rest
            return factor, n + 1
        factor[n, n] = numpy.sqrt(rest)
        factor[n + 1 :, n] = (factor[n + 1 :, n] - factor[n + 1 :, :n] @ factor[n, :n]) / factor[n, n]
    return factor, 0
