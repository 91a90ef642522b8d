"""To JAX: gradients of what other functions have computed: ``def gradient(y, x)``, ``def hvp(loss, params, v)``."""

from __future__ import annotations

from collections.abc import Callable

from migrate.programs import Outcome

FILLED = """
import torch
import torch.nn as nn
import torch.nn.functional as F


def filled(net):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
    return net


"""


def test_slopes_and_laplacians_by_functions_of_both(agrees: Callable[..., object]) -> None:
    program = (
        FILLED
        + """
class Siren(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = filled(nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1)))

    def forward(self, coords):
        coords = coords.clone().detach().requires_grad_(True)
        output = self.net(coords)
        return output, coords


def gradient(y, x, grad_outputs=None):
    if grad_outputs is None:
        grad_outputs = torch.ones_like(y)
    return torch.autograd.grad(y, [x], grad_outputs=grad_outputs, create_graph=True)[0]


def divergence(y, x):
    div = 0.0
    for i in range(y.shape[-1]):
        div += torch.autograd.grad(y[..., i], x, torch.ones_like(y[..., i]), create_graph=True)[0][..., i : i + 1]
    return div


def laplace(y, x):
    grad = gradient(y, x)
    return divergence(grad, x)


D = lambda y, x: torch.autograd.grad(y, x, grad_outputs=torch.ones_like(y), create_graph=True)[0]
siren = Siren()
optimizer = torch.optim.Adam(siren.parameters(), lr=1e-3)
at, truth = torch.linspace(-1, 1, 16).reshape(8, 2), torch.linspace(0, 1, 8).unsqueeze(1)
for step in range(3):
    out, coords = siren(at)
    loss = ((out - truth) ** 2).mean() + 0.01 * gradient(out, coords).pow(2).mean() + laplace(out, coords).abs().mean()
    slopes, curved = gradient(out, coords), laplace(out, coords)
    show(loss.item(), slopes, curved)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
x, t = at[:, :1].clone().requires_grad_(), at[:, 1:].clone().requires_grad_()
u = siren.net(torch.cat([x, t], 1))
u_x, u_t = D(u, x), D(u, t)
show(u_x, u_t, D(u_x, x), 2 * D(u_x, t)[:3])
"""
    )
    agrees(program, "jax")


def test_what_a_module_gives_with_its_own_coordinates(agrees: Callable[..., object]) -> None:
    program = (
        FILLED
        + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = filled(nn.Sequential(nn.Linear(3, 5), nn.BatchNorm1d(5), nn.Softplus(beta=10), nn.Linear(5, 1)))

    def forward(self, model_input):
        coords_org = model_input["coords"].clone().detach().requires_grad_(True)
        coords = coords_org
        output = self.net(coords)
        return {"model_in": coords_org, "model_out": output}


def gradient(y, x):
    return torch.autograd.grad(y, x, grad_outputs=torch.ones_like(y), create_graph=True)[0]


def sdf(model_output, gt):
    coords = model_output["model_in"]
    pred = model_output["model_out"]
    g = gradient(pred, coords)
    return {"sdf": torch.abs(pred - gt).mean() * 3, "grad": torch.abs(g.norm(dim=-1) - 1).mean()}


class Physics(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = filled(nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1)))
        self.lam = nn.Parameter(torch.tensor(0.5))
        self.optimizer = torch.optim.SGD(self.parameters(), lr=1e-2)

    def forward(self, x, t):
        return self.net(torch.cat([x, t], dim=1))

    def residual(self, x, t):
        u = self.forward(x, t)
        u_t, u_x = gradient(u, t), gradient(u, x)
        return u_t + u * u_x - self.lam * gradient(u_x, x)

    def fit(self, x, t, u):
        for e in range(3):
            self.optimizer.zero_grad()
            loss = torch.mean((u - self.forward(x, t)) ** 2) + torch.mean(self.residual(x, t) ** 2)
            loss.backward()
            self.optimizer.step()
            show(e, loss.item(), self.lam.item())


model = Net()
opt = torch.optim.SGD(model.parameters(), lr=1e-2)
x, gt = torch.linspace(-1, 1, 18).reshape(6, 3).cos(), torch.linspace(-1, 1, 6).unsqueeze(1)
for i in range(3):
    losses = sdf(model({"coords": x}), gt)
    out = model({"coords": x})
    losses = sdf(out, gt)
    loss = sum(l.mean() for l in losses.values())
    opt.zero_grad()
    loss.backward()
    opt.step()
    show(loss.item(), model.net[1].running_mean, model.net[1].num_batches_tracked)
x = torch.linspace(-1, 1, 8).unsqueeze(1).requires_grad_(True)
t = torch.linspace(0, 1, 8).unsqueeze(1).requires_grad_(True)
Physics().fit(x, t, -torch.sin(torch.pi * x).detach())
"""
    )
    agrees(program, "jax")


def test_products_with_the_hessian_of_parameters_that_are_given(agrees: Callable[..., object]) -> None:
    program = (
        FILLED
        + """
def hvp(loss, params, v):
    grads = torch.autograd.grad(loss, params, create_graph=True)
    flat = torch.cat([g.reshape(-1) for g in grads])
    gv = (flat * v).sum()
    hv = torch.autograd.grad(gv, params, retain_graph=True)
    return torch.cat([h.reshape(-1) for h in hv])


def of_model(loss, model, v):
    grads = torch.autograd.grad(loss, model.parameters(), create_graph=True)
    dot = sum((g * u).sum() for g, u in zip(grads, v))
    return torch.autograd.grad(dot, model.parameters(), retain_graph=True)


def unused(loss, params):
    return torch.autograd.grad(loss, params, allow_unused=True)


w, b, c = torch.linspace(-1, 1, 4).requires_grad_(True), torch.tensor(0.3, requires_grad=True), torch.zeros(1)
c.requires_grad_()
loss = (torch.tanh(torch.linspace(0, 2, 12).reshape(3, 4) @ w + b) ** 2).sum()
show(hvp(loss, [w, b], torch.ones(5)))
found = unused((w**2).sum() + 3 * b, [w, b, c])
show(found[0], found[1], found[2] is None)
try:
    show(torch.autograd.grad((w**2).sum(), c))
except RuntimeError:
    show("not used")
net = filled(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)))
loss = F.mse_loss(net(torch.linspace(-1, 1, 12).reshape(4, 3)), torch.linspace(0, 1, 4).unsqueeze(1))
v = [torch.ones_like(p) for p in net.parameters()]
for _ in range(3):
    hv = of_model(loss, net, v)
    norm = torch.sqrt(sum((h**2).sum() for h in hv))
    v = [h / norm for h in hv]
    show(norm, v)
"""
    )
    agrees(program, "jax")


def test_rows_of_a_hessian(agrees: Callable[..., object]) -> None:
    program = """
        import torch


        def hessian(y, x):
            (g,) = torch.autograd.grad(y, x, create_graph=True)
            rows = []
            for i in range(len(g)):
                v = torch.zeros_like(g)
                v[i] = 1.0
                (row,) = torch.autograd.grad(g, x, v, retain_graph=True)
                rows.append(row)
            return torch.stack(rows)


        x = torch.tensor([1.0, 2.0, -0.5], requires_grad=True)
        y = (x**3).sum() + x.prod()
        g = torch.autograd.grad(y, x, create_graph=True)[0]
        show(g, torch.stack([torch.autograd.grad(gi, x, retain_graph=True)[0] for gi in g]))
        show(torch.stack([torch.autograd.grad(gi * k, x, retain_graph=True)[0] for k, gi in enumerate(g)]))
        rows = []
        for i in range(g.numel()):
            rows.append(torch.autograd.grad(g[i], x, create_graph=True)[0])
        show(torch.stack(rows))
        z = torch.tensor([0.5, 1.0], requires_grad=True)
        show(hessian((z.exp() * z.flip(0)).sum(), z))
    """
    agrees(program, "jax")


def test_what_a_caller_computes_from_the_inputs_is_part_of_it(agrees: Callable[..., object]) -> None:
    program = """
        import torch


        def helper(z, x):
            y = z * x
            return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


        def outer(x, w):
            z = (x * w) ** 2
            g = helper(z, x)
            h = helper(g, x)
            return g + h, helper(h, w)


        show(*outer(torch.linspace(0.5, 2, 4).requires_grad_(), torch.linspace(1, -1, 4).requires_grad_()))
    """
    agrees(program, "jax")


def test_fast_weights_in_dicts_and_lists(agrees: Callable[..., object]) -> None:
    program = (
        FILLED
        + """
class MAML:
    def __init__(self, model, inner_lr, outer_lr):
        self.model = model
        self.inner_lr = inner_lr
        self.opt = torch.optim.SGD(model.parameters(), lr=outer_lr)

    def functional(self, x, params):
        x = F.relu(F.linear(x, params["0.weight"], params["0.bias"]))
        return F.linear(x, params["2.weight"], params["2.bias"])

    def adapt(self, x, y):
        params = {n: p for n, p in self.model.named_parameters()}
        for _ in range(2):
            loss = F.mse_loss(self.functional(x, params), y)
            grads = torch.autograd.grad(loss, params.values(), create_graph=True)
            params = {n: p - self.inner_lr * g for (n, p), g in zip(params.items(), grads)}
        return params

    def step(self, tasks):
        self.opt.zero_grad()
        total = 0
        for xs, ys, xq, yq in tasks:
            fast = self.adapt(xs, ys)
            total = total + F.mse_loss(self.functional(xq, fast), yq)
        total = total / len(tasks)
        total.backward()
        self.opt.step()
        return total.item()


net = filled(nn.Sequential(nn.Linear(1, 5), nn.ReLU(), nn.Linear(5, 1)))
maml = MAML(net, 0.1, 0.05)
x = torch.linspace(-1, 1, 8).unsqueeze(1)
tasks = [(x[:4], x[:4].sin() * k, x[4:], x[4:].sin() * k) for k in (1.0, 2.0)]
for i in range(3):
    show(maml.step(tasks))
show(net[0].weight, net[2].bias)
"""
    )
    agrees(program, "jax")


def test_fast_weights_of_tensors_that_are_trained_by_themselves(agrees: Callable[..., object]) -> None:
    program = (
        FILLED
        + """
def plain(x, params):
    return F.linear(F.relu(F.linear(x, params[0], params[1])), params[2], params[3])


w1 = torch.linspace(-1, 1, 8).reshape(8, 1).requires_grad_(True)
b1 = torch.zeros(8, requires_grad=True)
w2 = torch.linspace(-0.5, 0.7, 8).reshape(1, 8).requires_grad_(True)
b2 = torch.zeros(1, requires_grad=True)
params = [w1, b1, w2, b2]
x = torch.linspace(-1, 1, 8).unsqueeze(1)
opt = torch.optim.Adam(params, lr=1e-2)
for it in range(3):
    opt.zero_grad()
    meta_loss = 0.0
    for task in range(2):
        y = torch.sin(x + 0.3 * task + 0.1 * it)
        fast = params
        for k in range(2):
            loss = F.mse_loss(plain(x[:5], fast), y[:5])
            grads = torch.autograd.grad(loss, fast, create_graph=True)
            fast = [p - 0.05 * g for p, g in zip(fast, grads)]
        meta_loss = meta_loss + F.mse_loss(plain(x[5:], fast), y[5:])
    meta_loss.backward()
    opt.step()
    show(meta_loss.item())
for p in params:
    show(p.detach(), p.grad)
"""
    )
    agrees(program, "jax")


def test_gradients_in_comprehensions_and_of_items(agrees: Callable[..., object]) -> None:
    program = (
        FILLED
        + """
def D(y, x, order=1):
    for _ in range(order):
        y = torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]
    return y


def jac(y, x):
    return torch.stack([D(y[:, i], x) for i in range(y.shape[1])], 1)


def curved(y, xs):
    return torch.cat([D(D(y, x), x) for x in xs], 1).sum(1)


xs = [torch.linspace(i, 1, 4).unsqueeze(1).requires_grad_() for i in range(2)]
y = torch.cat([torch.sin(xs[0]) * xs[1], xs[0] * xs[1] ** 2], 1)
show([D(y, x) for x in xs], curved(y[:, :1], xs), jac(y, xs[1]))
J = jac(y, xs[0])
show(D(J.sum(1), xs[1]))
net = filled(nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 1)))
inputs = {k: torch.linspace(i, 1, 5).unsqueeze(1).requires_grad_() for i, k in enumerate("xt")}
u = net(torch.cat([inputs["x"], inputs["t"]], 1))
show(D(u, inputs["t"], 2), D(u, inputs["x"], order=3))
terms = {"u_" + k: D(u, inputs[k]) for k in inputs}
show(terms, D(terms["u_x"] * u, inputs["t"]))


def motion(L, q, v):
    qv = torch.cat([q, v]).requires_grad_()
    g = torch.autograd.grad(L(qv), qv, create_graph=True)[0]
    rows = []
    for i in range(2):
        rows.append(torch.autograd.grad(g[2 + i] * (i + 1), qv, create_graph=True)[0])
    H = torch.stack(rows)
    return torch.linalg.solve(H[:, 2:] + 2 * torch.eye(2), g[:2] - H[:, :2] @ v)


mass = filled(nn.Sequential(nn.Linear(4, 6), nn.Softplus(), nn.Linear(6, 1)))
L = lambda z: mass(z).sum() + (z[2:] ** 2).sum()
opt = torch.optim.SGD(mass.parameters(), lr=0.01)
for i in range(2):
    a = motion(L, torch.tensor([0.3, -0.2]), torch.tensor([0.1, 0.5]))
    loss = (a - 0.1).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    show(a, loss.item())
"""
    )
    agrees(program, "jax")


def test_what_modules_count_and_keep_on_the_way(agrees: Callable[..., object]) -> None:
    program = (
        FILLED
        + """
def D(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = filled(nn.Linear(2, 3)), filled(nn.Linear(3, 1))
        self.means, self.calls, self.mode, self.seen, self.h = [], 0, "new", {}, None

    def forward(self, x):
        self.calls += 1
        self.mode = "used"
        self.seen["n"] = self.seen.get("n", 0) + 1
        self.h = torch.tanh(self.a(x))
        self.means.append(self.h.detach().mean().item())
        return self.b(self.h)


net = Net()
x = torch.linspace(-1, 1, 6).reshape(3, 2).requires_grad_()
u = net(x)
show(D(D(u, x), x), net.calls, net.mode, net.seen, len(net.means), net.h)
"""
    )
    agrees(program, "jax")


def test_what_changes_on_the_way_is_marked(outcome: Callable[..., Outcome]) -> None:
    program = """
import torch
def grad(y, x):
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]
x = torch.linspace(0.5, 2, 4, requires_grad=True)
y = x**2
z = torch.zeros(4)
z[1:] = y[1:] * x[:3]
print(grad(z, x))
def run(x):
    s = x.sum()
    def f(t):
        return (t * s).pow(2)
    y = f(x)
    return grad(y, x)
print(run(x))
"""
    done = outcome(program, "jax").converted["program.py"]
    assert "changes a tensor while the outputs are computed" in done
    assert "`f` reads by itself what the outputs are computed from" in done


def test_what_is_refused_in_one_file_leaves_the_others(outcome: Callable[..., Outcome]) -> None:
    found = outcome(
        {
            "flat.py": """
                import torch


                def flat_grad(output, inputs, skip=()):
                    params = [p for i, p in enumerate(inputs) if i not in skip]
                    grads = torch.autograd.grad(output, params)
                    return torch.cat([g.reshape(-1) for g in grads])
            """,
            "short.py": """
                import torch
                ONE = torch.ones(1)
            """,
            "program.py": """
                import torch
                import torch.nn as nn
                from flat import flat_grad
                from short import ONE


                def slope(net, x):
                    mu = net(x).view(-1)
                    scaled = mu * 2
                    scaled[0:1] += 1
                    return flat_grad(scaled.sum(), net.parameters(), skip={1})


                net = nn.Linear(2, 1)
                show(slope(net, torch.ones(3, 2)).shape, ONE)
            """,
        },
        "jax",
    )
    assert found.verdict == "marked", str(found)
    assert "line 11 changes what the outputs are computed from" in found.converted["program.py"]
    assert "import jax.numpy as jnp" in found.converted["short.py"]
