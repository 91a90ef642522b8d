"""Layers that start over, and hooks that are set when one is made."""

from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.mark.parametrize("target", ["paddle", "oneflow"])
def test_attention_starts_over(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.attend = nn.MultiheadAttention(8, 2)

        def begin(module):
            if isinstance(module, nn.MultiheadAttention):
                module._reset_parameters()

        net = Net()
        with torch.no_grad():
            for parameter in net.parameters():
                parameter.fill_(5.0)
        net.apply(begin)
        weight = net.attend.in_proj_weight
        show(weight.abs().max() < 0.5, weight.std() > 0.1, net.attend.in_proj_bias, net.attend.out_proj.weight)
        """,
        target,
    )


def test_hooks_before_loading_are_taken(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = nn.Parameter(torch.ones(3))
                self._register_load_state_dict_pre_hook(self.renamed)
                self.register_load_state_dict_pre_hook(lambda *given: None).remove()

            def renamed(self, state_dict, prefix, *given):
                state_dict.pop(prefix + "old", None)

            def forward(self, x):
                return x * self.scale

        show(Net()(torch.arange(3.0)))
        """,
        "paddle",
    )


def test_hooks_change_what_is_loaded(agrees: Callable[..., object]) -> None:
    program = """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = nn.Parameter(torch.ones(3))
                self.seen = []
                self._register_load_state_dict_pre_hook(self.renamed)
                self.handle = self.register_load_state_dict_pre_hook(self.told)

            def renamed(self, state_dict, prefix, *given):
                state_dict[prefix + "scale"] = state_dict.pop(prefix + "old")

            @staticmethod
            def told(module, state_dict, prefix, metadata, strict, *given):
                module.seen.append((sorted(state_dict), prefix, strict))

        net = Net()
        net.load_state_dict({"old": torch.tensor([1.0, 2.0, 3.0])})
        net.handle.remove()
        net.load_state_dict({"old": torch.tensor([1.0, 2.0, 4.0])})
        show(net.scale, net.seen)
    """
    for target in ("oneflow", "jax"):
        agrees(program, target)


@pytest.mark.parametrize("target", ["paddle", "oneflow", "jax"])
def test_hooks_keep_their_order_when_one_is_taken_away(agrees: Callable[..., object], target: str) -> None:
    agrees(
        """
        import torch
        from torch import nn

        m, order, x = nn.Linear(2, 2), [], torch.ones(1, 2)
        a = m.register_forward_hook(lambda *given: order.append("a"))
        b = m.register_forward_hook(lambda *given: order.append("b"))
        a.remove()
        c = m.register_forward_hook(lambda *given: order.append("c"))
        d = m.register_forward_pre_hook(lambda *given: order.append("d"))
        e = m.register_forward_pre_hook(lambda *given: order.append("e"), prepend=True)
        y = m(x)
        b.remove()
        b.remove()
        d.remove()
        f = m.register_forward_hook(lambda *given: order.append("f"))
        y = m(x)
        show(order)
        """,
        target,
    )
