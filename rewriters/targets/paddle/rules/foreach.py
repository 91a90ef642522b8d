"""torch._foreach_*: what Paddle computes out of other functions; the others are shared."""

import paddle
import torch

from rewriters.rule import family, rule
from rewriters.shared.rules.foreach import all_written_to


@family("erfc frac lgamma", ("1 - paddle.erf(", "paddle.frac(", "paddle.lgamma("))
@rule(torch._foreach_erfc)
def foreach_erfc(self):
    return tuple(1 - paddle.erf(tensor) for tensor in self)


@family("erfc frac lgamma", ("1 - paddle.erf(", "paddle.frac(", "paddle.lgamma("))
@rule(torch._foreach_erfc_)
def foreach_erfc_(self):
    return all_written_to([1 - paddle.erf(tensor) for tensor in self], self)
