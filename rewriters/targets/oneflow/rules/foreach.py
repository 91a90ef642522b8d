"""torch._foreach_*: what OneFlow computes out of other functions; the others are shared."""

import oneflow
import torch

from rewriters.rule import family, rule
from rewriters.shared.rules.foreach import all_written_to
from rewriters.targets.oneflow.rules.special_gamma import lgamma


@family("erfc frac", ("oneflow.erfc(tensor)", "tensor - oneflow.trunc(tensor)"))
@rule(torch._foreach_erfc)
def foreach_erfc(self):
    return tuple(oneflow.erfc(tensor) for tensor in self)


@family("erfc frac", ("oneflow.erfc(tensor)", "tensor - oneflow.trunc(tensor)"))
@rule(torch._foreach_erfc_)
def foreach_erfc_(self):
    return all_written_to([oneflow.erfc(tensor) for tensor in self], self)


@rule(torch._foreach_lgamma)
def foreach_lgamma(self):
    return tuple(lgamma(tensor) for tensor in self)


@rule(torch._foreach_lgamma_)
def foreach_lgamma_(self):
    return all_written_to([lgamma(tensor) for tensor in self], self)
