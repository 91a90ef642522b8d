"""torch.nn.modules: linear layers."""

import jax.numpy as jnp
import torch
from flax import nnx

from rewriters.rule import rule, same
from rewriters.targets.jax.rules.generator import rngs
from rewriters.targets.jax.rules.nn.modules.module import Module, TorchMethods
from rewriters.targets.jax.rules.nn.modules.stored import View
from rewriters.targets.jax.rules.nn.modules.weights import draw_anew, within

same("torch.nn.Linear.weight", "torch.nn.Linear.bias", "torch.nn.Linear.in_features", "torch.nn.Linear.out_features")
same("torch.nn.Linear.reset_parameters")
same("torch.nn.Bilinear.weight", "torch.nn.Bilinear.bias")


@rule(torch.nn.Linear)
class Linear(TorchMethods, nnx.Linear):
    """nnx.Linear with torch's first weights; ``weight`` is its kernel as torch has it, and may be another's."""

    torchs = {"kernel": ("weight", (1, 0)), "tied": ("weight", None)}

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None, *, rngs=rngs):
        init = within(in_features)
        super().__init__(
            in_features,
            out_features,
            use_bias=bias,
            kernel_init=init,
            bias_init=init,
            param_dtype=dtype or jnp.float32,
            rngs=rngs,
        )
        self.tied = nnx.data(None)
        if type(self).reset_parameters is not Linear.reset_parameters:  # a derived class has its own
            self.reset_parameters()

    def reset_parameters(self):
        draw_anew(self, rngs.params, within(self.in_features))

    @property
    def weight(self):
        return View(self.kernel, (1, 0), owner=self) if self.tied is None else self.tied

    @weight.setter
    def weight(self, value):
        if isinstance(value, View) and value.axes == (1, 0):
            self.kernel, self.tied = value.variable, nnx.data(None)
            self.kernel.set_metadata(shared=True)
        elif isinstance(value, nnx.Variable):
            self.kernel, self.tied = nnx.data(None), value
        else:
            self.weight.set_value(value)

    def __call__(self, input):
        if self.tied is None and self.use_bias == (self.bias is not None):
            return super().__call__(input)
        found = input @ self.weight.T  # tied, or with a bias that came later
        return found if self.bias is None else found + self.bias


@rule("torch.nn.modules.linear.NonDynamicallyQuantizableLinear")
class ProjectionOut(Linear):
    """torch's name for the last projection's kind; its bias begins at zero."""

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None, *, rngs=rngs):
        super().__init__(in_features, out_features, bias, device, dtype, rngs=rngs)
        if bias:
            self.bias.set_value(jnp.zeros_like(self.bias[...]))


@rule(torch.nn.Bilinear)
class Bilinear(Module):
    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None, *, rngs=rngs):
        super().__init__()
        key = rngs.params
        init, dtype = within(in1_features), dtype or jnp.float32
        self.weight = nnx.Param(init(key(), (out_features, in1_features, in2_features), dtype))
        self.bias = nnx.Param(init(key(), (out_features,), dtype)) if bias else None

    def __call__(self, input1, input2):
        found = jnp.einsum("...i,oij,...j->...o", input1, self.weight[...], input2)
        return found if self.bias is None else found + self.bias


@rule(torch.nn.Identity)
class Identity(Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def __call__(self, input):
        return input
