"""To JAX: modules that plain dicts and lists hold, and losses that come to them by themselves."""

from __future__ import annotations

from collections.abc import Callable


def test_a_trainer_with_a_dict_of_models(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn
        class Trainer:
            def __init__(self):
                self.models = {"enc": nn.Linear(4, 3), "dec": nn.Linear(3, 4)}
                self.parameters_to_train = []
                for m in self.models.values():
                    with torch.no_grad():
                        for p in m.parameters():
                            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
                self.parameters_to_train += list(self.models["enc"].parameters())
                self.parameters_to_train += list(self.models["dec"].parameters())
                self.optimizer = torch.optim.Adam(self.parameters_to_train, 1e-2)
                self.sched = torch.optim.lr_scheduler.StepLR(self.optimizer, 2, 0.1)
            def process_batch(self, x):
                h = torch.relu(self.models["enc"](x))
                y = self.models["dec"](h)
                losses = {"loss": (y - x).pow(2).mean(), "l1": h.abs().mean()}
                losses["total"] = losses["loss"] + 0.1 * losses["l1"]
                return y, losses
            def run(self, x):
                for epoch in range(4):
                    for m in self.models.values():
                        m.train()
                    out, losses = self.process_batch(x)
                    self.optimizer.zero_grad()
                    losses["total"].backward()
                    self.optimizer.step()
                    self.sched.step()
                    show({k: v.item() for k, v in losses.items()}, self.optimizer.param_groups[0]["lr"])
        t = Trainer()
        t.run(torch.linspace(-1, 1, 20).sin().reshape(5, 4))
        show(t.models["enc"].weight)
    """
    agrees(program, "jax")


def test_dicts_and_lists_of_the_file_and_of_two_optimizers(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        import torch.nn as nn
        nets = {"a": nn.Linear(3, 2), "b": nn.Linear(2, 1)}
        heads = [nn.Linear(2, 1), nn.Linear(2, 1)]
        with torch.no_grad():
            for n in [*nets.values(), *heads]:
                for p in n.parameters():
                    p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
        params = []
        for n in nets.values():
            params += list(n.parameters())
        for h in heads:
            params.extend(h.parameters())
        opt = torch.optim.Adam(params, lr=0.05)
        x = torch.linspace(-1, 1, 12).reshape(4, 3)
        def step(x, k):
            h = torch.tanh(nets["a"](x))
            loss = nets["b"](h).pow(2).mean() + heads[k](h).abs().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            return loss.item()
        for i in range(4):
            show(step(x, i % 2))
        show(nets["a"].weight, heads[1].weight.grad)
        class GAN:
            def __init__(self):
                self.nets = {"g": nn.Linear(2, 3), "d": nn.Linear(3, 1)}
                for n in self.nets.values():
                    with torch.no_grad():
                        for p in n.parameters():
                            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape))
                self.opts = {k: torch.optim.SGD(n.parameters(), lr=0.1) for k, n in self.nets.items()}
            def train(self, z, real):
                fake = self.nets["g"](z)
                d_loss = -(self.nets["d"](real).mean() - self.nets["d"](fake.detach()).mean())
                self.opts["d"].zero_grad()
                d_loss.backward()
                self.opts["d"].step()
                g_loss = -self.nets["d"](self.nets["g"](z)).mean()
                self.opts["g"].zero_grad()
                g_loss.backward()
                self.opts["g"].step()
                return d_loss.item(), g_loss.item()
        g = GAN()
        for i in range(3):
            show(g.train(torch.linspace(-1, 1, 4).reshape(2, 2), torch.ones(2, 3)))
        show(g.nets["g"].weight, g.nets["d"].weight)
    """
    agrees(program, "jax")
