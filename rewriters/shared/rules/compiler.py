"""torch.compiler: what only a compiler of torch's own would do something with."""

import torch

from rewriters.rule import rule


@rule(torch.compiler.is_compiling, torch.compiler.is_dynamo_compiling, torch.compiler.is_exporting)
def is_compiling():
    return False


@rule("einops._torch_specific.allow_ops_in_compiled_graph")
def allow_ops_in_compiled_graph():
    return None
