"""The texts of dtypes, devices and sizes, as torch writes them."""

import torch

from rewriters.rule import rule


@rule(torch.dtype.__str__)
def dtype_text(self):
    return str(self).replace("oneflow.", "torch.")


@rule(torch.Size.__str__)
def size_text(self):
    return f"torch.Size({list(self)})"


@rule(torch.device.__str__)
def device_text(self):
    return str(self).replace("cpu:0", "cpu")
