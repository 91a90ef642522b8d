"""To JAX: a state_dict that is kept by a dict of its items is named where parameters change; numbers of one element."""

from __future__ import annotations

from collections.abc import Callable

import pytest

KEPT = """
    import torch
    from torch import nn

    def kept(net):
        best = {given}
        with torch.no_grad():
            {change}
        return best["weight"]

    net = nn.Linear(1, 1, bias=False)
    nn.init.ones_(net.weight)
    show(kept(net))
"""


@pytest.mark.parametrize("change", ["net.weight.add_(1)", "net.weight.data += 1"])
@pytest.mark.parametrize(
    "given",
    [
        "net.state_dict()",
        "{k: v for k, v in net.state_dict().items()}",
        "{k: v.detach() for k, v in net.state_dict().items()}",
        "dict(net.state_dict())",
        "dict((k, v.data) for k, v in net.state_dict().items())",
    ],
)
def test_kept_states_are_named(announced: Callable[..., object], given: str, change: str) -> None:
    announced(KEPT.replace("{given}", given).replace("{change}", change), "jax")


def test_copies_are_not(agrees: Callable[..., object]) -> None:
    given = "{k: v.clone() for k, v in net.state_dict().items()}"
    found = agrees(KEPT.replace("{given}", given).replace("{change}", "net.weight.add_(1)"), "jax")
    assert "migrate:" not in found.converted["program.py"]  # type: ignore[attr-defined]


def test_numbers_of_one_element_with_axes(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn

        class Queue(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))
                self.register_buffer("queue", torch.zeros(2, 4))

            def push(self, keys):
                at = int(self.ptr)
                self.queue[:, at : at + 2] = keys
                self.ptr[0] = (at + 2) % 4
                return at

        m = Queue()
        show(m.push(torch.ones(2, 2)), m.push(torch.ones(2, 2) * 2), m.queue, m.ptr)
        t = torch.tensor([[2.5]])
        show(float(t), int(t), float(t.sum()), int(torch.tensor([True])))
        """,
        "jax",
    )


def test_a_loss_of_one_element_with_axes(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn

        net = nn.Linear(1, 1)
        nn.init.ones_(net.weight)
        nn.init.zeros_(net.bias)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(2):
            out = net(torch.tensor([[2.0]]))
            loss = (out - 1).pow(2)
            opt.zero_grad()
            loss.backward()
            opt.step()
            show(loss, out, loss.item())
        show(net.weight)
        """,
        "jax",
    )


def test_ids_of_parameters(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn

        class Tied(nn.Module):
            def __init__(self):
                super().__init__()
                self.table = nn.Embedding(3, 2)
                self.out = nn.Linear(2, 3, bias=False)
                self.out.weight = self.table.weight
                self.p = nn.Parameter(torch.ones(2))

        model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
        for p in model.parameters():
            nn.init.constant_(p, 0.5)
        head = list(map(id, model[1].parameters()))
        body = filter(lambda p: id(p) not in head, model.parameters())
        opt = torch.optim.SGD([{"params": body}, {"params": model[1].parameters(), "lr": 1.0}], lr=0.1)
        show([len(g["params"]) for g in opt.param_groups])
        ids = {id(p) for p in model[0].parameters()}
        show(sum(id(p) in ids for p in model.parameters()), any(p is model[1].weight for p in model.parameters()))
        tied = Tied()
        show(tied.out.weight is tied.table.weight, len({id(p) for p in tied.parameters()}))
        show(id(tied.p) in [id(p) for p in tied.parameters()], id(3) == id(3))
        """,
        "jax",
    )
