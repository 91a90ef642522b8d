"""The texts of dtypes and sizes, as torch writes them."""

import torch

from rewriters.rule import rule


@rule(torch.dtype.__str__)
def dtype_text(self):
    return str(self).replace("framework.", "torch.")


@rule(torch.Size.__str__)
def size_text(self):
    return f"torch.Size({list(self)})"


@rule("torch.Size.__str__:unknown")
def size_text_of_either(self):
    return str(self) if type(self) is tuple else f"torch.Size({list(self)})"  # an array's shape is a tuple
