"""torch.func on JAX: derivatives of functions, batches, modules as functions of their parameters."""

from __future__ import annotations

from collections.abc import Callable

HEAD = """
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap

def image(*shape):
    count = 1
    for size in shape:
        count *= size
    return torch.arange(count, dtype=torch.float32).reshape(shape).cos()
"""


def test_derivatives(agrees: Callable[..., object]) -> None:
    agrees(
        HEAD
        + """
def energy(x: torch.Tensor, y: torch.Tensor):
    return (x.sin() * y).sum()

x, y = image(3), image(3) * 2
show(grad(energy)(x, y), grad(energy, argnums=(0, 1))(x, y), grad_and_value(energy)(x, y))
show(jacrev(lambda x: x * x)(x), jacfwd(torch.sin)(x), hessian(energy)(x, y))
show(grad(lambda x: (x.sum(), x * 2), has_aux=True)(x))
out, back = vjp(lambda a, b: a * b, x, y)
show(out, back(torch.ones(3)))
out, back = vjp(torch.exp, x)
show(out, back(torch.ones(3)), jvp(torch.sin, (x,), (y,)))
show(vmap(torch.dot)(image(2, 3), image(2, 3)), vmap(torch.mul, in_dims=(0, None), out_dims=1)(image(2, 3), y))
show(torch.vmap(lambda row: row.sum())(image(2, 3)))
""",
        "jax",
    )


def test_gradients_of_each_sample(agrees: Callable[..., object]) -> None:
    agrees(
        HEAD
        + """
net = nn.Sequential(nn.Linear(3, 2), nn.Tanh(), nn.Linear(2, 1))
net.load_state_dict({name: image(*value.shape) for name, value in net.state_dict().items()})
params = dict(net.state_dict())

def loss(params, x: torch.Tensor, y: torch.Tensor):
    return F.mse_loss(functional_call(net, params, (x.unsqueeze(0),)), y.unsqueeze(0))

found = vmap(grad(loss), in_dims=(None, 0, 0))(params, image(4, 3), image(4, 1))
show([(name, value) for name, value in found.items()])
show(functional_call(net, {"0.bias": torch.zeros(2)}, image(1, 3)), net(image(1, 3)))
norm = nn.BatchNorm1d(2)
functional_call(norm, {"weight": torch.full((2,), 3.0)}, (image(4, 2),))
show(norm.running_mean + 0, norm.weight + 0)
""",
        "jax",
    )


def test_what_is_made_while_gradients_are_taken(agrees: Callable[..., object]) -> None:
    agrees(
        HEAD
        + """
def shape_of(x: torch.Tensor):
    net = nn.Sequential(nn.BatchNorm1d(3, bias=False), nn.Linear(3, 3), nn.Dropout(0.5))
    return (net(x) * 0).sum() + nn.LSTM(3, 2, 2, dropout=0.5)(x)[0].sum() * 0 + x.sum()

show(grad(shape_of)(image(4, 3)), nn.Softmax(dim=0)(torch.tensor(2.0)), nn.LogSoftmax(dim=0)(torch.tensor(2.0)))
show(nn.BatchNorm1d(3, bias=False).bias, nn.KLDivLoss(reduction="batchmean")(torch.tensor(-1.0), torch.tensor(0.5)))
""",
        "jax",
    )


def test_gradients_of_deviations_are_zero_where_these_are(agrees) -> None:
    program = """
        import torch
        def spread(x): return x.std(1).sum() + torch.std_mean(x, 0)[0].sum() + torch.std(x, dim=1, keepdim=True).sum()
        x = torch.tensor([[2., 2., 2.], [2., 3., 5.]])
        show(torch.func.grad(spread)(x), x.std(1), x.var(1))
    """
    agrees(program, "jax")


def test_factorizations_read_one_triangle_and_their_gradients_are_of_both(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        a = torch.tensor([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
        lower, upper = a.tril() + 7 * torch.ones(3, 3).triu(1), a.triu() + 7 * torch.ones(3, 3).tril(-1)
        y = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
        for x, up in ((lower, False), (upper, True)):
            show(torch.linalg.cholesky(x, upper=up), torch.func.grad(lambda x: (torch.linalg.cholesky(x, upper=up) * a).sum())(x))
            show(torch.func.grad(lambda x: torch.linalg.eigvalsh(x, UPLO="U" if up else "L").sum())(x))
        show(torch.linalg.pinv(lower, hermitian=True), torch.linalg.matrix_rank(lower, hermitian=True))
        show(torch.lu(a, get_infos=True).LU)
        for driver in ("gels", "gelsy", "gelsd", None):
            found = torch.linalg.lstsq(a[:, :2], y, driver=driver)
            show(found.solution, found.residuals, found.rank, found.singular_values)
    """  # noqa: E501
    agrees(program, "jax")
