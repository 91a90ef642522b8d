"""Parameters that may be None, given to another library's functions."""

from __future__ import annotations

from collections.abc import Callable

PROGRAM = """
import torch
from torch import nn
from einops import rearrange, repeat

class Net(nn.Module):
    def __init__(self, dim=3, token=True):
        super().__init__()
        self.token = None
        if token:
            self.token = nn.Parameter(torch.ones(dim))
        self.null = nn.Parameter(torch.ones(2, dim)) if token else None
    def forward(self, x):
        if self.token is not None:
            x = x + rearrange(self.token, "d -> 1 1 d")
            x = torch.cat([x, repeat(self.null, "n d -> b n d", b=x.shape[0])], dim=1)
        return x
"""


def test_einops_is_given_their_arrays(converted: Callable[..., str]) -> None:
    """It takes nothing else, None neither."""
    text = converted(PROGRAM, "jax")
    assert 'rearrange(self.token[...], "d -> 1 1 d")' in text
    assert 'repeat(self.null[...], "n d' in text
    assert "if self.token is not None" in text


SEVERAL = """
import torch
from torch import nn
from einops import pack, rearrange, repeat

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2, 3))
        self.bias = nn.Parameter(torch.ones(2))
        self.parts = nn.ParameterList([nn.Parameter(torch.ones(2, 3)) for _ in range(2)])
    def forward(self, x, cut=False):
        weight, bias = self.weight, self.bias
        if cut:
            weight, bias = weight[:1], bias[:1]
        x = x * repeat(weight, "a b -> r a b", r=2) + rearrange(bias, "h -> () h ()")
        first, second = map(lambda t: rearrange(t, "h -> h ()"), (self.bias, bias))
        joined, _ = pack([self.weight, x[0]], "* b")
        turned = [rearrange(part, "a b -> b a") for part in self.parts]
        return x, first, second, joined, turned, rearrange([self.bias, self.bias], "i a -> a i")
    def gradients(self):
        weight, bias = self.weight, self.bias
        return weight.grad, bias.grad
    def optimizer(self):
        weight, bias = self.weight, self.bias
        return torch.optim.SGD([weight, bias], lr=0.1)
"""


def test_einops_is_given_the_arrays_of_several(converted: Callable[..., str]) -> None:
    """Bound to names at once, in a list, or those of a loop over a list of parameters."""
    text = converted(SEVERAL, "jax")
    assert "weight, bias = self.weight[...], self.bias[...]\n        if cut" in text
    assert "(self.bias[...], bias)" in text
    assert "pack([self.weight[...], x[0]]" in text
    assert 'rearrange(part[...], "a b -> b a")' in text
    assert "rearrange([self.bias[...], self.bias[...]]" in text


def test_several_whose_holders_are_asked_stay(converted: Callable[..., str]) -> None:
    """Gradients are the holder's, and optimizers take it."""
    assert converted(SEVERAL, "jax").count("weight, bias = self.weight, self.bias\n") == 2


BOUND_AGAIN = """
import torch
from torch import nn

class Scale(nn.Module):
    def __init__(self, first=None, second=None):
        super().__init__()
        first = first if first is not None else second
        second = second if second is not None else first
        gain = nn.Parameter(torch.ones(3))
        gain = gain if first is None else first
        self.first, self.gain = first, gain
        self.second = second
    def forward(self, x):
        return x * self.gain
"""


def test_names_may_be_bound_to_one_another(converted: Callable[..., str]) -> None:
    """What they hold is asked of each once."""
    assert "self.gain" in converted(BOUND_AGAIN, "jax")


LOOKED_UP = """
import torch
from torch import nn
from einops import rearrange, repeat

class Net(nn.Module):
    def __init__(self, dim=3):
        super().__init__()
        self.register_buffer("threshold_train", torch.ones(dim))
        self.register_buffer("threshold_eval", torch.ones(dim))
        self.D = nn.Parameter(torch.ones(dim, dim))
        self.C = nn.Parameter(torch.ones(dim, dim))
    def forward(self, x):
        suffix = "train" if self.training else "eval"
        threshold = getattr(self, f"threshold_{suffix}")
        threshold = rearrange(threshold, "k -> k 1")
        b, D, C = x.shape[0], self.D, self.C
        D = repeat(D, "d r -> b d r", b=b)
        t = lambda tensor: rearrange(tensor, "b i j -> b j i")
        return t(D) @ C + threshold
"""


def test_einops_is_given_the_arrays_of_what_is_looked_up_and_handed_on(converted: Callable[..., str]) -> None:
    text = converted(LOOKED_UP, "jax")
    assert '_array(getattr(self, f"threshold_{suffix}"))' in text
    assert "b, D, C = x.shape[0], self.D[...], self.C[...]" in text
