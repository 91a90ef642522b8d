"""To JAX: dicts that go through what JAX compiles and differentiates keep their order, which JAX sorts by key."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

from tests.programs.model_head import HEAD


def test_losses_in_a_dict(agrees: Callable[..., object]) -> None:
    program = """
        net = init(nn.Linear(3, 2))
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        x = torch.linspace(-1, 1, 12).reshape(4, 3)
        for i in range(2):
            opt.zero_grad()
            out = net(x)
            losses = {"second": out.pow(2).mean(), "first": out.abs().mean()}
            loss = losses["second"] + losses["first"]
            loss.backward()
            opt.step()
            show({k: v.item() for k, v in losses.items()}, list(losses))
    """
    agrees(HEAD + dedent(program), "jax")


def test_batches_that_are_dicts(agrees: Callable[..., object]) -> None:
    """What was joined of a batch's items was another input, silently."""
    program = """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.l = nn.Linear(4, 2)

            def forward(self, batch):
                h = torch.cat([v for v in batch.values()], dim=1)
                return {"z": self.l(h), "a": h.sum(1)}


        net = init(Net())
        opt = torch.optim.SGD(net.parameters(), lr=0.1)


        def train_step(batch: dict[str, torch.Tensor], y: torch.Tensor):
            opt.zero_grad()
            out = net(batch)
            loss = F.mse_loss(out["z"], y)
            loss.backward()
            opt.step()
            return loss.item(), out


        batch = {"user": torch.linspace(-1, 1, 6).reshape(3, 2), "item": torch.linspace(3, 5, 6).reshape(3, 2)}
        y = torch.ones(3, 2)
        for i in range(2):
            loss, out = train_step(batch, y)
            show(loss, list(out.keys()), out["z"])
    """
    agrees(HEAD + dedent(program), "jax")


def test_what_is_joined_of_a_dict(agrees: Callable[..., object]) -> None:
    program = """
        net = init(nn.Linear(4, 2))
        opt = torch.optim.Adam(net.parameters(), lr=0.1)
        user, item = torch.linspace(-1, 1, 6).reshape(3, 2), torch.linspace(3, 5, 6).reshape(3, 2)
        data = [{"user": user * k, "item": item} for k in (1, 2)]
        for batch in data:
            opt.zero_grad()
            x = torch.cat(list(batch.values()), 1)
            out = net(x)
            parts = {"l2": (out**2).mean(), "l1": out.abs().mean(), "bias": net.bias.sum()}
            total = torch.stack(list(parts.values())) @ torch.tensor([1.0, 10.0, 0.5])
            total.backward()
            opt.step()
            show(total, parts)
            for k, v in parts.items():
                print(k, round(v.item(), 4))
    """
    agrees(HEAD + dedent(program), "jax")


def test_results_without_gradients_and_computed_anew(agrees: Callable[..., object]) -> None:
    program = """
        import torch.utils.checkpoint as cp


        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.l = nn.Linear(3, 3)

            def forward(self, x):
                h = self.l(x)
                return {"out": h, "aux": h.mean()}


        class Model(nn.Module):
            def __init__(self):
                super().__init__()
                self.b = Block()
                self.teacher = Block()

            def forward(self, x):
                with torch.no_grad():
                    t = self.teacher(x)
                o = cp.checkpoint(self.b, x, use_reentrant=False)
                return o, t


        m = Model()
        with torch.no_grad():
            for p in m.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
        opt = torch.optim.SGD(m.b.parameters(), lr=0.1)
        for _ in range(2):
            o, t = m(torch.ones(2, 3))
            show(list(o), list(t))
            loss = sum(v.sum() for v in o.values()) + (o["out"] - t["out"]).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            show(loss, {k: v.sum() for k, v in t.items()})
        dp = nn.DataParallel(m)
        o, t = dp(torch.ones(2, 3))
        show(list(o), o["out"])
    """
    agrees(HEAD + dedent(program), "jax")


def test_what_comes_beside_gradients_of_inputs(agrees: Callable[..., object]) -> None:
    program = """
        net = nn.Linear(3, 2)
        with torch.no_grad():
            for p in net.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))


        def both(x):
            x = x.clone().requires_grad_(True)
            out = {"y": net(x), "b": x.sum()}
            extra = {"z": out["y"].sum(1), "c": out["b"] * 2}
            loss = out["y"].pow(2).sum() + extra["c"]
            g = torch.autograd.grad(loss, x)[0]
            return g, out, extra


        g, out, extra = both(torch.linspace(-1, 1, 6).reshape(2, 3))
        show(g, list(out), list(extra), torch.stack([v.sum() for v in extra.values()]))
    """
    agrees(HEAD + dedent(program), "jax")


def test_dicts_of_branches_stay(agrees: Callable[..., object]) -> None:
    program = """
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.l = nn.Linear(3, 3)

            def forward(self, x):
                if x.sum() > 0:
                    out = {"z": self.l(x), "a": x * 2}
                else:
                    out = {"z": x, "a": self.l(x)}
                return torch.cat(list(out.values()), 1)


        m = M()
        with torch.no_grad():
            for p in m.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
        show(m(torch.ones(2, 3)), m(-torch.ones(2, 3)))
    """
    agrees(HEAD + dedent(program), "jax_static")
