"""What torch's own objects have, and its private functions give, that no table tells."""

from __future__ import annotations

from rewriters.infer.values import BOOL, INT, OBJECT, STR, TENSOR, UNKNOWN, Instance, Items, Mapping, Series, Value

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

# What is no API and is used all the same, by those who write optimizers: some tensors of each list, and their places.
GROUPED = Mapping(Items((Series(Series(TENSOR)), Series(INT))), key=OBJECT)
GROUPING = "torch.optim.Optimizer._group_tensors_by_device_and_dtype"
FOREACH = "torch._foreach_"
FLATTENING: dict[str, Value] = {
    "torch._utils._flatten_dense_tensors": TENSOR,
    "torch._utils._unflatten_dense_tensors": Series(TENSOR, "tuple"),
}


def given_by_private(name: str) -> Value:
    """What a function gives that is none of torch's API."""
    if name.startswith(FOREACH) and not name.endswith("_"):
        return Series(TENSOR, "tuple")
    return GROUPED if name == GROUPING else FLATTENING.get(name, UNKNOWN)
