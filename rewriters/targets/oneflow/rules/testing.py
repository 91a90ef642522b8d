"""torch: tests of tensors."""

import oneflow
import torch

from rewriters.rule import rule


def tolerances(dtype):
    """(relative, absolute), as torch has them for results of a dtype."""
    if not dtype.is_floating_point:
        return 0, 0
    return {
        oneflow.float16: (1e-3, 1e-5),
        oneflow.bfloat16: (1.6e-2, 1e-5),
        oneflow.float64: (1e-7, 1e-7),
    }.get(dtype, (1.3e-6, 1e-5))


@rule(torch.testing.assert_close)
def assert_close(actual, expected, *, rtol=None, atol=None, equal_nan=False, check_dtype=True, msg=None):
    how = {"rtol": rtol, "atol": atol, "equal_nan": equal_nan, "check_dtype": check_dtype, "msg": msg}
    if (rtol is None) != (atol is None):
        raise ValueError("rtol and atol must be given together")
    if isinstance(actual, dict) and isinstance(expected, dict):
        assert actual.keys() == expected.keys(), msg or f"keys {list(actual)} and {list(expected)} differ"
        for key in actual:
            assert_close(actual[key], expected[key], **how)
        return
    if isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple)):
        assert len(actual) == len(expected), msg or f"{len(actual)} and {len(expected)} items"
        for x, y in zip(actual, expected, strict=True):
            assert_close(x, y, **how)
        return
    actual, expected = (
        x
        if isinstance(x, oneflow.Tensor)
        else oneflow.tensor(x, dtype=oneflow.float64 if isinstance(x, float) else None)
        for x in (actual, expected)
    )
    assert actual.shape == expected.shape, msg or f"shapes {actual.shape} and {expected.shape} differ"
    same_dtype = actual.dtype == expected.dtype or not check_dtype
    assert same_dtype, msg or f"dtypes {actual.dtype} and {expected.dtype} differ"
    if rtol is None:
        rtol, atol = map(max, tolerances(actual.dtype), tolerances(expected.dtype))
    whole = not (actual.dtype.is_floating_point or expected.dtype.is_floating_point)
    x, y = (
        value.detach().cpu().to(oneflow.int64 if whole else oneflow.float64).numpy() for value in (actual, expected)
    )
    same = (x == y) | (abs(x - y) <= atol + rtol * abs(y))
    if equal_nan:
        same = same | ((x != x) & (y != y))
    assert same.all(), msg or f"{int((~same).sum())} of {same.size} elements differ"


@rule(torch.testing.assert_allclose)
def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    return assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, msg=msg or None)
