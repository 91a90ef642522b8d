"""torch: control flow that its compiler takes as a whole, and what asks for a value's type."""

import torch

from rewriters.rule import rule


@rule(torch.cond)
def cond(pred, true_fn, false_fn, operands=()):
    return true_fn(*operands) if pred else false_fn(*operands)


@rule(torch.while_loop)
def while_loop(cond_fn, body_fn, carried_inputs):
    while cond_fn(*carried_inputs):
        carried_inputs = body_fn(*carried_inputs)
    return carried_inputs


@rule(torch.typename)
def typename(obj):
    module = type(obj).__module__
    return type(obj).__qualname__ if module == "builtins" else f"{module}.{type(obj).__qualname__}"
