"""Whole training programs: torch's loop, and what it becomes with gradients as functions, from the same weights."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

HEAD = """\
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, wide: int = 3):
        super().__init__()
        self.first = nn.Linear(4, 5)
        self.last = nn.Linear(5, wide)

    def forward(self, x):
        return self.last(torch.tanh(self.first(x)))


def filled(net: nn.Module):
    net.load_state_dict({k: torch.linspace(-0.6, 0.7, v.numel()).reshape(v.shape) for k, v in net.state_dict().items()})
    return net


def batches(count: int):
    found = []
    for i in range(count):
        x = torch.linspace(-1, 1 + i / 3, 24).reshape(6, 4)
        found.append((x.sin() * (i + 1), torch.arange(6) % 3))
    return found


"""

PROGRAMS = {
    "a model that keeps functions which reach its parts": """
        import functools

        class Kept(nn.Module):
            def __init__(self):
                super().__init__()
                self.parts = nn.ModuleDict(dict(first=nn.Linear(4, 5), last=nn.Linear(5, 3)))
                parts = self.parts
                self.whole = lambda x, by=2: parts.last(torch.tanh(parts.first(x))) * by
                self.begun = self.begin
                self.ended = functools.partial(self.end, by=3)
                self.steps = [torch.tanh, lambda x: self.parts.last(x)]

            def begin(self, x):
                return self.parts.first(x)

            def end(self, x, by):
                return self.parts.last(x) * by

            def forward(self, x):
                return self.whole(x) + self.ended(self.begun(x)) + self.steps[1](self.steps[0](self.parts.first(x)))

        def train(net: Kept):
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for x, y in batches(3):
                optimizer.zero_grad()
                loss = F.cross_entropy(net(x), y)
                loss.backward()
                optimizer.step()
                show(loss.item(), net.parts.first.weight[0], net.parts.last.bias[0])

        train(filled(Kept()))
    """,
    "a model that draws where nothing is left to chance": """
        class Drawing(Net):
            def forward(self, x):
                return F.dropout(super().forward(x), 1e-9, self.training) + 0 * torch.rand(3)

        def train(net: Drawing):
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for x, y in batches(2):
                optimizer.zero_grad()
                loss = F.cross_entropy(net(x), y)
                loss.backward()
                optimizer.step()
                show(loss.item())

        train(filled(Drawing()))
    """,
    "clipped, scheduled, stopped early": """
        def train(net: Net):
            optimizer = torch.optim.AdamW(net.parameters(), lr=0.05, weight_decay=0.1)
            scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=20)
            best, bad = float("inf"), 0
            for x, y in batches(8):
                optimizer.zero_grad()
                out = net(x)
                loss = F.cross_entropy(out, y)
                loss.backward()
                norm = nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                optimizer.step()
                scheduler.step()
                show(loss.item(), norm.item(), out.argmax(1), scheduler.get_last_lr()[0])
                if loss.item() < best - 1e-3:
                    best, bad = loss.item(), 0
                else:
                    bad += 1
                if bad >= 2:
                    break

        train(filled(Net()))
    """,
    "accumulated, with a moving average of the weights": """
        def train(net: Net, every: int):
            average = copy.deepcopy(net)
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=0.01)
            optimizer.zero_grad()
            for i, (x, y) in enumerate(batches(7)):
                loss = F.cross_entropy(net(x), y)
                loss = loss / every
                loss.backward()
                if (i + 1) % every == 0:
                    optimizer.step()
                    optimizer.zero_grad()
                    with torch.no_grad():
                        ours = net.state_dict()
                        theirs = average.state_dict()
                        average.load_state_dict({k: theirs[k] * 0.9 + ours[k] * 0.1 for k in ours})
                show(loss)
            return average

        show(train(filled(Net()), 3)(torch.ones(2, 4)))
    """,
    "a game of two": """
        def train(maker: Net, judge: Net):
            criterion = nn.BCEWithLogitsLoss()
            making = torch.optim.Adam(maker.parameters(), lr=0.02, betas=(0.5, 0.999))
            judging = torch.optim.Adam(judge.parameters(), lr=0.02, betas=(0.5, 0.999))
            for x, _ in batches(4):
                judge.zero_grad()
                real = judge(x)
                loss_real = criterion(real, torch.ones_like(real))
                loss_real.backward()
                fake = maker(x.flip(0))
                out = judge(fake.detach())
                loss_fake = criterion(out, torch.zeros_like(out))
                loss_fake.backward()
                judging.step()
                maker.zero_grad()
                out = judge(fake)
                loss = criterion(out, torch.ones_like(out))
                loss.backward()
                making.step()
                show(loss_real, loss_fake, loss, fake)

        train(filled(Net(4)), filled(Net(1)))
    """,
    "frozen by attribute, by method, by name and as a module, clipped": """
        net = filled(Net())
        net.first.weight.requires_grad = False
        net.last.requires_grad_(False)
        for name, p in net.named_parameters():
            if name.startswith("last.w"):
                p.requires_grad_(True)
            elif name == "first.bias":
                p.requires_grad = False
        everything = torch.optim.AdamW(net.parameters(), lr=0.05)
        some = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1, momentum=0.9)

        def train(optimizer):
            losses = []
            for x, y in batches(3):
                optimizer.zero_grad()
                loss = F.cross_entropy(net(x), y)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(net.parameters(), 0.1)
                optimizer.step()
                losses.append(loss.item())
            return losses

        show(train(everything), train(some))
        net.requires_grad_(True)
        show(train(everything), [p.requires_grad for p in net.parameters()])
        show({name: p.detach() for name, p in net.state_dict().items()})
    """,
    "clipped by options": """
        def clip(params, options):
            nn.utils.clip_grad_norm_(filter(lambda p: p.requires_grad, params), **options)

        def after(net, loss, optimizer, options):
            optimizer.zero_grad()
            loss.backward()
            clip(net.parameters(), options)
            optimizer.step()

        net, other, options = filled(Net()), filled(Net()), {"max_norm": 0.1}
        first, second = (torch.optim.SGD(one.parameters(), lr=0.5) for one in (net, other))
        for x, y in batches(2):
            after(net, F.cross_entropy(net(x), y), first, options)
            second.zero_grad()
            loss = F.cross_entropy(other(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(other.parameters(), **options)
            second.step()
        show([p.detach() for one in (net, other) for p in one.parameters()])
    """,
    "groups and rates": """
        def train(net: Net):
            groups = [{"params": net.first.parameters(), "lr": 0.5}, {"params": net.last.parameters()}]
            optimizer = torch.optim.SGD(groups, lr=0.1, momentum=0.9, nesterov=True)
            for i, (x, y) in enumerate(batches(5)):
                for group in optimizer.param_groups:
                    group["lr"] *= 0.9
                loss = F.cross_entropy(net(x), y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                show(loss, [group["lr"] for group in optimizer.param_groups])
            kept = optimizer.state_dict()
            show(len(kept["state"]), kept["param_groups"][0]["momentum"])

        train(filled(Net()))
    """,
    "a loader, evaluated": """
        from torch.utils.data import DataLoader, TensorDataset

        @torch.no_grad()
        def evaluate(net: Net, loader: DataLoader):
            net.eval()
            right = 0
            for x, y in loader:
                right += (net(x).argmax(1) == y).sum().item()
            net.train()
            return right

        def train(net: Net, loader: DataLoader):
            optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
            for epoch in range(2):
                for x, y in loader:
                    loss = F.cross_entropy(net(x), y)
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    show(loss)
                show(evaluate(net, loader), len(loader))

        x, y = batches(1)[0]
        train(filled(Net()), DataLoader(TensorDataset(x, y), batch_size=4))
    """,
    "parts that no loss reaches, with decay and momentum": """
        class Parts(Net):
            def __init__(self):
                super().__init__()
                self.side = nn.Linear(5, 2)
                self.unused = nn.Linear(2, 2)

            def forward(self, x):
                hidden = torch.tanh(self.first(x))
                return self.last(hidden), self.side(hidden), self.side(hidden.detach()).detach()

        def train(net: Parts):
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=0.1)
            for i, (x, y) in enumerate(batches(5)):
                optimizer.zero_grad()
                out, side, _ = net(x)
                loss = F.cross_entropy(out, y)
                if i % 2 == 0:
                    loss = loss + side.mean()
                loss.backward()
                optimizer.step()
                show(loss, net.side.weight.detach().clone(), net.unused.weight.detach().clone())
                show(net.unused.weight.grad is None, net.side.weight.grad is None, net.last.weight.grad is None)

        train(filled(Parts()))
    """,
    "parts that only one of two accumulated losses reaches": """
        class Heads(Net):
            def __init__(self):
                super().__init__()
                self.other = nn.Linear(5, 3)
                self.unused = nn.Linear(2, 2)

            def forward(self, x, other: bool):
                hidden = torch.tanh(self.first(x))
                return self.other(hidden) if other else self.last(hidden)

        def train(net: Heads):
            optimizer = torch.optim.AdamW(net.parameters(), lr=0.1, weight_decay=0.5)
            for i, (x, y) in enumerate(batches(4)):
                optimizer.zero_grad()
                loss = F.cross_entropy(net(x, False), y)
                loss.backward()
                if i > 1:
                    more = F.cross_entropy(net(x, True), y)
                    more.backward()
                optimizer.step()
                show(loss, net.other.weight.detach().clone(), net.unused.weight.detach().clone())

        train(filled(Heads()))
    """,
    "a maker with a part that no judge sees": """
        class Maker(Net):
            def __init__(self):
                super().__init__(4)
                self.aside = nn.Linear(4, 2)

            def forward(self, x):
                return super().forward(x), self.aside(x)

        def train(maker: Maker, judge: Net):
            criterion = nn.BCEWithLogitsLoss()
            making = torch.optim.AdamW(maker.parameters(), lr=0.02, weight_decay=0.5)
            judging = torch.optim.SGD(judge.parameters(), lr=0.02)
            for x, _ in batches(3):
                judging.zero_grad()
                fake, aside = maker(x.flip(0))
                out = judge(fake.detach())
                loss_fake = criterion(out, torch.zeros_like(out))
                loss_fake.backward()
                judging.step()
                making.zero_grad()
                out = judge(fake)
                loss = criterion(out, torch.ones_like(out))
                loss.backward()
                making.step()
                show(loss_fake, loss, fake, maker.aside.weight.detach().clone())

        train(filled(Maker()), filled(Net(1)))
    """,
    "mixed precision, scaled and clipped": """
        class Mixed(nn.Module):
            def __init__(self):
                super().__init__()
                self.first = nn.Linear(4, 8)
                self.attend = nn.MultiheadAttention(8, 2, batch_first=True)
                self.last = nn.Linear(8, 3)

            def forward(self, x):
                x = torch.tanh(self.first(x))
                x = x + self.attend(x[None], x[None], x[None], need_weights=False)[0][0]
                return self.last(x @ x.T @ x)

        def train(net: Mixed, scaler: torch.amp.GradScaler, on: bool):
            optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
            found = []
            for x, y in batches(2):
                optimizer.zero_grad()
                with torch.autocast("cpu", dtype=torch.bfloat16, enabled=on):
                    out = net(x)
                    loss = F.cross_entropy(out, y)
                scaler.scale(loss).backward()
                scaler.unscale_(optimizer)
                norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                scaler.step(optimizer)
                scaler.update()
                show(out.dtype, loss.dtype, scaler.get_scale())
                found.append(loss.item())
            return found

        plain = train(filled(Mixed()), torch.amp.GradScaler("cpu", enabled=False), False)
        mixed = train(filled(Mixed()), torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=2), True)
        show(plain, [abs(a - b) < 0.05 * a for a, b in zip(plain, mixed)], mixed != plain)
    """,
    "what autocast computes in which precision": """
        a, b = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0], [0.125]])
        with torch.autocast("cpu"):
            show(a @ b, torch.mm(a, b), a.matmul(b), F.linear(a, b.T), a.double() @ b.double(), a + b.T)
            show(F.mse_loss(a @ b, torch.ones(1, 1)), nn.L1Loss()(a @ b, torch.ones(1, 1)))
            show(torch.is_autocast_enabled("cpu"), nn.Conv1d(1, 2, 1)(a).dtype, torch.einsum("ij,jk->ik", a, b))
            with torch.autocast("cpu", enabled=False):
                show(a @ b)
            with torch.autocast("cpu", dtype=torch.float16):
                show(a @ b)
        show(a @ b)

        @torch.autocast("cpu", dtype=torch.bfloat16)
        def product(x, y):
            return x @ y

        show(product(a, b), product(a, b))
    """,
    "steps that a scaler leaves out": """
        def train(net: Net, scaler: torch.amp.GradScaler):
            optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
            for i, (x, y) in enumerate(batches(5)):
                optimizer.zero_grad(set_to_none=True)
                loss = F.cross_entropy(net(x), y)
                if i == 1:
                    loss = loss * float("inf")
                scaler.scale(loss).backward()
                scaler.step(optimizer)
                scaler.update()
                show(scaler.get_scale(), net.last.weight.detach().clone())
            show(scaler.state_dict())

        train(filled(Net()), torch.amp.GradScaler("cpu", init_scale=256.0, growth_interval=2))
        train(filled(Net()), torch.cuda.amp.GradScaler(enabled=False))
    """,
    "a script with accumulation, a context and a scaler, at the file's own level": """
        import math
        from contextlib import nullcontext

        device = "cpu"
        dtype = "float32"
        every = 2
        clip = 1.0
        rate, least, warm, last = 0.1, 0.01, 2, 6
        kinds = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
        torch.manual_seed(1337)
        torch.backends.cuda.matmul.allow_tf32 = True
        torch.backends.cudnn.allow_tf32 = True
        device_type = "cuda" if "cuda" in device else "cpu"
        ptdtype = kinds[dtype]
        ctx = nullcontext() if device_type == "cpu" else torch.amp.autocast(device_type=device_type, dtype=ptdtype)
        data = batches(20)
        place = 0

        def get_batch(split):
            global place
            place += 1
            x, y = data[place % 20]
            if device_type == "cuda":
                x, y = x.pin_memory().to(device, non_blocking=True), y.pin_memory().to(device, non_blocking=True)
            else:
                x, y = x.to(device), y.to(device)
            return x, y

        class Model(Net):
            def forward(self, x, y=None):
                out = super().forward(x)
                loss = F.cross_entropy(out, y) if y is not None else None
                return out, loss

        model = filled(Model())
        model.to(device)
        scaler = torch.cuda.amp.GradScaler(enabled=(dtype == "float16"))
        optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.95))

        @torch.no_grad()
        def estimate_loss():
            found = {}
            model.eval()
            for split in ["train", "val"]:
                losses = torch.zeros(2)
                for k in range(2):
                    X, Y = get_batch(split)
                    with ctx:
                        logits, loss = model(X, Y)
                    losses[k] = loss.item()
                found[split] = losses.mean()
            model.train()
            return found

        def get_lr(it):
            if it < warm:
                return rate * (it + 1) / (warm + 1)
            return least + 0.5 * (1.0 + math.cos(math.pi * (it - warm) / (last - warm))) * (rate - least)

        X, Y = get_batch("train")
        step = 0
        while True:
            lr = get_lr(step)
            for group in optimizer.param_groups:
                group["lr"] = lr
            if step % 3 == 0:
                losses = estimate_loss()
                show(losses["train"], losses["val"])
            for micro in range(every):
                with ctx:
                    logits, loss = model(X, Y)
                    loss = loss / every
                X, Y = get_batch("train")
                scaler.scale(loss).backward()
            if clip != 0.0:
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad(set_to_none=True)
            show(step, loss.item() * every, lr)
            step += 1
            if step > last:
                break
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "ckpt.pt")
    """,
    "a penalty on gradients, taken in a function of its own": """
        def gradient_penalty(judge: nn.Module, real, fake, share):
            mixed = share * real + (1 - share) * fake
            mixed.requires_grad_(True)
            scores = judge(mixed)
            gradients = torch.autograd.grad(
                outputs=scores, inputs=mixed, grad_outputs=torch.ones_like(scores), create_graph=True, retain_graph=True
            )[0]
            gradients = gradients.view(gradients.size(0), -1)
            return ((gradients.norm(2, dim=1) - 1) ** 2).mean()

        def train(maker: Net, judge: Net):
            making = torch.optim.Adam(maker.parameters(), lr=0.02, betas=(0.5, 0.9))
            judging = torch.optim.Adam(judge.parameters(), lr=0.02, betas=(0.5, 0.9))
            for i, (x, _) in enumerate(batches(3)):
                judging.zero_grad()
                fake = maker(x.flip(0)).detach()
                penalty = gradient_penalty(judge, x, fake, 0.25)
                loss = judge(fake).mean() - judge(x).mean() + 10 * penalty
                loss.backward()
                judging.step()
                making.zero_grad()
                made = -judge(maker(x.flip(0))).mean()
                made.backward()
                making.step()
                show(loss, penalty, made)

        train(filled(Net(4)), filled(Net(1)))
    """,
    "a penalty in the step itself, and a gradient of an input alone": """
        def train(net: Net):
            optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
            for x, y in batches(3):
                x = x.clone().requires_grad_(True)
                optimizer.zero_grad()
                out = net(x)
                loss = F.cross_entropy(out, y)
                slope, = torch.autograd.grad(loss, x, create_graph=True)
                total = loss + slope.pow(2).sum()
                total.backward()
                optimizer.step()
                show(total, slope, out)

        train(filled(Net()))
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        w = torch.tensor([3.0, 4.0], requires_grad=True)
        y = (x ** 3 * w).sum()
        show(torch.autograd.grad(y, [x, w]))
        show(torch.autograd.grad((x.sin() * w).sum(), x)[0])
    """,
    "an equation with derivatives": """
        class Field(nn.Module):
            def __init__(self):
                super().__init__()
                self.net = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))

            def forward(self, x, t):
                return self.net(torch.cat([x, t], dim=1))

        def residual(net: Field, x: torch.Tensor, t: torch.Tensor):
            u = net(x, t)
            u_x = torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), create_graph=True)[0]
            u_xx = torch.autograd.grad(u_x, x, grad_outputs=torch.ones_like(u_x), create_graph=True)[0]
            u_t = torch.autograd.grad(u, t, grad_outputs=torch.ones_like(u), create_graph=True)[0]
            return u_t + u * u_x - 0.1 * u_xx, u

        def train(net: Field):
            optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
            x = torch.linspace(-1, 1, 8).reshape(8, 1).requires_grad_(True)
            t = torch.linspace(0, 1, 8).reshape(8, 1).requires_grad_(True)
            for _ in range(3):
                optimizer.zero_grad()
                rest, u = residual(net, x, t)
                loss = rest.pow(2).mean() + u[0].pow(2).mean()
                loss.backward()
                optimizer.step()
                show(loss)

        train(filled(Field()))
    """,
    "parameters by names of loops and comprehensions, given new data": """
        def change(net: Net):
            show({n: p.detach() for n, p in net.named_parameters()})
            show({n: p.detach().clone() for n, p in net.named_parameters() if p.requires_grad})
            show([p.data.norm() for p in net.parameters()], sum(p.numel() for p in net.parameters() if p.dim() > 1))
            v = torch.ones(5)
            for p in net.first.parameters():
                if p.dim() == 1:
                    p.data = v
            for n, p in net.named_parameters():
                if "first.weight" in n:
                    p.data = torch.zeros(5, 4)
                    p.data[0] = 1.0
                else:
                    p.data = p.data * 2
            net.last.weight.data = net.last.weight.data + 1
            show(net.state_dict())

        def train(net: Net):
            optimizer = torch.optim.SGD([p for p in net.parameters() if p.dim() > 1], lr=0.1)
            kept = {n: p.detach().clone() for n, p in net.named_parameters()}
            for x, y in batches(2):
                optimizer.zero_grad()
                loss = F.cross_entropy(net(x), y)
                loss.backward()
                optimizer.step()
                show(loss)
            show({n: (p.detach() - kept[n]).abs().max() for n, p in net.named_parameters()})

        net = Net()
        filled(net)
        change(net)
        train(net)
    """,
    "activations computed anew": """
        from torch.utils.checkpoint import checkpoint

        class Saving(nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.mid, self.last = nn.Linear(4, 5), nn.Linear(5, 5), nn.Linear(5, 3)

            def part(self, x, twice: bool, bias=None):
                x = torch.tanh(self.mid(x))
                x = x * 2 if twice else x
                return x if bias is None else x + bias

            def forward(self, x):
                x = checkpoint(self.first, x, use_reentrant=False)
                x = checkpoint(self.part, x, True, None, use_reentrant=False)
                x = checkpoint(lambda v: torch.sin(self.mid(v)), x, use_reentrant=False)
                return self.last(x)

        def train(net: Saving):
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for x, y in batches(2):
                optimizer.zero_grad()
                loss = F.cross_entropy(net(x), y)
                loss.backward()
                optimizer.step()
                show(loss, net.mid.weight.detach().clone())

        train(filled(Saving()))
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_trains_as_torch_does(name: str, agrees: Callable[..., object]) -> None:
    agrees(HEAD + dedent(PROGRAMS[name]), "jax")


def test_a_step_of_the_file_itself_without_a_loop(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn

        net = nn.Linear(2, 1)
        nn.init.constant_(net.weight, 1.0)
        nn.init.constant_(net.bias, 0.0)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        # the loss
        loss = net(torch.ones(1, 2)).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        show(loss.item(), net.weight)
        """,
        "jax",
    )


def test_gradients_that_operators_with_helpers_read(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        import torch.nn as nn

        net = nn.Linear(2, 2)
        nn.init.constant_(net.weight, 0.5)
        nn.init.constant_(net.bias, 0.0)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        norms = []
        for i in range(2):
            opt.zero_grad()
            loss = net(torch.ones(1, 2)).pow(2).sum()
            loss.backward()
            norms.append(float(sum(p.grad.norm() ** 2 for p in net.parameters()) ** 0.5))
            opt.step()
        show(norms, net.weight)
        """,
        "jax",
    )


def test_what_an_optimizer_keeps_is_found_by_the_parameter(agrees: Callable[..., object]) -> None:
    agrees(
        """
        import torch
        from torch import nn

        net = nn.Linear(2, 3)
        with torch.no_grad():
            for i, p in enumerate(net.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view_as(p))
        opt = torch.optim.Adam(net.parameters(), lr=0.1)
        x = torch.arange(8.0).view(4, 2)
        show(len(opt.state), net.weight in opt.state)
        for _ in range(3):
            opt.zero_grad()
            (net(x) ** 2).mean().backward()
            opt.step()
        kept = opt.state[net.weight]
        show(kept["exp_avg"], kept["exp_avg_sq"], kept["step"], opt.state[net.bias]["exp_avg"], net.weight in opt.state)
        show(len(opt.state), [sorted(opt.state[p]) for group in opt.param_groups for p in group["params"]])
        for p in net.parameters():
            opt.state[p]["exp_avg"] = opt.state[p]["exp_avg"] * 0.5
        opt.zero_grad()
        (net(x) ** 2).mean().backward()
        opt.step()
        show(net.weight, net.bias)
        """,
        "jax",
    )
