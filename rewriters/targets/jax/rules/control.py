"""Loops that a value ends, which static.py writes; scans."""

import jax
from flax import nnx

from rewriters.rule import rule


def is_known(value):
    """Whether Python may see a truth: not while it is compiled."""
    try:
        bool(value)
    except jax.errors.TracerBoolConversionError:
        return False
    return True


@rule("torch.Tensor.__bool__:while_loop")
def while_loop(going_on, turn, carried):
    """nnx.while_loop in what is compiled; elsewhere Python's turns, through which gradients pass."""
    while True:
        goes_on = going_on(carried)
        if not is_known(goes_on):
            return nnx.while_loop(going_on, turn, carried)
        if not goes_on:
            return carried
        carried = turn(carried)


@rule("torch.Tensor.__bool__:for_loop")
def for_loop(start, stop, turn, carried):
    """nnx.fori_loop in what is compiled; elsewhere Python's turns, through which gradients pass."""
    if not is_known(start < stop):
        return nnx.fori_loop(start, stop, turn, carried)
    for number in range(int(start), int(stop)):
        carried = turn(number, carried)
    return carried


@rule("torch._higher_order_ops.associative_scan.associative_scan", "torch._higher_order_ops.associative_scan")
def associative_scan(combine_fn, xs, dim, reverse=False, combine_mode="pointwise"):
    return jax.lax.associative_scan(combine_fn, xs, reverse=reverse, axis=dim)
