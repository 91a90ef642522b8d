"""Layers that start over, and hooks that are set when one is made."""

from __future__ import annotations

from collections.abc import Callable


def test_attention_starts_over(agrees: Callable[..., object]) -> None:
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
        "paddle",
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
