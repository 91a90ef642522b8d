"""Decompositions of matrices, which OneFlow has not: NumPy computes them, and their gradients are written out, of
functions that have gradients themselves.
"""

import math

import numpy
import oneflow

from rewriters.rule import family


def as_tensors(found, like):
    """NumPy's arrays on the device, and in the dtype, of a tensor."""
    return tuple(oneflow.tensor(numpy.array(part, order="C"), dtype=like.dtype, device=like.device) for part in found)


def matrix_product(left, right):
    """Of matrices, of which some may be empty: OneFlow ends the process over those."""
    if 0 not in left.shape and 0 not in right.shape:
        return oneflow.matmul(left, right)
    batch = tuple(oneflow.broadcast_shapes(tuple(left.shape[:-2]), tuple(right.shape[:-2])))
    shape = (*batch, left.shape[-2], right.shape[-1])
    return oneflow.zeros(shape, dtype=left.dtype, device=left.device) + (oneflow.sum(left) + oneflow.sum(right)) * 0


def turned(matrix):
    """The last two axes the other way round."""
    return matrix.transpose(-2, -1)


def inverted(matrix):
    """The inverse of a matrix that is none of an input, but of a regular one."""
    return Solve.apply(matrix, identity(matrix, matrix.shape[-1]))


def identity(like, size):
    """Of the batch of a matrix."""
    one = oneflow.eye(size, dtype=like.dtype, device=like.device)
    return one.expand(*like.shape[:-2], size, size) if like.ndim > 2 else one


def on_diagonal(values):
    """A matrix with these on its diagonal."""
    size = values.shape[-1]
    return values.unsqueeze(-1) * oneflow.eye(size, dtype=values.dtype, device=values.device)


class Solve(oneflow.autograd.Function):
    """X of A X = B, for batches of the same shape."""

    @staticmethod
    def forward(ctx, A, B):
        ctx.save_for_backward(A, B)
        return as_tensors([numpy.linalg.solve(A.numpy(), B.numpy())], B)[0]

    @staticmethod
    def backward(ctx, grad):
        A, B = ctx.saved_tensors
        of_right = Solve.apply(turned(A), grad)
        return -oneflow.matmul(of_right, turned(Solve.apply(A, B))), of_right


class Cholesky(oneflow.autograd.Function):
    """The lower factor."""

    @staticmethod
    def forward(ctx, A):
        ctx.save_for_backward(A)
        return as_tensors([numpy.linalg.cholesky(A.numpy())], A)[0]

    @staticmethod
    def backward(ctx, grad):
        (A,) = ctx.saved_tensors
        factor = Cholesky.apply(A)
        lower = oneflow.tril(oneflow.matmul(turned(factor), grad))
        half = lower - 0.5 * lower * oneflow.eye(lower.shape[-1], dtype=lower.dtype, device=lower.device)
        across = turned(Solve.apply(turned(factor), turned(Solve.apply(turned(factor), half))))
        return 0.5 * (across + turned(across))


@family("Eigh EighOfUpper", "L U")
class Eigh(oneflow.autograd.Function):
    """Values and vectors of a symmetric matrix, of which one triangle is read."""

    @staticmethod
    def forward(ctx, A):
        ctx.save_for_backward(A)
        return as_tensors(numpy.linalg.eigh(A.numpy(), "L"), A)

    @staticmethod
    def backward(ctx, of_values, of_vectors):
        (A,) = ctx.saved_tensors
        values, vectors = Eigh.apply(A)
        apart = values.unsqueeze(-2) - values.unsqueeze(-1)
        one = oneflow.eye(values.shape[-1], dtype=values.dtype, device=values.device)
        inside = oneflow.matmul(turned(vectors), of_vectors) * ((1 - one) / (apart + one))
        found = oneflow.matmul(oneflow.matmul(vectors, inside + on_diagonal(of_values)), turned(vectors))
        return 0.5 * (found + turned(found))


class Svd(oneflow.autograd.Function):
    """The thin U, S and Vh."""

    @staticmethod
    def forward(ctx, A):
        ctx.save_for_backward(A)
        rows, columns = A.shape[-2:]
        # LAPACK turns a much wider matrix first, torch's does not, and its vectors have other signs then
        missing = max(0, -(-6 * columns // 11) + 1 - rows) if rows < columns else 0
        padded = numpy.pad(A.numpy(), [(0, 0)] * (A.ndim - 2) + [(0, missing), (0, 0)])
        u, s, vh = numpy.linalg.svd(padded, full_matrices=False)
        few = min(rows, columns)
        return as_tensors((u[..., :rows, :few], s[..., :few], vh[..., :few, :]), A)

    @staticmethod
    def backward(ctx, of_u, of_s, of_vh):
        (A,) = ctx.saved_tensors
        u, s, vh = Svd.apply(A)
        v, of_v = turned(vh), turned(of_vh)
        one = oneflow.eye(s.shape[-1], dtype=s.dtype, device=s.device)
        apart = s.unsqueeze(-2) ** 2 - s.unsqueeze(-1) ** 2
        apart = (1 - one) / (apart + one)
        left = skew(oneflow.matmul(turned(u), of_u)) * apart
        right = skew(oneflow.matmul(vh, of_v)) * apart
        inside = left * s.unsqueeze(-2) + s.unsqueeze(-1) * right + on_diagonal(of_s)
        found = oneflow.matmul(oneflow.matmul(u, inside), vh)
        if u.shape[-2] > s.shape[-1]:
            rest = of_u - oneflow.matmul(u, oneflow.matmul(turned(u), of_u))
            found = found + oneflow.matmul(rest / s.unsqueeze(-2), vh)
        if v.shape[-2] > s.shape[-1]:
            rest = of_v - oneflow.matmul(v, oneflow.matmul(vh, of_v))
            found = found + oneflow.matmul(u, turned(rest / s.unsqueeze(-2)))
        return found


class PseudoInverse(oneflow.autograd.Function):
    """By the singular values that are above a limit: one for each matrix, with an axis of its own."""

    @staticmethod
    def forward(ctx, A, limit):
        ctx.save_for_backward(A, limit)
        u, s, vh = Svd.apply(A)
        few = s > limit
        inverse = few.to(s.dtype) / oneflow.where(few, s, oneflow.ones_like(s))
        return oneflow.matmul(turned(vh) * inverse.unsqueeze(-2), turned(u))

    @staticmethod
    def backward(ctx, grad):
        A, limit = ctx.saved_tensors
        inverse = PseudoInverse.apply(A, limit)
        across, adjoint = turned(grad), turned(inverse)
        rows = across - oneflow.matmul(A, oneflow.matmul(inverse, across))
        columns = across - oneflow.matmul(oneflow.matmul(across, inverse), A)
        found = oneflow.matmul(oneflow.matmul(rows, inverse), adjoint)
        found = found + oneflow.matmul(oneflow.matmul(adjoint, inverse), columns)
        return found - oneflow.matmul(oneflow.matmul(adjoint, grad), adjoint), oneflow.zeros_like(limit)


def skew(matrix):
    return matrix - turned(matrix)


class Qr(oneflow.autograd.Function):
    """The reduced Q and R of a matrix that has as many rows as columns, or more."""

    @staticmethod
    def forward(ctx, A):
        ctx.save_for_backward(A)
        return as_tensors(numpy.linalg.qr(A.numpy()), A)

    @staticmethod
    def backward(ctx, of_q, of_r):
        (A,) = ctx.saved_tensors
        q, r = Qr.apply(A)
        inside = oneflow.matmul(r, turned(of_r)) - oneflow.matmul(turned(of_q), q)
        even = oneflow.tril(inside) + turned(oneflow.tril(inside, -1))
        return turned(Solve.apply(r, turned(of_q + oneflow.matmul(q, even))))


class Determinant(oneflow.autograd.Function):
    @staticmethod
    def forward(ctx, A):
        ctx.save_for_backward(A)
        return as_tensors([numpy.asarray(numpy.linalg.det(A.numpy()))], A)[0]

    @staticmethod
    def backward(ctx, grad):
        (A,) = ctx.saved_tensors
        return grad.unsqueeze(-1).unsqueeze(-1) * cofactors(A)


def cofactors(A):
    """The determinant's gradient: by the singular values, since a singular matrix has one too."""
    u, s, vh = Svd.apply(A)
    size = s.shape[-1]
    others = oneflow.eye(size, dtype=s.dtype, device=s.device)
    products = oneflow.prod(s.unsqueeze(-2) * (1 - others) + others, -1)
    signs = numpy.linalg.det(u.detach().numpy()) * numpy.linalg.det(vh.detach().numpy())
    (sign,) = as_tensors([numpy.asarray(numpy.sign(signs))], A)
    return sign.unsqueeze(-1).unsqueeze(-1) * oneflow.matmul(u * products.unsqueeze(-2), vh)


class LogDeterminant(oneflow.autograd.Function):
    """The logarithm of the determinant's size, of a regular matrix."""

    @staticmethod
    def forward(ctx, A):
        ctx.save_for_backward(A)
        return as_tensors([numpy.asarray(numpy.linalg.slogdet(A.numpy())[1])], A)[0]

    @staticmethod
    def backward(ctx, grad):
        (A,) = ctx.saved_tensors
        return grad.unsqueeze(-1).unsqueeze(-1) * turned(inverted(A))


def eliminated(matrix, pivot):
    """L and U of one matrix in one, and with which row each was exchanged: from 1, as LAPACK counts."""
    found = matrix.copy()
    rows, columns = found.shape
    pivots = numpy.arange(1, min(rows, columns) + 1, dtype=numpy.int32)
    for n in range(min(rows, columns)):
        place = n + int(numpy.abs(found[n:, n]).argmax()) if pivot else n
        pivots[n] = place + 1
        if place != n:
            found[[n, place]] = found[[place, n]]
        if found[n, n] != 0:
            found[n + 1 :, n] /= found[n, n]
            found[n + 1 :, n + 1 :] -= numpy.outer(found[n + 1 :, n], found[n, n + 1 :])
    return found, pivots


def eliminated_each(A):
    """Those of a batch, as arrays."""
    values = A.detach().numpy()
    size = min(values.shape[-2:])
    if not values.size:
        return values.copy(), numpy.zeros((*values.shape[:-2], size), numpy.int32)
    pairs = [eliminated(matrix, True) for matrix in values.reshape(-1, *values.shape[-2:])]
    factors, pivots = (numpy.stack(parts) for parts in zip(*pairs, strict=True))
    return factors.reshape(values.shape), pivots.reshape(*values.shape[:-2], size)


def rows_of(pivots, count):
    """In which order the exchanges leave so many rows."""
    flat = pivots.reshape(math.prod(pivots.shape[:-1]), pivots.shape[-1])
    orders = numpy.tile(numpy.arange(count), (len(flat), 1))
    for order, exchanges in zip(orders, flat, strict=True):
        for n, place in enumerate(exchanges):
            order[[n, place - 1]] = order[[place - 1, n]]
    return orders.reshape(*pivots.shape[:-1], count)


def exchanged(pivots, count, like):
    """The matrix P of A = P L U."""
    orders = rows_of(pivots.detach().numpy(), count)
    return as_tensors([numpy.swapaxes(numpy.eye(count)[orders], -2, -1)], like)[0]


class Elimination(oneflow.autograd.Function):
    """L and U in one, of a matrix whose rows are in the order that the pivots ask for."""

    @staticmethod
    def forward(ctx, A):
        ctx.save_for_backward(A)
        values = A.numpy()
        flat = values.reshape(-1, *values.shape[-2:])
        return as_tensors([numpy.stack([eliminated(one, False)[0] for one in flat]).reshape(values.shape)], A)[0]

    @staticmethod
    def backward(ctx, grad):
        (A,) = ctx.saved_tensors
        factors = Elimination.apply(A)
        size = min(A.shape[-2:])
        lower = oneflow.tril(factors, -1)[..., :size, :size] + identity(A, size)
        upper = oneflow.triu(factors)[..., :size, :size]
        square = grad[..., :size, :size]
        below, above = oneflow.tril(square, -1), oneflow.triu(square)
        left, right = oneflow.matmul(turned(lower), below), oneflow.matmul(above, turned(upper))
        if A.shape[-1] > size:
            right_part = grad[..., :, size:]
            left = left - oneflow.matmul(right_part, turned(factors[..., :, size:]))
        if A.shape[-2] > size:
            low_part = grad[..., size:, :]
            right = right - oneflow.matmul(turned(factors[..., size:, :]), low_part)
        inside = Solve.apply(turned(lower), oneflow.tril(left, -1) + oneflow.triu(right))
        found = turned(Solve.apply(upper, turned(inside)))
        if A.shape[-1] > size:
            found = oneflow.cat([found, Solve.apply(turned(lower), right_part)], -1)
        if A.shape[-2] > size:
            found = oneflow.cat([found, turned(Solve.apply(upper, turned(low_part)))], -2)
        return found
