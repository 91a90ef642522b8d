"""torch: what is said to tracers; there are none."""

import torch

from rewriters.rule import rule


@rule(torch._assert)
def _assert(condition, message):
    assert condition, message
