"""Parametrizations, and layers fused into one."""

import torch


def symmetric(module: "torch.nn.Linear(3, 3)", a0: "float32[5,3]"):
    class Symmetric(torch.nn.Module):
        def forward(self, x):
            return torch.triu(x) + torch.triu(x, 1).transpose(-1, -2)

    torch.nn.utils.parametrize.register_parametrization(module, "weight", Symmetric())
    found = module(a0)
    names = sorted(module.state_dict().keys())
    known = (
        torch.nn.utils.parametrize.is_parametrized(module),
        torch.nn.utils.parametrize.is_parametrized(module, "bias"),
    )
    torch.nn.utils.parametrize.remove_parametrizations(module, "weight")
    return found, names, known, module(a0), torch.nn.utils.parametrize.is_parametrized(module)


def original_kept(module: "torch.nn.Conv1d(3, 2, 2)", a0: "float32[5,3,4]"):
    class Double(torch.nn.Module):
        def forward(self, x):
            return 2 * x

    torch.nn.utils.parametrize.register_parametrization(module, "weight", Double())
    first = module(a0)
    torch.nn.utils.parametrize.remove_parametrizations(module, "weight", leave_parametrized=False)
    known = torch.nn.utils.parametrize.type_before_parametrizations(module) is type(module)
    return first, module(a0), known


def assigned(module: "torch.nn.Conv1d(3, 2, 2)", a0: "float32[5,3,4]"):
    class Double(torch.nn.Module):
        def forward(self, x):
            return 2 * x

        def right_inverse(self, x):
            return x / 2

    torch.nn.utils.parametrize.register_parametrization(module, "weight", Double())
    module.weight = torch.ones(2, 3, 2)
    return module(a0)


def with_inverse(module: "torch.nn.Conv1d(3, 2, 2)", a0: "float32[5,3,4]"):
    class Exponential(torch.nn.Module):
        def forward(self, x):
            return torch.exp(x)

        def right_inverse(self, x):
            return torch.log(torch.abs(x) + 0.5)

    torch.nn.utils.parametrize.register_parametrization(module, "weight", Exponential())
    with torch.nn.utils.parametrize.cached():
        first = module(a0)
        same = module.weight is module.weight
    return first, module(a0), same, module.weight


def chain(module: "torch.nn.Conv1d(3, 2, 2)", a0_: "float32[5,3,4]"):
    class Double(torch.nn.Module):
        def forward(self, x):
            return 2 * x

    class Shift(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.by = torch.nn.Parameter(torch.ones(1))

        def forward(self, x):
            return x + self.by

    torch.nn.utils.parametrize.register_parametrization(module, "weight", Double())
    torch.nn.utils.parametrize.register_parametrization(module, "weight", Shift())
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    torch.sum(module(a0_) ** 2).backward()
    optimizer.step()
    return module(a0_)


def fused_convolution(
    module: "torch.nn.Sequential(torch.nn.Conv2d(2, 4, 3), torch.nn.BatchNorm2d(4))", a0: "float32[1,2,5,5]"
):
    return torch.nn.utils.fuse_conv_bn_eval(module[0], module[1])(a0)


def fused_without_bias(
    module: "torch.nn.Sequential(torch.nn.Conv2d(2, 4, 3, bias=False), torch.nn.BatchNorm2d(4))",
    a0: "float32[1,2,5,5]",
):
    return torch.nn.utils.fuse_conv_bn_eval(module[0], module[1])(a0)


def fused_linear(module: "torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3))", a0: "float32[5,4]"):
    return torch.nn.utils.fuse_linear_bn_eval(module[0], module[1])(a0)


def fused_transposed(
    module: "torch.nn.Sequential(torch.nn.ConvTranspose2d(2, 4, 3), torch.nn.BatchNorm2d(4))", a0: "float32[1,2,5,5]"
):
    return torch.nn.utils.fuse_conv_bn_eval(module[0], module[1], transpose=True)(a0)


def spectral_norm_removed(module: "torch.nn.Conv2d(2, 4, 3)", a0_: "float32[1,2,5,5]"):
    torch.nn.utils.spectral_norm(module)
    before = module(a0_)
    torch.nn.utils.remove_spectral_norm(module)
    return torch.sum(torch.abs(module(a0_) - before)) < 1e-3, sorted(module.state_dict().keys())


def formatted(module: "torch.nn.Conv2d(2, 4, 3)", a0: "float32[1,2,5,5]"):
    return torch.nn.utils.convert_conv2d_weight_memory_format(module, torch.channels_last)(a0)
