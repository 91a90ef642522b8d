"""torch.autograd: looking for NaN, gradients against differences, what is named for the profiler."""

import jax
import jax.numpy as jnp
import torch
from jax.test_util import check_grads

from rewriters.rule import note, rule

note(
    torch.autograd.set_detect_anomaly,
    torch.autograd.detect_anomaly,
    "JAX looks at every result for NaN, not at gradients alone, and raises FloatingPointError",
)


@rule(torch.autograd.set_detect_anomaly)
class set_detect_anomaly:
    """From now on, or within a block."""

    def __init__(self, mode, check_nan=True):
        self.before = jax.config.jax_debug_nans
        jax.config.update("jax_debug_nans", mode and check_nan)

    def __enter__(self):
        return None

    def __exit__(self, *error):
        jax.config.update("jax_debug_nans", self.before)


@rule(torch.autograd.detect_anomaly)
class detect_anomaly:
    def __init__(self, check_nan=True):
        self.check_nan = check_nan

    def __enter__(self):
        self.before = jax.config.jax_debug_nans
        jax.config.update("jax_debug_nans", self.check_nan)

    def __exit__(self, *error):
        jax.config.update("jax_debug_nans", self.before)


def agrees(func, inputs, order, atol, rtol, eps, raise_exception):
    points = tuple(inputs) if isinstance(inputs, (list, tuple)) else (inputs,)

    def of_arrays(*values):  # differences are taken of numpy's
        return func(*map(jnp.asarray, values))

    try:
        check_grads(of_arrays, points, order, ("rev",), atol, rtol, eps)
    except AssertionError as error:
        if raise_exception:
            raise RuntimeError(str(error)) from error
        return False
    return True


@rule(torch.autograd.gradcheck)
def gradcheck(
    func,
    inputs,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_batched_forward_grad=False,
    check_forward_ad=False,
    check_backward_ad=True,
    fast_mode=False,
    masked=None,
):
    return agrees(func, inputs, 1, atol, rtol, eps, raise_exception)


@rule(torch.autograd.gradgradcheck)
def gradgradcheck(
    func,
    inputs,
    grad_outputs=None,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    gen_non_contig_grad_outputs=False,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_fwd_over_rev=False,
    check_rev_over_rev=True,
    fast_mode=False,
    masked=False,
):
    return agrees(func, inputs, 2, atol, rtol, eps, raise_exception)


@rule(torch.autograd.profiler.record_function)
def record_function(name, args=None):
    return jax.profiler.TraceAnnotation(name)


@rule(torch.autograd.kineto_available)
def kineto_available():
    return False


@rule(torch.autograd.is_multithreading_enabled, torch.autograd.is_view_replay_enabled)
def is_multithreading_enabled():
    return False


@rule(torch.autograd.is_tensor_like)
def is_tensor_like(inp):
    return isinstance(inp, jax.Array)
