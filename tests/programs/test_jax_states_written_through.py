"""To JAX: what a loop over ``state_dict()``, or over some of the parameters, changes is the module's."""

from __future__ import annotations

from collections.abc import Callable


def test_moving_averages_of_states(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import copy
        import math
        import torch
        from torch import nn

        class ModelEMA:
            def __init__(self, model, decay=0.9999, tau=20, updates=0):
                self.ema = copy.deepcopy(model).eval()
                self.updates = updates
                self.decay = lambda x: decay * (1 - math.exp(-x / tau))
                for p in self.ema.parameters():
                    p.requires_grad_(False)

            def update(self, model):
                self.updates += 1
                d = self.decay(self.updates)
                msd = model.state_dict()
                for k, v in self.ema.state_dict().items():
                    if v.dtype.is_floating_point:
                        v *= d
                        v += (1 - d) * msd[k].detach()

        class EmaV1:
            def __init__(self, model, decay):
                self.ema = copy.deepcopy(model)
                self.ema.eval()
                self.decay = decay
                self.ema_has_module = hasattr(self.ema, "module")
            def update(self, model):
                needs_module = hasattr(model, "module") and not self.ema_has_module
                with torch.no_grad():
                    msd = model.state_dict()
                    for k, ema_v in self.ema.state_dict().items():
                        if needs_module:
                            k = "module." + k
                        model_v = msd[k].detach()
                        ema_v.copy_(ema_v * self.decay + (1.0 - self.decay) * model_v)

        class EmaV2(nn.Module):
            def __init__(self, model, decay=0.9):
                super().__init__()
                self.module = copy.deepcopy(model)
                self.module.eval()
                self.decay = decay
            def _update(self, model, update_fn):
                with torch.no_grad():
                    for ema_v, model_v in zip(self.module.state_dict().values(), model.state_dict().values()):
                        ema_v.copy_(update_fn(ema_v, model_v))
            def update(self, model):
                self._update(model, update_fn=lambda e, m: self.decay * e + (1.0 - self.decay) * m)
            def set(self, model):
                self._update(model, update_fn=lambda e, m: m)

        net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))
        def fill(m, k):
            with torch.no_grad():
                for i, p in enumerate(q for q in m.parameters() if q.requires_grad):
                    p.copy_(torch.sin(torch.arange(p.numel()).float() * k + i + 1).view_as(p))
        fill(net, 1.0)
        a, b, c = ModelEMA(net, 0.9, 2), EmaV1(net, 0.8), EmaV2(net, 0.7)
        for k in range(3):
            net(torch.cos(torch.arange(15.0) + k).view(5, 3))
            fill(net, 1.5 + k)
            for e in (a, b, c):
                e.update(net)
        x = torch.cos(torch.arange(15.0)).view(5, 3)
        net.eval()
        show(a.ema(x), b.ema(x), c.module(x), net(x))
        show(a.ema.state_dict())
        c.set(net)
        show(c.module(x))
        for p in filter(lambda q: q.requires_grad, net.parameters()):
            p.data.mul_(0.5)
        for p in [q for q in net.parameters() if q.ndim > 1]:
            p.data *= 2
        for n, w in net.state_dict().items():
            if n.endswith("bias"):
                w.fill_(0.25)
            elif "running" in n:
                w.zero_()
        show(net(x), net.state_dict())
        """,
        "jax",
    )
