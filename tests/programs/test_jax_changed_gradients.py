"""To JAX: what a program does to the gradients of parameters between backward and step, one by one."""

from __future__ import annotations

from collections.abc import Callable

HEAD = """
import torch
import torch.nn as nn
import torch.nn.functional as F


def made():
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    with torch.no_grad():
        for k, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (k + 1) / 2)
    return net


x, y = torch.linspace(-2, 2, 15).reshape(5, 3), torch.tensor([0, 1, 1, 0, 1])
"""

WHOLE = """
class Agent:
    def __init__(self):
        self.policy = made()
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=0.01)

    def learn(self, x, y):
        loss = F.smooth_l1_loss(self.policy(x).gather(1, y.unsqueeze(1)).squeeze(1), torch.ones(5))
        self.optimizer.zero_grad()
        loss.backward()
        for param in self.policy.parameters():
            param.grad.data.clamp_(-0.1, 0.1)
        self.optimizer.step()
        return loss.item()


agent = Agent()
show(agent.learn(x, y), agent.learn(x, y), [p.detach() for p in agent.policy.parameters()])
net = made()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    for p in net.parameters():
        if p.grad is not None:
            p.grad.zero_()
    F.cross_entropy(net(x), y).backward()
    opt.step()
    for p in net.parameters():
        p.grad = None
show([p.detach() for p in net.parameters()])
for step in range(2):
    for p in net[0].parameters():
        p.grad = None
    F.cross_entropy(net(x), y).backward()
    opt.step()
show([p.detach() for p in net.parameters()])
"""

ONE_BY_ONE = """
net = made()
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for step in range(3):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    for name, p in net.named_parameters():
        if p.grad is not None:
            p.grad.data.clamp_(-0.05, 0.1)
            p.grad.mul_(2).add_(p, alpha=0.01)
            p.grad /= 1.5
            p.grad.data *= 0.9 + 0.1
            p.grad = p.grad + p.grad.norm() * 0.01
            if name.endswith("bias"):
                p.grad = None
    opt.step()
show(loss.item(), [p.detach() for p in net.parameters()])


def attacked(model, data, target):
    data.requires_grad = True
    loss = F.nll_loss(F.log_softmax(model(data), 1), target)
    model.zero_grad()
    loss.backward()
    return torch.clamp(data + 0.1 * data.grad.data.sign(), -1, 1)


show(attacked(net, x.clone(), y).detach())
data = x.clone()
data.requires_grad = True
loss = F.nll_loss(F.log_softmax(net(data), 1), y)
net.zero_grad()
loss.backward()
show(data.grad.sign())
"""


def test_gradients_are_clipped_and_cleared_in_loops(agrees: Callable[..., object]) -> None:
    agrees(HEAD + WHOLE, "jax")


def test_gradients_of_parameters_are_changed(agrees: Callable[..., object]) -> None:
    agrees(HEAD + ONE_BY_ONE, "jax")


def test_an_input_that_moves_by_its_gradient_is_a_parameter(agrees: Callable[..., object]) -> None:
    program = """
net = made()
delta = torch.zeros_like(x, requires_grad=True)
for step in range(2):
    F.cross_entropy(net(x + delta), y).backward()
    delta.data = delta.data + delta.grad.sign()
    delta.grad.zero_()
show(delta.detach())


def attacked(model, x, y, most, rate):
    delta = torch.zeros_like(x, requires_grad=True)
    for step in range(3):
        loss = nn.CrossEntropyLoss()(model(x + delta), y)
        loss.backward()
        delta.data = (delta + rate * delta.grad.detach()).clamp(-most, most)
        delta.grad.zero_()
    return delta.detach()


show(attacked(net, x, y, 0.1, 0.5))
"""
    agrees(HEAD + program, "jax")


OF_PARAMETERS = """
def descend(net: nn.Module, x, y):
    params = list(net.parameters())
    out = net(x)
    loss = F.cross_entropy(out, y) + 0.01 * sum(p.pow(2).sum() for p in net.parameters())
    grads = torch.autograd.grad(loss, params)
    with torch.no_grad():
        for p, g in zip(params, grads):
            p -= 0.1 * g
    trained = [p for p in net.parameters() if p.requires_grad]
    for p in trained:
        p.data.mul_(0.99)
    return loss, out, torch.cat([g.flatten() for g in grads]).norm(), sum(p.sum() for p in trained)


net = made()
show([v.detach() for v in descend(net, x, y)], [v.detach() for v in descend(net, x, y)])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    loss = F.cross_entropy(net(x), y)
    grads = torch.autograd.grad(loss, net.parameters(), create_graph=True)
    total = loss + 0.1 * sum(g.pow(2).sum() for g in grads)
    opt.zero_grad()
    total.backward()
    opt.step()
show(total.item(), [p.detach() for p in net.parameters()])
net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
loss = net(x).pow(2).mean()
flat = torch.cat([g.reshape(-1) for g in torch.autograd.grad(loss, tuple(net.parameters()))])
show(flat, net[1].running_mean, net[1].num_batches_tracked)
"""


def test_gradients_of_all_parameters_are_taken(agrees: Callable[..., object]) -> None:
    agrees(HEAD + OF_PARAMETERS, "jax")


PRODUCTS = """
net = made()
params = [p for p in net.parameters() if p.requires_grad]
v = torch.ones(sum(p.numel() for p in params))
for step in range(2):
    loss = F.cross_entropy(net(x), y)
    grads = torch.autograd.grad(loss, params, create_graph=True)
    flat = torch.cat([g.reshape(-1) for g in grads])
    hv = torch.cat([g.reshape(-1) for g in torch.autograd.grad(flat @ v, params)])
    show(loss.item(), (v @ hv).item())
    v = hv / hv.norm()


def product(net: nn.Module, v):
    loss = F.cross_entropy(net(x), y)
    grads = torch.autograd.grad(loss, net.parameters(), create_graph=True)
    dot = sum((g * w).sum() for g, w in zip(grads, v))
    return torch.autograd.grad(dot, inputs=net.parameters())


show(product(net, [torch.ones_like(p) for p in net.parameters()]))
net[0].weight.requires_grad_(False)
trained = [p for p in net.parameters() if p.requires_grad]
loss = F.cross_entropy(net(x), y)
show([p.requires_grad for p in net.parameters()], torch.autograd.grad(loss, trained))
opt = torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=0.5)
loss = F.cross_entropy(net(x), y)
loss.backward()
opt.step()
show([p.detach() for p in net.parameters()])
"""


def test_products_with_the_hessian(agrees: Callable[..., object]) -> None:
    agrees(HEAD + PRODUCTS, "jax")
