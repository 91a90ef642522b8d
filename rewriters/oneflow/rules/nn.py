"""Modules, their methods, functional forms, initialization."""

import oneflow
import torch

from rewriters.rule import alias, rule, same

alias(torch.nn.Module, "oneflow.nn.Module")
same(
    "torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.Linear", "torch.nn.Conv2d",
    "torch.nn.BatchNorm2d", "torch.nn.Embedding", "torch.nn.Dropout", "torch.nn.ReLU",
    "torch.nn.GELU", "torch.nn.MaxPool2d", "torch.nn.AdaptiveAvgPool2d",
    "torch.nn.Identity",
    "torch.nn.functional.relu", "torch.nn.utils.clip_grad_norm_",
    
    
    "torch.nn.Module.apply", "torch.nn.Module.children", "torch.nn.Module.eval", "torch.nn.Module.forward",
    "torch.nn.Module.load_state_dict", "torch.nn.Module.modules", "torch.nn.Module.named_children",
    "torch.nn.Module.named_modules", "torch.nn.Module.named_parameters", "torch.nn.Module.parameters",
    "torch.nn.Module.register_buffer", "torch.nn.Module.state_dict", "torch.nn.Module.to", "torch.nn.Module.train",
    "torch.nn.Module.zero_grad",
)  # fmt: skip
