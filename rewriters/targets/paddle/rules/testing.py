"""torch: tests of tensors."""

import unittest

import paddle
import torch

from rewriters.rule import rule


@rule(torch.testing.assert_close)
def assert_close(actual, expected, *, rtol=None, atol=None, equal_nan=False, check_dtype=True, msg=None):
    actual, expected = paddle.to_tensor(actual), paddle.to_tensor(expected)
    assert actual.shape == expected.shape, f"shapes {actual.shape} and {expected.shape} differ"
    assert not check_dtype or actual.dtype == expected.dtype, f"dtypes {actual.dtype} and {expected.dtype} differ"
    if rtol is None or atol is None:
        rtol = {paddle.float16: 1e-3, paddle.bfloat16: 1.6e-2, paddle.float64: 1e-7}.get(actual.dtype, 1.3e-6)
        atol = {paddle.float64: 1e-7}.get(actual.dtype, 1e-5)
    exact = not any(paddle.is_floating_point(x) or x.is_complex() for x in (actual, expected))
    if actual.dtype in (paddle.float16, paddle.bfloat16) or (
        actual.dtype != expected.dtype and not actual.is_complex()
    ):
        actual, expected = actual.astype("float64"), expected.astype("float64")
    if exact:
        same = actual == expected
    else:
        same = paddle.isclose(actual, expected, float(rtol), float(atol), equal_nan=equal_nan)
    assert bool(same.all()), msg or f"{int((~same).sum())} of {same.size} elements differ"


@rule(torch.testing.assert_allclose)
def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    return assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, msg=msg or None)


@rule("torch.testing._internal.common_utils.TestCase")
class TestCase(unittest.TestCase):
    """Torch's own tests': tensors, also those in containers, are compared with a tolerance."""

    def assertEqual(self, x, y, msg=None, *, atol=None, rtol=None, equal_nan=True, exact_dtype=True):
        how = {"msg": msg, "atol": atol, "rtol": rtol, "equal_nan": equal_nan}
        if isinstance(x, paddle.Tensor) and isinstance(y, paddle.Tensor):
            assert_close(x, y, check_dtype=exact_dtype, **how)
        elif isinstance(x, dict) and isinstance(y, dict):
            assert x.keys() == y.keys(), msg
            for key in x:
                self.assertEqual(x[key], y[key], exact_dtype=exact_dtype, **how)  # noqa: PT009
        elif isinstance(x, (list, tuple)) and isinstance(y, (list, tuple)):
            assert len(x) == len(y), msg
            for i, one in enumerate(x):
                self.assertEqual(one, y[i], exact_dtype=exact_dtype, **how)  # noqa: PT009
        elif isinstance(x, float) and isinstance(y, (int, float)):
            assert_close(paddle.to_tensor(x, "float64"), paddle.to_tensor(y, "float64"), **how)
        else:
            super().assertEqual(x, y, msg)  # noqa: PT009


@rule(torch.testing.make_tensor)
def make_tensor(
    *shape,
    dtype,
    device,
    low=None,
    high=None,
    requires_grad=False,
    noncontiguous=False,
    exclude_zero=False,
    memory_format=None,
):
    """Uniform random numbers, from -9 to 9 where no bounds are given."""
    shape = list(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else list(shape)
    if dtype == paddle.bool:
        return paddle.randint(0, 2, shape).astype("bool")
    if dtype in (paddle.uint8, paddle.int8, paddle.int16, paddle.int32, paddle.int64):
        low = (0 if dtype == paddle.uint8 else -9) if low is None else int(low)
        made = paddle.randint(low, 10 if high is None else int(high), shape).astype(dtype)
    elif dtype in (paddle.complex64, paddle.complex128):
        part = "float32" if dtype == paddle.complex64 else "float64"
        low, high = -9 if low is None else low, 9 if high is None else high
        made = paddle.complex(paddle.uniform(shape, part, low, high), paddle.uniform(shape, part, low, high))
    else:
        made = paddle.uniform(shape, "float32", -9 if low is None else low, 9 if high is None else high).astype(dtype)
    if exclude_zero:
        made = paddle.where(made == 0, paddle.ones_like(made), made)
    made.stop_gradient = not requires_grad
    return made
