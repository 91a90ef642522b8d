"""Modules and products that are given no rows: the gradients of weights are zeros then, which kernels do not write."""

import framework

from rewriters.rule import rule


def with_rows(input):
    """Two rows of zeros in place of none."""
    rows = framework.zeros([2, *input.shape[1:]], dtype=input.dtype)
    return framework.concat([input, rows.to(input.device)])


@rule("torch.nn.Module:rows")
def called_on_rows(self, input):
    if not isinstance(input, framework.Tensor) or input.ndim == 0 or input.shape[0] > 0:
        return self(input)
    # of no rows the gradients of weights are zeros, which kernels do not write
    found = self(with_rows(input))
    gives_rows = isinstance(found, framework.Tensor) and found.ndim > 0 and found.shape[0] == 2
    return found[:0] if gives_rows else self(input)


@rule("torch.matmul:rows", "torch.mm:rows", "torch.Tensor.__matmul__:rows")
def product_of_rows(left, right):
    if left.ndim != 2 or left.shape[0] > 0 or right.ndim != 2:
        return framework.matmul(left, right)
    # of no rows the gradient of the other is zeros, which kernels do not write
    return framework.matmul(with_rows(left), right)[:0]
