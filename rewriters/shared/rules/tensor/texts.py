"""The texts of dtypes and sizes, as torch writes them."""

import torch

from rewriters.rule import rule


@rule(torch.dtype.__str__)
def dtype_text(self):
    return str(self).replace("framework.", "torch.")


@rule(torch.Size.__str__)
def size_text(self):
    return f"torch.Size({list(self)})"
