"""To JAX: residuals of differential equations, gradients of gradients among which others stand."""

from __future__ import annotations

from collections.abc import Callable


def test_a_function_of_two_inputs(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn


        class PINN(nn.Module):
            def __init__(self, layers):
                super().__init__()
                self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(layers[:-1], layers[1:]))
                with torch.no_grad():
                    for p in self.parameters():
                        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))

            def forward(self, x, t):
                h = torch.cat([x, t], 1)
                for l in self.layers[:-1]:
                    h = torch.tanh(l(h))
                return self.layers[-1](h)


        def residual(model, x, t):
            u = model(x, t)
            u_t = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]
            u_x = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]
            u_xx = torch.autograd.grad(u_x, x, torch.ones_like(u_x), create_graph=True)[0]
            return u_t + u * u_x - 0.01 * u_xx


        model = PINN([2, 6, 6, 1])
        opt = torch.optim.Adam(model.parameters(), lr=1e-2)
        x = torch.linspace(-1, 1, 7).view(-1, 1).requires_grad_()
        t = torch.linspace(0, 1, 7).view(-1, 1).requires_grad_()
        for _ in range(3):
            opt.zero_grad()
            loss = residual(model, x, t).pow(2).mean() + model(x, torch.zeros_like(x)).add(torch.sin(x)).pow(2).mean()
            loss.backward()
            opt.step()
            show(loss.item())
    """
    agrees(program, "jax")


def test_a_class_whose_methods_give_the_loss(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn


        class PhysicsInformed:
            def __init__(self, nu):
                self.nu = nu
                self.net = nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 1))
                with torch.no_grad():
                    for p in self.net.parameters():
                        p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
                self.x = torch.linspace(-1, 1, 6).view(-1, 1).requires_grad_(True)
                self.t = torch.linspace(0, 1, 6).view(-1, 1).requires_grad_(True)
                self.u0 = -torch.sin(3.14159 * self.x.detach())
                self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.01)
                self.iter = 0

            def net_u(self, x, t):
                return self.net(torch.hstack((x, t)))

            def net_f(self, x, t):
                u = self.net_u(x, t)
                u_t = torch.autograd.grad(u, t, torch.ones_like(u), retain_graph=True, create_graph=True)[0]
                u_x = torch.autograd.grad(u, x, torch.ones_like(u), retain_graph=True, create_graph=True)[0]
                u_xx = torch.autograd.grad(u_x, x, torch.ones_like(u_x), retain_graph=True, create_graph=True)[0]
                return u_t + u * u_x - self.nu * u_xx

            def loss_func(self):
                self.optimizer.zero_grad()
                u = self.net_u(self.x, torch.zeros_like(self.t))
                f = self.net_f(self.x, self.t)
                loss = torch.mean((u - self.u0) ** 2) + torch.mean(f ** 2)
                loss.backward()
                self.iter += 1
                return loss

            def train(self, n):
                for _ in range(n):
                    loss = self.loss_func()
                    self.optimizer.step()
                    print(f"{self.iter} {loss.item():.5f}")


        m = PhysicsInformed(0.01)
        m.train(3)
        show(m.net_f(m.x, m.t).detach())
    """
    agrees(program, "jax")
