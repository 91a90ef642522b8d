# ruff: noqa: E501
"""Programs in which it is easy to claim too much of an expression: by subject, each runs in torch as it stands."""

HEAD = "import torch\nfrom torch import nn\n"
PROGRAMS = {
    "base classes": """
        class A:
            data = 0
            size = 1
            def __init__(self): self.data = 0; self.kept = []
            def rows(self): return [1, 2]
            def total(self): return self.rows(), self.data, self.size
            def twice(self): return self.make() if hasattr(self, "make") else 0
        class B(A):
            size = torch.ones(2)
            def __init__(self):
                super().__init__()
                self.data = torch.zeros(2)
                self.kept = torch.ones(3)
            def rows(self): return torch.ones(3)
            def make(self): return torch.ones(1)
        class C(B):
            def rows(self): return super().rows().view(1, 3)
        for one in (A(), B(), C()):
            rows, data, size = one.total()
            one.twice(), one.kept, one.data, one.rows(), one.size
        def of(a: A): return a.data, a.rows()
        of(B()), of(A()), of(C())
    """,
    "mixins and properties": """
        class Mixin:
            scale = 1
            @property
            def width(self): return 2
            @property
            def weight(self): return self._weight
            @weight.setter
            def weight(self, value): self._weight = value
            def run(self): return self.scale, self.width, self.weight
        class D(Mixin):
            def __init__(self):
                self._weight = 0
            @property
            def width(self): return torch.ones(2)
        d = D()
        d.run()
        d.scale = torch.ones(1)
        d.weight = torch.ones(4)
        d.run()
        d.weight.view(2, 2)
        class E:
            def __new__(cls): return torch.ones(3)
        E().view(3)
        class F:
            help = max
            def __call__(self, x): return x.view(2)
        F()(torch.ones(2))
    """,
    "narrowing": """
        class A:
            def __init__(self): self.x = []; self.y = None
            def fill(self): self.x = torch.zeros(2)
            def f(self):
                if isinstance(self.x, list):
                    self.fill()
                    z = self.x
                return self.x
            def g(self):
                self.x = []
                self.fill()
                return self.x
            def h(self, other):
                self.x = []
                other.x = torch.ones(2)
                return self.x
        a = A()
        a.f(), a.g(), a.h(a)
        X = []
        def change():
            global X
            X = torch.ones(2)
        def look():
            if isinstance(X, list):
                change()
            return X
        look(), look()
        def pick(v):
            if isinstance(v, (list, tuple)):
                v = torch.tensor(v)
            elif not isinstance(v, torch.Tensor):
                return v
            return v.view(-1)
        pick([1, 2]), pick(3), pick(torch.ones(2))
        b = a
        a.x = []
        b.x = torch.ones(3)
        a.x
    """,
    "attributes by name": """
        import types, argparse
        from collections import namedtuple
        from dataclasses import dataclass
        class O:
            def __init__(self, **kw):
                self.w = 0
                self.v = 0
                self.__dict__.update(kw)
        o = O(w=torch.ones(2))
        o.w, vars(o)["w"], o.__dict__["w"]
        for one in o.__dict__.values(): one
        for name in ("v",): setattr(o, name, torch.ones(3))
        o.v, getattr(o, "v"), getattr(o, "u", 0), getattr(o, "u", torch.ones(1))
        class P:
            x = 0
        p = P()
        vars(p)["x"] = torch.ones(2)
        p.x
        def set_on(thing): thing.x = torch.ones(2)
        q = P()
        set_on(q)
        q.x
        ns = types.SimpleNamespace(x=torch.ones(2), n=1)
        ns.x, ns.n
        args = argparse.Namespace(lr=0.1)
        args.w = torch.ones(1)
        args.w, args.lr
        def later(a): return a.w
        later(args)
        Point = namedtuple("Point", "a b")
        Point(torch.ones(1), 2).a
        @dataclass
        class Config:
            n: int = 1
            w: object = None
            s: int = 0
        Config(2, torch.ones(1)).w, Config(s=torch.ones(1)).s, Config().n
        class EasyDict(dict):
            __getattr__ = dict.__getitem__
            __setattr__ = dict.__setitem__
        e = EasyDict(a=torch.ones(2))
        e.b = 1
        e.a, e.b, e["a"]
    """,
    "containers": """
        d = {torch.ones(1): 2, torch.zeros(2): 3}
        for k in d: k
        for k, v in d.items(): k, v
        list(d), sorted({2: 1}), list(d.keys()), dict(d), {k: 1 for k in d}
        m = {}
        m[3] = torch.ones(2)
        for k in m: k
        m.setdefault("x", 4), m.get("y"), m.get("y", 3), m
        n = dict([(torch.ones(1), 1)], a=2)
        for k in n: k
        l = [0, 1]
        def fill(items): items[0] = torch.ones(2); items.append("x")
        fill(l)
        l[0], l, len(l)
        s = {1, 2}
        s.add(3)
        for one in s: one
        t = [0] * 3
        t[1] = torch.ones(1)
        t[1], t[0]
        nested = {"a": [1]}
        nested["a"].append(torch.ones(1))
        nested["a"][1]
        a, *b = [1, torch.ones(2), "x"]
        a, b, b[0]
        (c, e), f = (torch.ones(1), 2), 3
        c, e, f
        [x for x in zip(*[(1, torch.ones(1)), (2, torch.ones(2))])]
        u = [1, 2]
        u.extend(torch.ones(2))
        u[2]
        u.pop(), u.index(1), u.copy()
        from collections import defaultdict, deque, OrderedDict
        q = defaultdict(list)
        q["a"].append(torch.ones(1))
        q["a"][0]
        r = deque([1])
        r.append(torch.ones(1))
        r.popleft(), r.pop()
        for k, v in OrderedDict([(1, torch.ones(1))]).items(): k, v
        x = y = []
        x.append(torch.ones(1))
        y
        def grow(into=[]):
            into.append(torch.ones(1))
            return into
        grow()[0]
    """,
    "annotations": """
        from typing import Any, Callable, Literal, Mapping, Sequence, Type, Optional
        def f(x: int, y: float = 1, s: str = "a"): return x, y, s
        f(torch.ones(2)), f(1, torch.ones(1)), f(2, 3)
        def g() -> int: return torch.ones(2)
        g()
        h: int = torch.ones(2)
        h
        def make(act: Type[nn.Module], fn: Callable, o: object, m: Mapping, q: Sequence, kind: Literal["a", "b"]):
            return act()(torch.ones(2)), fn(torch.ones(1)), o, m["x"], q[0], kind
        make(nn.ReLU, torch.abs, torch.ones(1), {"x": torch.ones(1)}, [torch.ones(1)], "a")
        class N:
            w: int
            v: Optional[int] = None
            def __init__(self): self.w = torch.ones(1); self.v = torch.ones(2)
        N().w, N().v
        def k(*xs: int, **kw: int): return xs[0], kw["a"]
        k(torch.ones(1), a=torch.ones(1))
        def p(x: "list[int]"): return x[0]
        p([torch.ones(1)])
    """,
    "defaults and stars": """
        def f(x=0, y=(), *, z=1): return x, y, z
        f(), f(torch.ones(1)), f(y=[torch.ones(1)]), f(z=torch.ones(2))
        args, kw = (torch.ones(1),), {"z": torch.ones(1)}
        f(*args), f(**kw), f(*args, **kw)
        def g(a, b=2, *rest, **more): return a, b, rest, more
        g(1, *[torch.ones(1), 3, 4], c=torch.ones(1)), g(*(1, 2, torch.ones(1)))
        x = torch.ones(2, 3, 4)
        sizes = [6, 4]
        x.reshape(*sizes), x.view(2, *x.shape[1:]), torch.zeros(*sizes), torch.randn(2, *x.shape), x.permute(*range(3))
        torch.zeros(*sizes, **{"dtype": torch.int64}), torch.sum(x, *(1,)), x.sum(*[0, True])
        class M(nn.Module):
            def forward(self, x, H, W):
                n = H // 2
                return x.view(H, W), H + W, H * 2, n, x[0], x + 1
        M()(torch.ones(6), 2, 3), M()(torch.ones(6), H=3, W=2)
    """,
    "closures": """
        def outer():
            x = 0
            def inner(): return x
            first = inner()
            x = torch.ones(2)
            return first, inner()
        outer()
        def counter():
            n = 0
            def add():
                nonlocal n
                n = n + torch.ones(1)
                return n
            add()
            return n
        counter()
        STATE = 0
        def read(): return STATE
        read()
        STATE = torch.ones(1)
        read()
        fs = [lambda: v for v in (1, torch.ones(1))]
        [f() for f in fs]
        w = 1
        get = lambda: w
        get()
        w = torch.ones(1)
        get()
        if (n := 3) and [m := torch.ones(1) for _ in range(2)]: n, m
        m = 1
        [y := one for one in (1, torch.ones(1))]
        y, m
        def gen():
            got = yield 1
            yield got
            return torch.ones(1)
        g = gen()
        next(g), g.send(torch.ones(2))
        def both():
            r = yield from gen()
            yield r
        for one in both(): one
        async def co(): return torch.ones(1)
        c = co()
        c.close()
    """,
    "loops": """
        x = 0
        for i in range(3):
            x
            if i == 1: x = torch.ones(1)
        a = b = 0
        while True:
            if a:
                b = torch.ones(1)
                break
            a = 1
            b = 2
        b
        for i in range(3):
            if i == 0:
                c = torch.ones(1)
                continue
            c
            c = 2
        c
        for j in range(2): pass
        else: j = torch.ones(1)
        j
        try:
            e = 0
            e = torch.ones(1)
            raise ValueError(torch.ones(2))
            e = ""
        except ValueError as error:
            e, error.args[0]
        class Found(Exception):
            def __init__(self, value): self.value = value
        try:
            raise Found(torch.ones(1))
        except Found as found: found.value
        except Exception as other: other
        class Held:
            def __enter__(self): return torch.ones(1)
            def __exit__(self, *a): return False
        with Held() as h: h
        from contextlib import contextmanager
        @contextmanager
        def holding():
            yield torch.ones(1)
        with holding() as k: k
        k += 1
        n = 1
        n += torch.ones(1)
        n
        match [1, torch.ones(1)]:
            case [p, q]: p, q
        match torch.ones(1):
            case torch.Tensor() as t: t
        del n
        s = t = 0
        s, t = t, torch.ones(1)
        s, t = t, s
        s, t
    """,
    "builtins and libraries": """
        import copy, functools, itertools, math, operator
        import numpy as np
        a, b = torch.ones(2), torch.zeros(2)
        max([a.sum(), b.sum()]), max(1, a.sum()), min(2, 3.0), sum([a, b]), sum([1, 2.5]), sum([[1], [2]], [])
        sorted([3, 1]), list(reversed([a, 1])), [p for p in zip([a], [1])], abs(a), abs(-1), round(2.5), round(2.567, 1)
        pow(2, a), pow(a, 2), pow(2, -1), pow(2, 3), divmod(7, 2), 7 / 2, 7 // 2, 7.5 // 2, 2 ** -1, True + True
        functools.reduce(torch.add, [a, b]), functools.partial(torch.add, a)(b), list(map(torch.sin, [a, b]))
        list(map(lambda x, y: (x, y), [a], [1])), list(filter(None, [1, 2])), list(itertools.chain([a], [1]))
        operator.add(a, 1), operator.itemgetter(0)([a]), operator.attrgetter("T")(torch.ones(2, 2))
        operator.methodcaller("sum")(a), getattr(a, "sum")(), getattr(a, "s" + "um")()
        np.sqrt(a), np.add(a, 1), np.array([1.0]), np.array([a, 1], dtype=object)[0], np.mean([1, 2]), np.ones(2)[0]
        math.floor(2.5), math.sqrt(4), math.prod([a, 2]), math.prod([2, 3]), math.isnan(1.0), math.gcd(4, 2), math.pi
        copy.copy(a), copy.deepcopy([a, 1]), next(iter([a])), next(iter([]), 0), dict(a=a), dict({"x": 1}, y=a)
        "a b".split(), "a".startswith("a"), "a".upper(), "a".join(["b"]), "%d" % 1, "a" * 2, b"x".decode(), "a".encode()
        f"{a.sum()}", str(a), repr(1), "a".partition("b"), "a".find("b"), len([1]), isinstance(a, int), bool(a.sum())
        torch.Generator().manual_seed(1), torch.manual_seed(0), torch.is_tensor(a), torch.get_default_dtype(), torch.float32
        list({a: 1}), list(enumerate([a])), type(a), type(1), a.dtype, a.shape, a.shape[0], a.size(), a.size(0), a.dim()
        None or a, 0 or a, a is None, not a.sum(), 1 if a.sum() else a, (a if a.sum() else 1), 1 < 2 < 3, a < b, [1] + [a]
    """,
    "modules": """
        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = nn.Linear(2, 2)
                self.n = 0
                self.register_buffer("mask", None)
                for i in range(2): setattr(self, f"layer{i}", nn.Linear(2, 2))
                for name in ("a", "b"): self.register_buffer(name, torch.ones(1))
            def forward(self, x, mask=None, flag=False):
                for i in range(2): x = getattr(self, f"layer{i}")(x)
                return (self.lin(x), self.layer0(x)) if flag else self.lin(x)
        class Wider(Block):
            def forward(self, x): return super().forward(x, flag=True)
        for net in (Block(), Wider()): net(torch.ones(1, 2))
        block = Block()
        block(torch.ones(1, 2), flag=True)
        block.n, block.a, block.mask
        for m in block.modules(): m.n = torch.ones(1)
        block.n
        rnns = [(nn.LSTM if i else nn.GRU)(2, 2) for i in range(2)]
        for rnn in rnns: out, state = rnn(torch.ones(1, 1, 2)); state
        kind = nn.LSTM(2, 2) if len(rnns) == 2 else nn.Linear(2, 2)
        kind(torch.ones(1, 1, 2))
        seq = nn.Sequential(nn.Linear(2, 2), Block(), nn.ReLU())
        seq(torch.ones(1, 2)), seq[0], seq[1:], [m for m in seq], seq[1].lin.weight
        nn.Sequential(nn.LSTM(2, 2))(torch.ones(1, 1, 2))
        md = nn.ModuleDict({"a": nn.Linear(2, 2)})
        md["a"](torch.ones(2)), [k for k in md], list(md.values())
        nn.MultiheadAttention(2, 1)(torch.ones(1, 1, 2), torch.ones(1, 1, 2), torch.ones(1, 1, 2))
        block.forward = lambda x: [x]
        block(torch.ones(1, 2))
        nn.ParameterList([nn.Parameter(torch.ones(1))])[0], nn.ParameterDict({"a": nn.Parameter(torch.ones(1))})["a"]
        opt = torch.optim.SGD(seq.parameters(), lr=0.1)
        opt.param_groups[0]["lr"], opt.step(), opt.zero_grad(), opt.state_dict(), seq.state_dict(), [p for p in seq.parameters()]
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x): ctx.k = x; return x * 2
            @staticmethod
            def backward(ctx, g): return g * ctx.k
        Double.apply(torch.ones(1, requires_grad=True)).sum().backward()
    """,
    "tensors": """
        x = torch.ones(2, 3)
        i = torch.arange(6).view(2, 3)
        x + 1, x * 2.5, i * 2, i / 2, i // 2, i > 1, x @ x.T, x[0], x[:, 0], x[None], x[..., 0], x[i > 1], x[[0, 1]], i.float()
        x.max(), x.max(1), x.max(1)[0], x.max(1).values, x.sort(), x.topk(1), x.sum(), x.sum(1), x.mean(0, keepdim=True)
        torch.cat([x, i.float()]), torch.stack([x, x]), torch.where(x > 0, x, 0.0), torch.zeros(3), torch.zeros((2, 3)), torch.eye(2)
        torch.tensor(1), torch.tensor([1.0]), torch.tensor([[True]]), torch.tensor([1, 2.5]), torch.arange(3), torch.arange(0, 1, 0.5)
        torch.full((2,), 1), torch.full((2,), 1.5), torch.randint(3, (2,)), torch.rand(2), torch.randn(2, 3, 4), torch.empty(2)
        x.to(torch.int64), x.to("cpu"), x.long(), x.half(), x.bool(), x.type(torch.float64), x.type_as(i), i.to(x), x.new_zeros(2)
        x.unsqueeze(0), x.squeeze(), x.squeeze(0), x.view(-1), x.view(3, 2), x.flatten(), x.transpose(0, 1), x.permute(1, 0), x.expand(2, 2, 3)
        x.repeat(2, 1), x.split(1), x.chunk(2), x.unbind(0), torch.split(x, [1, 1]), x.nonzero(), x.argmax(), x.argmax(1), x.item
        x.tolist(), x.numpy(), x.shape[0], x.numel(), x.any(), x.all(), (x > 0).sum(), i.sum(), i.float().mean(), x.norm(), x.std(0)
        torch.einsum("ij,kj->ik", x, x), torch.matmul(x, x.T), torch.bmm(x[None], x.T[None]), torch.meshgrid(x[0], x[0], indexing="ij")
        torch.linalg.svd(x), torch.linalg.norm(x), torch.unique(i), torch.unique(i, return_counts=True), torch.histc(x), torch.cumsum(i, 0)
        torch.complex(x, x), torch.complex(x, x).abs(), torch.fft.fft(x), x.real, x.data, x.grad, x.T, x.mT, x.is_cuda, x.device, x.requires_grad
        a, b = x.split(1)
        a, b
        for row in x: row
        for r, c in i.nonzero(): r, c
        h, w = x.shape
        h, w, (h, w), x.shape[-2:], x.shape + (1,), [*x.shape], list(x.shape), tuple(x.size())
        x += 1
        x[0] = 2
        i[0], x, x.add_(1), x.clone().fill_(0), torch.nn.functional.one_hot(i), torch.nn.functional.pad(x, (1, 1))
    """,
    "defaults and annotations": """
        from functools import partial
        from typing import Dict, List, Optional, Tuple, Union
        def outside(name, *args, **kwargs): return globals()[name](*args, **kwargs)
        def sized(img_size=224, drop=0.0, scale=1, name="relu", ratios=(4.0, 2.0), layer=nn.ReLU):
            half = img_size * 2
            rates = [drop, scale, drop * 2, scale > 0, scale * 3]
            return img_size, half, rates, name, layer, [layer], ratios, ratios[0]
        def annotated(a: float, b: float = 0.5, c: int = 1, d: str = "batch", e: Optional[str] = None, f: Tuple[float, float] = (1, 2)):
            return a, a * 2, b, c, c * 2, d, (d, None), e, f, f[0]
        class Block(nn.Module):
            def __init__(self, width: float = 1, fn: nn.Module = nn.ReLU, drop: int = 0.5):
                super().__init__()
                self.width, self.act, self.drop = width, fn(), drop
                self.kind = fn
            def forward(self, x): return self.act(x * self.width), self.drop
        def block_of(kind: Union[Block, nn.Linear]): return kind
        outside("sized", (8, 8), 1, 0.5, nn.ReLU, (1, 2), "gelu")
        outside("sized", 8, [0.1], ratios=[1])
        outside("annotated", 1, 2, (3, 4), nn.ReLU, nn.ReLU)
        outside("annotated", 1, [0.1])
        Block(2)(torch.ones(2)), outside("Block", 3, nn.GELU)(torch.ones(2)), outside("block_of", Block)
        def rounded(channels, by=8): return channels, channels + 1, by
        rounded(3)
        partial(rounded, by=4)(2.5)
    """,
    "containers of modules and of files": """
        from typing import Dict
        registry = dict(a=nn.ReLU)
        names: Dict[str, nn.Linear] = {}
        def register(name, fn): registry[name] = fn
        def keep(name, one): names[name] = one
        register("b", nn.Sigmoid)
        keep("c", nn.ReLU())
        registry["b"], registry["b"]().inplace if "b" not in registry else 0, names["c"], list(registry.values())
        def given(**words): return dict(registry, **words), dict(a=1, **words), dict({"x": "y"}, **words)
        given(b=2.5, c="d")
        class Two(nn.Module):
            def forward(self, x, y): return x, [y]
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.few = nn.ModuleList()
                self.stage_count, self.stage_size = [3, 4]
                self.stage_half = self.stage_count // 2
                setattr(self, f"stage{1}", nn.Sequential())
                self.mixed = nn.Sequential(nn.Linear(2, 2), *[nn.ReLU() for _ in range(2)])
                for _ in range(2): self.few.append(Two())
                self.few.extend([Two()])
            def forward(self, x):
                size = x.shape
                for one in self.few: x, size = one(x, size)
                for part in self.mixed: part, part(x)
                return x, size, self.stage_count, self.stage_half, self.mixed(x), self.mixed[0]
        Net()(torch.ones(2, 2))
        class Windows(nn.Module):
            def forward(self, x, size):
                h, w = size
                rest = (7 - h % 7) % 7
                return rest, rest > 0, (0, rest), h * 2, -w, h + w, h == w
        Windows()(torch.ones(2), (3, 4))
        pooled = torch.nn.functional.adaptive_max_pool2d(torch.ones(1, 1, 4, 4), (2, 1))
        both = torch.nn.functional.max_pool2d(torch.ones(1, 1, 4, 4), 2, return_indices=True)
        pooled, both, both[0], nn.MaxPool2d(2, return_indices=True)(pooled.repeat(1, 1, 2, 2))
        import numpy as np
        np.ones(3) > 1, np.float64(1) != 1
    """,
    "annotations that nothing bears out": """
        from typing import List, Union
        def outside(name, *args, **kwargs): return globals()[name](*args, **kwargs)
        settings = dict(factor=1.5, name=nn.ReLU, rates=[0.5], on=True)
        def _step(x, factor: bool, width: int, on: bool):
            scaled = factor * 2
            return x * factor, scaled, width, [width], on
        def step(**group): return _step(torch.ones(2), group["factor"], group["width"], on=group["on"])
        step(factor=1.5, width=2.5, on=True)
        step(**settings, width=(3, 4))
        class Rated(nn.Module):
            def __init__(self, rate: float, flag: bool, named: bool = False):
                super().__init__()
                self.first, self.flag = rate[0], flag
                self.rate, self.named = rate, named
        def rates(x, staged) -> Union[List[float], List[List[float]]]:
            return [part.tolist() for part in x.split(1)] if staged else [part.item() for part in x]
        Rated(rates(torch.ones(2), staged=True)[0], True)
        outside("Rated", [1, 2], True, named=3)
        class Timed(nn.Module):
            def forward(self, time, mask=None):
                half = time / 2
                return time, half, time + 1, time * 2.5, mask
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Timed()
            def forward(self, x): return self.inner(torch.arange(2), x > 0)
        Net()(torch.ones(2)), Timed()(torch.arange(2)), outside("Timed")(torch.rand(2)), Timed()(torch.arange(2))
        def sampled(): return Timed()(torch.randint(3, (2,)))
        sampled()
        for one in [outside("Timed"), outside("Net")]: one(torch.rand(2))
    """,
    "decorated": """
        def counted(inner):
            def wrapper(*args, **kwargs):
                return inner(*args, **kwargs)
            return wrapper
        def twice(inner):
            def wrapper(x, *rest):
                return [inner(x, *rest), inner(str(x), *rest)]
            return wrapper
        def registered(function):
            return function
        @counted
        def f(u, n=1):
            v = u * 2
            return v, n
        @counted
        def g(n):
            return n + 1
        @twice
        def h(x, by):
            return x * by
        @counted
        @registered
        def k(u):
            return u.sum()
        for _ in range(3):
            a, b = f(torch.ones(2)), f(torch.ones(2), n=3)
            c, d = g(2), g(torch.ones(3))
            e = h(torch.ones(2), 2)
            m = k(torch.ones(2)) + k(torch.ones(2, 2))
            print(a, b, c, d, e, m)
    """,
    "indices and counts": """
        def asked(x, by):
            return torch.nonzero(x, as_tuple=by), x.nonzero(as_tuple=by)
        x = torch.tensor([[0.5, 0.0], [0.0, 2.0]])
        for _ in range(3):
            a, b = torch.nonzero(x, as_tuple=True), x.nonzero(as_tuple=True)
            c, d = torch.nonzero(x, as_tuple=False), x.nonzero(as_tuple=False)
            e, f = asked(x, True), asked(x, False)
            n = sum((row > 0).all(dim=-1) for row in x)
            m = sum(row > 0 for row in x) + sum((row for row in x), 0.5)
            print(a[0], b[1], c[0], d, e, f, n, m)
    """,
    "axes that change in place": """
        def row(t):
            t.unsqueeze_(0)
            return t, t.shape
        x = torch.ones(2)
        y = x
        x.unsqueeze_(0)
        print(x.squeeze_(0), y, x.set_(torch.ones(2, 2)), x, y)
        z = torch.ones(3)
        kept = {"input": torch.zeros(2), "target": z, "all": [z]}
        z.data = torch.ones(2, 2)
        print(kept["target"], kept["all"][0], kept["input"])
        print(z, z + 1, z.sum(0), row(torch.ones(2, 2)))
        w = torch.ones(2)
        w.data = w.data + 1
        for one in (w, torch.tensor(2.0), torch.ones(2, 2)):
            for part in (one, one.sum(), one.view(-1)[0]):
                print(part.tolist(), torch.tensor(1).tolist(), [w[n].tolist() for n in range(2)])
    """,
    "arguments that are given back": """
        from inspect import isfunction
        def default(x, d):
            if x is not None:
                return x
            return d() if isfunction(d) else d
        class Made:
            def __call__(self): return 3
        class Kept(torch.Tensor):
            pass
        def made(): return torch.ones(3)
        for x in (None, 1, torch.ones(2), [torch.ones(1)]):
            for d in (2, made, Made, Made(), lambda: torch.ones(2), torch.ones(1), None):
                a, b, c = default(x, d), default(None, d), default(x, 3)
                print(a, b, c, default(d, x), default(None, made), default(None, 2), default(None, Made), default(1, made))
    """,
    "used as tensors are": """
        import numpy
        class Grid:
            def __init__(self, held): self.held = held
            def masked_fill(self, mask, value): return self
            def to(self, device): return self
            def size(self, axis=None): return 3 if axis is not None else (1, 2)
        def grown(x, deep=False):
            if deep:
                x = x.unsqueeze(0)
            return x, x + 1
        def filled(x): return x.masked_fill(x == 1, 2)
        def told(x):
            n, m = x.size()
            return x, n, m, x.size(0)
        def turned(x):
            if hasattr(x, "permute"):
                x = x.permute(1, 0)
            return x
        def viewed(x, kind): return x.view(kind)
        def summed(x, by): return (x - by).pow(2).sum(dim=1) if isinstance(x, torch.Tensor) else x.sum(axis=1)
        def tried(x):
            try:
                return x.contiguous()
            except AttributeError:
                return x
        def moved(model, device): return model.to(device), model.float()
        def read(x): return x.detach().cpu().numpy(), x
        handlers = {"grown": grown, "filled": filled, "told": told, "turned": turned, "tried": tried, "read": read}
        t, array = torch.ones(2, 2), numpy.ones((2, 2))
        for name, given in [("grown", t), ("grown", 1), ("grown", array), ("filled", t), ("filled", Grid(1)), ("told", t),
                            ("told", Grid(2)), ("turned", t), ("turned", [1]), ("tried", t), ("tried", "x"), ("read", t)]:
            print(handlers[name](given))
        print(grown(t, True), viewed(array, "int64"), viewed(t, -1), summed(t, 1), summed(array, 1))
        print(moved(nn.Linear(1, 1), "cpu"), moved(t, "cpu"))
    """,
    "used as tensors are, further down, by layers, through what hands on": """
        import numpy
        class Stepping:
            def __init__(self, env): self.env = env
            def step(self, x): return self.env.step(x)
            def __getattr__(self, name): return getattr(self.env, name)
        class Env:
            def step(self, x): return x.detach()
            def flip(self, axis): return axis
            def t(self): return 3
            def unsqueeze(self, at): return [at]
            def float(self): return self
            def __sub__(self, other): return other
        class Tree:
            def sum(self, start=0, end=None): return torch.ones(3)
            def size(self): return 3
            def transpose(self, *axes): return axes
        def later(x, flag):
            y = x[0]
            if flag:
                y = y.long()
                return y, y.t()
            for z in x[1:]:
                y = z
                y.numpy()
            return y, z
        def bound_anew(x):
            y = x[0]
            for y in x[1:]:
                y.unsqueeze(0)
            return y
        def opened(x):
            with torch.no_grad():
                y = x[1]
                print(y)
                y.clamp(-1, 1)
            return y, x
        def swapped(x, deep):
            if deep:
                return x.transpose(1, 2), x
            return x.transpose(0, 1), x
        def counted(x): return x.sum().clamp(min=0), x
        def scored(layer, x): return layer(x), x
        def one_of_two(flag):
            x = torch.ones(3) if flag else numpy.ones(3)
            if flag:
                x = x.cpu()
            return x, x.sum(), x.astype("int64") if not flag else x.to(torch.long)
        def sized(x): return x.size()[0] if hasattr(x, "dim") else x.size
        def joined(x, y): return torch.cat([x, y]), x, y
        handlers = {"later": later, "bound_anew": bound_anew, "opened": opened, "swapped": swapped, "counted": counted,
                    "scored": scored, "one_of_two": one_of_two, "sized": sized, "joined": joined}
        t, env = torch.ones(2, 2, 2), Env()
        for name, given in [("later", ([t[0, 0], t], True)), ("later", ([1, t, t], False)), ("bound_anew", ([3, t],)),
                            ("bound_anew", ([env],)), ("bound_anew", ([env, Env()],)), ("opened", ([1, t],)),
                            ("swapped", (t, True)), ("swapped", (Tree(), True)), ("swapped", (numpy.ones((2, 2)), False)),
                            ("counted", (t,)), ("counted", (Tree(),)), ("scored", (nn.Linear(2, 1), t)),
                            ("scored", (nn.Identity(), "x")), ("scored", (len, [1])), ("one_of_two", (True,)),
                            ("one_of_two", (False,)), ("sized", (t,)), ("sized", (numpy.ones(2),)), ("joined", (t, t))]:
            print(handlers[name](*given))
        stepping = Stepping(env)
        print(stepping.step(t), stepping.flip(0), stepping.t(), stepping.unsqueeze(0), 1.0, stepping.float() - 2)
    """,
    "what others fill": """
        from dataclasses import dataclass
        def draw(log=[]):
            log.append(1)
            return torch.ones(2) * len(log), log
        print(draw(), draw())
        kept = {}
        def keep(x): kept.setdefault("a", []).append(x.chunk(2)[0])
        def change(): return kept["a"], kept["a"][0].mul_(3)
        def closed():
            held = []
            def put(x): held.append(x.split(2)[0])
            def of(): return held, held[0].mul_(3)
            return put, of
        def recorder(told):
            def hook(module, args, output): told.append((type(module).__name__, output.sum().item()))
            return hook
        def watch(model, told):
            for module in model.children():
                module.register_forward_hook(recorder(told))
        x = torch.arange(1.0, 5.0)
        put, of = closed()
        keep(x), put(x)
        print(change(), of())
        net, told = nn.Sequential(nn.Linear(4, 2), nn.Tanh()), []
        watch(net, told)
        print(net(x), told, len(told))
        w = torch.ones(2, requires_grad=True)
        caught, h = [], w * 2
        h.register_hook(caught.append)
        (h * h).sum().backward()
        print(caught, caught[0], w.grad)
        w.grad = None
        (w * 3).sum().backward()
        print(w.grad, w.grad.mul(2))
        sizes = [1, 2, 3]
        del sizes[0]
        print(sizes)
        @dataclass
        class Pair:
            left: object
            right: object
        def half(pair): return pair.left / 2, pair.right.max()
        print(half(Pair(torch.ones(2), torch.ones(2))), half(Pair(*[torch.arange(3), torch.arange(4.0)])))
        groups = [{"params": [w], "lr": 0.1}, {"params": w.clone().detach().requires_grad_()}]
        extra = {"params": torch.ones(1, requires_grad=True)}
        opt = torch.optim.SGD(groups, lr=0.5)
        opt.add_param_group(extra)
        print(groups, [g["lr"] for g in groups], groups[1]["params"], extra, extra["params"], extra["momentum"])
        held = nn.ParameterDict({"a": w, "none": None})
        held["n"] = 3
        print(held["n"], held["none"], list(held.values()))
    """,
    "tensors made anew in place": """
        def turn(q): q.unsqueeze_(0)
        def outer(q):
            turn(q)
            return q
        def halved(p): p.data = p.data.half()
        p = torch.arange(4.0).reshape(2, 2)
        q = p.detach()
        r = outer(q)
        print(p, q, r, q.sum(0))
        m = torch.ones(2, 2)
        k = m.flatten(1)
        k.unsqueeze_(0)
        print(m, k, m.sum(0))
        wide = torch.ones(2, 2)
        halved(wide)
        print(wide, wide + 1)
        class Bounded(nn.Module):
            def __init__(self):
                super().__init__()
                self.bound = torch.zeros(1)
                self.register_buffer("index", torch.tensor([1, 2]))
            def _apply(self, fn):
                self.bound = fn(self.bound)
                return super()._apply(fn)
            def in_double(self): return self._apply(lambda t: t.double() if t.is_floating_point() else t)
        print(Bounded().in_double().bound, Bounded().in_double().index)
        flags, y = (torch.arange(24) > 12).view(2, 3, 4).to(torch.uint8), torch.arange(24.0).view(2, 3, 4)
        print(y[flags], flags.all(), flags.any(dim=1), torch.all(flags), y[0][torch.tensor([1, 0, 1]).byte()])
        print([torch.searchsorted(one, 1.5) for one in (y[0, 0], y[0, 1])], torch.searchsorted(y[0, 0], y))
        n = torch.tensor([2, 3])[0]
        print(torch.FloatTensor(n, 2).fill_(1), torch.FloatTensor(y.size()).shape, torch.FloatTensor([[1, 2]]))
        print(reversed(y), [row for row in reversed(y)])
    """,
    "what is no tensor after all": """
        import numpy
        import torch.nn.utils.prune as prune
        from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence
        layer = prune.l1_unstructured(nn.Linear(4, 2), "weight", amount=0.5)
        print(prune.remove(layer, "weight"))
        out, h = nn.GRU(1, 3)(pack_sequence([torch.ones(3, 1), torch.ones(2, 1)]))
        print(out, out.data, pad_packed_sequence(out), h)
        class Packing(nn.Module):
            def __init__(self):
                super().__init__()
                self.kept = nn.LSTM(1, 3)
            def forward(self, x):
                out, _ = self.kept(x)
                return torch.tanh(out.data), x.data
        print(Packing()(pack_sequence([torch.ones(3, 1)])))
        objects = numpy.array([None, None])
        objects[0] = torch.ones(1)
        print(objects[0], objects)
        def clear(x):
            a = x.numpy()
            a[a > 0] = -1
            return x, a > 0
        print(clear({"a": torch.ones(4)}["a"]))
        class Scaled(nn.Module):
            def __init__(self):
                super().__init__()
                self.by = 3
            def get_extra_state(self): return {"by": self.by}
            def set_extra_state(self, state): self.by = state["by"]
        print(Scaled().state_dict(), list(Scaled().state_dict().values()))
        def fill(rows, by): rows.add_(by)
        future = torch.jit.fork(fill, torch.zeros(2), 2.0)
        print(future, torch.jit.wait(future), torch.jit.wait(torch.jit.fork(torch.relu, torch.ones(2))))
    """,
}
