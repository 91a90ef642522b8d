"""torch: compilation."""

import torch

from rewriters.rule import rule


@rule(torch.compiler.disable)
def disable(fn=None, recursive=True, reason=None):
    return (lambda function: function) if fn is None else fn


@rule(torch.compile)
def compile(model, *, fullgraph=False, dynamic=None, backend=None, mode=None, options=None, disable=False):
    return model  # it runs as it is; `migrate convert --static` writes an nn.Graph
