"""The texts of dtypes, devices and sizes, as torch writes them."""

import torch

from rewriters.rule import rule


@rule(torch.device.__str__)
def device_text(self):
    return str(self).replace("cpu:0", "cpu")
