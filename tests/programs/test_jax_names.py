"""Names of torch that JAX answers for since the first rules were written: what they give, and what it depends on."""

from __future__ import annotations

from collections.abc import Callable


def test_functions_with_derivatives_of_their_own(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn

        class Cube(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, k):
                ctx.save_for_backward(x)
                ctx.k = k
                return x**3 * k

            @staticmethod
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                return 3 * x**2 * ctx.k * g + 1, None

        class Twice(torch.autograd.Function):
            @staticmethod
            def forward(x):
                return x * 2, x.argmax()

            @staticmethod
            def setup_context(ctx, inputs, output):
                (ctx.x,) = inputs
                ctx.mark_non_differentiable(output[1])

            @staticmethod
            def backward(ctx, g, _):
                return g * 2 + ctx.x

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.Linear(3, 2)
                nn.init.ones_(self.a.weight)
                nn.init.zeros_(self.a.bias)

            def forward(self, x):
                doubled, place = Twice.apply(Cube.apply(self.a(x), 2))
                return doubled + place

        net = Net()
        opt = torch.optim.SGD(net.parameters(), lr=0.01)

        def step(x: torch.Tensor):
            opt.zero_grad()
            loss = net(x).sum()
            loss.backward()
            opt.step()
            return loss

        x = torch.arange(6.0).reshape(2, 3) / 10
        show(step(x), step(x), net.a.weight.detach(), net.a.bias.detach())
        show(torch.autograd.functional.jacobian(lambda t: t**2, x[0]))
        show(torch.autograd.functional.hessian(lambda t: (t**3).sum(), x[0]))
        show(*torch.autograd.functional.vjp(lambda t: t**2, x[0], torch.ones(3)))
        show(*torch.autograd.functional.hvp(lambda t: (t**3).sum(), x[0], torch.ones(3)))
        """,
        "jax",
    )


def test_generators_go_on_by_themselves(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch.utils.data import random_split

        g = torch.Generator().manual_seed(1)
        a = torch.rand(3, generator=g)
        torch.rand(4)
        g.manual_seed(1)
        show(torch.equal(a, torch.rand(3, generator=g)), g.initial_seed(), torch.Generator().initial_seed())
        state = torch.get_rng_state()
        a = torch.randn(2)
        torch.set_rng_state(state)
        show(torch.equal(a, torch.randn(2)), torch.equal(a, torch.randn(2)))
        own = g.get_state()
        a = torch.randperm(9, generator=g)
        g.set_state(own)
        show(torch.equal(a, torch.randperm(9, generator=g)))
        torch.manual_seed(7)
        show(torch.initial_seed())
        first, _ = random_split(range(10), [5, 5], generator=torch.Generator().manual_seed(42))
        again, _ = random_split(range(10), [5, 5], generator=torch.Generator().manual_seed(42))
        show(list(first) == list(again))
        """,
        "jax",
    )


def test_layers_are_fused_and_parameters_flattened(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn

        net = nn.Linear(3, 2)
        nn.init.eye_(net.weight)
        nn.init.ones_(net.bias)
        vector = nn.utils.parameters_to_vector(net.parameters())
        nn.utils.vector_to_parameters(vector * 2, net.parameters())
        show(vector, net.weight.detach(), net.bias.detach())
        conv, norm = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2)
        norm(conv(torch.arange(50.0).reshape(2, 1, 5, 5)))
        conv.eval(), norm.eval()
        nn.init.dirac_(conv.weight)
        with torch.no_grad():
            image = torch.arange(25.0).reshape(1, 1, 5, 5)
            show((nn.utils.fuse_conv_bn_eval(conv, norm)(image) - norm(conv(image))).abs().max() < 1e-4)
        """,
        "jax",
    )


def test_modes_without_gradients_are_named_where_they_are_statements(announced: Callable[..., object]) -> None:
    announced(
        """
        import torch
        from torch import nn

        net = nn.Linear(2, 1)
        nn.init.ones_(net.weight)
        nn.init.ones_(net.bias)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)

        def step(x: torch.Tensor):
            torch.set_grad_enabled(False)
            aim = net(x) * 2
            torch.set_grad_enabled(True)
            opt.zero_grad()
            loss = ((net(x) - aim) ** 2).sum()
            loss.backward()
            opt.step()

        step(torch.ones(1, 2))
        show(net.weight.detach())
        """,
        "jax",
    )
