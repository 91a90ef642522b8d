"""Modules, their methods, functional forms, initialization."""

import oneflow
import torch

from rewriters.rule import alias, rule, same

alias(torch.nn.Module, "oneflow.nn.Module")
same(
    "torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.Linear", "torch.nn.Conv2d",
    "torch.nn.BatchNorm2d", "torch.nn.GroupNorm", "torch.nn.Embedding", "torch.nn.Dropout", "torch.nn.ReLU",
    "torch.nn.GELU", "torch.nn.MaxPool2d", "torch.nn.AdaptiveAvgPool2d", "torch.nn.CrossEntropyLoss",
    "torch.nn.Identity",
    "torch.nn.functional.relu", "torch.nn.utils.clip_grad_norm_",
    "torch.nn.init.kaiming_normal_", "torch.nn.init.kaiming_uniform_", "torch.nn.init.normal_",
    "torch.nn.init.constant_", "torch.nn.init.zeros_", "torch.nn.init.ones_",
    "torch.nn.Module.apply", "torch.nn.Module.children", "torch.nn.Module.eval", "torch.nn.Module.forward",
    "torch.nn.Module.load_state_dict", "torch.nn.Module.modules", "torch.nn.Module.named_children",
    "torch.nn.Module.named_modules", "torch.nn.Module.named_parameters", "torch.nn.Module.parameters",
    "torch.nn.Module.register_buffer", "torch.nn.Module.state_dict", "torch.nn.Module.to", "torch.nn.Module.train",
    "torch.nn.Module.zero_grad",
)  # fmt: skip


@rule(torch.nn.LayerNorm)
def LayerNorm(normalized_shape, eps=1e-05, elementwise_affine=True, bias=True):
    if not bias:
        raise NotImplementedError(
            "OneFlow's LayerNorm has no bias=False; pass elementwise_affine=False or keep the bias"
        )
    return oneflow.nn.LayerNorm(normalized_shape, eps, elementwise_affine)
