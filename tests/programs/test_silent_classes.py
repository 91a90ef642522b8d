"""Classes of programs that were seen to differ silently: each agrees now, or says so at a line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

AGREEING = {
    "precedence of converted text": """
        import torch

        x, y = torch.tensor([5.0, 7.0]), torch.tensor([2.0, 3.0])
        s, m = y + 1, y
        show(
            x.mul(y.add(1)),
            torch.pow(x.add(1), 2),
            x.sub(y.sub(1)),
            torch.div(torch.sub(x, m), s),
            torch.addcmul(x, y.add(1), y.sub(1)),
            x.neg().pow(2),
            x.div(y.mul(2)),
            -x.pow(2),
            x.add(1).matmul(y.sub(1)),
        )
    """,
    "order and number of effects": """
        import torch

        log = []


        class S:
            def __getitem__(self, i):
                log.append(i)
                return torch.tensor(float(i))


        s = S()
        show(torch.sub(other=s[6], input=s[7]))
        show(log)


        class Src:
            n = 0

            @property
            def batch(self):
                Src.n += 1
                return torch.ones(2) * Src.n


        src = Src()
        show(src.batch.type_as(src.batch), Src.n)
        x = torch.zeros(2)
        x.copy_(src.batch)
        show(x, Src.n)
    """,
    "an own class's operators": """
        import torch


        class Quat:
            def __init__(self, v):
                self.v = v

            def __mul__(self, o):
                return Quat(self.v * o + 100)

            def mul(self, o):
                return "own"


        q = Quat(1.0) * torch.ones(2)
        show(q.mul(q))
        show(q.v)
    """,
    "attributes and overrides of base classes": """
        import torch


        class Base:
            def __init__(self):
                self.data = 0

            def out(self):
                return self.data.view(-1).split(1) if not isinstance(self.data, int) else 0


        class Sub(Base):
            def __init__(self):
                super().__init__()
                self.data = torch.ones(2, 2)


        show(Sub().out())


        class B2:
            def get(self):
                return [1, 2]

            def use(self):
                return self.get().split(1)[0] if not isinstance(self.get(), list) else "list"


        class D2(B2):
            def get(self):
                return torch.arange(4)


        show(D2().use(), B2().use())
    """,
    "narrowing that ends with its branch": """
        import torch


        class H:
            def __init__(self, x):
                self.x = x

            def go(self):
                if isinstance(self.x, list):
                    self.x = torch.tensor(self.x)
                return self.x.split(1)[0], self.x.max(0)[0]


        show(H([1, 2]).go(), H(torch.tensor([3, 4])).go())
    """,
    "__dict__ and vars": """
        import torch


        class O:
            def __init__(self, **kw):
                self.__dict__.update(kw)


        o = O(w=torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        show(o.w.max(1)[0], vars(o)["w"].split(1)[0], o.__dict__["w"].min(1)[1])
        d = {torch.tensor(1): 2}
        show([k.split(1) if k.dim() else k for k in d])
    """,
    "wrong annotations": """
        import torch


        def f(x: int):
            return x.split(1)[0] if hasattr(x, "split") else x


        show(f(torch.arange(3)))


        def g(x: list):
            return x.max(0)[0]


        show(g(torch.tensor([[1.0, 2.0]])))
    """,
    "imports with another way": """
        import torch

        try:
            from torch.nonexistent import y
        except ImportError:
            y = None
        show(y is None)
    """,
    "classes as values": """
        import torch
        from torch import nn

        ms = [nn.Linear(2, 2), nn.Conv2d(1, 1, 1), nn.ReLU(), nn.BatchNorm2d(1), nn.Embedding(2, 2)]
        show(
            [type(m) in (nn.Linear, nn.Conv2d) for m in ms],
            [{nn.Linear: 1}.get(type(m)) for m in ms],
            [m.__class__ is nn.ReLU for m in ms],
            [issubclass(type(m), nn.Module) for m in ms],
            [type(m) is nn.BatchNorm2d for m in ms],
        )
        show(
            isinstance(torch.ones(2), torch.FloatTensor),
            isinstance(torch.ones(2).long(), torch.FloatTensor),
            issubclass(nn.Linear, nn.Module),
            nn.Linear in [nn.Linear],
        )
    """,
    "reductions of small integers": """
        import torch

        show(
            torch.full((20,), 2, dtype=torch.int32).prod(),
            torch.full((10,), 81, dtype=torch.uint8).sum(),
            torch.full((40,), 2, dtype=torch.int32).prod(0),
            torch.full((3,), 100, dtype=torch.int8).sum(0),
            torch.tensor([True, True]).sum(),
            torch.full((3,), 100, dtype=torch.int8).cumsum(0),
        )
    """,
    "numpy's float64": """
        import torch, numpy as np

        show(
            torch.tensor([np.float64(0.5), 1.0]),
            torch.tensor(np.float64(0.5)),
            torch.tensor([np.float32(1)]),
            torch.tensor([np.int64(3), 1.0]),
            torch.tensor(np.array([1.0])),
        )
    """,
    "texts of dtypes and sizes": """
        import torch

        x = torch.ones(2, 3)
        show(
            str(x.dtype) == "torch.float32",
            str(x.shape),
            str(x.device),
            f"{x.dtype}",
            repr(x.dtype).split(".")[-1],
            str(x.size()),
            "%s" % x.dtype,
            str(torch.device("cpu")),
            x.type(),
            "cpu" in str(x.device),
        )
        show(repr(x.dtype).split(".")[-1], format(x.dtype))
    """,
    "arrays that share memory": """
        import torch, numpy as np

        a = np.ones(3, dtype=np.float32)
        t = torch.from_numpy(a)
        t += 1
        show(a)
        u = torch.as_tensor(a)
        a[0] = 9
        show(u)
        n = t.numpy()
        t.mul_(2)
        show(n)
    """,
    "augmented assignments": """
        import torch

        w = torch.ones(2, requires_grad=True)
        for _ in range(2):
            ((w - 3) ** 2).sum().backward()
            with torch.no_grad():
                for p in [w]:
                    p -= 0.1 * p.grad
                    p.grad.zero_()
        show(w.detach())
        net = torch.nn.Linear(2, 1)
        ema = {k: torch.zeros_like(v) for k, v in net.state_dict().items()}
        torch.nn.init.ones_(net.weight)
        torch.nn.init.ones_(net.bias)
        for k, v in ema.items():
            v += 0.5 * net.state_dict()[k]
        show(ema["weight"])
        sd = net.state_dict()
        for v in sd.values():
            v *= 2
        show(net.bias.detach())


        class Acc:
            def __init__(self):
                self.t = torch.zeros(2)

            def add(self, x):
                t = self.t
                t += x


        a = Acc()
        a.add(1)
        show(a.t)
    """,
    "pieces, expanded and unfolded": """
        import torch

        x = torch.zeros(4)
        a, b = x.split(2)
        a += 1
        show(x)
        c = x.chunk(2)[1]
        c.fill_(5)
        show(x)
        e = x.unfold(0, 2, 2)
        e[0, 0] = 7
        show(x)
        x = torch.zeros(2, 1)
        f = x.expand(2, 3)
        x.add_(1)
        show(f)
        r = torch.tensor([-1.0, 1.0])
        y = torch.nn.ReLU(inplace=True)(r)
        show(r, y is r)
        c = torch.empty(2)
        show(torch.exp(r, out=c) is c, c)
    """,
    "ignored labels": """
        import torch, torch.nn.functional as F

        x = torch.arange(12.0).view(4, 3).sin()
        y = torch.tensor([0, -1, 2, -1])
        show(
            F.cross_entropy(x, y, ignore_index=-1),
            torch.nn.CrossEntropyLoss(ignore_index=-1)(x, y),
            F.nll_loss(F.log_softmax(x, 1), y, ignore_index=-1),
            F.cross_entropy(x, torch.tensor([0, -100, 1, 2])),
            torch.nn.CrossEntropyLoss()(x, torch.tensor([0, -100, -100, 2])),
        )
        show(
            F.cross_entropy(x, y, ignore_index=-1, reduction="sum"),
            F.cross_entropy(x, y, ignore_index=-1, label_smoothing=0.1),
            F.cross_entropy(x, y, weight=torch.tensor([1.0, 2.0, 3.0]), ignore_index=-1),
        )
    """,
    "a Linear's weight": """
        import torch
        from torch import nn

        lin = nn.Linear(2, 3)
        with torch.no_grad():
            lin.weight.copy_(torch.arange(6.0).view(3, 2))
            lin.bias.zero_()
        x = torch.ones(1, 2)
        show(lin(x), x @ lin.weight.t(), lin.weight.shape[0], lin.weight[1], lin.weight.norm(dim=1))
        w = lin.weight
        show(nn.functional.linear(x, w))
        with torch.no_grad():
            lin.weight[0].fill_(0)
            show(lin(x))
            mask = (lin.weight.abs() > 2).float()
            lin.weight.mul_(mask)
            show(lin(x))
        lin.weight.data = torch.from_numpy(__import__("numpy").ones((3, 2), dtype="float32"))
        show(lin(x))
        lin(x).sum().backward()
        show(lin.weight.grad[1], lin.weight.grad.sum(1))
        a, b = nn.Linear(2, 2), nn.Linear(2, 2)
        b.weight = a.weight
        show(torch.allclose(a(x) - a.bias, b(x) - b.bias), b.weight is a.weight)
        net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 4))
        show(
            [p.shape for p in net.parameters() if p.dim() > 1 and p.shape[0] == 3],
            {n: tuple(v.shape) for n, v in net.state_dict().items()},
        )
    """,
    "statistics of batch normalization": """
        import torch
        from torch import nn

        net = nn.Sequential(nn.Conv1d(1, 2, 1), nn.BatchNorm1d(2), nn.Linear(3, 1))
        for p in net.parameters():
            nn.init.constant_(p, 0.5)
        show(net[1].running_mean, net[1].running_var)
        for p in net.parameters():
            p.requires_grad = True
        show(
            sum(p.numel() for p in net.parameters()),
            [n for n, p in net.named_parameters() if p.requires_grad],
            len(net.state_dict()),
        )
        show(
            sum(p.numel() for p in net.parameters() if p.requires_grad),
            list(net.state_dict()),
            [n for n, _ in net.named_buffers()],
        )
        opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
        net(torch.arange(6.0).view(2, 1, 3)).sum().backward()
        opt.step()
        show(net[1].running_var * 0 + 1, net[1].running_mean)
    """,
    "fans of initializers": """
        import torch
        from torch import nn

        torch.manual_seed(0)
        w = torch.empty(100, 400)
        nn.init.kaiming_normal_(w)
        show(bool(w.std() < 0.08), bool(w.std() > 0.06))
        p = nn.Parameter(torch.empty(400, 100))
        nn.init.kaiming_normal_(p, mode="fan_out")
        show(bool(p.std() < 0.08), bool(p.std() > 0.06))
        e = nn.Embedding(400, 100)
        nn.init.kaiming_uniform_(e.weight)
        show(bool(e.weight.std() > 0.12), bool(e.weight.std() < 0.16))
        l = nn.Linear(400, 100)
        nn.init.kaiming_normal_(l.weight)
        show(bool(l.weight.std() < 0.08), bool(l.weight.std() > 0.06))
        c = nn.Conv2d(16, 64, 3)
        nn.init.xavier_uniform_(c.weight)
        show(bool(c.weight.std() < 0.06))
    """,
    "reset_parameters of subclasses": """
        import torch
        from torch import nn


        class C(nn.Conv2d):
            def reset_parameters(self):
                nn.init.constant_(self.weight, 2.0)
                nn.init.zeros_(self.bias)


        class E(nn.Embedding):
            def reset_parameters(self):
                nn.init.constant_(self.weight, 3.0)


        class N(nn.LayerNorm):
            def reset_parameters(self):
                nn.init.constant_(self.weight, 4.0)
                nn.init.zeros_(self.bias)


        class G(nn.GRU):
            def reset_parameters(self):
                for p in self.parameters():
                    nn.init.constant_(p, 0.5)


        class B(nn.BatchNorm2d):
            def reset_parameters(self):
                super().reset_parameters()
                nn.init.constant_(self.weight, 5.0)


        show(
            C(1, 1, 1).weight.detach(),
            E(2, 2).weight.detach(),
            N(2).weight.detach(),
            [p.detach() for p in G(1, 1).parameters()],
            B(2).weight.detach(),
        )
    """,
    "groups of optimizers": """
        import torch

        w, v = torch.nn.Parameter(torch.ones(2)), torch.nn.Parameter(torch.ones(2))
        opt = torch.optim.SGD(
            [
                {"params": [w], "momentum": 0.5, "nesterov": True},
                {"params": [v], "lr": 1.0, "weight_decay": 0.1},
            ],
            lr=0.1,
        )
        for _ in range(3):
            opt.zero_grad()
            (w.sum() * 2 + v.sum()).backward()
            opt.step()
        show(w.detach(), v.detach())
        for g in opt.param_groups:
            g["weight_decay"] = 0.5
        opt.zero_grad()
        (w.sum() * 2 + v.sum()).backward()
        opt.step()
        show(w.detach(), v.detach())
    """,
    "loaders of what are no tensors": """
        import torch
        from torch.utils.data import DataLoader

        show(
            list(DataLoader(["a", "b"])),
            [b for b in DataLoader([1, 2, 3], batch_size=2)],
            [b for b in DataLoader([1, 2], collate_fn=lambda x: x)],
            [b for b in DataLoader(["a", "b"], collate_fn=lambda x: {"t": x})],
            list(DataLoader([("a", 1), ("b", 2)], batch_size=2)),
        )
    """,
    "torch.Tensor of arrays, tile, narrow": """
        import torch, numpy as np

        show(
            torch.Tensor(np.array([1, 2])),
            torch.Tensor(np.array([0.5])),
            torch.arange(4).tile(2, 1),
            torch.arange(4.0).narrow(0, torch.tensor(-1), 1),
            torch.arange(5).narrow(start=torch.tensor(1), dim=0, length=2),
            torch.CharTensor(),
        )
    """,
    "padding_idx": """
        import torch

        e = torch.nn.Embedding(3, 2, padding_idx=1)
        torch.nn.init.ones_(e.weight)
        show(e(torch.tensor([0, 1])))
        show(torch.nn.functional.embedding(torch.tensor([0, 1]), torch.ones(3, 2), padding_idx=1))
    """,
    "attributes that a class sets to None": """
        import torch
        from torch import nn


        class M(nn.Module):
            stride = None

            def __init__(self):
                super().__init__()
                self.stride = torch.tensor([1.0, 2.0])


        show(M().stride)
    """,
    "rates of groups": """
        import torch

        w = torch.nn.Parameter(torch.ones(1))
        opt = torch.optim.SGD(
            [{"params": [w], "lr": 0.2}, {"params": [torch.nn.Parameter(torch.ones(1))]}], lr=0.1
        )
        s = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 4, eta_min=0.05)
        for _ in range(5):
            opt.step()
            s.step()
            show([round(x, 6) for x in s.get_last_lr()])
    """,
    "versions": """
        import torch

        v = torch.__version__.split("+")[0].split(".")
        show(int(v[0]) >= 2, torch.__version__ >= "1.8")
    """,
    "indices into views": """
        import torch

        x = torch.arange(12.0).view(3, 4)
        i = torch.tensor([0, 2])
        show(x.swapaxes(0, 1)[:, i], x[:, :3][:, [0, 2]], x.t()[i])
        y = x.t()
        y[:, [0, 2]] = -1
        show(x)
    """,
    "methods of unknown receivers": """
        import torch, json

        xs = json.loads("[0]")
        t = [torch.tensor([[3.0, 1.0], [2.0, 5.0]])]


        def f(x):
            return (
                x.max(1)[0],
                x.min(1)[0],
                x.sort()[0],
                x.median(),
                x.tile(2, 1),
                x.split(1)[0],
                x.max(1).indices,
            )


        show(f(t[xs[0]]))
    """,
}
TOLD = {
    "names that are computed": """
        import operator
        import torch

        x = torch.arange(4.0).view(2, 2)
        show(getattr(x, "max" if x.ndim else "min")(0)[0], operator.methodcaller("max", 0)(x)[0])
    """,
    "a setting of a layer that is made": """
        import torch

        conv = torch.nn.Conv1d(1, 1, 3, padding=1)
        conv.padding_mode = "circular"
        show(conv.padding_mode)
    """,
    "integers beside a default dtype of float64": """
        import torch

        torch.set_default_dtype(torch.float64)
        show(torch.tensor([1]) / 2)
    """,
    "indices of a pooling layer": """
        import torch

        show(torch.nn.AdaptiveMaxPool1d(2, return_indices=True)(torch.arange(4.0).view(1, 1, 4))[1])
    """,
}


@pytest.mark.parametrize("name", AGREEING)
def test_agrees(agrees: Callable[..., object], name: str) -> None:
    agrees(AGREEING[name], "paddle")


@pytest.mark.parametrize("name", TOLD)
def test_is_told(announced: Callable[..., object], name: str) -> None:
    announced(TOLD[name], "paddle")
