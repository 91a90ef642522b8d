"""What OneFlow's tensors and functions refuse or do otherwise, converted, gives what torch gives: both are run."""

from __future__ import annotations

from collections.abc import Callable

SCRIPT = """\
import json
import numpy as np
import torch
import torch.nn as nn
from torch.distributions.categorical import Categorical
from torch.distributions import Normal


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor, double):
        ctx.save_for_backward(x)
        ctx.factors = [factor, 2]
        return double(x) * x * factor

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 2 * ctx.factors[1] * x * ctx.factors[0], None, None


class Best(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        index = torch.argmax(x, dim=0)
        ctx.mark_non_differentiable(index)
        ctx.needed = ctx.needs_input_grad
        return x * 2, index

    @staticmethod
    def backward(ctx, grad, _):
        return grad * 3 if ctx.needed[0] else None


def numbers_of_numpy():
    step = np.log(10000.0) / 4
    x = torch.arange(1, 5)
    return [step * x, -step + x.float(), step - x.float(), step / x.float(), torch.exp(-step * x), 2 * x]


def sizes_of_numpy():
    shape = np.array((3, 4))
    layers = [nn.Linear(shape.prod(), 2), nn.Linear(2, np.prod((5, 1))), nn.Linear(shape[0], shape[1], bias=False)]
    return [torch.tensor(layer.weight.shape) for layer in layers]


def sizes_as_words():
    made = [
        torch.zeros(size=(2, 3)), torch.ones(size=[2]), torch.zeros(2, 3, pin_memory=False),
        torch.ones((2,), layout=None), torch.empty(size=(2, 2)).fill_(0), torch.zeros(*[1, 2]),
        torch.randn(size=(3, 2)) * 0, torch.rand(2, 2, pin_memory=False) * 0,
    ]
    return made


def own_functions():
    x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
    scaled = Scale.apply(x, 3.0, lambda part: part * 2) + Scale.apply(x, 5.0, lambda part: part * 2)
    twice, index = Best.apply(x)
    torch.autograd.backward(torch.sum(scaled + twice))
    return [scaled.detach(), index, torch.tensor(index.requires_grad), x.grad]


def unused_inputs():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([3.0, 4.0], requires_grad=True)
    elsewhere = y * 2
    found = torch.autograd.grad(torch.sum(x * x), [x, y, elsewhere], allow_unused=True)
    assert found[1] is None and found[2] is None and elsewhere.sum() == 14
    return [found[0], *torch.autograd.grad(torch.sum(x * y), [y], torch.tensor(2.0), allow_unused=True)]


def misspelled():
    x = torch.zeros(2)
    x.require_grad = False
    return [x]


def scaled_losses():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    optimizer = torch.optim.SGD([x], lr=0.1)
    scaler = torch.cuda.amp.GradScaler(enabled=False)
    scaler.scale(torch.sum(x * x)).backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    return [x.detach(), torch.tensor(scaler.get_scale())]


def counted(shape):
    return torch.sin(torch.arange(shape.numel()).float()).reshape(shape)


def normed(layer: nn.Module, x):
    layer = nn.utils.spectral_norm(layer, n_power_iterations=2)
    layer.load_state_dict({name: counted(value.shape) for name, value in layer.state_dict().items()})
    first = layer(x) + layer(x)
    torch.autograd.backward(torch.sum(first * first))
    layer.eval()
    kept = [first.detach(), layer.weight_orig.grad, layer.weight_u, layer.weight_v, layer(x).detach()]
    nn.utils.remove_spectral_norm(layer)
    return [*kept, layer(x).detach(), torch.tensor(len(layer.state_dict()))]


def spectral_norms():
    x = counted(torch.zeros(2, 3, 5, 5).shape)
    flat = counted(torch.zeros(2, 3).shape)
    return [*normed(nn.Conv2d(3, 4, 2), x), *normed(nn.ConvTranspose2d(3, 4, 2), x), *normed(nn.Linear(3, 4), flat)]


def products():
    x, y = counted(torch.zeros(2, 3).shape), counted(torch.zeros(3, 4).shape)
    return [torch.spmm(x, y), torch.nn.functional.nll_loss(y, torch.tensor([1, 0, 3]), reduction="sum")]


def distributions():
    logits = counted(torch.zeros(4, 3).shape).requires_grad_()
    drawn = Categorical(logits=logits)
    chosen = torch.tensor([0, 2, 1, 1])
    torch.autograd.backward(torch.sum(drawn.log_prob(chosen) + drawn.entropy()))
    certain = Categorical(torch.tensor([0.0, 2.0, 0.0]))
    normal = Normal(counted(torch.zeros(3).shape), torch.tensor(2.0))
    number = Normal(0.0, 1.0)
    shapes = [drawn.sample().shape, drawn.sample((5,)).shape, normal.sample().shape, number.sample((2,)).shape]
    return [
        drawn.log_prob(chosen).detach(), drawn.entropy().detach(), drawn.probs.detach(), drawn.logits.detach(),
        logits.grad, certain.sample((3,)), certain.entropy(), normal.log_prob(torch.tensor(0.5)), normal.entropy(),
        normal.mean, normal.stddev, number.log_prob(torch.tensor(0.25)), drawn.log_prob(torch.tensor(1)).detach(),
        torch.tensor([len(shape) for shape in shapes]), torch.tensor([shape.numel() for shape in shapes]),
    ]


def variables():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    kept, own = torch.autograd.Variable(y), torch.autograd.Variable(y, requires_grad=True)
    torch.autograd.backward(torch.sum(own * own + y))
    return [kept, own.grad, x.grad, *[torch.tensor(part.requires_grad) for part in (kept, own, x)]]


def changed_in_place():
    x, y = torch.zeros(2, 3), torch.ones(3)
    x.copy_(y)
    x[0].copy_(y * 2)
    z = x.copy_(x + 1)
    z.pow_(2)
    return [x, z]


def reset():
    linear, norm, table = nn.Linear(400, 300), nn.LayerNorm(5), nn.Embedding(400, 300)
    for layer in (linear, norm, table):
        with torch.no_grad():
            layer.weight.mul_(0).add_(3.0)
    linear.reset_parameters()
    norm.reset_parameters()
    table.reset_parameters()
    bound = linear.weight.detach().abs().max()
    spread = [linear.weight.detach().std() * 100, table.weight.detach().std() * 100]
    return [norm.weight.detach(), torch.round(bound * 1000), *[torch.round(part / 5) for part in spread]]


def accelerators():
    device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else torch.device("cpu")
    return [torch.zeros(2).to(device)]


def penalties():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x * x
    (slope,) = torch.autograd.grad(
        outputs=y, inputs=x, grad_outputs=torch.ones_like(y), create_graph=True, retain_graph=True, only_inputs=True
    )
    torch.autograd.backward(torch.sum(slope * slope))
    return [slope.detach(), x.grad]


CASES = [
    reset, accelerators, penalties, variables, changed_in_place, distributions, products, spectral_norms,
    numbers_of_numpy, sizes_of_numpy, sizes_as_words, own_functions, unused_inputs, misspelled, scaled_losses,
]
print(json.dumps({case.__name__: [part.cpu().numpy().tolist() for part in case()] for case in CASES}))
"""


def test_converted_code_gives_what_torch_gives(check_printed: Callable[[str], dict[str, list[float]]]) -> None:
    check_printed(SCRIPT)
