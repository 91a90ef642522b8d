"""Loops over a tensor: torch takes all rows at once, the target each in turn, and a tensor may become another."""

import framework

from rewriters.rule import rule


@rule("torch.Tensor.__iter__:rows")
def rows(self):
    return list(self)


@rule("torch.Tensor.__iter__:rows_unknown")
def rows_of(x):
    return list(x) if isinstance(x, framework.Tensor) else x


@rule("torch.Tensor.__reversed__")
def turned(self):
    return framework.flip(self, [0])
