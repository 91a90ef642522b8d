"""What torch's own objects have that no table tells."""

from __future__ import annotations

from rewriters.infer.values import BOOL, STR, TENSOR, UNKNOWN, Instance, Mapping, Series

# Of optimizers. A rate is named, though it may be of any kind: a group has more than its parameters.
GROUPS = Series(Mapping(UNKNOWN, (("params", Series(TENSOR)), ("lr", UNKNOWN)), key=STR))

# What an autograd function is called with first, and what it finds there.
CONTEXT = "torch.autograd.function.FunctionCtx"
KEPT = {"saved_tensors": Series(TENSOR, "tuple"), "needs_input_grad": Series(BOOL, "tuple")}

# What modules register by names.
REGISTERED = {
    "_modules": Mapping(Instance("torch.nn.Module"), key=STR),
    "_parameters": Mapping(TENSOR, key=STR),
    "_buffers": Mapping(TENSOR, key=STR),
}

# What torch.nn.utils adds to its layers: weight_norm, spectral_norm, prune.
ADDED = {"weight_g", "weight_v", "weight_orig", "weight_u", "weight_mask", "bias_orig", "bias_mask"}
