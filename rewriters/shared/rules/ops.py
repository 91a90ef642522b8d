"""torch.ops: operators that are built for torch."""

import torch

from rewriters.rule import rule


@rule(torch.ops.load_library, torch.classes.load_library)
def load_library(path):
    # as torch says where a library does not load, so that a program goes the way that it has without it
    raise OSError(f"Could not load this library: {path}: it is built for torch")


# What of torch's own operators there is, as programs ask that run on several versions of torch.
@rule("torch.ops.aten._foreach_maximum_.overloads")
def foreach_maximum_overloads():
    return ["Scalar", "List", "ScalarList"]


@rule("torch.ops.aten._foreach_add_.overloads")
def foreach_add_overloads():
    return ["Scalar", "List", "ScalarList", "Tensor"]
