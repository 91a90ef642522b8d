"""torch.testing: comparisons with torch's tolerances."""

import jax
import jax.numpy as jnp
import torch

from rewriters.rule import rule

# dtype -> (relative, absolute), torch's
TOLERANCES = {
    "float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5), "float32": (1.3e-6, 1e-5), "complex64": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7), "complex128": (1e-7, 1e-7),
}  # fmt: skip


def tolerances_of(actual, expected, rtol, atol):
    if (rtol is None) != (atol is None):
        raise ValueError("rtol and atol must both be specified or both be unspecified")
    if rtol is not None:
        return float(rtol), float(atol)
    both = [TOLERANCES.get(x.dtype.name, (0.0, 0.0)) for x in (actual, expected)]
    return max(pair[0] for pair in both), max(pair[1] for pair in both)


@rule(torch.testing.assert_close)
def assert_close(
    actual,
    expected,
    *,
    allow_subclasses=True,
    rtol=None,
    atol=None,
    equal_nan=False,
    check_device=True,
    check_dtype=True,
    check_layout=True,
    check_stride=False,
    msg=None,
):
    how = {"rtol": rtol, "atol": atol, "equal_nan": equal_nan, "check_dtype": check_dtype, "msg": msg}
    if isinstance(expected, dict):
        assert actual.keys() == expected.keys(), msg or "the keys differ"
        for key, value in expected.items():
            assert_close(actual[key], value, **how)
        return
    if isinstance(expected, (list, tuple)):
        assert len(actual) == len(expected), msg or "the lengths differ"
        for one, other in zip(actual, expected, strict=True):
            assert_close(one, other, **how)
        return
    actual, expected = jnp.asarray(actual), jnp.asarray(expected)
    assert actual.shape == expected.shape, msg or f"shapes {actual.shape} and {expected.shape} differ"
    assert not check_dtype or actual.dtype == expected.dtype, msg or f"{actual.dtype} and {expected.dtype} differ"
    rtol, atol = tolerances_of(actual, expected, rtol, atol)
    dtype = jnp.promote_types(actual.dtype, expected.dtype)
    if jnp.issubdtype(dtype, jnp.inexact):
        wide = jnp.complex128 if jnp.issubdtype(dtype, jnp.complexfloating) else jnp.float64
        same = jnp.isclose(actual.astype(wide), expected.astype(wide), rtol, atol, equal_nan)
    else:
        same = actual == expected
    assert bool(same.all()), msg or f"{int((~same).sum())} of {same.size} elements differ"


@rule(torch.testing.assert_allclose)
def assert_allclose(actual, expected, rtol=None, atol=None, equal_nan=True, msg=""):
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, msg=msg or None)


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
    rngs,
):
    """Uniform random numbers, from -9 to 9 where no bounds are given."""
    shape = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
    if dtype == jnp.bool_:
        return rngs.randint(shape, 0, 2, jnp.int32).astype(jnp.bool_)
    if jnp.issubdtype(dtype, jnp.integer):
        low = (0 if jnp.issubdtype(dtype, jnp.unsignedinteger) else -9) if low is None else int(low)
        made = rngs.randint(shape, low, 10 if high is None else int(high), jnp.int64).astype(dtype)
    else:
        low, high = -9 if low is None else low, 9 if high is None else high
        made = rngs.uniform(shape, jnp.float64, low, high)
        if jnp.issubdtype(dtype, jnp.complexfloating):
            made = jax.lax.complex(made, rngs.uniform(shape, jnp.float64, low, high))
        made = made.astype(dtype)
    return jnp.where(made == 0, jnp.ones_like(made), made) if exclude_zero else made
