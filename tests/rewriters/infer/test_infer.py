"""Which expressions are tensors: lines of the snippets say ``#! yes`` or ``#! no``, as ``.view`` is torch's or not.

Nothing else decides: where the answer is "unknown" the line must stay as it is, and is in the report.
"""

from __future__ import annotations

from textwrap import dedent

import pytest

SNIPPETS = {
    "what a function that gives an argument back gives is what it is given": """
        from inspect import isfunction
        def exists(x): return x is not None
        def default(x, d):
            if exists(x):
                return x
            return d() if isfunction(d) else d
        def either(x, d): return x if x is not None else d
        def twice(x, d): return either(x, d) * 2
        def made(x, width, how):
            width = default(width, 3)
            width.view(1)  #! no
            default(x, torch.ones(2)).view(1)  #! no
            default(None, torch.ones(2)).view(1)  #! yes
            default(None, lambda: torch.ones(2)).view(1)  #! yes
            default(torch.ones(2), how).view(1)  #! no
            either(torch.ones(2), None).view(1)  #! yes
            either(d=torch.ones(2), x=None).view(1)  #! yes
            either(*how).view(1)  #! no
            either(3, 4).view(1)  #! no
            default(how, how).view(1)  #! no
    """,
    "uses that tensors alone allow": """
        def entered(x):
            x.view(1)  #! yes
            with torch.no_grad():
                y = x.unsqueeze(0)
            y.view(1)  #! yes
        def sometimes(x, flag):
            x.view(1)  #! no
            if flag:
                x = x.masked_fill(x > 0, 1)
                x.view(1)  #! yes
            x.view(1)  #! no
        def unpacked(x, y):
            n, c = x.size()
            n = y.size()
            x.view(1)  #! yes
            y.view(1)  #! no
        def caught(x):
            x.view(1)  #! no
            try:
                x.contiguous()
            except AttributeError:
                return x
            x.view(1)  #! no
        def given(x, y, z):
            torch.matmul(x, y.transpose(0, 1) * 2)
            x.view(1)  #! yes
            y.view(1)  #! yes
            z.view(1)  #! no
        def chained(x, y):
            out = x.detach().cpu().numpy(), y.cpu()
            x.view(1)  #! yes
            y.view(1)  #! no
        def moved(x, y, z):
            out = x.eq(y).cpu().sum(), z.to("cpu").cpu(), z.float().cuda()
            x.view(1)  #! yes
            y.view(1)  #! no
            z.view(1)  #! no
        def of_backends(ops, x):
            out = ops.softmax(x), ops.unsqueeze(x, 0), ops.masked_fill(x, x > 0, 1), ops.mean(x, axis=1)
            ops.view(1)  #! no
            x.view(1)  #! no
        def bound_anew(x):
            x = what(x)
            x.contiguous()
            x.view(1)  #! yes
        def left_before(x):
            x.view(1)  #! no
            if x is None:
                return
            x.contiguous()
            x.view(1)  #! yes
        def late(x):
            x.view(1)  #! no
            return lambda: x.contiguous()
        def with_axes(x, y):
            total = x.sum(dim=1, keepdim=True) + y.sum(axis=1)
            x.view(1)  #! yes
            y.view(1)  #! no
    """,
    "uses that tensors alone allow, of which others have the names": """
        def counted(a, b, c, d, e):
            left = 1 - a.float(), b.half() * 2, c.cpu() * 0.5, -d.double(), e.cuda() > 0
            a.view(1)  #! yes
            b.view(1)  #! no
            c.view(1)  #! yes
            d.view(1)  #! yes
            e.view(1)  #! yes
        def sized(a, b, c, d, e):
            left = a.size()[0], len(b.size()), c.size(), d.size(-n), e.size(n)
            a.view(1)  #! yes
            b.view(1)  #! yes
            c.view(1)  #! no
            d.view(1)  #! yes
            e.view(1)  #! no
        def swapped(a, b, c, d):
            left = a.transpose(1, 2), b.transpose(0, 1), c.transpose(-1, -2), d.transpose(1, -1)
            a.view(1)  #! yes
            b.view(1)  #! no
            c.view(1)  #! no
            d.view(1)  #! yes
        def joined(a, b, c):
            left = torch.cat([a * 2, b], dim=1), torch.stack(c)
            a.view(1)  #! yes
            b.view(1)  #! yes
            c.view(1)  #! no
        def cast(a, b, c, d):
            left = a.to(torch.long), b.to(torch.float16), c.int(), d.float()
            a.view(1)  #! yes
            b.view(1)  #! no
            c.view(1)  #! yes
            d.view(1)  #! no
        def shaped(a, b, c, d):
            left = a.view(n * m), b.view(-1), c.view("<" + d), d.view(n)
            a.view(1)  #! yes
            b.view(1)  #! yes
            c.view(1)  #! no
            d.view(1)  #! no
        def handed(a, b, c, d, e):
            left = a.detach(), b.numpy(), c.nonzero(as_tuple=True), d.clamp(-m, m), e.cuda(non_blocking=True)
            a.view(1)  #! yes
            b.view(1)  #! yes
            c.view(1)  #! yes
            d.view(1)  #! yes
            e.view(1)  #! yes
        def of_backends(ops, x, y):
            left = ops.softmax(x, dim=1), ops.clamp(y, min=0), ops.nonzero(x, as_tuple=True), ops.clamp(y, 0)
            ops.view(1)  #! no
            x.view(1)  #! no
            y.view(1)  #! no
    """,
    "methods of the project's that could not be called so": """
        class Tree:
            def sum(self, start=0, end=None): return self
            def squeeze(self, dim=None): return self
            @property
            def mean(self): return self.kept
        class Optimizer:
            def backward(self, loss): return loss.backward()
        def f(a, b, c, d, e, loss):
            loss.backward()
            loss.view(1)  #! yes
            left = a.sum(dim=1), b.sum().clamp(min=0), c.squeeze(dim=1), d.squeeze(1, 2).unsqueeze(0), e.mean(dim=1)
            a.view(1)  #! yes
            b.view(1)  #! no
            c.view(1)  #! no
            d.view(1)  #! yes
            e.view(1)  #! no
    """,
    "what later statements show": """
        def bound(x, flag):
            y = what(x)
            y.view(1)  #! yes
            if flag:
                y.view(1)  #! yes
            z, w = what(y), what(y)
            z.view(1)  #! yes
            w.view(1)  #! no
            y.unsqueeze(0), z.long()
            z = what(z)
            z.view(1)  #! no
            if flag:
                return w
            z.long()
            w.long()
        def within(xs, y, z, flag):
            for x in xs:
                x.view(1)  #! yes
                y.view(1)  #! no
                x.detach()
            y.view(1)  #! no
            if flag:
                y.view(1)  #! no
                y = y.long()
                y.view(1)  #! yes
            y.view(1)  #! no
            while flag:
                y.view(1)  #! no
                if y is None:
                    continue
                y.long()
        def caught(x):
            try:
                y = what(x)
                y.view(1)  #! no
                y.unsqueeze(0)
            finally:
                pass
        def opened(x):
            with what(x) as x, what(x) as y:
                x.view(1)  #! yes
                y.view(1)  #! no
                x.long()
        def given(x):
            x.view(1)  #! no
            with what() as x:
                x.long()
        def bound_elsewhere(x):
            y = what(x)
            y.view(1)  #! no
            for y in x:
                y.long()
            y.long()
    """,
    "an array or a tensor": """
        import numpy as np
        def made(flag):
            return torch.ones(2) if flag else np.ones(2)
        def f(flag):
            x = made(flag)
            x.view(1)  #! no
            x.copy().view(1)  #! no
        def g(flag):
            made(flag).cpu().view(1)  #! yes
            made(flag).detach().view(1)  #! yes
            made(flag).unsqueeze(0).view(1)  #! yes
            made(flag).sum(dim=0).view(1)  #! yes
            made(flag).sum(0).view(1)  #! no
        def h(flag, x):
            y = made(flag)
            y.view(1)  #! yes
            z = x.numpy() if flag else x.detach()
            return z.squeeze(dim=0).view(1), y.masked_fill(y > 0, 1)  #! yes
    """,
    "one of several classes": """
        from typing import NamedTuple
        class Replayed(NamedTuple):
            rewards: torch.Tensor
            obs: torch.Tensor
        class Rolled(NamedTuple):
            advantages: torch.Tensor
            obs: torch.Tensor
        class Open:
            obs: torch.Tensor
            def __getattr__(self, name):
                return []
        def drawn(flag):
            return Replayed(torch.ones(2), torch.ones(2)) if flag else Rolled(torch.ones(2), torch.ones(2))
        def opened(flag):
            return Replayed(torch.ones(2), torch.ones(2)) if flag else Open()
        def use(flag):
            drawn(flag).rewards.view(1)  #! yes
            drawn(flag).obs.view(1)  #! yes
            drawn(flag).other.view(1)  #! no
            opened(flag).rewards.view(1)  #! no
        def elsewhere(flag):
            made = Rolled(torch.ones(2), torch.ones(2))
            made.stored = 3
            one = drawn(flag)
            one.stored.view(1)  #! no
    """,
    "overridden methods": """
        import abc
        class Buffer(abc.ABC):
            def sample(self):
                return self.drawn()
            @abc.abstractmethod
            def drawn(self):
                pass
        class Replay(Buffer):
            def drawn(self):
                return torch.ones(2)
        class Rollout(Buffer):
            def __init__(self):
                for name in ["a", "b"]:
                    self.__dict__[name] = [3]
            def drawn(self):
                return torch.zeros(2)
        Replay().sample().view(1)  #! yes
        Rollout().sample().view(1)  #! yes
        def use(buffer: Buffer):
            buffer.drawn().view(1)  #! yes
            buffer.a.view(1)  #! no
    """,
    "modules that classes hold": """
        class Both(nn.Sequential):
            pass
        class Some(nn.ModuleList):
            pass
        def layer_init(layer, std=1.0):
            torch.nn.init.orthogonal_(layer.weight, std)
            return layer
        class Critic(nn.Module):
            def __init__(self):
                super().__init__()
                self.net = nn.Sequential(layer_init(nn.Linear(3, 4)), nn.Tanh(), layer_init(nn.Linear(4, 1), std=1.0))
            def forward(self, x):
                return self.net(x)
        Critic()(torch.ones(3)).view(1)  #! yes
        both = Both(nn.Linear(3, 3))
        both[0].view(1)  #! no
        for layer in Some([nn.Linear(3, 3)]):
            layer.view(1)  #! no
        torch.nn.SyncBatchNorm.convert_sync_batchnorm(Critic())(torch.ones(3)).view(1)  #! yes
    """,
    "decorators that hand on": """
        import functools, time
        from jaxtyping import jaxtyped
        def timed(fn):
            @functools.wraps(fn)
            def wrapper(*args, **kwargs):
                began = time.time()
                result = fn(*args, **kwargs)
                print(fn.__name__, len(args), time.time() - began)
                return result
            wrapper.timed = True
            return wrapper
        def named(name):
            def decorate(fn):
                def inner(self, *args, **kwargs):
                    with torch.autograd.profiler.record_function(name):
                        return fn(self, *args, **kwargs)
                return inner
            return decorate
        def listing(fn):
            def wrapper(*args, **kwargs):
                return [fn(*args, **kwargs)]
            return wrapper
        def changing(fn):
            def wrapper(*args, **kwargs):
                kwargs["x"] = [1]
                return fn(*args, **kwargs)
            return wrapper
        def at_times(fn):
            def wrapper(*args, **kwargs):
                if not args:
                    return [2]
                return fn(*args, **kwargs)
            return wrapper
        @timed
        def f(x):
            x.view(1)  #! yes
            return x
        f(torch.ones(1)).view(1)  #! yes
        @jaxtyped(typechecker=None)
        def g(x):
            x.view(1)  #! yes
            return x
        g(torch.ones(1)).view(1)  #! yes
        class Net:
            @named("step")
            def step(self, x):
                return x
        Net().step(torch.ones(1)).view(1)  #! yes
        @listing
        def h(x):
            x.view(1)  #! yes
            return x
        h(torch.ones(1)).view(1)  #! no
        @changing
        def k(x):
            x.view(1)  #! no
            return x
        k(x=torch.ones(1)).view(1)  #! no
        @at_times
        def m(x):
            return x
        m(torch.ones(1)).view(1)  #! yes
    """,
    "what is asked for": """
        def f(x: torch.Tensor, more):
            y, places = torch.unique(x, return_inverse=True)
            y.view(1)  #! yes
            places.view(1)  #! yes
            x.unique(return_counts=False).view(1)  #! yes
            z = x.unique(return_inverse=more)
            z.view(1)  #! no
            torch._utils._flatten_dense_tensors([x]).view(1)  #! yes
            torch._utils._unflatten_dense_tensors(x, [x])[0].view(1)  #! yes
    """,
    "cast and compared": """
        def f(a, b, c, d, e):
            a.view(1)  #! yes
            b.view(1)  #! no
            (b > c).float().view(1)  #! yes
            (d - e).half().view(1)  #! yes
            d.view(1)  #! no
            return (a == 0).float()
        def g(x, y, z):
            x.view(1)  #! yes
            y.view(1)  #! yes
            z.view(1)  #! no
            return x.float().mean(), y.cuda().unsqueeze(0), z.float().norm(2)
        def h(x, y, z, n):
            x.clone().view(1)  #! yes
            y.clone().view(1)  #! yes
            z.clone().view(1)  #! no
            return x.view(n.shape[0]), y.view(n.size()[1]), z.view(n.shape[1:])
    """,
    "objects of other libraries": """
        import transformers, triton
        import triton.language as tl
        from torchmetrics import RunningMean
        def f(x):
            RunningMean(window=3).view(1)  #! no
            transformers.AutoModel.from_pretrained("bert").view(1)  #! no
            x.flip(0)
            x.view(1)  #! yes
        @triton.jit
        def kernel(x, n):
            y = tl.load(x)
            y.view(1)  #! no
            y.flip(0)
            y.view(1)  #! no
    """,
    "what layers take": """
        class Net(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.first = nn.Linear(width, 3)
                self.same = nn.Identity()
            def scores(self, a, b, c):
                left = self.first(a), self.same(b), nn.functional.relu(c)
                a.view(1)  #! yes
                b.view(1)  #! no
                c.view(1)  #! yes
        def held(net: nn.Module, name):
            for p in net._parameters.values():
                p.view(1)  #! yes
            net._modules[name].view(1)  #! no
    """,
    "methods that objects of libraries have": """
        import pandas
        import torch_geometric
        def f(a, b, c, d):
            left = a.size()[0], b.detach(), c.bool(), d.size(1), d.long()
            a.view(1)  #! no
            b.view(1)  #! no
            c.view(1)  #! no
            d.view(1)  #! yes
    """,
    "uses that tensors and classes of the project allow": """
        class Grid:
            def unsqueeze(self, at): return self
            def view(self, n): return self
        class Square(torch.autograd.Function):
            @staticmethod
            def backward(context, slope): return slope
        def f(x, y, loss):
            x.unsqueeze(0)
            x.view(1)  #! no
            y.permute(0, 2, 1)
            y.view(1)  #! yes
            loss.backward()
            loss.view(1)  #! yes
            x.view(1)  #! no
    """,
    "uses that what hands on whatever it is asked for allows": """
        class Lazy:
            def __init__(self, made): self.made = made
            def __getattr__(self, name): return getattr(self.made, name)
        def f(x, y, z):
            x.permute(0, 2, 1)
            x.view(1)  #! no
            torch.abs(y)
            y.view(1)  #! no
            n, m = z.size()
            z.view(1)  #! no
            x.detach().cpu().numpy().view(1)  #! no
    """,
    "what hands on whatever it is asked for, but not to a tensor": """
        import importlib
        import helpers
        class Table(dict):
            def __len__(self): return 3
        class Settings:
            def __init__(self, held): super().__setattr__("_held", Table(held))
            def __getattr__(self, name): return getattr(self._held, name)
        class Stepping:
            def __init__(self, env): self.env = env
            def step(self, action): return self.env.step(action)
        class Counting(Stepping):
            def __getattr__(self, name): return getattr(self.env, name)
        class Parallel(nn.parallel.DistributedDataParallel):
            def __getattr__(self, name):
                try:
                    return super().__getattr__(name)
                except AttributeError:
                    return getattr(self.module, name)
        class Called:
            def __init__(self, model): object.__setattr__(self, "_model", model)
            def __call__(self, x): return self._model(x)
            def __getattr__(self, name):
                model = object.__getattribute__(self, "_model")
                return getattr(model, name)
        class Promised:
            def __init__(self, net: nn.Module): self.net = net
            def __getattr__(self, name): return getattr(self.net, name)
        class Words:
            def __init__(self, held): self.held = held
            def ids(self): return self.held["ids"]
            def __getattr__(self, name): return getattr(self.held, name)
        class Late:
            def __getattr__(self, name):
                if name.startswith("_"):
                    return getattr(self, "late" + name)
                return getattr(importlib.import_module("helpers"), name) or getattr(helpers, name)
        def f(x, y, z):
            x.permute(0, 2, 1)
            x.view(1)  #! yes
            torch.abs(y)
            y.view(1)  #! yes
            n, m = z.size()
            z.view(1)  #! yes
            x.what().view(1)  #! no
    """,
    "what asks what it is that it hands on to": """
        class Lazy:
            def __init__(self, made): self.made = made
            def run(self): return self.made.run() if hasattr(self.made, "run") else self.made
            def __getattr__(self, name): return getattr(self.made, name)
        def f(x, y, z):
            x.permute(0, 2, 1)
            x.view(1)  #! no
            torch.abs(y)
            y.view(1)  #! no
            n, m = z.size()
            z.view(1)  #! no
            x.detach().cpu().numpy().view(1)  #! no
    """,
    "what hands on to something that others store": """
        class Lazy:
            def __init__(self): self.made = []
            def __getattr__(self, name): return getattr(self.made, name)
        def fill(lazy): lazy.made = torch.ones(3)
        def f(x, y, z):
            x.permute(0, 2, 1)
            x.view(1)  #! no
            torch.abs(y)
            y.view(1)  #! no
            n, m = z.size()
            z.view(1)  #! no
            x.detach().cpu().numpy().view(1)  #! no
    """,
    "what hands on to one of two": """
        class Lazy:
            def __init__(self, made, net): self.made, self.net = made, net
            def run(self, x): return self.net(x)
            def __getattr__(self, name): return getattr(self.net, name, None) or getattr(self.made, name)
        def f(x, y, z):
            x.permute(0, 2, 1)
            x.view(1)  #! no
            torch.abs(y)
            y.view(1)  #! no
            n, m = z.size()
            z.view(1)  #! no
            x.detach().cpu().numpy().view(1)  #! no
    """,
    "what tries to use what it hands on to": """
        class Lazy:
            def __init__(self, made): self.made = made
            def run(self):
                try:
                    return self.made.run()
                except AttributeError:
                    return self.made
            def __getattr__(self, name): return getattr(self.made, name)
        def f(x, y, z):
            x.permute(0, 2, 1)
            x.view(1)  #! no
            torch.abs(y)
            y.view(1)  #! no
            n, m = z.size()
            z.view(1)  #! no
            x.detach().cpu().numpy().view(1)  #! no
    """,
    "annotations": """
        from typing import Dict, List, Optional, Sequence, Tuple, Union
        def f(a: torch.Tensor, b: Optional[torch.Tensor], c: "torch.Tensor", d: torch.Tensor | None, e: nn.Parameter,
              l: List[torch.Tensor], t: Tuple[int, torch.Tensor], m: Dict[str, torch.Tensor],
              s: Sequence["torch.Tensor"],
              u: Union[torch.Tensor, int], v: Tuple[torch.Tensor, ...],
              *args: torch.Tensor, **kwargs: torch.Tensor):
            a.view(1)  #! yes
            b.view(1)  #! yes
            c.view(1)  #! yes
            d.view(1)  #! yes
            e.view(1)  #! yes
            l[0].view(1)  #! yes
            t[1].view(1)  #! yes
            t[0].view(1)  #! no
            m["x"].view(1)  #! yes
            s[0].view(1)  #! yes
            u.view(1)  #! no
            v[2].view(1)  #! yes
            args[0].view(1)  #! yes
            kwargs["x"].view(1)  #! yes
        x: torch.Tensor = what()
        x.view(1)  #! yes
    """,
    "what lies under a literal key stays there where another is stored": """
        class Own(torch.optim.Optimizer):
            def step(self):
                for group in self.param_groups:
                    for p in group["params"]:
                        p.view(1)  #! yes
                        grad = p.grad
                        grad.view(1)  #! yes
        def train(w, rate):
            opt = Own([w])
            opt.param_groups[0]["lr"] = rate
        def f(key):
            d = {"a": torch.zeros(3), "b": 1}
            d["c"] = torch.zeros(3)
            d["a"].view(1)  #! yes
            d["b"].view(1)  #! no
            d["c"].view(1)  #! yes
            d["a"] = what()
            d["a"].view(1)  #! no
            d["c"].view(1)  #! yes
            d[key] = 1
            d["c"].view(1)  #! no
    """,
    "lists of tensors in an optimizer's step": """
        from torch.optim.optimizer import Optimizer
        def f(params, grads):
            groups = Optimizer._group_tensors_by_device_and_dtype([params, grads], with_indices=True)
            for (ps, gs), places in groups.values():
                ps[0].view(1)  #! yes
                places[0].view(1)  #! no
                any(g.view(1) for g in gs)  #! yes
                torch._foreach_neg(gs)[0].view(1)  #! yes
    """,
    "other libraries": """
        import gymnasium as gym
        import numpy as np
        import tyro
        class Args:
            name: str = "a"
        class Known:
            def __init__(self, size):
                self.x = torch.zeros(size)
        args = tyro.cli(Args)
        args.name.view(1)  #! no
        tyro.cli(Known).x.view(1)  #! yes
        np.ones(3).reshape(1).view(1)  #! no
        gym.make("a").action_space.n.view(1)  #! no
        (np.ones(3) * torch.ones(3)).view(1)  #! yes
        import random
        random.choice([torch.ones(3)]).view(1)  #! yes
        random.sample([torch.ones(3)], 1)[0].view(1)  #! yes
        random.choice([1, what()]).view(1)  #! no
        [row.view(1) for row in np.ones((3, 3))]  #! no
        [row.view(1) for row in what()]  #! no
    """,
    "ModuleDict": """
        class A(nn.Module):
            def __init__(self):
                super().__init__()
                self.t = nn.ModuleDict(dict(wte=nn.Embedding(3, 4), h=nn.ModuleList([nn.Linear(4, 4)])))
                self.u = nn.ModuleDict({"a": nn.Linear(1, 1)})
                self.v = nn.ModuleDict()
            def forward(self, x):
                x = self.t.wte(x)
                x.view(1)  #! yes
                for block in self.t.h:
                    block(x).view(1)  #! yes
                self.u["a"](x).view(1)  #! yes
                for name, module in self.u.items():
                    module(x).view(1)  #! yes
                    name.view(1)  #! no
                self.v["b"](x).view(1)  #! no
    """,
    "autograd": """
        class Swish(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * torch.sigmoid(x)
        Swish.apply(y).view(1)  #! yes
        torch.autograd.grad(a, b)[0].view(1)  #! yes
        torch.where(m > 0, x, y).view(1)  #! yes
        torch.where(m)[0].view(1)  #! yes
    """,
    "distributions": """
        from torch.distributions import Categorical, Normal
        Categorical(logits=g).sample().view(1)  #! yes
        Normal(0, 1).log_prob(p).view(1)  #! yes
        torch.cuda.LongTensor([1]).view(1)  #! yes
        Normal(0, 1).what().view(1)  #! no
    """,
    "results of torch": """
        a = torch.zeros(2)
        a.view(1)  #! yes
        (a + 1).view(1)  #! yes
        (1 - a).view(1)  #! yes
        (-a).view(1)  #! yes
        (a > 0).view(1)  #! yes
        (a @ a).view(1)  #! yes
        a[0, ..., None].view(1)  #! yes
        a.sum(dim=1).view(1)  #! yes
        a.T.view(1)  #! yes
        a.item().view(1)  #! no
        a.tolist().view(1)  #! no
        a.shape.view(1)  #! no
        a.size(0).view(1)  #! no
        a.numpy().view(1)  #! no
        torch.cat([a]).view(1)  #! yes
        F.softmax(a, dim=1).view(1)  #! yes
        nn.Linear(2, 3)(a).view(1)  #! yes
        nn.Sequential(nn.Linear(2, 3), nn.ReLU())(a).view(1)  #! yes
        nn.Linear(2, 3).weight.view(1)  #! yes
        torch.randn(2).to("cpu").float().view(1)  #! yes
        values, indices = a.topk(2)
        values.view(1)  #! yes
        indices.view(1)  #! yes
        a.split(2)[0].view(1)  #! yes
        p, q = a.chunk(2)
        p.view(1)  #! yes
        torch.manual_seed(1).view(1)  #! no
        (a if what() else None).view(1)  #! yes
        (a if what() else what()).view(1)  #! no
        (n := a).view(1)  #! yes
        n.view(1)  #! yes
    """,
    "assignment": """
        a = b = torch.zeros(2)
        b.view(1)  #! yes
        c, (d, *e), f = a, (a, a, a), 3
        c.view(1)  #! yes
        d.view(1)  #! yes
        e[0].view(1)  #! yes
        f.view(1)  #! no
        a = "text"
        a.view(1)  #! no
        g = 1
        g += b
        g.view(1)  #! yes
        del b
        h = [torch.zeros(2)]
        h[0] = "text"
        h[0].view(1)  #! yes
        h[0] = what()
        h[0].view(1)  #! no
    """,
    "containers": """
        a = torch.zeros(2)
        l = [a, a]
        l[0].view(1)  #! yes
        l.append(a)
        l[2].view(1)  #! yes
        l.pop().view(1)  #! yes
        out = []
        for _ in range(3):
            out.append(torch.zeros(2))
        out[0].view(1)  #! yes
        mixed = [a, "x"]
        mixed[0].view(1)  #! yes
        mixed[1].view(1)  #! no
        mixed[what()].view(1)  #! yes
        [a, what()][what()].view(1)  #! no
        d = {"a": a, "n": 3}
        d["a"].view(1)  #! yes
        d["n"].view(1)  #! no
        [t.view(1) for t in l]  #! yes
        {k: v.view(1) for k, v in {"a": a}.items()}  #! yes
        (t.view(1) for t, n in zip(l, range(2)))  #! yes
        [n.view(1) for n, t in enumerate(l)]  #! no
        max(l, key=len).view(1)  #! yes
        sum(t.sum() for t in l).view(1)  #! yes
        (l + l)[0].view(1)  #! yes
        tuple(l)[1].view(1)  #! yes
        next(iter(l)).view(1)  #! yes
        dict(a=a)["a"].view(1)  #! yes
        list(map(lambda v: v + 1, l))[0].view(1)  #! yes
        [*l, a][0].view(1)  #! yes
    """,
    "functions": """
        def double(v):
            return v + v
        double(torch.zeros(2)).view(1)  #! yes
        def pair(v, n=3):
            n.view(1)  #! no
            v.view(1)  #! yes
            return v, n
        pair(torch.zeros(2))[0].view(1)  #! yes
        pair(torch.ones(2))[1].view(1)  #! no
        def either(v):
            v.view(1)  #! yes
        either(torch.zeros(2))
        either("text")
        def any_of(v):
            v.view(1)  #! no
        any_of(torch.zeros(2))
        any_of(what())
        def forth(v, depth):
            return v if depth == 0 else back(v, depth - 1)
        def back(v, depth):
            return forth(v.view(1), depth)  #! yes
        forth(torch.zeros(2), 3).view(1)  #! yes
        def several():
            for i in range(3):
                yield torch.zeros(i)
        for t in several():
            t.view(1)  #! yes
        def outer():
            t = torch.zeros(2)
            def inner():
                return t.view(1)  #! yes
            return inner
        outer()().view(1)  #! yes
        f = lambda v: v.view(1)  #! yes
        f(torch.zeros(2)).view(1)  #! yes
        def rest(*vs, **ws):
            vs[0].view(1)  #! yes
            ws["a"].view(1)  #! no
        rest(torch.zeros(2), a=torch.zeros(2))
    """,
    "other libraries' classes in annotations": """
        from typing import Any, Optional
        from audiotools import Sound, SpecTensor
        class Loss(nn.Module):
            def forward(self, x: Sound, y: Optional["Sound"], z: Sound | None, u, v: Any, w: SpecTensor):
                x.view(1)  #! no
                y.view(1)  #! no
                z.view(1)  #! no
                u.view(1)  #! yes
                v.view(1)  #! yes
                w.view(1)  #! yes
    """,
    "classes": """
        class Net(nn.Module):
            limit = torch.zeros(3)
            def __init__(self, size, act=None):
                super().__init__()
                self.size = size
                self.scale = nn.Parameter(torch.ones(size))
                self.register_buffer("mask", torch.ones(size))
                self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])
                self.head = nn.Linear(2, 3)
                self.cache = None
            def forward(self, x, lengths=None):
                x.view(1)  #! yes
                self.scale.view(1)  #! yes
                self.mask.view(1)  #! yes
                self.size.view(1)  #! no
                self.limit.view(1)  #! yes
                for layer in self.layers:
                    x = layer(x)
                self.cache = x
                self.helper(x)
                return self.head(x), self.size
            def helper(self, v):
                v.view(1)  #! yes
                self.cache.view(1)  #! yes
                self.total.view(1)  #! yes
            @property
            def total(self):
                return self.scale.sum()
            @staticmethod
            def plain(n):
                n.view(1)  #! no
            @classmethod
            def make(cls):
                return cls(3)
        net = Net(2)
        net(torch.zeros(2))[0].view(1)  #! yes
        net(torch.zeros(2))[1].view(1)  #! no
        Net.make().scale.view(1)  #! yes
        Net.plain(3)
        class Deeper(Net):
            def forward(self, x):
                out, n = super().forward(x)
                out.view(1)  #! yes
                return out
        Deeper(2)(torch.ones(2)).view(1)  #! yes
        for p in net.parameters():
            p.view(1)  #! yes
        for name, p in net.named_parameters():
            p.view(1)  #! yes
            name.view(1)  #! no
        net.state_dict()["a"].view(1)  #! yes
        class Box:
            def __init__(self):
                self.t = torch.zeros(2)
            def view(self, *a): return self
        Box().t.view(1)  #! yes
        Box().view(1)  #! no
    """,
    "narrowing": """
        def f(x, y, z):
            if isinstance(x, torch.Tensor):
                x.view(1)  #! yes
            else:
                x.view(2)  #! no
            x.view(1)  #! no
            if not torch.is_tensor(y):
                return
            y.view(1)  #! yes
            assert isinstance(z, torch.Tensor)
            z.view(1)  #! yes
        def g(x, y):
            if isinstance(x, str) or not isinstance(y, torch.Tensor):
                return x.view(1)  #! no
            y.view(1)  #! yes
            return isinstance(x, torch.Tensor) and x.view(1)  #! yes
        def h(x):
            x = x if isinstance(x, torch.Tensor) else torch.tensor(x)
            x.view(1)  #! yes
            while isinstance(x, torch.Tensor):
                x.view(1)  #! yes
                x = what()
            x.view(1)  #! no
    """,
    "control flow": """
        a = torch.zeros(2)
        if what():
            b = torch.zeros(2)
        else:
            b = torch.ones(2)
        b.view(1)  #! yes
        if what():
            b = "text"
        b.view(1)  #! yes
        b.count(1).view(1)  #! no
        if what():
            b = what()
        b.view(1)  #! no
        if what():
            c = "text"
            raise ValueError(c)
        else:
            c = a
        c.view(1)  #! yes
        for d in [a]:
            d.view(1)  #! yes
        e = "text"
        for _ in range(2):
            e.view(1)  #! yes
            e = a
        try:
            f = torch.zeros(2)
        except ValueError:
            f = torch.ones(2)
        f.view(1)  #! yes
        try:
            g = torch.zeros(2)
        except ValueError:
            g = "text"
        g.view(1)  #! yes
        try:
            g.view(1)  #! no
        except AttributeError:
            pass
        with torch.no_grad():
            h = a
        h.view(1)  #! yes
        match what():
            case 1:
                i = a
            case [i]:
                pass
            case _:
                i = a
        i.view(1)  #! no
    """,
    "globals": """
        a = torch.zeros(2)
        b = None
        def change():
            global a, b
            a = "text"
            b = torch.zeros(2)
        def use():
            a.view(1)  #! yes
            b.view(1)  #! yes
        a.view(1)  #! yes
        n = torch.zeros(2)
        def unclear():
            global n
            n = what()
        n.view(1)  #! no
        def outer():
            c = torch.zeros(2)
            def inner():
                nonlocal c
                c = "text"
            inner()
            c.view(1)  #! no
    """,
    "batches of an unknown dataset": """
        from torch.utils.data import DataLoader
        from elsewhere import dataset, collate, names
        for i, (x, y) in enumerate(DataLoader(dataset, batch_size=4)):
            x = x.to("cpu")
            x.view(1)  #! yes
        for batch in DataLoader(dataset):
            batch["x"].view(1)  #! yes
            batch[0].to("cpu").view(1)  #! yes
            a, b = batch
            a.view(1)  #! yes
            {k: v.view(1) for k, v in batch.items()}  #! no
        for batch in DataLoader(dataset, collate_fn=collate):
            batch.view(1)  #! no
        for item in DataLoader(dataset, batch_size=None):
            item.view(1)  #! no
        for item in DataLoader(dataset, None):
            item.view(1)  #! no
    """,
    "autograd functions": """
        class F(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, n):
                ctx.save_for_backward(x)
                return x
            @staticmethod
            def backward(ctx, grad, *more):
                x, = ctx.saved_tensors
                x.view(1)  #! yes
                grad.view(1)  #! yes
                more[0].view(1)  #! yes
                ctx.what.view(1)  #! no
                return grad, None
        class G:
            @staticmethod
            def backward(ctx, grad):
                grad.view(1)  #! no
    """,
    "data": """
        from torch.utils.data import DataLoader, Dataset, TensorDataset
        class Texts(Dataset):
            def __getitem__(self, index):
                return torch.zeros(3), index, "name"
            def __len__(self): return 3
        for x, y, names in DataLoader(Texts(), batch_size=2):
            x.view(1)  #! yes
            y.view(1)  #! yes
            names.view(1)  #! no
        for step, (x, y, names) in enumerate(DataLoader(Texts())):
            x.view(1)  #! yes
        class Again:
            def __init__(self, loader):
                self.loader = loader
            def __iter__(self):
                for x, y, names in self.loader:
                    yield x
        for step, x in enumerate(Again(DataLoader(Texts()))):
            x.view(1)  #! yes
        next(iter(Again(DataLoader(Texts())))).view(1)  #! yes
        [x.view(1) for x, n in zip(Again(DataLoader(Texts())), range(3))]  #! yes
        class Steps:
            def __next__(self):
                return torch.ones(2)
        next(Steps()).view(1)  #! yes
        (x,) = next(iter(DataLoader(TensorDataset(torch.zeros(2)))))
        x.view(1)  #! yes
        from tqdm import tqdm
        for x, y, names in tqdm(DataLoader(Texts())):
            x.view(1)  #! yes
    """,
}


@pytest.mark.parametrize("name", SNIPPETS)
def test_inference(name, converted):
    source = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n" + dedent(SNIPPETS[name])
    out = converted(source)
    asked, answered = ([line for line in text.split("\n") if "#!" in line] for text in (source, out))
    assert len(asked) == len(answered) > 3
    wrong = [line for line in answered if (".reshape([" in line, ".view(" not in line) != (line.endswith("yes"),) * 2]
    assert not wrong, "\n".join(wrong)


def test_across_files(conversion):
    done = conversion(
        {
            "app/__init__.py": "",
            "app/net.py": """
                import torch.nn as nn
                from .layers import Block, scale
                class Net(nn.Module):
                    def __init__(self):
                        super().__init__()
                        self.block = Block(3)
                    def forward(self, x):
                        h = self.block(x)
                        return scale(h).view(1, 2)
            """,
            "app/layers.py": """
                import torch.nn as nn
                def scale(v):
                    return v.view(3, 4)
                class Block(nn.Module):
                    def __init__(self, n):
                        super().__init__()
                        self.n = n
                    def forward(self, x):
                        return x + self.n
            """,
            "train.py": """
                import torch
                from app.net import Net
                import app.layers as layers
                Net()(torch.zeros(2)).view(5)
                layers.scale(torch.zeros(2)).view(6)
            """,
        }
    )
    texts = {str(path): data.decode() for path, data in done.files.items()}
    assert "scale(h).reshape([1, 2])" in texts["app/net.py"]
    assert "v.reshape([3, 4])" in texts["app/layers.py"]
    assert ".reshape([5])" in texts["train.py"]
    assert ".reshape([6])" in texts["train.py"]


def test_a_cycle_of_imports(conversion):
    done = conversion(
        {
            "a.py": "import torch\nimport b\ndef f(n):\n    return torch.zeros(n) if n else b.g(n)\nb.g(1).view(2)\n",
            "b.py": "import a\ndef g(n):\n    return a.f(n - 1)\nx = a.f(2)\nx.view(3)\n",
        }
    )
    texts = {str(path): data.decode() for path, data in done.files.items()}
    assert "b.g(1).reshape([2])" in texts["a.py"]
    assert "x.reshape([3])" in texts["b.py"]


def test_tensors_like_torchs_reach_what_imports_them_and_what_that_imports(conversion):
    shown = "import torch\n{}\ndef f(x):\n    x.permute(0, 2, 1)\n    return x.view(1)\n"
    imports = {
        "apart": "import common",
        "common": "import deep",
        "deep": "",
        "demo": "import megengine\nimport common",
        "user": "import demo\nimport of_user",
        "of_user": "",
    }
    done = conversion({f"{name}.py": shown.format(text) for name, text in imports.items()})
    texts = {path.stem: data.decode() for path, data in done.files.items()}
    assert {name for name in imports if "x.view(1)" not in texts[name]} == {"apart"}
