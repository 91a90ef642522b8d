"""To JAX, what changes something that inference does not know to be a tensor."""

from __future__ import annotations

from collections.abc import Callable

from migrate.programs import Outcome


def test_weights_are_begun_anew_whatever_the_layer(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn

        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.body = nn.Linear(3, 4)
                self.conv = nn.Conv2d(1, 2, 3)
                self.norm = nn.BatchNorm2d(2)

        def begin(net):
            for m in net.modules():
                if isinstance(m, (nn.Linear, nn.Conv2d)):
                    m.weight.data.fill_(0.5)
                    m.weight.data[0] = 0.3
                    if m.bias is not None:
                        m.bias.data.zero_()
                elif isinstance(m, nn.BatchNorm2d):
                    m.weight.data.fill_(1)
                    m.bias.data.zero_()

        def by_name(m):
            name = m.__class__.__name__
            if name.find("Conv") != -1:
                m.weight.data.add_(1)
            elif name.find("Norm") != -1:
                m.weight.data.mul_(3)

        block = Block()
        begin(block)
        block.apply(by_name)
        show([p.detach() for p in block.parameters()])
        """,
        "jax",
    )


def test_parameters_of_any_module_are_written_through(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import types
        import torch

        def changed(m):
            count = 0
            for p in m.parameters():
                count += p.numel()
                p.data.mul_(2)
                p.data = p.data + 1
                p.data[0] = 7
            m.weight.data = m.weight.data * 2
            return count, m.weight.data, m.weight.data.numel(), m.weight.data.norm()

        for m in vars(types.SimpleNamespace(a=torch.nn.Linear(2, 3), b=torch.nn.LayerNorm(4))).values():
            with torch.no_grad():
                m.weight.fill_(1.0)
                m.bias.fill_(2.0)
            show(changed(m), [p.detach() for p in m.parameters()])
        """,
        "jax",
    )


def test_methods_that_change_what_may_be_a_tensor(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import types
        import torch

        class Kept:
            def __init__(self, **given):
                self.__dict__.update(given)

        class Own:
            total = 1
            def add_(self, by):
                self.total += by
                return self

        def changed(o):
            o.total.add_(1)
            o.total.mul_(2.0)
            o.total.clamp_(max=3)
            return o.total

        def drawn(o):
            torch.manual_seed(0)
            o.total.normal_()
            return o.total.shape, o.total.dtype == torch.float32

        show(changed(Kept(total=torch.ones(3))), drawn(Kept(total=torch.ones(3))))

        def grown(x):
            return x.add_(1)

        def twice(x):
            x.add_(2)
            y = x.add_(1)
            return y

        for one in vars(types.SimpleNamespace(a=torch.ones(2), b=Own())).values():
            show([found.total if isinstance(found, Own) else found for found in [twice(one)]])
        show(grown(torch.ones(2)))
        """,
        "jax",
    )


def test_changes_within_expressions_are_named(announced: Callable[..., Outcome]) -> None:
    found = announced(
        """
        import types
        import torch

        def changed(o):
            return o.total.add_(1).sum()

        def in_part(o):
            o.total[0].zero_()
            return o.total

        kept = types.SimpleNamespace(**{"total": torch.ones(3)})
        for one in (changed, in_part):
            show(one(kept))
        """,
        "jax",
    )
    assert [site.line for site in found.sites if site.outcome in {"marked", "differs"}] == [6, 9]


def test_what_the_file_adds_to_an_attribute_that_a_method_changes(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch

        class Counts:
            def __init__(self):
                self.seen = torch.zeros(3)

            def count(self, i):
                self.seen[i] += 1

        counts = Counts()
        counts.count(1)
        counts.seen += 1
        counts.seen = counts.seen * 2
        counts.count(1)
        show(counts.seen)
        """,
        "jax",
    )


def test_parts_of_what_is_a_tensor_or_an_array(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import numpy as np
        import torch
        def xyxy2xywh(x):
            y = x.clone() if isinstance(x, torch.Tensor) else np.copy(x)
            y[..., 0] = (x[..., 0] + x[..., 2]) / 2
            y[..., 1] = (x[..., 1] + x[..., 3]) / 2
            y[..., 2] = x[..., 2] - x[..., 0]
            y[..., 3] = x[..., 3] - x[..., 1]
            return y
        def xyn(x, w=640, h=480):
            y = torch.empty_like(x) if isinstance(x, torch.Tensor) else np.empty_like(x)
            y[:, 0] = w * x[:, 0]
            y[:, 1:] = h * x[:, 1:]
            y[:, [0, 1]] *= 2
            y[:, 2] -= 1
            return y
        t = torch.arange(8.0).view(2, 4)
        show(xyxy2xywh(t), xyxy2xywh(t.numpy()).tolist(), xyn(t), xyn(t.numpy()).tolist())
        """,
        "jax",
    )


def test_what_is_given_and_a_tensor_at_times_is_named(announced: Callable[..., object]) -> None:
    announced(
        """
        import torch

        def clip(boxes):
            boxes[..., 0] = 0
            return boxes.sum()

        a = torch.ones(2, 2)
        show(clip(a), clip(make()) if False else 0, a)
        """,
        "jax",
    )


def test_parts_that_are_stored_together(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        x = torch.arange(12.0).view(4, 3)
        x[0], x[3] = x[3].clone(), x[0].clone()
        i, j = 1, 2
        x[i], x[j] = x[j].clone(), x[i].clone()
        show(x.clone())
        a = torch.arange(5)
        for i in range(4):
            for j in range(4 - i):
                if a[j] < a[j + 1]:
                    a[j], a[j + 1] = a[j + 1].item(), a[j].item()
        show(a.clone())
        class H:
            def __init__(self):
                self.p = torch.zeros(2)
            def go(self):
                self.p[0], self.p[1] = 3, 4
                self.p[0], self.p[1] = self.p[1] * 2, self.p[0] + 1
        h = H()
        h.go()
        show(h.p)
        k = torch.arange(6.0)
        k[:3], k[3:] = k[3:].clone(), -k[:3]
        show(k)
        def fib(n):
            f = torch.zeros(n, dtype=torch.long)
            f[0], f[1] = 0, 1
            for i in range(2, n):
                f[i] = f[i - 1] + f[i - 2]
            return f
        show(fib(8))
        """,
        "jax",
    )


def test_one_of_several_results_is_this_ones_alone(outcome: Callable[..., Outcome]) -> None:
    found = outcome(
        """
        import torch

        def route(x, k):
            w, sel = torch.topk(x.softmax(-1), k, dim=-1)
            w /= w.sum(-1, keepdim=True)
            v, i = x.sort(descending=True)
            v[:, 0] = 0
            return w, sel, v, i

        show(route(torch.sin(torch.arange(8.0)).view(2, 4), 2))
        """,
        "jax",
    )
    assert found.verdict == "agrees", str(found)
    assert "# migrate:" not in found.converted["program.py"]


def test_data_of_what_is_a_tensor_at_times_is_not_stored_beside_it(outcome: Callable[..., Outcome]) -> None:
    found = outcome(
        """
        import torch
        running = 0.0
        for part in torch.ones(2):
            running = part
        running.data = running * 0.25
        show(running)
        """,
        "jax",
    )
    assert "an array does not change: give its name the new one" in str(found.detail)
