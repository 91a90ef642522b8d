"""torch.nn.functional: activations.

With ``inplace=True`` the argument is written where Paddle has a function that does; elsewhere only the value counts.
"""

import paddle
import torch

from rewriters.rule import family, note, rule


@rule(torch.nn.functional.relu)
def relu(input, inplace=False):
    if inplace:
        return paddle.nn.functional.relu_(input)
    return paddle.nn.functional.relu(input)


@rule(torch.nn.functional.relu6)
def relu6(input, inplace=False):
    if inplace:
        return paddle.assign(paddle.nn.functional.relu6(input.clone()), input)
    return paddle.nn.functional.relu6(input)


@family("leaky_relu elu", "negative_slope alpha", "0.01 1.0")
@rule(torch.nn.functional.leaky_relu)
def leaky_relu(input, negative_slope=0.01, inplace=False):
    if inplace:
        return paddle.nn.functional.leaky_relu_(input, negative_slope)
    return paddle.nn.functional.leaky_relu(input, negative_slope)


@family("leaky_relu elu", "negative_slope alpha", "0.01 1.0")
@rule(torch.nn.functional.leaky_relu_)
def leaky_relu_(input, negative_slope=0.01):
    return paddle.nn.functional.leaky_relu_(input, negative_slope)


@rule(torch.nn.functional.hardtanh)
def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    if inplace:
        return paddle.nn.functional.hardtanh_(input, min_val, max_val)
    return paddle.nn.functional.hardtanh(input, min_val, max_val)


@rule(torch.nn.functional.hardtanh_)
def hardtanh_(input, min_val=-1.0, max_val=1.0):
    return paddle.nn.functional.hardtanh_(input, min_val, max_val)


@rule(torch.nn.functional.threshold)
def threshold(input, threshold, value, inplace=False):
    if inplace:
        return paddle.nn.functional.thresholded_relu_(input, threshold, value)
    return paddle.nn.functional.thresholded_relu(input, threshold, value)


# copy_ also hands the gradient on
# The gradient of Paddle's own silu is NaN below -88.
@rule(torch.nn.functional.silu)
def silu(input, inplace=False):
    if inplace:
        return paddle.assign(paddle.nn.functional.swish(input.clone()), input)
    return paddle.nn.functional.swish(input)


@rule("torch.nn.functional.silu:twice")
def torch_silu(input, inplace=False):
    """Paddle's swish has no second gradient, the first of its silu is NaN below -88."""
    given = input.clone() if inplace else input
    found = given * paddle.nn.functional.sigmoid(given)
    return paddle.assign(found, input) if inplace else found


@family("selu mish hardswish")
@rule(torch.nn.functional.selu)
def selu(input, inplace=False):
    if inplace:
        return paddle.assign(paddle.nn.functional.selu(input.clone()), input)
    return paddle.nn.functional.selu(input)


def celu_of_two(input, alpha):
    """The gradient of Paddle's own is NaN where exp(input / alpha) is infinite: above zero it is left out."""
    return paddle.nn.functional.celu(paddle.clip(input, max=0), alpha) + paddle.nn.functional.relu(input)


@rule(torch.nn.functional.celu)
def celu(input, alpha=1.0, inplace=False):
    return paddle.assign(celu_of_two(input.clone(), alpha), input) if inplace else celu_of_two(input, alpha)


@rule(torch.nn.functional.rrelu)
def rrelu(input, lower=1 / 8, upper=1 / 3, training=False, inplace=False):
    if inplace:
        return paddle.assign(paddle.nn.functional.rrelu(input.clone(), lower, upper, training=training), input)
    return paddle.nn.functional.rrelu(input, lower, upper, training=training)


@rule(torch.nn.functional.hardsigmoid)
def hardsigmoid(input, inplace=False):
    if inplace:
        return paddle.assign(paddle.nn.functional.hardsigmoid(input.clone(), slope=1 / 6), input)
    return paddle.nn.functional.hardsigmoid(input, slope=1 / 6)


@rule(torch.nn.functional.glu)
def glu(input, dim=-1):
    return paddle.nn.functional.glu(input, axis=dim)


@rule(torch.nn.functional.gelu)
def gelu(input, *, approximate="none"):
    return paddle.nn.functional.gelu(input, approximate=approximate == "tanh")


@rule(torch.nn.functional.softplus)
def softplus(input, beta=1.0, threshold=20.0):
    return paddle.nn.functional.softplus(input, beta, threshold)


@rule(torch.nn.functional.softshrink)
def softshrink(input, lambd=0.5):
    return paddle.nn.functional.softshrink(input, lambd)


@rule(torch.nn.functional.softmax)
def softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        return paddle.compat.nn.functional.softmax(input, dtype=dtype)
    return paddle.nn.functional.softmax(input, axis=dim, dtype=dtype)


@rule(torch.nn.functional.log_softmax)
def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:  # torch chooses an axis by their number, Paddle takes the last
        return paddle.nn.functional.log_softmax(input, axis=0 if input.ndim in (0, 1, 3) else 1, dtype=dtype)
    return paddle.nn.functional.log_softmax(input, axis=dim, dtype=dtype)


@rule(torch.nn.functional.softmin)
def softmin(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        return paddle.compat.nn.functional.softmax(-input, dtype=dtype)
    return paddle.nn.functional.softmax(-input, axis=dim, dtype=dtype)


@rule(torch.nn.functional.gumbel_softmax)
def gumbel_softmax(logits, tau=1.0, hard=False, eps=1e-10, dim=-1):
    return paddle.nn.functional.gumbel_softmax(logits, temperature=tau, hard=hard, axis=dim)


note(
    torch.nn.functional.leaky_relu,
    torch.nn.LeakyReLU,
    torch.nn.functional.rrelu,
    torch.nn.RReLU,
    "at exactly 0 Paddle's gradient is 1, torch's the slope",
)
