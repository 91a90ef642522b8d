"""torch: what is said to tracers; there are none."""

import torch

from rewriters.rule import rule


@rule(torch._assert)
def _assert(condition, message):
    assert condition, message


@rule(torch._assert_async)
def _assert_async(input, assert_msg="Expected Tensor with single nonzero value, but got zero"):
    if not bool(input):
        raise RuntimeError(assert_msg)
