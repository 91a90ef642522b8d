"""torch.nn.utils: memory formats of layers."""

import torch

from rewriters.rule import rule


@rule(torch.nn.utils.convert_conv2d_weight_memory_format, torch.nn.utils.convert_conv3d_weight_memory_format)
def convert_conv2d_weight_memory_format(module, memory_format):
    # Paddle's weights have one format; that of the data is the layer's data_format
    return module
