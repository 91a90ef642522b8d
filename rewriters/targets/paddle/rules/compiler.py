"""torch: compilation."""

import paddle
import torch

from rewriters.rule import alias, rule

alias(torch.compile, "paddle.jit.to_static")


@rule(torch.compile, torch.compiler.compile)
def compile(model, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False):
    # backend=None: without CINN, a compiler of kernels that not every build of Paddle has
    return paddle.jit.to_static(model, full_graph=fullgraph, backend=None)
