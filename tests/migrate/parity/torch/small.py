"""Functions over tensors, and models that some check cannot run."""

import torch


def scale(x, by=2.0):
    return x * by


crashes = hangs = leaves = raises = another_type = scale


def torch_raises(x):
    raise RuntimeError("only in torch")


def single(x):
    assert x.dtype == torch.float32, "float32 only"
    return x * 2.0


class Distribution(torch.nn.Module):
    def forward(self, x):
        return torch.distributions.Normal(x, 1.0)


class Nothing(torch.nn.Module):
    def forward(self, x):
        return None


class Wide(torch.nn.Module):
    """Reads float32 all over; double precision must get through it."""

    def __init__(self):
        super().__init__()
        self.loose = torch.linspace(0, 1, 64)  # neither parameter nor buffer

    def forward(self, x):
        y = torch.matmul(x.float(), self.loose.to(torch.float32))
        y = y + torch.zeros(8, dtype=torch.float32)
        return torch.nn.functional.linear(y, torch.ones(3, 8))


def wide(x):
    return Wide()(x)


def grouped(x):
    weight = torch.linspace(-1, 1, 96).reshape(3, 4, 8)
    return torch.nn.functional.grouped_mm(x, weight, offs=torch.tensor([2, 2, 6], dtype=torch.int32))
