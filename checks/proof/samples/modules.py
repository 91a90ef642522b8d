"""Modules: containers, iteration, modes, state, initialization; constructor arguments that are left out elsewhere."""

import torch


def chain(
    module: "torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU(), torch.nn.Linear(3, 2))", a0: "float32[5,4]"
):
    return module(a0)


def listed(module: "torch.nn.ModuleList([torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)])", a0: "float32[5,4]"):
    for layer in module:
        a0 = layer(a0)
    return a0, len(module)


def dropped_train(module: "torch.nn.Dropout(0.3)", a0: "float32[6]"):
    return module(a0)


def dropped(module: "torch.nn.Dropout(p=0.3)", a0: "float32[6]"):
    return module(a0)


def one_vector_normed(module: "torch.nn.LayerNorm(4)", a0: "float32[4]"):
    return module(a0)


def names(module: "torch.nn.LayerNorm(4)"):
    return [name for name, _ in module.named_parameters()], sorted(module.state_dict().keys())


def shapes(module: "torch.nn.Conv2d(2, 4, 3)"):
    return [parameter.shape for parameter in module.parameters()]


def first(module: "torch.nn.Conv2d(2, 4, 3)"):
    return next(module.parameters()), next(module.buffers(), None), len(list(next(module.modules()).children()))


def parts(module: "torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Sequential(torch.nn.ReLU()))"):
    return len(list(module.children())), [name for name, _ in module.named_children()], len(list(module.modules()))


def modes(module: "torch.nn.Sequential(torch.nn.Dropout(0.5))"):
    before = module.training
    module.train()
    during = module.training
    module.eval()
    return before, during, module.training


def trained_or_not(module: "torch.nn.Dropout(0.5)"):
    module.train(False)
    return module.training


def moved(module: "torch.nn.LayerNorm(4)", a0: "float32[5,4]"):
    return module.to("cpu")(a0)


def reloaded(module: "torch.nn.LayerNorm(4)", a0: "float32[5,4]"):
    state = {name: value * 2 for name, value in module.state_dict().items()}
    module.load_state_dict(state)
    return module(a0)


def buffer(module: "torch.nn.LayerNorm(4)"):
    module.register_buffer("mask", torch.ones(3))
    module.register_buffer("cache", torch.zeros(2), persistent=False)
    return sorted(module.state_dict().keys()), module.mask


def applied(module: "torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU())", a0: "float32[5,4]"):
    def fill(layer):
        if isinstance(layer, torch.nn.Linear):
            torch.nn.init.constant_(layer.weight, 0.25)
            torch.nn.init.zeros_(layer.bias)

    module.apply(fill)
    return module(a0)


def called_by_name(module: "torch.nn.LayerNorm(4)", a0: "float32[5,4]"):
    return module.forward(a0)


def constant(a0_: "float32[3,2]"):
    torch.nn.init.constant_(a0_, 0.3)
    return a0_


def zeros_and_ones(a0_: "float32[3,2]", a1_: "float32[4]"):
    return torch.nn.init.zeros_(a0_), torch.nn.init.ones_(a1_)


def normal(a0_: "float32[3,2]"):
    return torch.nn.init.normal_(a0_, mean=1.0, std=0.02)


def kaiming_normal(a0_: "float32[64,4]"):
    return torch.nn.init.kaiming_normal_(a0_)


def kaiming_normal_out(a0_: "float32[64,2,1,1]"):
    return torch.nn.init.kaiming_normal_(a0_, mode="fan_out", nonlinearity="relu")


def kaiming_uniform(a0_: "float32[64,4]"):
    return torch.nn.init.kaiming_uniform_(a0_, a=2.2360679)


def kaiming_of_a_layer(module: "torch.nn.Linear(4, 64)", a0: "float32[2,4]"):
    torch.nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
    return module(a0)


def clipped_train(module: "torch.nn.Linear(4, 3)", a0: "float32[5,4]"):
    optimizer = torch.optim.SGD(module.parameters(), lr=0.5)
    out = module(a0)
    (out * out).sum().backward()
    norm = torch.nn.utils.clip_grad_norm_(module.parameters(), 0.1)
    optimizer.step()
    return norm


def linear_without_bias(module: "torch.nn.Linear(4, 3, bias=False)", a0: "float32[2,5,4]"):
    return module(a0)


def grouped(module: "torch.nn.Conv2d(4, 6, 3, groups=2, dilation=2, padding=2, bias=False)", a0: "float32[2,4,7,7]"):
    return module(a0)


def strided(module: "torch.nn.Conv2d(3, 4, kernel_size=(3, 1), stride=(2, 1), padding=(1, 0))", a0: "float32[2,3,8,8]"):
    return module(a0)


def same_padding(module: "torch.nn.Conv2d(3, 4, 3, padding='same')", a0: "float32[2,3,8,8]"):
    return module(a0)


def reflected(module: "torch.nn.Conv2d(3, 4, 3, padding=1, padding_mode='reflect')", a0: "float32[2,3,8,8]"):
    return module(a0)


def batch_norm_train(module: "torch.nn.BatchNorm2d(3, momentum=0.3)", a0: "float32[4,3,5,5]"):
    return module(a0)


def batch_norm(module: "torch.nn.BatchNorm2d(3, eps=1e-3)", a0: "float32[4,3,5,5]"):
    return module(a0)


def batch_norm_plain_train(module: "torch.nn.BatchNorm2d(3, affine=False)", a0: "float32[4,3,5,5]"):
    return module(a0)


def group_norm(module: "torch.nn.GroupNorm(2, 6, eps=1e-3)", a0: "float32[2,6,4,4]"):
    return module(a0)


def group_norm_plain(module: "torch.nn.GroupNorm(2, 6, affine=False)", a0: "float32[2,6,4,4]"):
    return module(a0)


def layer_norm(module: "torch.nn.LayerNorm(6, eps=1e-3)", a0: "float32[2,5,6]"):
    return module(a0)


def layer_norm_without_bias(module: "torch.nn.LayerNorm(6, bias=False)", a0: "float32[2,5,6]"):
    return module(a0)


def layer_norm_plain(module: "torch.nn.LayerNorm(6, elementwise_affine=False)", a0: "float32[2,5,6]"):
    return module(a0)


def embedded(module: "torch.nn.Embedding(10, 4)", a0: "int64[2,5]<10"):
    return module(a0)


def embedded_padding(module: "torch.nn.Embedding(10, 4, padding_idx=2)", a0: "int64[2,5]<10"):
    return module(a0)


def gelu(module: "torch.nn.GELU()", a0: "float32[40]"):
    return module(a0)


def gelu_tanh(module: "torch.nn.GELU(approximate='tanh')", a0: "float32[40]"):
    return module(a0)


def pooled(module: "torch.nn.MaxPool2d(3, stride=2, padding=1)", a0: "float32[2,3,8,8]"):
    return module(a0)


def pooled_up(module: "torch.nn.MaxPool2d(2, ceil_mode=True)", a0: "float32[2,3,7,7]"):
    return module(a0)


def pooled_where(module: "torch.nn.MaxPool2d(2, return_indices=True)", a0: "float32[2,3,6,6]"):
    return module(a0)


def pooled_to_size(module: "torch.nn.AdaptiveAvgPool2d((2, 3))", a0: "float32[2,3,7,8]"):
    return module(a0)


def pooled_to_one(module: "torch.nn.AdaptiveAvgPool2d(1)", a0: "float32[2,3,7,8]"):
    return torch.flatten(module(a0), 1)


def rectified_in_place(a0_: "float32[3,4]"):
    return torch.nn.functional.relu(a0_ * 1, inplace=True)


def softmax_dtype(a0: "float32[3,4]"):
    return torch.nn.functional.softmax(a0, dim=-1, dtype=torch.float64)


def unchanged(module: "torch.nn.Identity()", a0: "float32[3,4]"):
    return module(a0)


def by_name(
    module: "torch.nn.ModuleDict({'first': torch.nn.Linear(4, 4), 'second': torch.nn.ReLU()})", a0: "float32[5,4]"
):
    return module["second"](module["first"](a0)), sorted(module.keys())


def all_names(module: "torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Sequential(torch.nn.ReLU()))"):
    return [name for name, _ in module.named_modules()]


def gradients_cleared_train(module: "torch.nn.LayerNorm(4)", a0: "float32[5,4]"):
    out = module(a0)
    (out * out).sum().backward()
    before = module.weight.grad is None
    module.zero_grad()
    return before, module.weight.grad is None
