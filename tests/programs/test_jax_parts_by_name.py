"""Parts of modules that are reached by names which nothing declares, and what is asked of them and of whole modules."""

from __future__ import annotations

from collections.abc import Callable

from migrate.programs import Outcome


def test_hooks_of_what_nothing_says_to_be_a_module(agrees: Callable[..., object]) -> None:
    agrees(
        """
        from collections import OrderedDict

        import torch
        import torch.nn as nn

        class Cam:
            def __init__(self, target):
                self.seen = []
                self.handle = target.register_forward_hook(self.save)

            def save(self, module, args, out):
                self.seen.append(out.detach())

        net = nn.Sequential(OrderedDict([("a", nn.Linear(2, 2)), ("act", nn.ReLU()), ("b", nn.Linear(2, 1))]))
        for k, p in enumerate(net.parameters()):
            nn.init.constant_(p, 0.1 * (k + 1))
        cams = [Cam(net.a), Cam(net[1]), Cam(getattr(net, "b"))]
        handle = net.b.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
        show(net(torch.ones(1, 2)), [cam.seen for cam in cams])
        handle.remove()
        cams[0].handle.remove()
        show(net(torch.ones(1, 2)), [len(cam.seen) for cam in cams])
        """,
        "jax",
    )


def test_dtypes_of_whole_modules_and_dicts_with_none(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn

        net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
        net.type(torch.float64)
        show([p.dtype for p in net.parameters()], net[1].running_mean.dtype)

        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.gains = nn.ParameterDict({"a": nn.Parameter(torch.ones(2)), "b": None})

            def forward(self, x):
                return x * self.gains["a"] if self.gains["b"] is None else x

        m = M()
        show(m(torch.ones(2)), list(m.state_dict()), [name for name, _ in m.named_parameters()], len(m.gains))
        """,
        "jax",
    )


def test_copies_that_are_asked_for_are_no_others(outcome: Callable[..., Outcome]) -> None:
    found = outcome(
        """
        import torch

        def f(x):
            y = x.to(copy=True)
            y[0] = 5
            z = torch.asarray(x, copy=True)
            z += 1
            return x, y, z

        show(f(torch.ones(2)))
        """,
        "jax",
    )
    assert found.verdict == "agrees", str(found)
    assert not [site for site in found.sites if site.outcome == "differs"], str(found)
